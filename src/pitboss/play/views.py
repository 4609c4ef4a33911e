"""What each viewer may see. A card he may not see is not in the view; only views are ever sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pitboss.cards import Card
from pitboss.money import floor_to_cents, format_cents
from pitboss.play.betting import power_clauses
from pitboss.play.concluding import folded_to_read, round_facts
from pitboss.play.correcting import last_recorded
from pitboss.play.dealing import open_community, open_dealer, outstanding, undecided
from pitboss.play.judged import dealer_in_words, judged_hands
from pitboss.play.paid_by import paid_by
from pitboss.play.sheet import seat_json
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


def view_for(state: State, viewer: Viewer) -> dict[str, Any]:
    """The table as one viewer sees it, ready to be sent."""
    decision = outstanding(state)
    view: dict[str, Any] = {
        "round": state.round_number,
        "stage": state.stage.value,
        "positions": {str(n): _box_view(state, box, viewer) for n, box in sorted(state.boxes.items())},
        "community": _row(state, open_community(state), _dealt_to_community(state)),
        "dealer": _dealer_row(state),
        "decision": decision.name if decision is not None else None,
        "waiting_for": [box.position for box in undecided(state, decision)] if decision is not None else [],
    }
    if state.terms.jackpot is not None:
        view["meter"] = format_cents(floor_to_cents(state.meter))
    if state.suspension is not None:
        view["suspended"] = {"kind": state.suspension.kind, "clauses": list(state.suspension.clauses)}
    trouble = state.trouble
    if trouble.options is not None:
        view["options"] = {
            "waiting": sorted(trouble.options.waiting),
            "clauses": list(trouble.options.clauses),
        }
    if trouble.permitted:
        view["may_withdraw"] = sorted(trouble.permitted)
    if state.void_clauses:
        view["void"] = list(state.void_clauses)
    if state.settlement is not None:
        view["settlement"] = _settlement_view(state, viewer)
    if Place.DEALER in state.revealed:
        view |= _dealer_hand(state)
    notices = _notices(state)
    if notices:
        view["notices"] = notices
    if state.claim:
        view["claim"] = [{"position": hand.position, "hand": hand.hand_class.value} for hand in state.claim]
    return view | _EXTRAS[viewer.role](state, viewer)


def _settlement_view(state: State, viewer: Viewer) -> list[dict[str, Any]]:
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
        seat = seat_json(settled)
        lines: Mapping[Any, str | None] = {}
        seat["hand"] = None
        sees = state.stage is Stage.SETTLED and may_see_hand(state, state.boxes[settled.position], viewer)
        if sees:
            seat["hand"], lines = judged_hands(state.plan, facts, own[settled.position], settled)
        for line, found in zip(seat["lines"], settled.lines, strict=True):
            line["hand"] = lines.get(line["wager"])
            pay = (
                paid_by(state.plan, facts, own[settled.position], settled, found, meter=meter)
                if sees
                else None
            )
            if pay is not None:
                line["pay"] = pay
        seats.append(seat)
    return seats


def _dealer_hand(state: State) -> dict[str, Any]:
    """The dealer's hand in words once it lies open, and whether it qualifies where the book asks that."""
    found = dealer_in_words(state.plan, round_facts(state))
    if found is None:
        return {}
    qualifies = {} if found.qualifies is None else {"dealer_qualifies": found.qualifies}
    return {"dealer_hand": found.words, **qualifies}


def _notices(state: State) -> list[dict[str, Any]]:
    """What is displayed at the table for everybody: what it does not offer now, and by which clause."""
    memory = state.memory
    notices: list[dict[str, Any]] = []
    clauses = list(power_clauses(state, Power.JACKPOT_OUTAGE))
    if memory.jackpot_suspended:
        notices.append({"notice": "no-jackpot", "text": NO_JACKPOT, "clauses": clauses})
    elif memory.jackpot_stopped:
        notices.append({"notice": "no-jackpot", "text": JACKPOT_FAILED, "clauses": clauses})
    if memory.closed:
        notices.append({"notice": "closed", "text": "This table is closed.", "clauses": clauses})
    if memory.blocked:
        numbers = ", ".join(str(n) for n in sorted(memory.blocked))
        text = f"No bets are taken at position {numbers}."
        about = {"positions": sorted(memory.blocked)}
        notices.append({"notice": "blocked", "text": text, "clauses": clauses, **about})
    return notices


