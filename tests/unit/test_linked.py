"""A table whose meter belongs to a link: a share of it is claimed first, and paid on the meter fixed for it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pitboss.money import Cents, LedgerUnits, to_units
from pitboss.play import commands as c
from pitboss.play.carry import carried_on, carry
from pitboss.play.codec import decode_event, encode_event
from pitboss.play.decide import decide
from pitboss.play.events import Event, JackpotClaimDropped, JackpotClaimed, MeterRead, RoundSettled
from pitboss.play.evolve import evolve_all
from pitboss.play.refusal import Refusal
from pitboss.play.scenario import play_scenario, read_scenario
from pitboss.play.table import JackpotTerms, Stage, State, open_table
from pitboss.play.views import Role, Viewer, view_for
from pitboss.rulebooks.trouble import Irregularity, Ruling
from pitboss.rulebooks.vocabulary import Position
from support.sent import as_sent

DEALER = c.Staff(Position.DEALER)
MANAGER = c.Staff(Position.SHIFT_MANAGER)
# Hand by hand, the community next and the dealer last: position 1 makes a straight flush with the flop.
STUD = "5h 6h 7h 8h 9h 2c 3d 4s Jc Kd 2s 2d 7c 9c Qs"


def stud_round(*, linked: bool = True) -> State:
    """A round of stud up to the settlement; both bet the jackpot and position 1 has won a tenth of it."""
    script = {
        "rulebook": "mbs-stud-6",
        "table": {
            "procedure": "automated",
            "limits": {"ante": ["25", "1000"]},
            "jackpot": {"unit": "5", "meter": "300000", "reset": "100000", "increment_bp": 2000},
        },
        "players": {"p1": "10000", "p2": "10000"},
        "deck": STUD,
        "steps": [
            "dealer: open bets",
            *[f"p{n}@{n}: wager {what}" for n in (1, 2) for what in ("ante 25", "jackpot 5")],
            "dealer: close bets",
            "dealer: deal",
            "p1@1: bet bet",
            "p2@2: bet bet",
            "dealer: reveal dealer",
        ],
    }
    scenario = read_scenario(json.dumps(script), name="script")
    terms = scenario.terms
    assert terms.jackpot is not None
    terms = replace(terms, jackpot=replace(terms.jackpot, linked=linked))
    played = play_scenario(replace(scenario, terms=terms))
    assert [step.refusal for step in played.steps] == [None] * len(played.steps)
    return played.state


def done(state: State, command: c.Command) -> tuple[State, tuple[Event, ...]]:
    outcome = decide(state, command)
    assert not isinstance(outcome, Refusal), outcome
    return evolve_all(state, outcome), outcome


def on(meter: LedgerUnits) -> MeterRead:
    return MeterRead(meter=meter, reset=Cents(10_000_000))


def refused(state: State, command: c.Command) -> Refusal:
    outcome = decide(state, command)
    assert isinstance(outcome, Refusal)
    return outcome


@pytest.mark.clauses("mbs-stud-6", "3.14")
def test_3_14_a_share_is_claimed_then_paid_on_the_meter_the_link_has_fixed() -> None:
    state = stud_round()
    state, events = done(state, c.Settle(by=DEALER))
    (claimed,) = events
    assert isinstance(claimed, JackpotClaimed)
    assert [(hand.position, hand.hand_class.value) for hand in claimed.hands] == [(1, "straight-flush")]
    assert state.stage is Stage.PLAYING
    assert refused(state, c.Settle(by=DEALER)).code == "claim-pending"
    assert refused(state, c.Decline(by=c.Player("p1"), position=1)).code == "claim-pending"
    assert as_sent(view_for(state, Viewer(Role.PUBLIC)))["claim"] == [
        {"position": 1, "hand": "straight-flush"}
    ]
    state, events = done(state, c.Settle(by=DEALER, fixed=on(to_units(Cents(20_000_000)))))
    fixed, settled = events
    assert isinstance(fixed, MeterRead)
    assert isinstance(settled, RoundSettled)
    assert settled.settlement.jackpot is not None
    assert [award.amount for award in settled.settlement.jackpot.awards] == [2_000_000]
    assert state.claim == ()
    assert state.meter == to_units(Cents(18_000_000))


def test_a_table_of_its_own_pays_at_once() -> None:
    _, events = done(stud_round(linked=False), c.Settle(by=DEALER))
    assert [type(event) for event in events] == [RoundSettled]


def test_a_claim_ends_with_the_hand_the_round_or_its_rejection() -> None:
    claimed, _ = done(stud_round(), c.Settle(by=DEALER))
    void, _ = done(claimed, c.Report(by=DEALER, kind=Irregularity.FOREIGN_CARD))
    assert (void.stage, void.claim) == (Stage.VOID, ())
    removed, _ = done(
        claimed,
        c.Report(by=DEALER, kind=Irregularity.WRONG_COUNT_POSITION, positions=(1,), reconstructable=False),
    )
    assert removed.claim == ()
    other, _ = done(
        claimed,
        c.Report(by=DEALER, kind=Irregularity.WRONG_COUNT_POSITION, positions=(2,), reconstructable=False),
    )
    assert len(other.claim) == 1
    dropped = evolve_all(claimed, [JackpotClaimDropped(reason="not upheld", clauses=())])
    assert not isinstance(decide(dropped, c.Settle(by=DEALER)), Refusal)


def test_the_gaming_day_and_the_terms_of_the_link_come_with_the_opening() -> None:
    state = stud_round()
    terms = state.terms.jackpot
    assert terms is not None
    state, _ = done(evolve_all(state, [JackpotClaimDropped(reason="", clauses=())]), c.Settle(by=DEALER))
    state, _ = done(state, c.Report(by=DEALER, kind=Irregularity.FOREIGN_CARD))
    state = state._replace(memory=replace(state.memory, gaming_day="2026-11-15", warned=frozenset({"p1"})))
    new = JackpotTerms(unit=Cents(500), reset=Cents(20_000_000), increment_bp=1000, linked=True)
    state, events = done(state, c.OpenBets(by=DEALER, gaming_day="2026-11-16", jackpot=new))
    assert [type(event).__name__ for event in events] == ["GamingDayBegun", "JackpotTermsSet", "BetsOpened"]
    assert state.memory.warned == frozenset()
    assert state.terms.jackpot == new
    assert [decode_event(encode_event(event)) for event in events] == list(events)


def test_an_order_that_lasts_is_lifted_by_whoever_may_give_it() -> None:
    state = stud_round()
    assert refused(state, c.LiftOrder(by=MANAGER, order=Ruling.BAR, argument="p1")).code == "no-such-order"
    for order, argument in (
        (Ruling.RESTRICT, "p1"),
        (Ruling.BAR, "p1"),
        (Ruling.BLOCK, "3"),
        (Ruling.CLOSE_TABLE, ""),
        (Ruling.SUSPEND_JACKPOT, ""),
    ):
        ruled, _ = done(state, c.Rule(by=MANAGER, ruling=order, argument=argument))
        assert ruled.memory != state.memory
        assert refused(ruled, c.LiftOrder(by=DEALER, order=order, argument=argument)).code == "no-authority"
        lifted, _ = done(ruled, c.LiftOrder(by=MANAGER, order=order, argument=argument))
        assert lifted.memory == state.memory


def test_what_is_carried_from_round_to_round_is_all_that_the_next_one_needs() -> None:
    state, _ = done(stud_round(), c.Settle(by=DEALER))
    state, _ = done(state, c.Settle(by=DEALER, fixed=on(LedgerUnits(3 * 10**11))))
    state, _ = done(state, c.Rule(by=MANAGER, ruling=Ruling.RESTRICT, argument="p2"))
    again = carried_on(open_table(state.terms, {}), json.loads(json.dumps(carry(state))))
    opened, _ = done(state, c.OpenBets(by=DEALER))
    opened_again, _ = done(again, c.OpenBets(by=DEALER))
    assert opened == opened_again
