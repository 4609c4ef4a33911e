"""Voids of sealed rounds held against the record: noted, signed by two, and their decks opened as sealed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pitboss.cards import DECK, parse_card
from pitboss.errors import BadInput
from pitboss.floor import table_events as te
from pitboss.floor.counterfactual import house_result, stage_of, staked
from pitboss.floor.gaming_table import VIRTUAL, OpenTable
from pitboss.floor.people import SYSTEM
from pitboss.floor.ports import Recorded
from pitboss.floor.said import Known
from pitboss.floor.sealing import opens
from pitboss.play import events as e
from pitboss.play.table import Stage

BROKEN = {
    "missing": "was gone",
    "does-not-open": "did not open",
    "not-what-was-sealed": "was not what was sealed",
    "not-dealt-as-announced": "was not dealt as announced",
}
"""What was wrong with a sealed deck, in words."""

_TOLD = (e.IrregularityReported, e.RulingGiven, e.StandingOrder)
_ENDS = (e.RoundVoided, e.HandRemoved, e.SettlementReversed)
_REPORTS = (e.IrregularityReported, e.RoundSuspended)


@dataclass(slots=True)
class VoidsOfTable:
    """What a table's stream says of its voids. `_open` are those with a kept deck, as the rounds stood."""

    known: Known
    _at: int = 0
    _began: OpenTable | None = None
    _request: list[Any] = field(default_factory=list)
    _owed: str = ""
    _reporter: str = ""
    _open: dict[int, tuple[OpenTable, te.VoidNoted]] = field(default_factory=dict)

    def wrong(self, before: OpenTable, event: Any, recorded: Recorded) -> str:
        """What is wrong with an event that has to do with a void, in words, or empty."""
        left = ""
        if recorded.at != self._at:
            left = self.left()
            self._at, self._began, self._request = recorded.at, before, []
        problem = left or self._check(before, event, recorded)
        self._request.append(event)
        if isinstance(event, e.BetsOpened):
            self._reporter = ""
        elif isinstance(event, _REPORTS):
            self._reporter = recorded.actor
        return problem

    def left(self) -> str:
        """A void that was not noted."""
        owed, self._owed = self._owed, ""
        return owed

    def _check(self, before: OpenTable, event: Any, recorded: Recorded) -> str:
        match event:
            case te.VoidNoted():
                return self._noted(before, event, recorded)
            case te.SealBroken():
                return self._broken(before, event)
            case te.DeckOpened():
                return self._opened(before, event)
            case e.RoundVoided() | e.HandRemoved() | e.SettlementReversed():
                return self._ended(before, event, recorded)
            case _:
                return ""

    def _ended(self, before: OpenTable, event: Any, recorded: Recorded) -> str:
        """Cards of a sealed deck lie there: two persons undo the round or a hand, and a void is noted."""
        sealed = before.sealed is not None and before.opened.cards == VIRTUAL
        if not sealed or not self.known.asks_for(recorded.at, "act/second"):
            return ""
        if isinstance(event, e.RoundVoided):
            self._owed = f"the void of round {before.state.round_number} was not noted"
        told = [other for other in self._request if isinstance(other, _TOLD)]
        if not told or not before.drawn or recorded.actor == str(SYSTEM):
            return ""
        return self.known.no_second(told[0].approved_by, recorded, "act")

    def _noted(self, before: OpenTable, event: te.VoidNoted, recorded: Recorded) -> str:
        voided = [other for other in self._request if isinstance(other, e.RoundVoided)]
        began, twice = self._began, any(isinstance(o, te.VoidNoted) for o in self._request)
        if not voided or not before.sealed or began is None or twice:
            return "no sealed round was made void that it could be about"
        self._owed = ""
        state = began.state
        rulings = [other for other in self._request if isinstance(other, e.RulingGiven)]
        reports = [other for other in self._request if isinstance(other, e.IrregularityReported)]
        broken = dict(before.broken_seals)
        signers = [*(event.approved_by for event in rulings), *(event.approved_by for event in reports), ""]
        expected = {
            "round_number": state.round_number,
            "reported_by": recorded.actor if reports else self._reporter or recorded.actor,
            "ruled_by": recorded.actor if rulings else "",
            "signed_by": signers[0],
            "stage": stage_of(state),
            "cards": len(began.drawn),
            "staked": staked(state),
            "deck_kept": state.round_number not in broken and state.stage is not Stage.SETTLED,
        }
        if reports:
            expected |= {"kind": reports[0].kind.value, "reason": reports[0].what}
        elif state.suspension is not None:
            expected |= {"kind": state.suspension.kind, "reason": state.suspension.what}
        if not event.deck_kept:
            expected["house"] = None if state.round_number in broken else house_result(state, ())
        for name, due in expected.items():
            if getattr(event, name) != due:
                return f"it notes {getattr(event, name)!r} as {name}, the record has {due!r}"
        if event.deck_kept:
            self._open[event.round_number] = (began, event)
        return ""

    def _broken(self, before: OpenTable, event: te.SealBroken) -> str:
        if event.what not in BROKEN:
            return f"nothing is called {event.what} that can be wrong with a deck"
        if event.round_number in dict(before.broken_seals):
            return f"the alarm about round {event.round_number} was given before"
        if event.round_number in before.kept_decks:
            self._open.pop(event.round_number, None)
            return ""
        current = before.state.round_number == event.round_number
        return "" if current and before.sealed is not None else f"round {event.round_number} had no deck"

    def _opened(self, before: OpenTable, event: te.DeckOpened) -> str:
        """Whether the deck is not what was sealed, is not due yet, or the figure of the void is another."""
        found = self._open.pop(event.round_number, None)
        if found is None:
            return f"no deck of round {event.round_number} was kept"
        if before.state.round_number <= event.round_number:
            return f"the void of round {event.round_number} was not final: no later bets were open"
        then, noted = found
        sealed = then.sealed
        if sealed is None:
            return f"round {event.round_number} had no deck"
        if [opening.index for opening in event.openings] != list(range(len(DECK))):
            return "not every place of the deck is opened, in order"
        wrong = [opening for opening in event.openings if not opens(sealed, opening)]
        if wrong:
            return f"place {wrong[0].index + 1} is opened as {wrong[0].card}, which is not what was sealed"
        if any(event.openings[opening.index] != opening for opening in then.drawn):
            return "the cards that were drawn are opened as others"
        try:
            cards = [parse_card(opening.card) for opening in event.openings]
        except BadInput as error:
            return str(error)
        if set(cards) != set(DECK):
            return "a card is twice in the deck that was opened"
        house = house_result(then.state, then.to_come(cards))
        if house != noted.house:
            return f"the void was noted with {noted.house} for the house, by the deck it is {house}"
        return ""