def _box_view(state: State, box: Box, viewer: Viewer) -> dict[str, Any]:
    cards = state.known.get(str(box.position), ())
    sees = may_see_hand(state, box, viewer)
    return {
        "player": box.player,
        "stakes": {wager: format_cents(box.stake(wager)) for wager in box.stakes},
        "fate": box.fate.value,
        "choices": dict(box.choices),
        "viewed": box.viewed,
        "cards": _row(state, cards if sees else (), state.dealt.get(str(box.position), 0)),
    }


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


def _nothing(state: State, viewer: Viewer) -> dict[str, Any]:
    return {}


def _for_player(state: State, viewer: Viewer) -> dict[str, Any]:
    rack = state.racks.get(viewer.player)
    return {} if rack is None else {"rack": format_cents(rack)}


def _for_dealer(state: State, viewer: Viewer) -> dict[str, Any]:
    """What whoever deals goes by, of any position: how far it is, what is entered, what can be mended."""
    steps = state.terms.procedure.steps
    coming = step_in_words(steps[state.step]) if state.step < len(steps) and not state.stage.is_over else None
    entered = {place: len(cards) for place, cards in sorted(state.known.items())}
    return {
        "next": coming,
        "step": state.step,
        "entered": entered,
        "burned": len(state.burned),
        "handled": _handled(state),
        "to_read": [
            {"position": n, "wagers": list(wagers), "entered": len(state.known.get(str(n), ()))}
            for n, wagers in folded_to_read(state).items()
        ],
        "to_mend": _to_mend(state),
        "corrections": state.corrections,
    } | _matter(state)


def _handled(state: State) -> list[int]:
    """Hands whose player has touched or seen the cards: remedies turn on it."""
    return [box.position for box in state.boxes.values() if box.handled]


def _to_mend(state: State) -> list[dict[str, Any]]:
    """What was recorded at a hand and can still be taken back."""
    found = {n: last_recorded(state, box) for n, box in sorted(state.boxes.items())}
    return [
        {"position": n, "decision": recorded[0], "choice": recorded[1]}
        for n, recorded in found.items()
        if recorded is not None
    ]


def _for_pit(state: State, viewer: Viewer) -> dict[str, Any]:
    """What the pit sees beside what the dealer does, for whom it may deal."""
    memory = state.memory
    return {
        "racks": {player: format_cents(rack) for player, rack in sorted(state.racks.items())},
        "looked_at": [box.position for box in state.boxes.values() if box.looked_at],
        "warned": sorted(memory.warned),
        "restricted": sorted(memory.restricted),
        "barred": sorted(memory.barred),
        "blocked": sorted(memory.blocked),
        "closed": memory.closed,
        "jackpot_suspended": memory.jackpot_suspended,
        "cards_exposed": state.trouble.cards_exposed,
        **({"jackpot_stopped": True} if memory.jackpot_stopped else {}),
    } | _for_dealer(state, viewer)


def _matter(state: State) -> dict[str, Any]:
    """What waits for a ruling, as staff see it: who may rule what; and what may still be ruled."""
    suspension, followups = state.suspension, state.trouble.followups
    view: dict[str, Any] = {}
    if suspension is not None:
        view["matter"] = {
            "what": suspension.what,
            "kind": suspension.kind,
            "positions": list(suspension.positions),
            "decides": suspension.decides.value,
            "rulings": [ruling.value for ruling in suspension.rulings],
        }
    if followups:
        view["may_still_rule"] = {name: who.position.value for name, who in followups.items()}
    return view


_EXTRAS: dict[Role, Callable[[State, Viewer], dict[str, Any]]] = {
    Role.PUBLIC: _nothing,
    Role.PLAYER: _for_player,
    Role.DEALER: _for_dealer,
    Role.PIT: _for_pit,
    Role.SURVEILLANCE: _for_pit,
}
