"""A house that composes the order otherwise than it announced is found in its record, by both verifiers.

Rounds are played on a real floor, and the floor itself is what was changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from pitboss.bootstrap import Settings, at_work, checkpoint_key, open_store
from pitboss.floor import acts, entropy, gaming_table, service
from pitboss.floor import requests as q
from pitboss.floor import table_events as te
from pitboss.floor.composition import AS_SEALED, BeaconValue
from pitboss.floor.desk import Draft
from pitboss.floor.ports import SECOND, Micros
from pitboss.server.beacon import LocalSigner
from pitboss.store.keeping import export_all
from pitboss.verification import verify
from support.entropy import Devices, a_composed_round, seat
from support.floor import House
from support.sealed_rounds import CHECKS, Document, holds, play_on, saved
from verify_export import verify_export

PATCH = pytest.MonkeyPatch


@dataclass
class Played:
    """A house at work, with its table t1 and the devices of two seated players."""

    house: House
    devices: Devices

    def wait(self, seconds: float = 6) -> None:
        self.house.clock.at = Micros(self.house.clock.at + round(seconds * SECOND))

    def finish(self) -> None:
        self.house.steps("dealer: deal")
        play_on(self.house)

    def round(self, *, withheld: tuple[str, ...] = ()) -> None:
        """A round of two hands from bets to its end."""
        a_composed_round(self.house, self.devices, withheld=withheld)
        self.wait()
        self.finish()

    def bet(self) -> None:
        self.house.steps("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25")


@contextmanager
def at_a_table(where: Settings, *, beacon: str = "", practice: bool = False, create: bool = True) -> Any:
    """The house, its beacon one that signs for itself and may be `wait`ed for or gone `without`."""
    with at_work(where, create=create) as work:
        house = House(work.store)
        house.table("mbs-stud-6", practice=practice)
        seat(house, "p1", "p2")
        if beacon:
            house.floor.desk.beacon = LocalSigner(lambda: house.clock.at, missing=beacon, seed=bytes(32))
        yield Played(house, Devices(house))


def record_problems(where: Settings) -> list[list[str]]:
    """What `verify` finds, and what the verifier that shares no code with it finds in the export."""
    store = open_store(where)
    export_all(store, where.data / "export", checkpoint_key(where, create=False))
    store.close()
    inside = [str(problem) for problem in verify(where, processes=1).problems]
    return [inside, verify_export(where.data / "export")]


@pytest.fixture
def where(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "floor")


# --- honest -------------------------------------------------------------------------------------------------


def kept(house: House, devices: Devices, who: str) -> Document:
    """A round as the player's screen saves it, with what their device contributed."""
    document = saved(house, who)
    return document | {
        "contributed": {"device": f"{who}-phone", "secret": devices.secret(who, f"{who}-phone")}
    }


@pytest.mark.parametrize("beacon", ["", "wait", "without"])
@pytest.mark.parametrize("withheld", [(), ("p2",), ("p1", "p2")])
def test_composed_rounds_hold_everywhere(
    where: Settings, tmp_path: Path, beacon: str, withheld: tuple[str, ...]
) -> None:
    with at_a_table(where, beacon=beacon) as played:
        played.round(withheld=withheld)
        documents = [kept(played.house, played.devices, who) for who in ("p1", "p2")]
        composed = played.house.floor.table("t1").composed
        played.bet()  # nobody contributes
        played.house.steps("dealer: close bets")
        played.wait()
        played.finish()
        documents.append(saved(played.house, "p1"))
    assert len(composed.contributions) == 2 - len(withheld)
    assert [left.player for left in composed.withheld] == list(withheld)
    assert (composed.beacon is not None) is bool(beacon)
    for document in documents:
        assert document["seal_seen"] == 3
        assert [holds(check, document, tmp_path) for check in CHECKS] == [True, True]
    assert record_problems(where) == [[], []]


