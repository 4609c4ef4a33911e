"""What each viewer may see. A card he may not see is not in the view; only views are ever sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from msgspec import UNSET

from pitboss.cards import Card, ReadHand
from pitboss.money import floor_to_cents, format_cents
from pitboss.play.betting import power_clauses
from pitboss.play.concluding import folded_to_read, round_facts
from pitboss.play.correcting import last_recorded
from pitboss.play.dealing import open_community, open_dealer, outstanding, undecided
from pitboss.play.judged import Judged, judged_dealer, judged_hands
from pitboss.play.paid_by import paid_by
from pitboss.play.remedies import note_in
from pitboss.play.settlement import SettlementLine
from pitboss.play.shapes import (
    Claimed,
    Line,
    Matter,
    Notice,
    Options,
    Position,
    Ranked,
    RoundView,
    Seat,
    Suspended,
    ToMend,
    ToRead,
)
from pitboss.play.table import Box, Stage, State
from pitboss.rulebooks.brief import step_in_words
from pitboss.rulebooks.vocabulary import Place, Power

FACE_DOWN = "??"
NO_JACKPOT = "No jackpot bets are accepted or paid at this table."


JACKPOT_FAILED = "The jackpot failed: no jackpot bets until the House has ruled."


class Role(StrEnum):
    """With whose eyes a table is looked at."""

    PUBLIC = "public"
    PLAYER = "player"
    DEALER = "dealer"
    PIT = "pit"
    SURVEILLANCE = "surveillance"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a role, and for a player his name."""

    role: Role
    player: str = ""


def view_for(state: State, viewer: Viewer) -> RoundView:
    """The table as one viewer sees it, ready to be sent."""
    decision = outstanding(state)
    view = RoundView(
        round=state.round_number,
        stage=state.stage.value,
        positions={str(n): _box_view(state, box, viewer) for n, box in sorted(state.boxes.items())},
        community=_row(state, open_community(state), _dealt_to_community(state)),
        dealer=_dealer_row(state),
        decision=decision.name if decision is not None else None,
        waiting_for=[box.position for box in undecided(state, decision)] if decision is not None else [],
    )
    if state.terms.jackpot is not None:
        view.meter = format_cents(floor_to_cents(state.meter))
    if state.suspension is not None:
        view.suspended = Suspended(state.suspension.kind, state.suspension.clauses)
    trouble = state.trouble
    if trouble.options is not None:
        view.options = Options(sorted(trouble.options.waiting), trouble.options.clauses)
    if trouble.permitted:
        view.may_withdraw = sorted(trouble.permitted)
    if state.void_clauses:
        view.void = state.void_clauses
    if state.settlement is not None:
        view.settlement = _settlement_view(state, viewer)
    if Place.DEALER in state.revealed:
        _show_dealer_hand(state, view)
    notices = _notices(state)
    if notices:
        view.notices = notices
    if state.claim:
        view.claim = [Claimed(hand.position, hand.hand_class.value) for hand in state.claim]
    _EXTRAS[viewer.role](state, viewer, view)
    return view


def _settlement_view(state: State, viewer: Viewer) -> list[Seat]:
    """The settlement with what each line was judged and paid by, of hands that the viewer may see.

    The hand of a seat is the one that was compared with the dealer's.
    """
    assert state.settlement is not None
    facts = round_facts(state)
    own = {seat.position: seat for seat in facts.seats}
    jackpot = state.settlement.jackpot
    meter = None if jackpot is None else jackpot.before
    seats = []
    for settled in state.settlement.seats:
        judged = Judged(None, {})
        sees = state.stage is Stage.SETTLED and may_see_hand(state, state.boxes[settled.position], viewer)
        if sees:
            judged = judged_hands(state.plan, facts, own[settled.position], settled)
        lines = []
        for found in settled.lines:
            line = _line(found, judged.lines.get(found.wager))
            if sees:
                pay = paid_by(state.plan, facts, own[settled.position], settled, found, meter=meter)
                line.pay = pay or UNSET
            lines.append(line)
        hand = judged.compared
        seats.append(
            Seat(
                settled.position,
                settled.player,
                hand and hand.words,
                Ranked.of(hand),
                format_cents(settled.net),
                lines,
            )
        )
    return seats


def _line(line: SettlementLine, hand: ReadHand | None) -> Line:
    return Line(
        wager=line.wager,
        stake=format_cents(line.stake),
        returned=format_cents(line.returned),
        collected=format_cents(line.collected),
        paid=format_cents(line.paid),
        clauses=line.clauses,
        hand=hand and hand.words,
        ranked=Ranked.of(hand),
    )


def _show_dealer_hand(state: State, view: RoundView) -> None:
    """The dealer's hand once it lies open, and whether it qualifies where the book asks that."""
    found = judged_dealer(state.plan, round_facts(state))
    if found is not None:
        view.dealer_hand, view.dealer_ranked = found.hand.words, Ranked.of(found.hand) or UNSET
        view.dealer_qualifies = UNSET if found.qualifies is None else found.qualifies


