"""Tables under way: Hypothesis drives them with commands legal and illegal, in all five books."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pitboss.cards import parse_card
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.play.codec import EVENT_NAMES, decode_event, encode_event
from pitboss.play.decide import BY_RANK, PLAYERS, STAFF
from pitboss.play.events import Event
from pitboss.play.evolve import _EVOLVE, evolve_all, total_money
from pitboss.play.steps import FORMS
from pitboss.play.table import State
from pitboss.play.views import view_for
from support import BOOKS
from support.play import DEALER, Table
from support.rounds_played import ROUND_PROPERTIES, VIEWERS
from support.sent import as_sent


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("holds", ROUND_PROPERTIES, ids=lambda holds: holds.__name__)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(min_value=0, max_value=2**48))
def test_property(holds: Callable[[str, int], None], book: str, seed: int) -> None:
    holds(book, seed)


class TableMachine(RuleBasedStateMachine):
    """A table that anybody may try anything at. What is drawn is the kind of act; the table draws the rest."""

    table: Table
    total: int

    @initialize(book=st.sampled_from(BOOKS), seed=st.integers(min_value=0, max_value=2**32))
    def open(self, book: str, seed: int) -> None:
        self.table = Table.random(book, seed)
        self.total = total_money(self.table.state)

    @rule(times=st.integers(min_value=1, max_value=6))
    def play_on(self, times: int) -> None:
        for _ in range(times):
            self.table.do(self.table.sensible_command())

    @rule()
    def try_anything(self) -> None:
        before = self.table.state
        if self.table.do(self.table.random_command()) is not None:
            assert self.table.state is before

    @rule()
    def bring_to_an_end(self) -> None:
        self.table.conclude()
        assert self.table.state.layout == 0

    @invariant()
    def money_conserves(self) -> None:
        if hasattr(self, "table"):
            assert total_money(self.table.state) == self.total

    @invariant()
    def replay_equals_live(self) -> None:
        if hasattr(self, "table"):
            again = [decode_event(encode_event(event)) for event in self.table.events]
            assert evolve_all(self.table.opened, again) == self.table.state

    @invariant()
    def everybody_has_a_view(self) -> None:
        if hasattr(self, "table"):
            for viewer in VIEWERS:
                assert as_sent(view_for(self.table.state, viewer))["round"] == self.table.state.round_number


TestTable = TableMachine.TestCase
TestTable.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)


def union(kind: Any) -> set[type]:
    return set(kind.__args__)


def test_every_event_has_a_versioned_name_and_every_command_a_step() -> None:
    assert set(EVENT_NAMES.values()) == union(Event) == set(_EVOLVE)
    assert all(name.endswith(".v1") for name in EVENT_NAMES)
    written = [form.written for form in FORMS.values()] + [
        " ".join(word for word in form.written.split() if not word.startswith("[")) for form in FORMS.values()
    ]
    built = {type(FORMS[text.split()[0]].build(c.Player("p1"), 1, _arguments(text), "")) for text in written}
    assert built == union(c.Command)
    assert set(STAFF) | set(BY_RANK) | set(PLAYERS) == union(c.Command)
    assert len(STAFF) + len(BY_RANK) + len(PLAYERS) == len(union(c.Command))


def _arguments(written: str) -> list[str]:
    samples = {
        "PLACE": "flop",
        "CARD": "As",
        "N": "1",
        "NUMBER": "1",
        "back": "back",
        "REMEDY": "void" if written.startswith("rule") else "close-table",
        "KIND": "misdeal",
        "CHOICE": "continue",
        "AREA": "ante",
        "AMOUNT": "25",
        "unnoticed": "unnoticed",
    }
    return [samples[word.strip("[]")] for word in written.split()[1:] if word.strip("[]") in samples]


def test_a_state_cannot_be_changed_in_place() -> None:
    table = Table.random("mbs-thb-9", 1)
    for _ in range(30):
        table.do(table.sensible_command())
    state: State = table.state
    with pytest.raises(AttributeError):
        state.step = 5  # type: ignore[misc]
    with pytest.raises(TypeError):
        state.racks["p1"] = 5  # type: ignore[index]


def test_a_physical_hand_that_was_never_shown_is_paid_where_the_hand_does_not_matter() -> None:
    """3cp: the dealer does not qualify, the player declines, nobody ever entered his cards."""
    table = Table.random("mbs-3cp-2023", 1, physical=True)
    player = c.Player("p1")
    acts: list[c.Command] = [
        c.OpenBets(by=DEALER),
        c.PlaceWager(by=player, position=1, wager="ante", amount=Cents(2500)),
        c.CloseBets(by=DEALER),
        c.Deal(by=DEALER),
        c.Bet(by=player, position=1, wager="play"),
        c.Reveal(by=DEALER, place="dealer"),
        c.Reveal(by=DEALER, place="community"),
        *(c.EnterCard(by=DEALER, place="dealer", card=parse_card(text)) for text in ("5s", "2h", "3h")),
        c.Decline(by=player, position=1),
        c.Settle(by=DEALER),
    ]
    for act in acts:
        assert table.do(act) is None, act
    assert table.state.settlement is not None
    assert table.state.settlement.seats[0].net == 2500
