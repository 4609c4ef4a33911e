"""Advice to staff: what the book says about an irregularity at this table, without applying anything.

Every finding that is still to be made is a branch of its own; for each way a branch can end the advice says
what each player would get back, by trying it on the state and throwing the result away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from pitboss.money import Cents, format_cents
from pitboss.play import shapes
from pitboss.play.commands import Command, Player, Report, Rule, Staff, TakeOption
from pitboss.play.decide import carry_out
from pitboss.play.irregularity import circumstances, live_hands, told_apart_by
from pitboss.play.refusal import Refusal
from pitboss.play.ruling import who_may_order
from pitboss.play.table import State
from pitboss.rulebooks.book import RemedyRule
from pitboss.rulebooks.trouble import (
    DIMENSIONS,
    Condition,
    ExposedAt,
    ExposedBy,
    ExposureUntil,
    Irregularity,
    Mode,
    OfferedTo,
    Ruling,
)
from pitboss.rulebooks.vocabulary import Position

WITHDRAW = "withdraw"
_CHIEF = Staff(tuple(Position)[-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way a matter can end, and what each player's rack gains by it now; a minus is taken back.

    `does` is a remedy, a ruling, or `withdraw`; `about` is the position or the player it is about, or empty.
    """

    does: str
    about: str = ""
    racks: Mapping[str, Cents]

    @property
    def what(self) -> str:
        """Both in words."""
        if self.does == WITHDRAW:
            return f"position {self.about} withdraws"
        return f"{self.does} {self.about}".rstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A measure that may follow, and who may order it."""

    ruling: Ruling
    position: Position
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """What the book does if `findings` are found; without any, whatever is found."""

    findings: tuple[Condition, ...]
    row: RemedyRule
    ways: tuple[Way, ...]
    orders: tuple[Order, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The answer about a kind at a table: what the table knows itself, and a branch for each finding.

    `asks` is what else the book asks of the report: `by`, `at`, `seats`.
    """

    kind: Irregularity
    known: tuple[Condition, ...]
    branches: tuple[Branch, ...]
    asks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What a report to come will say beside its findings; what is left out is as in a report without it."""

    seats: tuple[int, ...] = ()
    exposed_by: ExposedBy | None = None
    exposed_at: ExposedAt | None = None


NO_DETAILS = Details()


def advise(
    state: State,
    kind: Irregularity,
    *,
    positions: tuple[int, ...] = (),
    count: int = 1,
    details: Details = NO_DETAILS,
) -> Advice | Refusal:
    """What the book says about a kind now, by `positions`, `count` and `details` of the report to come.

    A refusal tells why such a report would not be taken. A round that waits for a ruling takes none.
    """
    asked = Report(
        by=_CHIEF,
        kind=kind,
        positions=positions,
        count=count,
        seats=details.seats,
        exposed_by=details.exposed_by,
        exposed_at=details.exposed_at,
    )
    branches: dict[tuple[str, ...], Branch] = {}
    for report, found in _findings(state, asked):
        reported = carry_out(state, report)
        if isinstance(reported, Refusal):
            return reported
        row = state.plan.remedy(kind, circumstances(state, report))
        if state.stage.is_over:  # there is nothing left to withdraw
            row = row.model_copy(update={"withdrawal": None})
        there = branches.get(row.when)
        findings = (*(there.findings if there else ()), *found)
        branches[row.when] = Branch(
            findings=findings,
            row=row,
            ways=tuple(_ways(state, report, row, reported[-1].after)),
            orders=tuple(_orders(state, row)),
        )
    if len(branches) == 1:  # nothing that could be found out makes a difference here
        branches = {when: replace(branch, findings=()) for when, branch in branches.items()}
    rows = state.plan.remedies[kind]
    told_apart = {word for row in rows for word in row.when}
    open_words = {word for branch in branches.values() for word in branch.findings}
    case = circumstances(state, asked)
    if case & {Condition.DEALT_NOT_SETTLED, Condition.SETTLED_NEXT_NOT_COMMENCED} & told_apart:
        told_apart -= {Condition.BEFORE_NEXT_COMMENCEMENT, Condition.NOT_DEALT_OR_SETTLED}
    return Advice(
        kind=kind,
        known=tuple(
            word for word in Condition if word in case & told_apart and not _is_open(word, open_words)
        ),
        branches=tuple(branches.values()),
        asks=tuple(asked_of_a_report(state, kind)),
    )


def asked_of_a_report(state: State, kind: Irregularity) -> Iterator[str]:
    """What a book asks of a report of a kind beside what is found: who exposed it, when, who is affected."""
    book, told_apart = state.plan.book, told_apart_by(state.plan, kind)
    if Condition.EXPOSED_BY_PLAYER in told_apart:
        yield "by"
    if Condition.EXPOSED_LATER in told_apart and book.exposure.until is ExposureUntil.DEAL:
        yield "at"
    affected = any(row.affected for row in state.plan.remedies[kind])
    if affected and book.choices.offered_to is OfferedTo.AFFECTED and state.dealt:
        yield "seats"


def _is_open(word: Condition, open_words: set[Condition]) -> bool:
    """Whether a condition is one of those still to be found out."""
    return any(
        any(word in case for case in cases) and any(case & open_words for case in cases)
        for cases in DIMENSIONS.values()
    )


def _findings(state: State, report: Report) -> Iterator[tuple[Report, tuple[Condition, ...]]]:
    """The report with every finding that the book's rows for it tell apart at this table."""
    told_apart = {word for row in state.plan.remedies[report.kind] for word in row.when}
    if Condition.RECONSTRUCTABLE in told_apart:
        yield replace(report, reconstructable=True), (Condition.RECONSTRUCTABLE,)
        yield replace(report, reconstructable=False), (Condition.NOT_RECONSTRUCTABLE,)
        yield report, (Condition.RECONSTRUCTION_NOT_JUDGED,)
    elif Condition.INTENTIONAL in told_apart:
        yield replace(report, intentional=True), (Condition.INTENTIONAL,)
        yield replace(report, intentional=False), (Condition.UNINTENTIONAL,)
    elif Condition.COUNT_IS_RIGHT in told_apart:
        pack = state.plan.book.deck.cards
        yield replace(report, count=pack), (Condition.COUNT_IS_RIGHT,)
        yield replace(report, count=pack - 1), (Condition.COUNT_IS_WRONG,)
    else:
        yield report, ()