def _notices(state: State) -> list[Notice]:
    """What is displayed at the table for everybody: what it does not offer now, and by which clause."""
    memory = state.memory
    notices: list[Notice] = []
    clauses = power_clauses(state, Power.JACKPOT_OUTAGE)
    if memory.jackpot_suspended:
        notices.append(Notice("no-jackpot", NO_JACKPOT, clauses))
    elif memory.jackpot_stopped:
        notices.append(Notice("no-jackpot", JACKPOT_FAILED, clauses))
    if memory.closed:
        notices.append(Notice("closed", "This table is closed.", clauses))
    if memory.blocked:
        numbers = ", ".join(str(n) for n in sorted(memory.blocked))
        text = f"No bets are taken at position {numbers}."
        notices.append(Notice("blocked", text, clauses, sorted(memory.blocked)))
    return notices


def _box_view(state: State, box: Box, viewer: Viewer) -> Position:
    cards = state.known.get(str(box.position), ())
    sees = may_see_hand(state, box, viewer)
    return Position(
        player=box.player,
        stakes={wager: format_cents(box.stake(wager)) for wager in box.stakes},
        fate=box.fate.value,
        choices=dict(box.choices),
        viewed=box.viewed,
        cards=_row(state, cards if sees else (), state.dealt.get(str(box.position), 0)),
    )


def may_see_hand(state: State, box: Box, viewer: Viewer) -> bool:
    """A hand is seen by the player who viewed it, by all once exposed, and by surveillance afterwards."""
    if box.position in state.exposed:
        return True
    if viewer.role is Role.PLAYER:
        return box.player == viewer.player and box.viewed
    return viewer.role is Role.SURVEILLANCE and state.stage.is_over


def _row(state: State, seen: tuple[Card, ...], lying: int) -> list[str]:
    """Cards in order: those that are seen, and backs for those that are not."""
    return [card.code for card in seen] + [FACE_DOWN] * max(0, lying - len(seen))


def _dealt_to_community(state: State) -> int:
    parts = state.plan.parts or {Place.COMMUNITY.value: ()}
    return sum(state.dealt.get(part, 0) for part in parts)


def _dealer_row(state: State) -> list[str]:
    """The dealer's cards; one that is turned up keeps its place among the backs."""
    lying, seen = state.dealt.get(Place.DEALER, 0), open_dealer(state)
    number = state.turned_up.get(Place.DEALER)
    if Place.DEALER in state.revealed or number is None or not seen:
        return _row(state, seen, lying)
    row = [FACE_DOWN] * lying
    row[number - 1] = seen[0].code
    return row


def _nothing(state: State, viewer: Viewer, view: RoundView) -> None:
    pass


def _for_player(state: State, viewer: Viewer, view: RoundView) -> None:
    rack = state.racks.get(viewer.player)
    if rack is not None:
        view.rack = format_cents(rack)


def _for_dealer(state: State, viewer: Viewer, view: RoundView) -> None:
    """What whoever deals goes by, of any position: how far it is, what is entered, what can be taken back."""
    steps = state.terms.procedure.steps
    over = state.step >= len(steps) or state.stage.is_over
    view.next = None if over else step_in_words(steps[state.step])
    view.step = state.step
    view.entered = {place: len(cards) for place, cards in sorted(state.known.items())}
    view.burned = len(state.burned)
    view.handled = _handled(state)
    view.to_read = [
        ToRead(n, wagers, len(state.known.get(str(n), ()))) for n, wagers in folded_to_read(state).items()
    ]
    view.to_mend = _to_mend(state)
    view.corrections = state.corrections
    _show_matter(state, view)


def _handled(state: State) -> list[int]:
    """Hands whose player has touched or seen the cards: remedies turn on it."""
    return [box.position for box in state.boxes.values() if box.handled]


def _to_mend(state: State) -> list[ToMend]:
    """What was recorded at a hand and can still be taken back."""
    found = {n: last_recorded(state, box) for n, box in sorted(state.boxes.items())}
    return [
        ToMend(n, decision=recorded[0], choice=recorded[1])
        for n, recorded in found.items()
        if recorded is not None
    ]


def _for_pit(state: State, viewer: Viewer, view: RoundView) -> None:
    """What the pit sees beside what the dealer does, for whom it may deal."""
    memory = state.memory
    view.racks = {player: format_cents(rack) for player, rack in sorted(state.racks.items())}
    view.looked_at = [box.position for box in state.boxes.values() if box.looked_at]
    view.warned = sorted(memory.warned)
    view.restricted = sorted(memory.restricted)
    view.barred = sorted(memory.barred)
    view.blocked = sorted(memory.blocked)
    view.closed = memory.closed
    view.jackpot_suspended = memory.jackpot_suspended
    view.cards_exposed = state.trouble.cards_exposed
    view.jackpot_stopped = memory.jackpot_stopped or UNSET
    _for_dealer(state, viewer, view)


def _show_matter(state: State, view: RoundView) -> None:
    """What waits for a ruling, as staff see it: who may rule what; and what may still be ruled."""
    suspension, followups = state.suspension, state.trouble.followups
    if suspension is not None:
        view.matter = Matter(
            what=suspension.what,
            kind=suspension.kind,
            positions=suspension.positions,
            decides=suspension.decides.value,
            rulings=list(suspension.rulings),
            note=note_in(suspension.what, suspension.kind, suspension.positions),
        )
    if followups:
        view.may_still_rule = {name: who.position.value for name, who in followups.items()}


_EXTRAS: dict[Role, Callable[[State, Viewer, RoundView], None]] = {
    Role.PUBLIC: _nothing,
    Role.PLAYER: _for_player,
    Role.DEALER: _for_dealer,
    Role.PIT: _for_pit,
    Role.SURVEILLANCE: _for_pit,
}
