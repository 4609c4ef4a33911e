"""Irregularity topics: a table really played to some point, a report, and the book's remedy for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from random import Random

from pitboss.cards import DECK, Card
from pitboss.money import Cents, to_units
from pitboss.play import commands as c
from pitboss.play.dealing import has_hand, next_place, outstanding, undecided
from pitboss.play.decide import decide
from pitboss.play.events import CardsBurned, CardsDealt, IrregularityReported, RoundSuspended
from pitboss.play.evolve import evolve_all
from pitboss.play.irregularity import deal_is_over, find_row
from pitboss.play.refusal import Refusal
from pitboss.play.remedies import HANDS_NAMED
from pitboss.play.table import Box, JackpotTerms, Stage, State, Terms, open_table
from pitboss.rulebooks.book import RemedyRule
from pitboss.rulebooks.plan import ClauseRef, Plan
from pitboss.rulebooks.trouble import Condition, ExposedAt, Irregularity, Mode, Remedy, Ruling
from pitboss.rulebooks.vocabulary import Position, Power, meaning
from pitboss.school.hands import NoSuchDeal
from pitboss.school.problems import Choice, IrregularityProblem
from pitboss.school.rounds import BEFORE_DEAL, limits_of, stake_for
from pitboss.school.topics import IRREGULARITY, Topic

TABLES = 6
"""So many tables are played for a problem; one of the cases of the book that came up is asked."""
MOST_CHOICES = 5
RACK = Cents(100_000_000)
_DEALER = c.Staff(Position.DEALER)
_CHIEF = c.Staff(tuple(Position)[-1])
_NOTHING_CHANGES = (Remedy.CONTINUE, Remedy.NOTHING, Remedy.SETTLED_ROUNDS_STAND, Remedy.SETTLEMENT_STANDS)
"""Of these only one is ever offered: a trainee cannot tell them apart by what is done."""
_UNSAID = "something of which the book does not speak"


def irregularity_topics(plan: Plan) -> Iterator[Topic]:
    """A topic for every kind; those that leave choices come later."""
    for kind in Irregularity:
        modes = {row.mode for row in _said_by_the_book(plan, kind)}
        if kind is Irregularity.JACKPOT_FAILURE and plan.jackpot is None:
            continue
        yield Topic(
            name=f"irregularity-{kind.value}",
            kind=IRREGULARITY,
            level=5 if Mode.OPTION in modes else 4 if Mode.SUSPENDED in modes else 2,
            title=meaning(kind).capitalize(),
            is_trap=False,
            make=partial(_made, kind),
        )


def _said_by_the_book(plan: Plan, kind: Irregularity) -> list[RemedyRule]:
    """The cases that the book itself speaks of; where there are none, those left to its catch-all clause."""
    catch_all = plan.power(Power.DECIDE_UNCOVERED)
    left = set() if catch_all is None else set(catch_all.clauses)
    rows = plan.remedies[kind]
    own = [row for row in rows if not set(row.clauses) <= left]
    spoken_of = any(row.mode is not Mode.RECORDED for row in own)
    return own if spoken_of else list(rows)


def _made(kind: Irregularity, plan: Plan, rng: Random) -> IrregularityProblem:
    found: dict[tuple[str, ...], IrregularityProblem] = {}
    for _ in range(TABLES):
        state = _table(plan, kind, rng)
        report = _report(state, kind, rng)
        problem = None if report is None else irregularity_problem(state, report, rng)
        if problem is not None:
            found[find_row(state, problem.report).when] = problem
    if not found:
        raise NoSuchDeal(kind)
    return rng.choice(list(found.values()))


def irregularity_problem(state: State, report: c.Report, rng: Random) -> IrregularityProblem | None:
    """The problem of a report at a table, answered by the engine; None where it takes no such report."""
    outcome = decide(state, report)
    if isinstance(outcome, Refusal) or not isinstance(outcome[0], IrregularityReported):
        return None
    told, row = outcome[0], find_row(state, report)
    waits = next((event.suspension for event in outcome if isinstance(event, RoundSuspended)), None)
    right = Choice(told.remedy) if waits is None else Choice(told.remedy, waits.decides, waits.rulings)
    return IrregularityProblem(
        plan=state.plan,
        state=state,
        report=report,
        choices=_choices(state.plan, report.kind, right, rng),
        right=right,
        clauses=tuple(ClauseRef(number) for number in (*row.clauses, *row.choice_clauses)),
        note=row.note,
    )


# --- what may be answered -------------------------------------------------------------------------------


def _choices(plan: Plan, kind: Irregularity, right: Choice, rng: Random) -> tuple[Choice, ...]:
    """The right remedy among others: first those the book has for other cases of the kind."""
    near = [_choice(row) for row in plan.remedies[kind]]
    far = [Choice(remedy) for remedy in _plain(kind)]
    far += [
        replace_decider(right, position) for position in Position if right.decides not in (None, position)
    ]
    if right.decides is None:
        far.append(_catch_all(plan))
    rng.shuffle(near)
    rng.shuffle(far)
    taken = [right]
    for choice in (*near, *far):
        if len(taken) < MOST_CHOICES and not any(_alike(choice, other) for other in taken):
            taken.append(choice)
    rng.shuffle(taken)
    return tuple(taken)


def _choice(row: RemedyRule) -> Choice:
    return Choice(row.remedy) if row.decides is None else Choice(row.remedy, row.decides, row.rulings)


def replace_decider(choice: Choice, position: Position) -> Choice:
    """The same ruling by somebody else."""
    return choice._replace(decides=position)


def _plain(kind: Irregularity) -> list[Remedy]:
    """Remedies that such a report could have."""
    about_hands = {
        Remedy.REMOVE_HAND: Irregularity.WRONG_COUNT_POSITION,
        Remedy.KEEP_VIEWED_HANDS: Irregularity.MULTIPLE_HANDS,
        Remedy.KEEP_FIRST_DEALT_HAND: Irregularity.MULTIPLE_HANDS,
    }
    unfit = [remedy for remedy, about in about_hands.items() if kind is not about]
    rare = (Remedy.AS_RULED, Remedy.SETTLED_ROUNDS_STAND, Remedy.SETTLEMENT_STANDS, Remedy.NOTHING)
    return [remedy for remedy in Remedy if remedy not in (*unfit, *rare)]


def _catch_all(plan: Plan) -> Choice:
    for row in plan.remedies[Irregularity.UNCOVERED]:
        if row.decides is not None:
            return Choice(row.remedy, row.decides, row.rulings)
    return Choice(Remedy.AS_RULED, Position.PIT_MANAGER, (Ruling.VOID, Ruling.CONTINUE))


def _alike(one: Choice, other: Choice) -> bool:
    """Whether a trainee could not tell two answers apart."""
    if one.remedy in _NOTHING_CHANGES and other.remedy in _NOTHING_CHANGES:
        return True
    return one[:2] == other[:2]


# --- the report -----------------------------------------------------------------------------------------


def _report(state: State, kind: Irregularity, rng: Random) -> c.Report | None:
    """A report of a kind about hands that are there, with findings that the book tells apart."""
    hands = [box for box in state.boxes.values() if has_hand(state.plan, box)]
    positions = _named(kind, hands, rng)
    if positions is None:
        return None
    told_apart = {word for row in state.plan.remedies[kind] for word in row.when}
    pack = state.plan.book.deck.cards
    count = {Irregularity.EXPOSED: rng.randint(1, 2), Irregularity.COUNT_DOUBT: pack - rng.randint(0, 1)}
    judged = (True, False, None) if Condition.RECONSTRUCTABLE in told_apart else (None,)
    return c.Report(
        by=_CHIEF,
        kind=kind,
        positions=positions,
        count=count.get(kind, 0),
        reconstructable=rng.choice(judged),
        intentional=rng.random() < 0.5 if kind is Irregularity.EXTRA_VIEW else None,
        what=_UNSAID if kind is Irregularity.UNCOVERED else "",
        exposed_at=_moment(state) if Condition.EXPOSED_LATER in told_apart else None,
    )


def _moment(state: State) -> ExposedAt:
    """When a card was exposed that is reported at once."""
    return ExposedAt.LATER if deal_is_over(state) else ExposedAt.DEAL


def _named(kind: Irregularity, hands: list[Box], rng: Random) -> tuple[int, ...] | None:
    """The hands that a report names; None where there are none such."""
    several = [box.position for box in hands if sum(box.player == other.player for other in hands) > 1]
    match kind:
        case Irregularity.MULTIPLE_HANDS:
            return tuple(several) or None
        case Irregularity.EXTRA_VIEW:
            unseen = [box.position for box in hands if box.position in several and not box.viewed]
            return (rng.choice(unseen),) if unseen else None
        case _ if kind in HANDS_NAMED:
            return (rng.choice(hands).position,) if hands else None
        case _:
            return ()


# --- the table ------------------------------------------------------------------------------------------


def _table(plan: Plan, kind: Irregularity, rng: Random) -> State:
    """A table that was played to some point of a round."""
    house = plan.book.house
    jackpot = None
    if house.jackpot is not None and plan.jackpot is not None:
        jackpot = JackpotTerms(unit=house.jackpot.unit, reset=house.jackpot.reset)
    terms = Terms(
        plan=plan,
        procedure=rng.choice(plan.procedures),
        positions=house.positions,
        limits=limits_of(plan),
        jackpot=jackpot,
    )
    one_player = kind in (Irregularity.MULTIPLE_HANDS, Irregularity.EXTRA_VIEW)
    count = rng.randint(2, min(4, house.positions))
    seats = dict.fromkeys(sorted(rng.sample(range(1, house.positions + 1), count)), "")
    for number, position in enumerate(seats):
        seats[position] = "p1" if one_player and number < 2 else f"p{position}"
    reset = Cents(0) if house.jackpot is None else house.jackpot.reset
    racks = dict.fromkeys(seats.values(), RACK)
    under_way = _UnderWay(open_table(terms, racks, meter=to_units(reset)), rng)
    under_way.play(seats)
    return under_way.state


class _UnderWay:
    """A round that is played by the engine, one act after the other, until it is enough."""

    def __init__(self, state: State, rng: Random) -> None:
        self.state, self.rng = state, rng
        self.deck: tuple[Card, ...] = tuple(rng.sample(DECK, len(DECK)))

    def do(self, command: c.Command) -> None:
        """Carry a command out; what is refused is left undone."""
        if isinstance(command, c.Deal | c.Reveal):
            command = replace(command, cards=self.deck)
        outcome = decide(self.state, command)
        if isinstance(outcome, Refusal):
            return
        self.state = evolve_all(self.state, outcome)
        used = sum(event.count for event in outcome if isinstance(event, CardsDealt | CardsBurned))
        self.deck = self.deck[used:]

    def play(self, seats: dict[int, str]) -> None:
        """Bets, deal, decisions, cards, settlement: as far as the number drawn goes."""
        until = self.rng.choice(("bets", "dealt", "dealt", "seen", "seen", "on", "on", "settled"))
        self.do(c.OpenBets(by=_DEALER))
        for position, player in seats.items():
            self._wager(position, player)
        self.do(c.CloseBets(by=_DEALER))
        if until == "bets":
            return
        self.do(c.Deal(by=_DEALER))
        if until == "dealt":
            return
        looked = self.rng.sample(sorted(seats), self.rng.randint(1, len(seats)))
        for position in sorted(looked):
            self.do(c.ViewHand(by=c.Player(seats[position]), position=position))
        steps = 99 if until == "settled" else self.rng.randint(1, 8) if until == "on" else 0
        for _ in range(steps):
            self._next()

    def _wager(self, position: int, player: str) -> None:
        plan = self.state.plan
        for wager in plan.wagers:
            if wager.placed != BEFORE_DEAL or wager.extra_on is not None:
                continue
            jackpot = self.state.terms.jackpot
            if wager.units is None:
                amount = stake_for(plan, wager, self.rng)
            elif jackpot is not None:
                amount = jackpot.unit
            else:
                continue
            if (wager.entitles_to_hand and wager.against_dealer) or self.rng.random() < 0.4:
                self.do(c.PlaceWager(by=c.Player(player), position=position, wager=wager.name, amount=amount))

    def _next(self) -> None:
        """A decision, the next cards, or the settlement."""
        if self.state.stage is not Stage.PLAYING:
            return
        decision = outstanding(self.state)
        waiting = undecided(self.state, decision) if decision is not None else []
        if decision is None or not waiting:
            place = next_place(self.state)
            self.do(c.Settle(by=_DEALER) if place is None else c.Reveal(by=_DEALER, place=place))
            return
        box, by = waiting[0], c.Player(waiting[0].player)
        if self.rng.random() < 0.65:
            self.do(c.Bet(by=by, position=box.position, wager=decision.bet))
        elif decision.otherwise == "fold":
            self.do(c.Fold(by=by, position=box.position))
        else:
            self.do(c.Check(by=by, position=box.position))
