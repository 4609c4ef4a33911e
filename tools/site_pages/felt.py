"""A picture of a layout, drawn from a rulebook's data: positions, playing areas by their names, cards."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

from pitboss.rulebooks import Plan
from pitboss.rulebooks.plan import Wager

W3 = "www.w3.org"
SVG = f"http://{W3}/2000/svg"
"""The name of SVG's own elements."""
WIDTH, TOP = 960, 430
CARD = (26, 36)
_STYLE = """
.felt{fill:#14532d;stroke:#0b2f1a;stroke-width:6}.line{fill:none;stroke:#d9c48a;stroke-width:1.6}
.card{fill:#f5f1e6;stroke:#7a6f55}.back{fill:#7f1d1d;stroke:#f5f1e6}
.t{fill:#f5f1e6;font:13px system-ui,sans-serif}
.s{fill:#e8dcb8;font:11px system-ui,sans-serif}.n{fill:#d9c48a;font:700 14px system-ui,sans-serif}
.paper{fill:#fbf9f3;stroke:#cbbf9c}.d{fill:#2b2417;font:14px system-ui,sans-serif}
.e{fill:#6b5f45;font:12px system-ui,sans-serif}
.area{fill:#fff;stroke:#14532d;stroke-width:2}
"""


def areas(plan: Plan) -> list[Wager]:
    """The wagers with an area of their own, in the order of the layout."""
    return [wager for wager in plan.wagers if wager.extra_on is None]


def layout_svg(plan: Plan) -> str:
    """The layout: the whole table above, one position enlarged below it with what goes where."""
    rows = math.ceil(len(areas(plan)) / 3)
    height = TOP + 70 + rows * 92
    title = escape(f"Layout of {plan.book.identity.title}, drawn from the rulebook's data")
    body = "\n".join([*_table(plan), *_enlarged(plan)])
    return (
        f'<svg xmlns="{SVG}" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{title}"><title>{title}</title><style>{_STYLE}</style>\n{body}\n</svg>\n'
    )


def _text(x: float, y: float, text: str, kind: str = "t", anchor: str = "middle") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'


def _cards(x: float, y: float, count: int, kind: str = "back", gap: int = 4) -> Iterator[str]:
    """So many cards in a row, centred on x."""
    width, height = CARD
    left = x - (count * (width + gap) - gap) / 2
    for at in range(count):
        place = left + at * (width + gap)
        yield f'<rect x="{place:.0f}" y="{y:.0f}" width="{width}" height="{height}" rx="4" class="{kind}"/>'


def _table(plan: Plan) -> Iterator[str]:
    right, low, middle = WIDTH - 20, TOP - 10, WIDTH // 2
    curve = f"M20 30H{right}V190C{right} 350 {right - 170} {low} {middle} {low}S20 350 20 190Z"
    yield f'<path d="{curve}" class="felt"/>'
    yield f'<rect x="{WIDTH / 2 - 120:.0f}" y="38" width="240" height="26" rx="5" class="line"/>'
    yield _text(WIDTH / 2, 56, "chip tray", "s")
    yield from _cards(WIDTH / 2, 76, plan.dealer_cards)
    yield _text(WIDTH / 2, 126, f"dealer: {plan.dealer_cards} cards", "s")
    yield f'<rect x="{WIDTH - 130}" y="44" width="76" height="50" rx="8" class="line"/>'
    yield _text(WIDTH - 92, 74, "cards", "s")
    yield from _community(plan)
    for position in range(1, plan.positions + 1):
        yield from _position(plan, position)


def _community(plan: Plan) -> Iterator[str]:
    if not plan.community_cards:
        return
    step, y = CARD[0] + 4, 144
    yield from _cards(WIDTH / 2, y, plan.community_cards, "card")
    left = WIDTH / 2 - (plan.community_cards * step - 4) / 2
    for name, numbers in plan.parts.items():
        middle = left + sum(number - 1 for number in numbers) / len(numbers) * step + CARD[0] / 2
        yield _text(middle, y + CARD[1] + 15, name, "s")
    if not plan.parts:
        yield _text(WIDTH / 2, y + CARD[1] + 15, f"community: {plan.community_cards} cards", "s")


def _position(plan: Plan, position: int) -> Iterator[str]:
    """A position on the arc: the first at the dealer's left, which is on the players' right."""
    count = plan.positions
    turn = 0.5 if count == 1 else (count - position) / (count - 1)
    x = 100 + (WIDTH - 200) * turn
    y = 150 + 185 * math.sqrt(1 - ((x - WIDTH / 2) / 400) ** 2)
    wide = 21
    found = areas(plan)
    left = x - (len(found) * wide) / 2
    for at, wager in enumerate(found):
        yield _shape(wager, left + at * wide + wide / 2, y, 8.5, "line")
        yield _text(left + at * wide + wide / 2, y + 4, str(at + 1), "s")
    yield from _cards(x, y + 14, plan.own_cards, gap=4 if plan.own_cards < 4 else -4)
    yield _text(x, y + 66, str(position), "n")


def _shape(wager: Wager, x: float, y: float, size: float, kind: str) -> str:
    """A circle for what is dealt a hand, a square for what is placed later, a diamond for the rest."""
    if wager.entitles_to_hand:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" class="{kind}"/>'
    if wager.of is not None:
        side = size * 1.8
        return (
            f'<rect x="{x - side / 2:.1f}" y="{y - side / 2:.1f}" width="{side:.1f}" height="{side:.1f}" '
            f'rx="2" class="{kind}"/>'
        )
    reach = size * 1.2
    points = (
        f"{x:.1f},{y - reach:.1f} {x + reach:.1f},{y:.1f} {x:.1f},{y + reach:.1f} {x - reach:.1f},{y:.1f}"
    )
    return f'<polygon points="{points}" class="{kind}"/>'


def size_in_words(wager: Wager) -> str:
    """How large a wager is, as the book prescribes it."""
    if wager.of is not None:
        return f"{wager.times} x {wager.of}"
    if wager.units is not None:
        least, most = wager.units
        return "one unit" if least == most else f"{least} to {most} units"
    return "within the table's limits"


def _enlarged(plan: Plan) -> Iterator[str]:
    """What the numbers mean: each area with its name, when it is placed, and how much."""
    found = areas(plan)
    height = math.ceil(len(found) / 3) * 92 + 48
    yield f'<rect x="20" y="{TOP + 10}" width="{WIDTH - 40}" height="{height}" rx="12" class="paper"/>'
    yield _text(40, TOP + 38, "The areas of every position", "d", "start")
    for at, wager in enumerate(found):
        x, y = 40 + (at % 3) * 300, TOP + 60 + (at // 3) * 92
        yield _shape(wager, x + 30, y + 34, 24, "area")
        yield _text(x + 30, y + 40, str(at + 1), "d")
        yield _text(x + 70, y + 26, wager.area, "d", "start")
        yield _text(x + 70, y + 44, size_in_words(wager), "e", "start")
        yield _text(x + 70, y + 60, _when(wager), "e", "start")


def _when(wager: Wager) -> str:
    """When a wager is placed, and what it needs."""
    if wager.of is not None:
        return f"at the {wager.placed} decision"
    return "before the deal" + (f"; needs {' or '.join(wager.needs)}" if wager.needs else "")