def test_a_beacon_that_is_missing_may_be_left_out_as_announced(where: Settings, tmp_path: Path) -> None:
    with at_a_table(where, beacon="without") as played:
        played.house.floor.desk.beacon.silent = True
        a_composed_round(played.house, played.devices)
        played.wait(16)
        played.finish()
        document = saved(played.house, "p1")
        assert played.house.floor.table("t1").composed.beacon is None
    assert [holds(check, document, tmp_path) for check in CHECKS] == [True, True]
    assert record_problems(where) == [[], []]


def test_practice_is_sealed_by_the_second_rule(where: Settings, tmp_path: Path) -> None:
    with at_a_table(where, practice=True) as played:
        played.bet()
        played.house.steps("dealer: close bets")
        played.finish()
        document = saved(played.house, "p1")
    assert document["seal_seen"] == 2
    assert [holds(check, document, tmp_path) for check in CHECKS] == [True, True]
    assert record_problems(where) == [[], []]


# --- a house that composes otherwise ------------------------------------------------------------------------


def dealt_as_sealed(played: Played, patched: PATCH) -> None:
    patched.setattr(acts, "order_of", lambda table, event: AS_SEALED)
    played.round()


def two_places_exchanged(played: Played, patched: PATCH) -> None:
    real = gaming_table.order_of

    def exchanged(*given: Any) -> tuple[int, ...]:
        order = list(real(*given))
        order[0], order[5] = order[5], order[0]
        return tuple(order)

    patched.setattr(acts, "order_of", exchanged)
    played.round()


def never_composed(played: Played, patched: PATCH) -> None:
    patched.setattr(entropy, "is_due", lambda table: False)
    played.round()


def _composes(patched: PATCH, change: Callable[[te.OrderComposed], te.OrderComposed]) -> None:
    real = entropy.compose
    patched.setattr(entropy, "compose", lambda *given: change(real(*given)))


def a_contribution_left_out(played: Played, patched: PATCH) -> None:
    _composes(patched, lambda made: replace(made, contributions=made.contributions[:1]))
    played.round()


def said_to_have_withheld(played: Played, patched: PATCH) -> None:
    _composes(
        patched,
        lambda made: replace(made, contributions=made.contributions[:1], withheld=made.contributions[1:]),
    )
    played.round()


def a_silent_device_not_listed(played: Played, patched: PATCH) -> None:
    _composes(patched, lambda made: replace(made, withheld=()))
    played.round(withheld=("p2",))


def listed_twice(played: Played, patched: PATCH) -> None:
    _composes(patched, lambda made: replace(made, contributions=made.contributions * 2))
    played.round()


def a_device_that_never_committed_withheld(played: Played, patched: PATCH) -> None:
    other = te.DeviceOf(player="p1", device="tablet")
    _composes(patched, lambda made: replace(made, withheld=(other,)))
    played.round()


def left_out_before_the_time_was_over(played: Played, patched: PATCH) -> None:
    patched.setattr(entropy, "unrevealed", lambda table: False)
    a_composed_round(played.house, played.devices, withheld=("p2",))
    played.finish()


def not_written_down_as_withheld(played: Played, patched: PATCH) -> None:
    patched.setattr(entropy, "withhold", lambda *given: None)
    played.round(withheld=("p2",))


def sealed_by_the_second_rule_again(played: Played, patched: PATCH) -> None:
    played.round()
    patched.setattr(entropy, "composition_for", lambda draft, table: None)
    played.bet()
    played.house.steps("dealer: close bets")
    played.finish()


# --- devices that should not have been taken ---------------------------------------------------------------


