"""Remedies: what a report, a ruling or a player's option does to the round, as the book has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from pitboss.money import NO_UNITS
from pitboss.play.betting import no_such_position
from pitboss.play.commands import Report, Staff, TakeOption
from pitboss.play.concluding import contributed, reverse_settlement, settle_again, void_round
from pitboss.play.dealing import has_hand, in_play, no_hand_there
from pitboss.play.events import (
    CardsReconstructed,
    Event,
    HandRemoved,
    HandViewed,
    IrregularityReported,
    JackpotBetsStopped,
    OptionsOffered,
    OptionTaken,
    RoundSuspended,
    ShareReturned,
    WagerWithdrawn,
)
from pitboss.play.interruption import positions_with_outcome
from pitboss.play.irregularity import asks_who_is_affected, exposing, find_row, live_hands
from pitboss.play.refusal import Outcome, Refusal, below, refuse
from pitboss.play.table import Authority, Box, Fate, Stage, State, Suspension
from pitboss.play.transitions import Course
from pitboss.rulebooks.book import RemedyRule
from pitboss.rulebooks.plan import ClauseRef, Clauses
from pitboss.rulebooks.trouble import Condition, Irregularity, OfferedTo, Remedy, Ruling
from pitboss.rulebooks.vocabulary import Position, meaning

HANDS_NAMED: Mapping[Irregularity, int] = MappingProxyType(
    {
        Irregularity.WRONG_COUNT_POSITION: 1,
        Irregularity.CONFIDENTIALITY: 1,
        Irregularity.EXTRA_VIEW: 1,
        Irregularity.MULTIPLE_HANDS: 2,
    }
)
"""How many hands a report names, at least."""

NO_FOLLOWUPS: Mapping[str, Authority] = MappingProxyType({})


def report(state: State, command: Report, by: Staff) -> Course | Refusal:
    """An irregularity is entered: where the book leaves no choice, its remedy follows at once."""
    row = find_row(state, command)
    refusal = _not_about_these(state, command, row)
    if refusal is None and row.finding is not None:
        refusal = below(state.plan, by.position, row.finding, row.clauses)
    if refusal is not None:
        return refusal
    told = IrregularityReported(
        kind=command.kind,
        what=describe(command),
        positions=command.positions,
        by=by.position,
        mode=row.mode,
        remedy=row.remedy,
        exposed=exposing(state, command) if state.stage is Stage.PLAYING else 0,
        clauses=refs(row.clauses),
        approved_by=command.approved_by if row.second_signature else "",
    )
    course = Course(state)
    course.add(told, *_looks(state, command), *stopping(state, command, by, row))
    _apply(course, command, row)
    return course


def _looks(state: State, command: Report) -> tuple[Event, ...]:
    """What the report says of seeing: a player who looked at a further hand of theirs has viewed it."""
    if command.kind is not Irregularity.EXTRA_VIEW or state.stage is not Stage.PLAYING:
        return ()
    return tuple(HandViewed(position=position) for position in command.positions)


def stopping(state: State, command: Report, by: Staff, row: RemedyRule) -> tuple[Event, ...]:
    """After a jackpot failure no jackpot bets are taken until the House has ruled, where its book has it so.

    An outage of the whole link is the link's own matter.
    """
    failed = command.kind is Irregularity.JACKPOT_FAILURE and not command.of_link
    if not failed or not row.orders or state.plan.jackpot is None:
        return ()
    return (JackpotBetsStopped(by=by.position, clauses=refs(row.clauses)),)


def suspect(state: State, command: Report) -> tuple[Event, ...]:
    """What may be an irregularity or a slip of the hand: play waits until the House has found which."""
    row = find_row(state, command)
    suspension = Suspension(
        kind=command.kind.value,
        what=describe(command),
        positions=(),
        decides=row.decides or Position.PIT_MANAGER,
        rulings=(Ruling.VOID, Ruling.CONTINUE, Ruling.RECONSTRUCT),
        choice_after=(),
        clauses=refs(row.clauses),
        choice_clauses=(),
        withdrawal=None,
    )
    return (RoundSuspended(suspension=suspension),)


def describe(command: Report) -> str:
    """A report in words: kind, hands, count, what was found, who is affected, and what was said."""
    parts = [command.kind.value]
    if command.positions:
        parts.append("position " + ", ".join(str(n) for n in command.positions))
    if command.count:
        parts.append(str(command.count))
    if command.reconstructable is not None:
        parts.append("reconstructable" if command.reconstructable else "not reconstructable")
    if command.intentional is not None:
        parts.append("intentional" if command.intentional else "not intentional")
    if command.exposed_by is not None:
        parts.append(f"by {meaning(command.exposed_by)}")
    if command.exposed_at is not None:
        parts.append(meaning(command.exposed_at))
    if command.seats:
        parts.append("seat " + ", ".join(str(n) for n in command.seats))
    if command.what:
        parts.append(command.what)
    return ", ".join(parts)


_SAID_ALREADY = re.compile(
    r"(?:, \d+)?(?:, (?:not )?reconstructable)?(?:, (?:not )?intentional)?(?:, by (?:the dealer|a player))?"
    r"(?:, (?:during|after) the deal)?(?:, seat \d+(?:, \d+)*)?(?:, )?"
)


def note_in(what: str, kind: str, positions: Sequence[int]) -> str:
    """What was said in a report that `describe` has put in words, without what it says of kind and hands."""
    where = f", position {', '.join(str(n) for n in positions)}" if positions else ""
    return _SAID_ALREADY.sub("", what[len(kind + where) :], count=1)


def _not_about_these(state: State, command: Report, row: RemedyRule) -> Refusal | None:
    """Whether the hands that a report names are there to be reported."""
    refusal = (
        _impossible_seats(state, command, row)
        or _not_affected(state, command, row)
        or _impossible_number(state, command, row)
    )
    if refusal is not None:
        return refusal
    if state.stage not in (Stage.PLAYING, Stage.SETTLED):
        return None
    if len(command.positions) < HANDS_NAMED.get(command.kind, 0):
        return refuse("no-hand", "A report of {kind} names the hand.", row.clauses, kind=command.kind)
    for position in command.positions:
        box = state.boxes.get(position)
        if box is None or not _dealt_in(state, box):
            return no_hand_there(state, position, row.clauses)
        if box.removal is not None:
            return refuse(
                "hand-over", "The hand at position {position} is out of play.", row.clauses, position=position
            )
    players = {state.boxes[position].player for position in command.positions}
    if command.kind is Irregularity.MULTIPLE_HANDS and len(players) > 1:
        names = ", ".join(sorted(players))
        return refuse("not-one-player", "These hands belong to {names}.", row.clauses, names=names)
    if command.kind is Irregularity.EXTRA_VIEW:
        (player,) = players
        if sum(box.player == player for box in state.boxes.values()) < 2:
            return refuse("not-additional", "{player} has no other hand.", row.clauses, player=player)
        if not _first_viewed(state, player, command.positions, row):
            return refuse(
                "not-additional",
                "The other hands of {player} are out as further ones; the hand viewed first stays valid.",
                row.clauses,
                player=player,
            )
        if any(state.boxes[position].viewed for position in command.positions):
            numbers = ", ".join(str(n) for n in command.positions)
            return refuse(
                "not-additional",
                "The hand at position {positions} is entered as viewed already; report one that is not.",
                row.clauses,
                positions=numbers,
            )
    return None


def _first_viewed(state: State, player: str, further: Iterable[int], row: RemedyRule) -> list[Box]:
    """The hands a player may have viewed first: their others, without those that are out as further ones."""
    return [
        box
        for box in state.boxes.values()
        if box.player == player
        and box.position not in further
        and (box.removal is None or set(box.removal.clauses) != set(row.clauses))
    ]


def _not_affected(state: State, command: Report, row: RemedyRule) -> Refusal | None:
    """Whether the book asks who is affected, and the seats named hold hands that are still played."""
    if not command.seats:
        return None
    if not asks_who_is_affected(state, command):
        return refuse(
            "nobody-asked",
            "This book does not ask who is affected by {kind}: leave the seats out.",
            row.clauses,
            kind=command.kind,
        )
    if state.stage not in (Stage.PLAYING, Stage.SETTLED):
        return None
    live = [box.position for box in live_hands(state)]
    wrong = [n for n in command.seats if n not in live]
    if not wrong:
        return None
    numbers = ", ".join(str(n) for n in wrong)
    return refuse(
        "not-in-play",
        "No hand in play lies at seat {seats}; {there}.",
        row.clauses,
        seats=numbers,
        there=in_play(live),
    )


def _impossible_seats(state: State, command: Report, row: RemedyRule) -> Refusal | None:
    """Whether a report names a seat that the table has not, or one of them twice."""
    for named in (command.positions, command.seats):
        if any(not 1 <= position <= state.terms.positions for position in named):
            return no_such_position(state)
        if len(set(named)) < len(named):
            numbers = ", ".join(str(n) for n in dict.fromkeys(n for n in named if named.count(n) > 1))
            return refuse("named-twice", f"Position {numbers} is named twice: name it once.", row.clauses)
    return None


def _impossible_number(state: State, command: Report, row: RemedyRule) -> Refusal | None:
    """Whether a report names a number of cards that cannot be.

    No more are exposed than have left the device, and no fewer are counted; two packs mixed are the most.
    """
    if command.kind not in (Irregularity.EXPOSED, Irregularity.COUNT_DOUBT):
        return None
    count, pack = command.count, state.plan.book.deck.cards
    dealt = state.stage in (Stage.PLAYING, Stage.SETTLED)
    out = sum(state.dealt.values()) + len(state.burned) if dealt else 0
    there = f"{out} have left the device" if dealt else f"the pack has {pack}"
    if command.kind is Irregularity.COUNT_DOUBT:
        if out <= count <= 2 * pack:
            return None
        there = there if count < out else f"the pack has {pack}"
        return refuse("impossible-count", f"A count of {count} cannot be right; {there}.", row.clauses)
    if count < 1:
        return refuse("impossible-count", f"{count} cards cannot be exposed; say how many.", row.clauses)
    if count <= (out if dealt else pack):
        return None
    return refuse(
        "too-many-cards",
        "{count} cards cannot be exposed; {there}.",
        row.clauses,
        count=count,
        there=there,
    )


def _dealt_in(state: State, box: Box) -> bool:
    if box.removal is not None:
        return any(wager in box.removal.stakes for wager in state.plan.hand_wagers)
    return has_hand(state.plan, box)


def _apply(course: Course, command: Report, row: RemedyRule) -> None:
    state, clauses = course.state, refs(row.clauses)
    match row.remedy:
        case Remedy.VOID:
            _void(course, row)
        case Remedy.RECONSTRUCT:
            course.add(CardsReconstructed(clauses=clauses))
        case Remedy.REMOVE_HAND:
            invalidate(course, command.positions, clauses, followups=_withdrawals(row))
        case Remedy.KEEP_VIEWED_HANDS:
            others = [n for n in command.positions if not state.boxes[n].viewed]
            invalidate(course, others, clauses)
        case Remedy.KEEP_FIRST_DEALT_HAND:
            valid = [n for n in command.positions if state.boxes[n].fate is not Fate.INVALID_BY_ABSENCE]
            first = min(valid or command.positions)
            invalidate(course, [n for n in command.positions if n != first], clauses)
        case Remedy.WITHDRAW_OR_STAY | Remedy.WITHDRAW_ALL_OR_STAY:
            all_hands = row.remedy is Remedy.WITHDRAW_ALL_OR_STAY
            course.add(*offer(state, row, affected=affected_by(state, command, row), all_hands=all_hands))
        case Remedy.RECONSTRUCT_THEN_CHOOSE:
            chosen = offer(state, row, affected=affected_by(state, command, row), all_hands=False)
            course.add(CardsReconstructed(clauses=clauses), *chosen)
        case Remedy.SETTLE_AGAIN:
            repaired(course, clauses, ())
        case Remedy.CHOOSE_THEN_SETTLE_AGAIN:
            chosen = offer(state, row, affected=affected_by(state, command, row), all_hands=False)
            repaired(course, clauses, chosen)
        case Remedy.AS_RULED:
            course.add(_suspend(state, command, row))
        case _:
            pass


def affected_by(state: State, command: Report, row: RemedyRule) -> tuple[int, ...]:
    """The seats that choose, where the book leaves the choice to those affected; none are all.

    A report names them, or else the hand that it is about.
    """
    asked = row.affected and state.plan.book.choices.offered_to is OfferedTo.AFFECTED
    return command.seats or command.positions if asked else ()


def repaired(course: Course, clauses: Clauses, chosen: tuple[Event, ...]) -> None:
    """A settled round whose cards are put back in order: the settlement is undone, and made again.

    Decisions stay. Where players choose first, or the cards of a physical table have still to be entered, the
    round waits for its settlement.
    """
    undone = reverse_settlement(course.state, clauses)
    state = course.add(undone, CardsReconstructed(clauses=clauses), *chosen)
    if not chosen and not state.terms.physical:
        course.add(settle_again(state))


def _suspend(state: State, command: Report, row: RemedyRule) -> RoundSuspended:
    assert row.decides is not None
    return RoundSuspended(
        suspension=Suspension(
            kind=row.kind.value,
            what=describe(command),
            positions=command.positions,
            decides=row.decides,
            rulings=row.rulings,
            choice_after=row.choice_after,
            clauses=refs(row.clauses),
            choice_clauses=refs(row.choice_clauses),
            withdrawal=_withdrawals(row).get("permit-withdrawal"),
            affected=affected_by(state, command, row),
        )
    )


def _withdrawals(row: RemedyRule) -> Mapping[str, Authority]:
    """Who may let other players withdraw because a hand was removed."""
    if row.withdrawal is None:
        return NO_FOLLOWUPS
    clauses = refs((*row.clauses, *row.withdrawal.clauses))
    return {"permit-withdrawal": Authority(position=row.withdrawal.position, clauses=clauses)}


def _void(course: Course, row: RemedyRule) -> None:
    """The whole round; where outcomes count for each player alone, the hands that have none."""
    state = course.state
    decided = positions_with_outcome(state) if Condition.NO_OUTCOME in row.when else frozenset()
    if not decided:
        void(course, row.clauses)
        return
    undecided = [box.position for box in live_hands(state) if box.position not in decided]
    invalidate(course, undecided, refs(row.clauses))


def void(course: Course, clauses: Iterable[str]) -> None:
    """Every stake back. A settlement that was made already is reversed first."""
    numbers = tuple(clauses)
    if course.state.stage is Stage.SETTLED:
        course.add(reverse_settlement(course.state, numbers))
    course.add(void_round(course.state, numbers))


def invalidate(
    course: Course,
    positions: Iterable[int],
    clauses: Clauses,
    *,
    followups: Mapping[str, Authority] = NO_FOLLOWUPS,
) -> None:
    """Hands are out, every stake on them goes back. Of a settled round theirs alone is undone."""
    for position in positions:
        state = course.state
        if state.stage is Stage.SETTLED:
            _undo_hand(course, position, clauses)
        else:
            course.add(*remove(state, state.boxes[position], clauses, followups=followups))


def _undo_hand(course: Course, position: int, clauses: Clauses) -> None:
    """The settlement undone, and made again without one hand."""
    gone = HandRemoved(
        position=position, forfeited_too=True, contribution=NO_UNITS, clauses=clauses, followups=NO_FOLLOWUPS
    )
    course.add(reverse_settlement(course.state, clauses), gone)
    course.add(settle_again(course.state))


def remove(
    state: State,
    box: Box,
    clauses: Clauses,
    *,
    forfeited_too: bool = True,
    followups: Mapping[str, Authority] = NO_FOLLOWUPS,
) -> tuple[Event, ...]:
    """One position out of the round. While bets are open its chips simply come off the layout."""
    if state.stage is Stage.BETTING:
        return tuple(
            WagerWithdrawn(position=box.position, player=owner, wager=wager, amount=share)
            for wager, owners in box.stakes.items()
            for owner, share in owners.items()
        )
    return (
        HandRemoved(
            position=box.position,
            forfeited_too=forfeited_too,
            contribution=contributed(state, box.stakes),
            clauses=clauses,
            followups=followups,
        ),
    )


def offer(
    state: State, row: RemedyRule, *, affected: tuple[int, ...] = (), all_hands: bool
) -> tuple[Event, ...]:
    """The players choose, or those affected; a hand whose outcome is established has nothing to choose."""
    decided = positions_with_outcome(state) if Condition.NO_OUTCOME in row.when else frozenset()
    hands = tuple(n for n in hands_that_choose(state, affected) if n not in decided)
    return offer_to(hands, refs(row.clauses), refs(row.choice_clauses), all_hands=all_hands)


def hands_that_choose(state: State, affected: tuple[int, ...]) -> tuple[int, ...]:
    """The live hands among those affected; where the report names none, every one."""
    return tuple(box.position for box in live_hands(state) if not affected or box.position in affected)


def offer_to(
    positions: tuple[int, ...], clauses: Clauses, leaving: Clauses, *, all_hands: bool
) -> tuple[Event, ...]:
    """An option for these hands, if there are any."""
    if not positions:
        return ()
    offered = OptionsOffered(
        positions=positions, all_hands=all_hands, clauses=clauses, leaving_clauses=leaving
    )
    return (offered,)


def take_option(state: State, command: TakeOption, player: str) -> Outcome:
    """A player with an option stays, or takes their stakes back."""
    refusals, trouble = state.plan.book.refusals, state.trouble
    options, box = trouble.options, state.boxes.get(command.position)
    waiting = options is not None and command.position in options.waiting
    open_to = (waiting or command.position in trouble.permitted) and not state.stage.is_over
    if box is None or box.fate is not Fate.IN_PLAY or not open_to:
        return refuse(
            "no-option",
            "No option is open to position {position}.",
            refusals.late_withdrawal,
            position=command.position,
        )
    if box.player != player:
        return refuse(
            "not-your-decision",
            "The hand at position {position} is {player}'s.",
            refusals.not_your_decision,
            position=command.position,
            player=box.player,
        )
    taken = OptionTaken(position=command.position, stays=command.stay, absent=False)
    if command.stay:
        return (taken,)
    if options is None or not waiting:
        return (taken, *remove(state, box, trouble.permitted[command.position], forfeited_too=False))
    if options.all_hands:
        return (taken, *all_stakes_of(state, player, options.leaving_clauses, forfeited_too=False))
    return (taken, *remove(state, box, options.leaving_clauses, forfeited_too=False))


def all_stakes_of(state: State, player: str, clauses: Clauses, *, forfeited_too: bool = True) -> list[Event]:
    """Everything a player has in the round goes back: their hands, and their shares in wagers of others."""
    if state.stage.is_over:
        return []
    events: list[Event] = []
    for box in state.boxes.values():
        if box.player == player and box.removal is None:
            events += remove(state, box, clauses, forfeited_too=forfeited_too)
        elif any(player in owners for owners in (*box.stakes.values(), *box.forfeited.values())):
            events += _share_back(state, box, player, clauses)
    return events


def _share_back(state: State, box: Box, player: str, clauses: Clauses) -> list[Event]:
    if state.stage is not Stage.BETTING:
        return [ShareReturned(position=box.position, player=player, clauses=clauses)]
    return [
        WagerWithdrawn(position=box.position, player=player, wager=wager, amount=owners[player])
        for wager, owners in box.stakes.items()
        if player in owners
    ]


def refs(numbers: Iterable[str]) -> Clauses:
    """Numbers as references to clauses."""
    return tuple(ClauseRef(number) for number in numbers)
