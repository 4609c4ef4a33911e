"""Write `tests/executed.json`: for every clause of the books the tests that fail without it.

`python tools/executed.py [BOOK …]` tries every mutant of `tests/support/executed.py` (some minutes) and lists
those that nothing notices by name; it ends with 1 if there are any. Run it after a change of a book or of its
cases.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from prove_parts import BOOKS, ROOT, spread

sys.path.insert(0, str(ROOT / "tests"))

from support.executed import FILE, MOST_TESTS, is_tried, recorded, withouts
from support.mutants import all_noticing

SLICES = 4
Found = dict[str, dict[str, None]]


def tried(task: tuple[str, int]) -> tuple[Found, list[str]]:
    """A slice of a book's mutants: the evidence by clause, and what nothing notices."""
    book, first = task
    found: Found = {}
    survivors = []
    for without in withouts(book)[first::SLICES]:
        if is_tried(without):
            names = all_noticing(without.mutant, MOST_TESTS, clauses=without.clauses)
            for clause in without.clauses if len(without.clauses) == 1 else ():
                found.setdefault(clause, {}).update(dict.fromkeys(names))
            if not names:
                survivors.append(f"{', '.join(sorted(without.clauses))}: {without.mutant}")
    return found, survivors


def main() -> int:
    """Try the mutants of some books, or of all."""
    books = sys.argv[1:] or sorted(BOOKS)
    before = recorded() if FILE.exists() else {}
    found: dict[str, Found] = {book: {} for book in books}
    lost = []
    tasks = [(book, first) for book in books for first in range(SLICES)]
    for (book, _), (clauses, survivors) in spread(tried, tasks, math.inf):
        for clause, names in clauses.items():
            found[book].setdefault(clause, {}).update(names)
        lost += survivors
    for book, clauses in found.items():
        order = [entry for entry in withouts(book) if len(entry.clauses) == 1]
        numbers = dict.fromkeys(clause for entry in order for clause in entry.clauses)
        before[book] = {clause: _best(list(clauses[clause])) for clause in numbers if clauses.get(clause)}
    FILE.write_text(json.dumps(dict(sorted(before.items())), indent=1, ensure_ascii=False) + "\n")
    for name in lost:
        print(f"nothing notices {name}")
    kept = sum(len(clauses) for clauses in before.values())
    print(f"{kept} clauses; {len(lost)} mutants that nothing notices")
    return 1 if lost else 0


def _best(names: list[str]) -> list[str]:
    """The tests to name: cases and scripts before what is about the whole book."""
    whole = ("conduct", "openings", "tables", "disputes", "rules")
    return sorted(names, key=lambda name: whole.index(name) if name in whole else -1)[:MOST_TESTS]


if __name__ == "__main__":
    sys.exit(main())