def _takes_everything(patched: PATCH) -> None:
    """The floor writes down whatever a device sends."""

    def commit(draft: Draft, request: q.CommitEntropy) -> None:
        event = te.EntropyCommitted(
            player=draft.asker.name, device=request.device, commitment=request.commitment
        )
        draft.record_at(request.table, [event])

    def reveal(draft: Draft, request: q.RevealEntropy) -> None:
        event = te.EntropyRevealed(player=draft.asker.name, device=request.device, secret=request.secret)
        draft.record_at(request.table, [event])

    patched.setitem(service.HANDLERS, q.CommitEntropy, commit)
    patched.setitem(service.HANDLERS, q.RevealEntropy, reveal)


def _until_closed(played: Played, *devices: tuple[str, str]) -> None:
    played.bet()
    for who, device in devices:
        assert played.devices.commit(who, device).ok
    played.house.steps("dealer: close bets")


def committed_after_the_close(played: Played, patched: PATCH) -> None:
    patched.setattr(entropy, "_not_open_to_commit", lambda table: None)
    _until_closed(played, ("p1", "p1-phone"))
    assert played.devices.commit("p2", "p2-phone").ok
    for who in ("p1", "p2"):
        assert played.devices.reveal(who, f"{who}-phone").ok
    played.finish()


def committed_without_a_seat(played: Played, patched: PATCH) -> None:
    _until_closed(played)
    played.wait()
    played.finish()
    _takes_everything(patched)
    played.bet()
    played.house.ok("dora", q.AddPlayer(player="p9"))
    assert played.devices.commit("p9", "p9-phone").ok
    played.house.steps("dealer: close bets")
    assert played.devices.reveal("p9", "p9-phone").ok
    played.finish()


def two_devices_of_one_player(played: Played, patched: PATCH) -> None:
    _takes_everything(patched)
    _until_closed(played, ("p1", "p1-phone"), ("p1", "p1-tablet"))
    for device in ("p1-phone", "p1-tablet"):
        assert played.devices.reveal("p1", device).ok
    played.finish()


def a_secret_that_does_not_fit(played: Played, patched: PATCH) -> None:
    _until_closed(played, ("p1", "p1-phone"))
    _takes_everything(patched)
    assert played.house.ask("p1", q.RevealEntropy(table="t1", device="p1-phone", secret="ab" * 32)).ok
    played.finish()


def revealed_too_late(played: Played, patched: PATCH) -> None:
    _until_closed(played, ("p1", "p1-phone"))
    _takes_everything(patched)
    played.wait()
    assert played.devices.reveal("p1", "p1-phone").ok
    played.finish()


def revealed_while_bets_were_open(played: Played, patched: PATCH) -> None:
    _takes_everything(patched)
    played.bet()
    assert played.devices.commit("p1", "p1-phone").ok
    assert played.devices.reveal("p1", "p1-phone").ok
    played.house.steps("dealer: close bets")
    played.finish()


def a_device_that_had_withheld_counts_on(played: Played, patched: PATCH) -> None:
    played.round(withheld=("p2",))
    patched.setattr(entropy, "_devices_of", lambda draft, player, day: ({f"{player}-phone"}, set()))
    played.round()


def four_devices_on_one_day(played: Played, patched: PATCH) -> None:
    patched.setattr(entropy, "MOST_DEVICES", 9)
    for device in ("a", "b", "c", "d"):
        _until_closed(played, ("p1", device))
        assert played.devices.reveal("p1", device).ok
        played.finish()


def a_device_that_was_not_counted(played: Played, patched: PATCH) -> None:
    _takes_everything(patched)
    played.round()


# --- a beacon ----------------------------------------------------------------------------------------------


def _publishes(patched: PATCH, value: Callable[..., BeaconValue | None]) -> None:
    """The value that the floor takes for the beacon's."""
    patched.setattr(entropy, "beacon_value", value)


def a_beacon_that_nobody_has_signed(played: Played, patched: PATCH) -> None:
    real = entropy.beacon_value

    def forged(*given: Any) -> BeaconValue | None:
        value = real(*given)
        return None if value is None else value._replace(signature="00" * 64)

    _publishes(patched, forged)
    played.round()