def _ways(state: State, report: Report, row: RemedyRule, after: State) -> Iterator[Way]:
    """Every way the matter can end, each tried out."""
    if row.mode is not Mode.SUSPENDED:
        yield Way(does=row.remedy.value, racks=_gained(state, after))
        yield from _leaving(after)
        return
    for ruling in row.rulings:
        for argument in _arguments(after, ruling, report.positions):
            ruled = _after(after, Rule(by=_CHIEF, ruling=ruling, argument=argument))
            if ruled is None:
                continue
            yield Way(does=ruling.value, about=argument, racks=_gained(state, ruled))
            yield from _leaving(ruled)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A ruling that may be given now, tried out: what each player's rack gains by it, and what may follow.

    `argument` is the position or player it is about. The order of cards is for whoever saw them: it has no
    argument here, and moves no chips by itself.
    """

    ruling: Ruling
    argument: str
    racks: Mapping[str, Cents]
    then: tuple[Way, ...]


def try_rulings(state: State) -> tuple[Tried, ...]:
    """Every ruling that would be taken now: in the matter that waits, or still in one that is ruled."""
    suspension = state.suspension
    if suspension is not None:
        rulings: tuple[Ruling, ...] = suspension.rulings
    else:
        rulings = tuple(Ruling(name) for name in state.trouble.followups)
    concerned = () if suspension is None else suspension.positions
    everybody = tuple(dict.fromkeys((*concerned, *sorted(state.boxes))))
    found = []
    for ruling in rulings:
        if ruling is Ruling.ORDER:
            found.append(Tried(ruling=ruling, argument="", racks={}, then=()))
        for argument in _arguments(state, ruling, everybody):
            ruled = _after(state, Rule(by=_CHIEF, ruling=ruling, argument=argument))
            if ruled is not None:
                gained = _gained(state, ruled)
                then = tuple(_leaving(ruled))
                found.append(Tried(ruling=ruling, argument=argument, racks=gained, then=then))
    return tuple(found)


def tried_view(tried: Iterable[Tried]) -> list[shapes.Tried]:
    """Rulings tried out, as they are sent."""
    return [
        shapes.Tried(one.ruling, one.argument, _racks(one.racks), [_way(way) for way in one.then])
        for one in tried
    ]


def _racks(racks: Mapping[str, Cents]) -> dict[str, str]:
    return {player: format_cents(amount) for player, amount in racks.items()}


def _leaving(state: State) -> Iterator[Way]:
    """What a hand takes along that uses its option or permission to leave."""
    options = state.trouble.options
    for position in sorted({*(options.waiting if options is not None else ()), *state.trouble.permitted}):
        player = Player(state.boxes[position].player)
        left = _after(state, TakeOption(by=player, position=position, stay=False))
        if left is not None:
            yield Way(does=WITHDRAW, about=str(position), racks=_gained(state, left))


def _arguments(state: State, ruling: Ruling, concerned: tuple[int, ...]) -> list[str]:
    """What a ruling can be about here."""
    hands = [box.position for box in live_hands(state)]
    match ruling:
        case Ruling.INVALIDATE:
            return [str(n) for n in (concerned or hands)]
        case Ruling.PERMIT_WITHDRAWAL:
            return [str(n) for n in hands]
        case Ruling.BAR:
            return list(dict.fromkeys(state.boxes[n].player for n in concerned if n in state.boxes))
        case Ruling.ORDER:
            return []
        case _:
            return [""]


def _after(state: State, command: Command) -> State | None:
    played = carry_out(state, command)
    return None if isinstance(played, Refusal) else played[-1].after


def _gained(before: State, after: State) -> dict[str, Cents]:
    changed = {player: Cents(after.racks[player] - rack) for player, rack in before.racks.items()}
    return {player: amount for player, amount in changed.items() if amount}


def _orders(state: State, row: RemedyRule) -> Iterator[Order]:
    for ruling in row.orders:
        power = who_may_order(state.plan, ruling, row.kind)
        yield Order(ruling=ruling, position=power.position, clauses=power.clauses)


def row_json(row: RemedyRule) -> dict[str, Any]:
    """A row of a book's remedies as other programs read it."""
    return row.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def advice_view(advice: Advice) -> shapes.Advice:
    """Advice as it is sent."""
    return shapes.Advice(
        kind=advice.kind.value,
        known=[word.value for word in advice.known],
        asks=list(advice.asks),
        branches=[_branch(branch) for branch in advice.branches],
    )


def _branch(branch: Branch) -> shapes.Branch:
    return shapes.Branch(
        findings=[word.value for word in branch.findings],
        row=msgspec.convert(row_json(branch.row), shapes.RemedyRow),
        ways=[_way(way) for way in branch.ways],
        orders=[
            shapes.Order(order.ruling.value, order.position.value, order.clauses) for order in branch.orders
        ],
    )


def _way(way: Way) -> shapes.Way:
    return shapes.Way(way.what, way.does, way.about, _racks(way.racks))
