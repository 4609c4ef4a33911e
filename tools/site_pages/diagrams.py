"""Diagrams of the architecture: the layers as import-linter holds them, and the way of a request."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from html import escape
from itertools import pairwise
from pathlib import Path

from site_pages.felt import SVG

ROOT = Path(__file__).parent.parent.parent
WIDTH = 900
_STYLE = (
    ".b{fill:#f3efe2;stroke:#14532d;stroke-width:1.6}.t{fill:#1d2b20;font:15px system-ui,sans-serif}"
    ".s{fill:#5d5540;font:12.5px "
    "system-ui,sans-serif}.a{stroke:#7f1d1d;stroke-width:2;fill:none;marker-end:url(#h)}"
)
_HEAD = (
    '<defs><marker id="h" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">'
    '<path d="M0 0L9 4L0 8Z" fill="#7f1d1d"/></marker></defs>'
)
SAYS = {
    "cli": "one module a verb",
    "server": "HTTP, WebSocket, sign-in",
    "client": "the service from Python",
    "library": "import pitboss",
    "forms": "the registry of requests and acts",
    "verification": "the record checked",
    "reconciliation": "what a failover has lost",
    "reporting": "the day's figures",
    "bot_strategy": "how bots decide",
    "fairness": "tests of the shuffle",
    "bootstrap": "a floor from settings",
    "continuity": "what is known, held against the record",
    "beacons": "the beacon of the settings",
    "notebook": "tables and plots for notebooks",
    "store": "memory, SQLite, PostgreSQL",
    "floor": "tables, people, money, links",
    "school": "drills for dealers",
    "play": "decide and evolve a round",
    "maths": "the same plan, counted",
    "rulebooks": "books as data, compiled to a plan",
    "fields": "what requests and commands take",
    "cards": "cards and hands",
    "money": "integers",
    "parts": "what is optional",
    "errors": "what goes wrong",
    "progress": "how far long work is",
    "folders": "where files lie",
    "version": "which one this is",
}


def layers() -> list[list[str]]:
    """The layers of the packages, the topmost first, as they are enforced."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    found = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [[part.strip().removeprefix("pitboss.") for part in layer.split("|")] for layer in found]


def _svg(height: int, title: str, body: Iterator[str]) -> str:
    inner = "\n".join(body)
    return (
        f'<svg xmlns="{SVG}" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style>{_HEAD}\n{inner}\n</svg>\n"
    )


def _box(x: float, y: float, width: float, name: str, says: str, height: int = 46) -> Iterator[str]:
    yield f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{height}" rx="8" class="b"/>'
    middle, high = f"{x + width / 2:.0f}", y + (20 if says else 28)
    yield f'<text x="{middle}" y="{high}" class="t" text-anchor="middle">{escape(name)}</text>'
    yield f'<text x="{middle}" y="{y + 37}" class="s" text-anchor="middle">{escape(says)}</text>'


def layers_svg() -> str:
    """The packages, each layer on those it may import."""
    return _svg(len(layers()) * 66 + 10, "The packages: imports point downwards", _layers())


def _layers() -> Iterator[str]:
    for at, names in enumerate(layers()):
        y = 6 + at * 66
        wide = (WIDTH - 20 - 10 * (len(names) - 1)) / len(names)
        for place, name in enumerate(names):
            yield from _box(
                10 + place * (wide + 10), y, wide, name, SAYS.get(name, "") if len(names) < 4 else ""
            )
        if at:
            yield f'<path d="M{WIDTH / 2:.0f} {y - 20}V{y - 2}" class="a"/>'


WAY = (
    ("screen or client", "a command with a key"),
    ("server: gate", "who asks, from where"),
    ("server: commands", "the form of the request"),
    ("floor: desk", "loads streams, asks a handler"),
    ("play: decide", "events, or a refusal"),
    ("store", "events, money, key: one write"),
    ("server: live", "each viewer his view"),
)


def request_svg() -> str:
    """The way of one command from the screen to the record and back to every screen."""
    return _svg(250, "The way of a command: from the screen to the record, and to every screen", _request())


def _request() -> Iterator[str]:
    wide, gap = 205, 20
    places = []
    for at, (name, says) in enumerate(WAY):
        row, column = divmod(at, 4)
        column = column if row == 0 else 3 - column
        x, y = 10 + column * (wide + gap), 20 + row * 130
        places.append((x, y))
        yield from _box(x, y, wide, name, says)
    for (x, y), (to, below) in pairwise(places):
        if below > y:
            yield f'<path d="M{x + wide / 2:.0f} {y + 46}V{below - 2}" class="a"/>'
        else:
            start, end = (x + wide, to - 2) if to > x else (x, to + wide + 2)
            yield f'<path d="M{start:.0f} {y + 23}H{end:.0f}" class="a"/>'
    x, y = places[-1]
    yield f'<path d="M{x:.0f} {y + 23}H{10 + wide / 2:.0f}V{20 + 46 + 2}" class="a"/>'