def _other_round(played: Played, patched: PATCH, more: int) -> None:
    """The house mixes in another round of the beacon, which is signed as well."""
    real = entropy.beacon_round
    patched.setattr(entropy, "beacon_round", lambda *given: real(*given) + more)
    a_composed_round(played.house, played.devices)
    played.wait(60 if more > 0 else 6)
    played.finish()


def an_earlier_round_of_the_beacon(played: Played, patched: PATCH) -> None:
    _other_round(played, patched, -5)


def a_later_round_of_the_beacon(played: Played, patched: PATCH) -> None:
    _other_round(played, patched, 2)


def the_beacon_left_out(played: Played, patched: PATCH) -> None:
    patched.setattr(entropy, "WAIT", "never")
    _publishes(patched, lambda *given: None)
    a_composed_round(played.house, played.devices)
    played.wait(60)
    played.finish()


def a_beacon_that_was_not_announced(played: Played, patched: PATCH) -> None:
    value = te.BeaconPublished(round=600_000_000, signature="00" * 64)
    _composes(patched, lambda made: replace(made, beacon=value))
    played.round()


def a_round_of_the_beacon_announced_that_was_published(played: Played, patched: PATCH) -> None:
    real = entropy.composition_for

    def announced(*given: Any) -> te.Composition | None:
        made = real(*given)
        assert made is not None
        assert made.beacon is not None
        return replace(made, beacon=replace(made.beacon, round=made.beacon.round - 9))

    patched.setattr(entropy, "composition_for", announced)
    played.round()


Forge = Callable[[Played, PATCH], None]
FORGED: Sequence[tuple[str, tuple[Forge, ...]]] = (
    (
        "",
        (
            dealt_as_sealed,
            two_places_exchanged,
            never_composed,
            a_contribution_left_out,
            said_to_have_withheld,
            a_silent_device_not_listed,
            listed_twice,
            a_device_that_never_committed_withheld,
            left_out_before_the_time_was_over,
            not_written_down_as_withheld,
            sealed_by_the_second_rule_again,
            committed_after_the_close,
            committed_without_a_seat,
            two_devices_of_one_player,
            a_secret_that_does_not_fit,
            revealed_too_late,
            revealed_while_bets_were_open,
            a_device_that_had_withheld_counts_on,
            four_devices_on_one_day,
            a_device_that_was_not_counted,
            a_beacon_that_was_not_announced,
        ),
    ),
    (
        "wait",
        (
            a_beacon_that_nobody_has_signed,
            an_earlier_round_of_the_beacon,
            a_later_round_of_the_beacon,
            the_beacon_left_out,
            a_round_of_the_beacon_announced_that_was_published,
        ),
    ),
)
HOUSES = [(beacon, forge) for beacon, forges in FORGED for forge in forges]
ONLY_IN_THE_RECORD = (
    left_out_before_the_time_was_over,
    not_written_down_as_withheld,
    sealed_by_the_second_rule_again,
    committed_without_a_seat,
    revealed_too_late,
    a_device_that_had_withheld_counts_on,
    four_devices_on_one_day,
    a_device_that_was_not_counted,
    a_round_of_the_beacon_announced_that_was_published,
)
"""What a saved round does not show: times, seats, other rounds and other tables."""


@pytest.mark.whole
@pytest.mark.parametrize(("beacon", "forge"), HOUSES, ids=lambda given: getattr(given, "__name__", given))
def test_a_house_that_composes_otherwise_is_found(
    where: Settings, tmp_path: Path, monkeypatch: PATCH, beacon: str, forge: Forge
) -> None:
    with at_a_table(where, beacon=beacon) as played, monkeypatch.context() as patched:
        forge(played, patched)
        document = saved(played.house, "p1")
    inside, outside = record_problems(where)
    assert inside
    assert outside
    seen = forge not in ONLY_IN_THE_RECORD
    assert [holds(check, document, tmp_path) for check in CHECKS] == [not seen, not seen]
