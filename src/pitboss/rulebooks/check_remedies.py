"""What is wrong with a book's remedies: words that do not go together, cases left out or met twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from pitboss.rulebooks.book import Book, RemedyRule
from pitboss.rulebooks.trouble import (
    DIMENSIONS,
    REMEDIES_BY_MODE,
    Condition,
    Irregularity,
    Mode,
    Remedy,
    Ruling,
)
from pitboss.rulebooks.vocabulary import Power

_ABOUT_ONE_HAND = (Irregularity.WRONG_COUNT_POSITION, Irregularity.EXTRA_VIEW)


def remedy_problems(book: Book) -> Iterator[tuple[str, str, str]]:
    """Every defect of the `[[remedies]]`: path, problem, remedy."""
    for index, row in enumerate(book.remedies):
        yield from _row(f"remedies[{index}]", row)
    for kind in Irregularity:
        rows = [(index, row) for index, row in enumerate(book.remedies) if row.kind is kind]
        if rows:
            yield from _cases(kind, rows)
    if not any(rule.power is Power.DECIDE_UNCOVERED for rule in book.authorities.powers):
        yield (
            "authorities.powers",
            "nobody decides what the book does not cover",
            "give somebody the power decide-uncovered",
        )


def _row(path: str, row: RemedyRule) -> Iterator[tuple[str, str, str]]:
    allowed = REMEDIES_BY_MODE[row.mode]
    if row.remedy not in allowed:
        yield f"{path}.remedy", f"'{row.remedy}' is not {row.mode}", f"write one of {', '.join(allowed)}"
    suspended = row.mode is Mode.SUSPENDED
    if suspended != (row.decides is not None and bool(row.rulings)):
        yield path, "a suspended round needs 'decides' and 'rulings', and no other", "say who rules what"
    if (row.mode is Mode.OPTION or row.choice_after) and not row.choice_clauses:
        yield f"{path}.choice-clauses", "is missing", "cite what lets the players choose"
    for ruling in row.choice_after:
        if ruling not in row.rulings:
            yield f"{path}.choice-after", f"'{ruling}' cannot be ruled here", "it is one of 'rulings'"
    for ruling in row.orders:
        if not ruling.lasts:
            yield f"{path}.orders", f"'{ruling}' does not last beyond the round", "it belongs to 'rulings'"
    for ruling in row.rulings:
        if ruling.lasts and (ruling is not Ruling.BAR or row.kind is not Irregularity.CONFIDENTIALITY):
            yield f"{path}.rulings", f"'{ruling}' ends no suspension", "it belongs to 'orders'"
    if row.remedy is Remedy.REMOVE_HAND and row.kind not in _ABOUT_ONE_HAND:
        yield f"{path}.remedy", "no hand is named in such a report", "choose another remedy"
    if row.affected and not (row.mode is Mode.OPTION or row.choice_after):
        yield f"{path}.affected", "nobody chooses in this row", "leave it out"
    if row.remedy.settles_again and Condition.SETTLED_NEXT_NOT_COMMENCED not in row.when:
        yield f"{path}.when", "only a settled round is settled again", "add settled-next-not-commenced"
    if row.second_signature and row.finding is None:
        yield f"{path}.finding", "is missing", "say who may report what takes a second signature"
    keeps = row.remedy in (Remedy.KEEP_VIEWED_HANDS, Remedy.KEEP_FIRST_DEALT_HAND)
    if keeps and row.kind is not Irregularity.MULTIPLE_HANDS:
        yield f"{path}.remedy", "is about several hands of one player", "choose another remedy"


def _cases(kind: Irregularity, rows: list[tuple[int, RemedyRule]]) -> Iterator[tuple[str, str, str]]:
    """Every combination of circumstances that the rows tell apart must fit exactly one of them."""
    asked = [(index, frozenset(row.when)) for index, row in rows]
    for case in circumstances(row for _, row in rows):
        fitting = [index for index, when in asked if when <= case]
        if len(fitting) == 1:
            continue
        words = ", ".join(sorted(case & frozenset().union(*(when for _, when in asked))))
        if not fitting:
            yield f"remedies[{rows[-1][0]}]", f"{kind} says nothing about: {words}", "add a row"
        else:
            other = f"remedies[{fitting[1]}]"
            yield f"remedies[{fitting[0]}]", f"{kind}: {other} fits too when {words}", "let one row fit"


def circumstances(rows: Iterable[RemedyRule]) -> Iterator[frozenset[Condition]]:
    """Every combination of the circumstances that these rows tell apart, the moment always among them."""
    used = {word for row in rows for word in row.when}
    dimensions = [
        cases for name, cases in DIMENSIONS.items() if name == "moment" or any(case & used for case in cases)
    ]
    for combination in product(*dimensions):
        yield frozenset().union(*combination)
