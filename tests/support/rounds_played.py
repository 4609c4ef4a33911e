"""Properties of a table under way, as checks of one seed: the tests try some, the proofs many."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from types import MappingProxyType

from pitboss.cards import Card
from pitboss.money import UNITS_PER_CENT
from pitboss.play import commands as c
from pitboss.play import settle
from pitboss.play.codec import decode_event, encode_event
from pitboss.play.concluding import round_facts
from pitboss.play.dealing import open_community, open_dealer
from pitboss.play.events import CardsDealt, CardsOrdered, HandRemoved, WagerWithdrawn
from pitboss.play.evolve import evolve_all, total_money
from pitboss.play.facts_file import read_facts
from pitboss.play.settlement import SeatSettlement, SettlementLine
from pitboss.play.sheet import facts_json, settlement_json
from pitboss.play.table import Stage, State
from pitboss.play.views import Role, Viewer, may_see_hand, view_for
from support.play import PLAYERS, Table
from support.sent import as_sent

VIEWERS = (
    Viewer(Role.PUBLIC),
    Viewer(Role.DEALER),
    Viewer(Role.PIT),
    Viewer(Role.SURVEILLANCE),
    *(Viewer(Role.PLAYER, name) for name in PLAYERS),
)


def money_conserves_and_refusals_change_nothing(book: str, seed: int) -> None:
    """Random commands, legal and illegal: nothing raises, nothing vanishes, and the round can be ended."""
    table = Table.random(book, seed)
    total = total_money(table.state)
    for _ in range(40):
        before = table.state
        wild = table.rng.random() < 0.35
        refusal = table.do(table.random_command() if wild else table.sensible_command())
        assert total_money(table.state) == total
        assert min(table.state.racks.values()) >= 0
        if refusal is not None:
            assert table.state is before
            assert refusal.code
            assert refusal.message.endswith(".")
            assert set(refusal.clauses) <= set(table.state.plan.register)
    table.conclude()
    assert total_money(table.state) == total
    assert table.state.layout == 0


def replay_equals_live(book: str, seed: int) -> None:
    """The events give the state, also after a journey through their JSON."""
    table = Table.random(book, seed)
    for _ in range(60):
        table.do(table.random_command() if table.rng.random() < 0.2 else table.sensible_command())
    assert evolve_all(table.opened, table.events) == table.state
    text = json.dumps([encode_event(event) for event in table.events])
    again = [decode_event(data) for data in json.loads(text)]
    assert again == table.events
    assert evolve_all(table.opened, again) == table.state


def hidden_cards_are_not_in_views(book: str, seed: int) -> None:
    """Swapping the cards a viewer may not see leaves his view as it was, at every step."""
    table = Table.random(book, seed)
    rng = Random(seed)
    for _ in range(45):
        table.do(table.sensible_command())
        state = table.state
        for viewer in VIEWERS:
            assert as_sent(view_for(_with_hidden_swapped(state, viewer, rng), viewer)) == as_sent(
                view_for(state, viewer)
            )


def _with_hidden_swapped(state: State, viewer: Viewer, rng: Random) -> State:
    """The same state with all cards that the viewer does not see shuffled among themselves."""
    hidden: list[tuple[str, int]] = []
    for place, cards in state.known.items():
        for index in range(len(cards)):
            if not _sees(state, viewer, place, index):
                hidden.append((place, index))
    values = [state.known[place][index] for place, index in hidden]
    rng.shuffle(values)
    known: dict[str, list[Card]] = {place: list(cards) for place, cards in state.known.items()}
    for (place, index), card in zip(hidden, values, strict=True):
        known[place][index] = card
    changed = MappingProxyType({place: tuple(cards) for place, cards in known.items()})
    burned = tuple(rng.sample(state.burned, len(state.burned)))
    return state._replace(known=changed, burned=burned)


def _sees(state: State, viewer: Viewer, place: str, index: int) -> bool:
    card = state.known[place][index]
    if place.isdigit():
        return may_see_hand(state, state.boxes[int(place)], viewer)
    if place == "dealer":
        return card in open_dealer(state)
    return card in open_community(state)


def settling_the_round_equals_settling_its_facts(book: str, seed: int) -> None:
    """Whole rounds: what the round pays is what `pitboss settle` pays on the same facts, read from their file."""
    table = Table.random(book, seed, physical=False)
    before = table.state
    for _ in range(400):
        before = table.state
        table.do(table.sensible_command())
        if table.state.stage is Stage.SETTLED:
            break
    else:
        raise AssertionError("the round did not come to its end")
    result, facts = table.state.settlement, round_facts(before)
    assert result is not None
    if any(box.forfeited for box in before.boxes.values()):
        return  # shares that folded were collected when they did; the facts no longer know them
    assert settle(before.plan, facts) == result
    fraction = facts.jackpot is not None and facts.jackpot.meter % UNITS_PER_CENT
    if facts.seats and not fraction and not any(seat.shares for seat in facts.seats):
        plan, read = read_facts(json.dumps(facts_json(before.plan, facts)), name="facts.json")
        again = settlement_json(plan, settle(plan, read))
        assert again["seats"] == settlement_json(before.plan, result)["seats"]
    for player in PLAYERS:
        won = sum(
            line.paid - line.collected
            for seat in result.seats
            for line, owner in _lines(seat)
            if owner == player
        )
        at_start = before.racks[player] + sum(
            shares.get(player, 0) for box in before.boxes.values() for shares in box.stakes.values()
        )
        assert table.state.racks[player] == at_start + won


def _lines(seat: SeatSettlement) -> Iterator[tuple[SettlementLine, str]]:
    for share in seat.owners:
        for line in share.lines:
            yield line, share.player
    if not seat.owners:
        for line in seat.lines:
            yield line, seat.player


def a_report_changes_results_only_by_a_cited_clause(book: str, seed: int) -> None:
    """A round played twice, once with an irregularity: what differs is void or removed, and says by which clause."""
    plain = Table.random(book, seed, physical=False)
    deck, acts = _whole_round(plain)
    troubled = Table(plain.opened, Random(seed))
    at = Random(seed).randrange(1, len(acts) + 1)
    total = total_money(troubled.state)
    for index, act in enumerate((*acts, None)):
        if index == at:
            troubled.do(troubled.random_report())
            _resolve(troubled)
            assert total_money(troubled.state) == total
        if act is not None:
            troubled.do(act)
            if isinstance(act, c.OpenBets):
                troubled.deck = deck
    troubled.conclude()
    assert total_money(troubled.state) == total
    _compare_rounds(plain.state, troubled)


def _whole_round(table: Table) -> tuple[tuple[Card, ...] | None, list[c.Command]]:
    """A round to its settlement: the deck and the commands that were taken."""
    deck, acts = None, []
    while table.state.stage is not Stage.SETTLED:
        command = table.sensible_command()
        if table.do(command) is None:
            acts.append(command)
        if isinstance(command, c.OpenBets):
            deck = table.deck
        assert len(acts) < 300
    return deck, acts


def _resolve(table: Table) -> None:
    """Whatever waits for a ruling or an answer gets it."""
    while table.state.suspension is not None or table.state.trouble.options is not None:
        table.do(table.sensible_command())


def _compare_rounds(plain: State, troubled: Table) -> None:
    state, before = troubled.state, plain.settlement
    assert before is not None
    result = state.settlement
    if result is None:  # voided while bets were open, with nothing on the layout
        return
    assert all(line.clauses for seat in result.seats for line in seat.lines)
    if state.stage is Stage.VOID:
        assert state.void_clauses
        assert state.racks == troubled.opened.racks
        assert (state.meter, state.house) == (troubled.opened.meter, troubled.opened.house)
        return
    out = {seat.position for seat in before.seats} - {seat.position for seat in result.seats}
    out |= {position for position, box in state.boxes.items() if box.removal is not None}
    moved = any(isinstance(event, CardsOrdered) for event in troubled.events)
    kinds = [type(event) for event in troubled.events]
    if HandRemoved in kinds and CardsDealt in kinds:  # out before the deal: the others have other cards
        moved = moved or kinds.index(HandRemoved) < kinds.index(CardsDealt)
    # Chips that left the layout while bets were open may have come back differently.
    rebet = any(isinstance(event, WagerWithdrawn) for event in troubled.events)
    # Owners of a shared wager may have left by a clause, or have had their chips back in time to go along.
    shared = {seat.position for seat in (*before.seats, *result.seats) if seat.owners}
    for seat in result.seats:
        if seat.position in out:
            assert not seat.net
            assert all(line.returned == line.stake for line in seat.lines)
        elif not moved and not rebet and seat.position not in shared:
            same = next(other for other in before.seats if other.position == seat.position)
            assert _table_wagers(state, seat) == _table_wagers(state, same)


def _table_wagers(state: State, seat: SeatSettlement) -> list[SettlementLine]:
    """All lines but the jackpot's, whose share depends on who else has won."""
    jackpot = state.plan.jackpot
    return [line for line in seat.lines if jackpot is None or line.wager != jackpot.wager]


ROUND_PROPERTIES: tuple[Callable[[str, int], None], ...] = (
    money_conserves_and_refusals_change_nothing,
    replay_equals_live,
    hidden_cards_are_not_in_views,
    settling_the_round_equals_settling_its_facts,
    a_report_changes_results_only_by_a_cited_clause,
)
