"""The clause register and the readings of a book, browsable, each clause where it can be linked to."""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from pitboss.rulebooks import Plan
from pitboss.rulebooks.references import citations
from pitboss.rulebooks.vocabulary import ClauseKind, meaning
from site_pages.writing import (
    clause_anchor,
    clause_links,
    code,
    plain,
    reading_link,
    slug,
    table,
)

DOCS = Path(__file__).parent.parent.parent / "docs"
PRICES, REASONS = DOCS / "prices.json", DOCS / "reasons.toml"


def places_of(plan: Plan) -> Mapping[str, list[str]]:
    """For each clause the parts of the data that cite it, as a reader of the book would name them."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for path, number in citations(plan.book):
        if not path.startswith("readings."):
            found[number][_place(plan, path)] = None
    return {number: list(places) for number, places in found.items()}


def _place(plan: Plan, path: str) -> str:
    """A path of the data without the key that only holds the citation."""
    top, _, rest = path.partition(".")
    if top.startswith("remedies["):
        return f"remedies: {plan.book.remedies[int(top[9:-1])].kind}"
    for name in ("procedures", "decisions", "layouts", "equipment"):
        if top.startswith(f"{name}["):
            thing = getattr(plan.book, name)[int(top[len(name) + 1 : -1])]
            return f"{name}: {thing.name}"
    if path.startswith("authorities.powers["):
        return f"powers: {plan.book.authorities.powers[int(rest[7:].partition(']')[0])].power}"
    parts = [part.partition("[")[0] for part in path.split(".")]
    return ".".join(part for part in parts if part != "clauses" and not part.endswith("-clauses")) or path


def register_page(plan: Plan) -> str:
    """Every clause of a book: number, kind, gist, the readings about it, and where the data cite it."""
    identity = plan.book.identity
    places = places_of(plan)
    text = (
        f"# Clauses: {plan.id}\n\n{identity.title}, {identity.operator}, version {identity.version}, from "
        f"{identity.applies_from:%Y-%m-%d}: {len(plan.register)} clauses. The gists are in our own words; "
        f"the document "
        f"belongs to its operator and is not shown. `pitboss rules clause {plan.id} NUMBER` tells one "
        f"clause, "
        f"`pitboss rules coverage {plan.id}` the tests that fail without it.\n"
    )
    for heading, numbers in _sections(plan):
        text += f"\n## {heading}\n\n"
        rows = [_row(plan, number, places.get(number, [])) for number in numbers]
        text += table(("clause", "kind", "gist", "cited by"), rows)
    kinds = [(code(kind), meaning(kind)) for kind in ClauseKind]
    return text + "\n## Kinds of clauses\n\n" + table(("kind", "what it is about"), kinds)


def _sections(plan: Plan) -> Iterator[tuple[str, list[str]]]:
    """The clauses by the first part of their numbers."""
    sections: dict[str, list[str]] = defaultdict(list)
    for number in plan.register:
        sections[_section(str(number))].append(str(number))
    for name, numbers in sections.items():
        yield (f"Section {name}" if name[:1].isdigit() else name), numbers


def _section(number: str) -> str:
    first = number.partition(".")[0].partition("/")[0]
    return first if first[:1].isdigit() else "Besides the numbered clauses"


def _row(plan: Plan, number: str, places: list[str]) -> tuple[str, ...]:
    clause = plan.register[number]  # type: ignore[index]
    readings = [label for label, reading in plan.book.readings.items() if number in reading.clauses]
    cited = [reading_link(plan, label) for label in readings] + [code(place) for place in places]
    outside = f" *No software: {plain(clause.outside)}*" if clause.outside else ""
    name = f'<a id="{clause_anchor(number)}"></a>{plain(number)}'
    return name, clause.kind.value, plain(clause.gist) + outside, ", ".join(cited)


def prices() -> dict[str, Any]:
    """The prices as they were last made by `tools/docs_prices.py`."""
    found: dict[str, Any] = json.loads(PRICES.read_text())
    return found


@cache
def reasons() -> dict[str, str]:
    """Why the default of each lettered reading is the default."""
    found: dict[str, str] = tomllib.loads(REASONS.read_text())["reasons"]
    return found


def readings_page(plan: Plan) -> str:
    """Every reading of a book: question, letters, default, and what each letter costs."""
    known = prices()
    priced = known["books"][plan.id]
    edges = [(wager, f"{-float(Fraction(value)):.4%}") for wager, value in priced["values"].items()]
    text = (
        f"# Readings: {plan.id}\n\n{plan.book.identity.title}. Where the text can be read in several ways, "
        f"each way is a "
        f"letter; `--reading R-X=a` chooses it in every command, and the data at rest are the default.\n\n"
        f"Prices are exact, under optimal play, with the jackpot at its reset value and capped wagers at "
        f"the house's "
        f"maximum. They were made by `tools/docs_prices.py` of version {known['version']} from the data "
        f"with digest "
        f"{code(priced['digest'][:16])}, and `pitboss analyze {plan.id} --prices` makes them again. "
        f"With every reading at its default:\n\n"
    )
    text += table(("wager", "house edge"), edges)
    for label, reading in plan.book.readings.items():
        text += f"\n## {label} {{#{slug(label)}}}\n\n{plain(reading.question)}. Weight: {reading.weight}. "
        text += f"Clauses: {clause_links(plan, reading.clauses)}.\n\n"
        if not reading.options:
            text += f"No switch. It is read: {plain(reading.holds)}\n"
            continue
        rows = [
            (
                f"**{letter}**" + (" (default)" if letter == reading.default else ""),
                plain(option.says),
                _price(priced, label, letter),
            )
            for letter, option in reading.options.items()
        ]
        text += table(("letter", "it says", "what it costs"), rows)
        text += f"\nWhy {reading.default}: {plain(reasons()[label])}\n"
        if reading.holds:
            text += f"\n{plain(reading.holds)}\n"
    return text


def _price(priced: Mapping[str, Any], label: str, letter: str) -> str:
    """House edges under a letter, where it moves any; why there is none, where there is none."""
    price = priced["readings"][label][letter]
    if price["why"]:
        return "procedure or conduct only: no price"
    parts = [
        f"{wager}: house edge {-float(Fraction(priced['values'][wager]) + Fraction(change)):.4%} "
        f"({-float(Fraction(change)):+.4%})"
        for wager, change in price["changes"].items()
    ]
    award = Fraction(price["round_award"])
    if award:
        parts.append(f"awards of a round at a full table {float(award) / 100:+.6f}")
    house = Fraction(price.get("round_house", 0))
    if house:
        parts.append(f"the meter pays {float(house) / 100:+.6f} of them a round instead of the house")
    if parts:
        return "; ".join(parts)
    return "the house edges above" if price["in_force"] else "no wager's house edge changes"
