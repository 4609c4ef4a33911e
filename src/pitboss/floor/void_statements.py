"""Voids of sealed rounds held against the record: noted, signed by two, and their decks opened as sealed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pitboss.cards import DECK, Card, parse_card
from pitboss.errors import BadInput
from pitboss.floor import table_events as te
from pitboss.floor.authority import WITHDRAWAL
from pitboss.floor.composition import BeaconValue, is_signed
from pitboss.floor.counterfactual import house_result, stage_of, staked
from pitboss.floor.entropy import beacon_published_at, beacon_round, follows
from pitboss.floor.gaming_table import GamingTable
from pitboss.floor.house_clock import silence_ends
from pitboss.floor.people import SYSTEM
from pitboss.floor.ports import Micros, Recorded
from pitboss.floor.said import Known
from pitboss.floor.sealing import opens
from pitboss.floor.second_signatures import ENDS, LETS_OUT, SAID, is_sealed
from pitboss.floor.void_matters import ABOUT_CARDS, Matter, has_no_hand_left, taken_out
from pitboss.money import Cents
from pitboss.play import events as e
from pitboss.rulebooks.trouble import Irregularity

BROKEN = {
    "missing": "was gone",
    "does-not-open": "did not open",
    "not-what-was-sealed": "was not what was sealed",
    "not-dealt-as-announced": "was not dealt as announced",
}
"""What was wrong with a sealed deck, in words."""

_REPORTS = (e.IrregularityReported, e.RoundSuspended)


class Noted(NamedTuple):
    """A note of a void, the table as it was then, and when that was."""

    note: te.VoidNoted
    then: GamingTable
    at: Micros


class AtMoment(NamedTuple):
    """Something that other streams are held against: an event of a round, and its moment."""

    stream: str
    version: int
    at: Micros
    table: str
    round_number: int
    link: str = ""


@dataclass(slots=True)
class VoidsOfTable:
    """What a table's stream says of its voids. `_open` are notes whose deck may still be opened, by round.

    `opened` are the decks that were opened, `outages` what the floor has undone because a jackpot failed.
    """

    known: Known
    opened: list[AtMoment] = field(default_factory=list)
    outages: list[AtMoment] = field(default_factory=list)
    _at: int = 0
    _began: GamingTable = field(default_factory=lambda: GamingTable(table=""))
    _request: list[Any] = field(default_factory=list)
    _owed: str = ""
    _alarm: str = ""
    _reporter: str = ""
    _matter: Matter = field(default_factory=Matter)
    _open: dict[int, list[Noted]] = field(default_factory=dict)

    def wrong(self, before: GamingTable, event: Any, recorded: Recorded) -> str:
        """What is wrong with an event that has to do with a void, in words, or empty."""
        left = ""
        if recorded.at != self._at:
            left = self.left()
            self._at, self._began, self._request = recorded.at, before, []
        problem = left or self._check(before, event, recorded)
        self._request.append(event)
        self._matter = self._matter.after(event, recorded.actor)
        if isinstance(event, e.BetsOpened):
            self._reporter = ""
        elif isinstance(event, _REPORTS):
            self._reporter = recorded.actor
        return problem

    def left(self) -> str:
        """A void that was not noted, or a report that the seal refutes."""
        owed, self._owed, self._alarm = self._owed or self._alarm, "", ""
        return owed

    def _check(self, before: GamingTable, event: Any, recorded: Recorded) -> str:
        match event:
            case te.VoidNoted():
                return self._noted(before, event, recorded)
            case te.SealBroken():
                return self._broken(before, event)
            case te.DeckOpened():
                return self._opened(before, event, recorded)
            case e.IrregularityReported() if event.kind in ABOUT_CARDS:
                return self._reported(before, event, recorded)
            case e.PlayerAbsent() | e.OptionTaken(absent=True):
                return self._too_soon(before, recorded)
            case _ if isinstance(event, (*ENDS, *LETS_OUT)):
                return self._ended(before, event, recorded)
            case _:
                return ""

    def _asks(self, at: Micros, request: str) -> bool:
        return self.known.asks_for(at, f"{request}/second")

    def _reported(self, before: GamingTable, event: e.IrregularityReported, recorded: Recorded) -> str:
        """A report about the cards of a sealed deck is refused, or comes with the alarm of a broken seal."""
        number = None if before.play is None else before.state.round_number
        if is_sealed(before) and number not in dict(before.broken_seals) and self._asks(recorded.at, "act"):
            self._alarm = f"{event.kind} was reported, and the seal of round {number} was not found broken"
        return ""

    def _too_soon(self, before: GamingTable, recorded: Recorded) -> str:
        """Staff enter no absence before the time to decide is over."""
        ends = silence_ends(before)
        practice = before.opened is not None and before.opened.practice
        if ends is None or practice or not recorded.actor.startswith("staff/"):
            return ""
        early = recorded.at < ends and self._asks(recorded.at, WITHDRAWAL)
        return "absence was entered before the time to decide was over" if early else ""

    def _ended(self, before: GamingTable, event: Any, recorded: Recorded) -> str:
        """Cards of a sealed deck lie there: two persons undo the round or a hand, and that is noted."""
        at = recorded.at
        if not is_sealed(before) or not self._asks(at, "act"):
            return ""
        number = before.state.round_number
        if isinstance(event, e.RoundVoided):
            self._owed = f"the void of round {number} was not noted"
        elif isinstance(event, e.HandRemoved) and before.drawn and self._asks(at, WITHDRAWAL):
            self._owed = f"it was not noted that position {event.position} is out of round {number}"
        said = [other for other in self._request if isinstance(other, SAID)]
        if not said or not before.drawn:
            return ""
        if recorded.actor == str(SYSTEM):
            self._by_the_floor(before, said[0], recorded)
            return ""
        request = "act" if isinstance(event, ENDS) else WITHDRAWAL
        asked = self._asks(at, request)
        return self.known.no_second(said[0].approved_by, recorded, request) if asked else ""

    def _by_the_floor(self, before: GamingTable, said: Any, recorded: Recorded) -> None:
        """What the floor undoes because a jackpot failed: the link's stream says who has signed for it."""
        failed = isinstance(said, e.IrregularityReported) and said.kind is Irregularity.JACKPOT_FAILURE
        link = "" if before.opened is None else before.opened.link
        if failed and link and self._asks(recorded.at, "fail-link"):
            where = (recorded.stream, recorded.version, recorded.at)
            self.outages.append(AtMoment(*where, before.table, before.state.round_number, link))

    def _noted(self, before: GamingTable, event: te.VoidNoted, recorded: Recorded) -> str:
        voided = any(isinstance(other, e.RoundVoided) for other in self._request)
        hands = taken_out(self._began, self._request)
        again = any(isinstance(other, te.VoidNoted) for other in self._request)
        if not (voided or hands) or not before.sealed or again:
            return "no sealed round was made void that it could be about"
        self._owed = ""
        state, number = self._began.state, self._began.state.round_number
        broken = number in dict(before.broken_seals)
        erased = self._began.was_settled and number not in self._began.kept_decks
        kept = not broken and not erased and (voided or has_no_hand_left(before.state))
        expected = {
            "round_number": number,
            **(self._whose_void(recorded) if voided else self._whose_hands(recorded)),
            "stage": stage_of(state),
            "cards": len(self._began.drawn),
            "staked": staked(state, hands),
            "deck_kept": kept,
            "positions": hands,
        }
        if broken:
            expected["house"] = None
        elif erased or state.settlement is not None or not staked(state, hands):
            expected["house"] = house_result(state, (), hands)
        for name, due in expected.items():
            if getattr(event, name) != due:
                return f"it notes {getattr(event, name)!r} as {name}, the record has {due!r}"
        if event.house is not None and event.house > event.staked:
            return f"the house would have won {event.house} of {event.staked}"
        if not broken and not erased:
            self._open.setdefault(number, []).append(Noted(event, self._began, recorded.at))
        return self._wrong_beacon(event, recorded.at)

    def _whose_void(self, recorded: Recorded) -> dict[str, str]:
        """Who made a round void, and why, as far as the record has a reason."""
        rulings = [other for other in self._request if isinstance(other, e.RulingGiven)]
        reports = [other for other in self._request if isinstance(other, e.IrregularityReported)]
        signers = [*(event.approved_by for event in rulings), *(event.approved_by for event in reports), ""]
        found = {
            "reported_by": recorded.actor if reports else self._reporter or recorded.actor,
            "ruled_by": recorded.actor if rulings else "",
            "signed_by": signers[0],
        }
        suspension = self._began.state.suspension
        if reports:
            found |= {"kind": reports[0].kind.value, "reason": reports[0].what}
        elif suspension is not None:
            found |= {"kind": suspension.kind, "reason": suspension.what}
        return found

    def _whose_hands(self, recorded: Recorded) -> dict[str, str]:
        found = self._matter._asdict()
        return found | {"reported_by": self._matter.reported_by or recorded.actor}

    def _wrong_beacon(self, event: te.VoidNoted, at: Micros) -> str:
        """The value that an order follows from is that of the beacon announced, published by then."""
        value, composition = event.beacon, self._began.composition
        if value is None:
            return ""
        announced = None if composition is None else composition.beacon
        if announced is None or self._began.reveal_by is None or not self._began.owes_order:
            return "no beacon's value was waited for"
        due = beacon_round(self._began, announced)
        published = value.round == due and at >= beacon_published_at(self._began, announced)
        signed = is_signed(announced.name, announced.key, BeaconValue(value.round, value.signature))
        return "" if published and signed else f"round {due} of the beacon had no such value"

    def _broken(self, before: GamingTable, event: te.SealBroken) -> str:
        if event.what not in BROKEN:
            return f"nothing is called {event.what} that can be wrong with a deck"
        if event.round_number in dict(before.broken_seals):
            return f"the alarm about round {event.round_number} was given before"
        self._alarm = ""
        if event.round_number in before.kept_decks:
            self._open.pop(event.round_number, None)
            return ""
        current = before.play is not None and before.state.round_number == event.round_number
        return "" if current and before.sealed is not None else f"round {event.round_number} had no deck"

    def _opened(self, before: GamingTable, event: te.DeckOpened, recorded: Recorded) -> str:
        """Whether the deck is not what was sealed, is not due yet, or the figure of the void is another."""
        found = self._open.pop(event.round_number, [])
        if not any(noted.note.deck_kept for noted in found):
            return f"no deck of round {event.round_number} was kept"
        if before.state.round_number <= event.round_number:
            return f"the void of round {event.round_number} was not final: no later bets were open"
        where = (recorded.stream, recorded.version, recorded.at)
        self.opened.append(AtMoment(*where, before.table, event.round_number))
        sealed = found[-1].then.sealed
        assert sealed is not None
        if [opening.index for opening in event.openings] != list(range(len(DECK))):
            return "not every place of the deck is opened, in order"
        wrong = [opening for opening in event.openings if not opens(sealed, opening)]
        if wrong:
            return f"place {wrong[0].index + 1} is opened as {wrong[0].card}, which is not what was sealed"
        if any(event.openings[opening.index] != opening for opening in found[-1].then.drawn):
            return "the cards that were drawn are opened as others"
        try:
            cards = [parse_card(opening.card) for opening in event.openings]
        except BadInput as error:
            return str(error)
        if set(cards) != set(DECK):
            return "a card is twice in the deck that was opened"
        for noted in found:
            house = self._house(noted, cards)
            if house != noted.note.house:
                return f"the void was noted with {noted.note.house} for the house, by the deck it is {house}"
        return ""

    def _house(self, noted: Noted, deck: list[Card]) -> Cents | None:
        """What a void would have come to for the house, by the deck that was opened."""
        note, then, at = noted
        value = None if note.beacon is None else BeaconValue(note.beacon.round, note.beacon.signature)
        known = follows(then, at, value)
        if not self._asks(at, WITHDRAWAL):  # earlier versions had no figure where nothing was revealed
            announced = then.composition is not None and then.composition.beacon is not None
            known = not announced and any(device.secret for device in then.devices)
        return house_result(then.state, then.to_come(deck, follows=known, beacon=value), note.positions)
