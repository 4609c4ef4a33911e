"""Make `docs/prices.json` anew: what every letter of every reading costs, for the pages about readings.

`python tools/docs_prices.py` takes some minutes; it counts with the same code as `pitboss analyze --prices`.
A test recounts a book, and another one sees when a book's data have changed since.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pitboss.maths.prices import price_readings, values_of_wagers
from pitboss.rulebooks import book_ids, load_plan
from pitboss.version import __version__

FILE = Path(__file__).parent.parent / "docs" / "prices.json"


def priced(book: str) -> dict[str, Any]:
    """A book's wagers under its defaults, net of a unit staked, and what each letter changes of it."""
    plan = load_plan(book)
    readings: dict[str, Any] = {}
    for price in price_readings(book, plan, []):
        readings.setdefault(price.label, {})[price.letter] = {
            "in_force": price.in_force,
            "changes": {wager: str(change) for wager, change in price.changes.items()},
            "round_award": str(price.round_award),
            "round_house": str(price.round_house),
            "why": price.why,
        }
    values = {wager: str(value) for wager, value in values_of_wagers(plan).items()}
    return {"digest": plan.digest, "values": values, "readings": readings}


def main() -> None:
    """Write the prices of all books."""
    document = {"version": __version__, "books": {book: priced(book) for book in book_ids()}}
    FILE.write_text(json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    sys.stdout.write(f"wrote {FILE.name}\n")


if __name__ == "__main__":
    main()
