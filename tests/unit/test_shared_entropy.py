"""The order of a sealed deck is composed with what devices of players contribute, and with a beacon."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pitboss.beacons import read_beacon
from pitboss.bootstrap import Settings, at_work, checkpoint_key, open_store
from pitboss.cards import DECK
from pitboss.errors import BadInput
from pitboss.floor import requests as q
from pitboss.floor import table_events as te
from pitboss.floor.codec import decode
from pitboss.floor.composition import AS_SEALED
from pitboss.floor.desk import table_stream
from pitboss.floor.entropy import MOST_DEVICES
from pitboss.floor.house_clock import STEP_SECONDS, due
from pitboss.floor.people import CONSOLE, SYSTEM, staff
from pitboss.floor.ports import SECOND, Beacon, Micros
from pitboss.floor.views import floor_view
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.play.views import Role, Viewer
from pitboss.rulebooks.vocabulary import Position
from pitboss.server.beacon import LocalSigner
from pitboss.verification import verify
from support.entropy import Devices, a_composed_round, seat, with_beacon
from support.floor import PEOPLE, House
from support.sealed_rounds import play_on
from support.sent import as_sent

THREE_CARD = "mbs-3cp-2023"
HEX = "ab" * 32
DEAL = c.Deal(by=c.Staff(Position.DEALER))


def a_house(book: str = THREE_CARD, **more: Any) -> tuple[House, Devices]:
    house = House()
    house.table(book, **more)
    seat(house, "p1", "p2")
    return house, Devices(house)


def names(house: House, stream: str = "table/t1") -> list[str]:
    return [recorded.name for recorded in house.store.read(stream)]


def last(house: House, kind: type) -> Any:
    found = [decode(recorded) for recorded in house.store.read(table_stream("t1"))]
    return [event for event in found if isinstance(event, kind)][-1]


def view(house: House, viewer: Viewer | None = None, table: str = "t1") -> dict[str, Any]:
    return as_sent(floor_view(house.floor.table(table), None, viewer or Viewer(Role.PUBLIC)))


def open_bets(house: House, table: str = "t1") -> None:
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25", table=table)


def a_signer(house: House, **more: Any) -> LocalSigner:
    return LocalSigner(house.clock.now, **({"seed": b"b" * 32} | more))


# --- the protocol ------------------------------------------------------------------------------------------


def test_the_deal_follows_the_composed_order() -> None:
    house, devices = a_house()
    a_composed_round(house, devices)
    house.steps("dealer: deal")
    table = house.floor.table("t1")
    assert sorted(table.order) == list(AS_SEALED)
    assert table.order != AS_SEALED
    assert [opening.index for opening in table.drawn] == list(table.order[: len(table.drawn)])
    assert names(house)[-20:].count("order-composed.v1") == 1
    places = view(house)["sealed"]["places"]
    assert places["1"] + places["2"] == list(table.order[:6])
    play_on(house)
    house.steps("dealer: open bets")
    assert house.floor.table("t1").order == AS_SEALED
    assert house.floor.table("t1").devices == ()


def test_the_order_stands_before_the_first_card_in_one_batch() -> None:
    house, devices = a_house()
    a_composed_round(house, devices)
    house.steps("dealer: deal")
    found = house.store.read(table_stream("t1"))
    at = next(n for n, recorded in enumerate(found) if recorded.name == "order-composed.v1")
    assert found[at + 1].name == "cards-drawn.v1"
    assert found[at].at == found[at + 1].at


def test_without_commitments_a_round_is_dealt_as_it_was_sealed() -> None:
    house, _ = a_house()
    open_bets(house)
    house.steps("dealer: close bets", "dealer: deal")
    table = house.floor.table("t1")
    assert [opening.index for opening in table.drawn] == list(range(len(table.drawn)))
    assert not [name for name in names(house) if name.startswith(("entropy", "order"))]
    sealed = view(house)["sealed"]
    assert sealed["seal"] == 3
    assert (sealed["devices"], sealed["reveal_by"], sealed["composed"]) == ([], None, None)


def test_the_view_shows_what_was_contributed() -> None:
    house, devices = a_house()
    open_bets(house)
    devices.commit("p1", "phone")
    sealed = view(house)["sealed"]
    assert sealed["composition"] == {"reveal_seconds": 2, "beacon": None}
    assert sealed["devices"] == [
        {
            "player": "p1",
            "device": "phone",
            "commitment": devices.commitment("p1", "phone"),
            "secret": "",
        }
    ]
    assert sealed["reveal_by"] is None
    house.steps("dealer: close bets")
    closed = house.floor.table("t1").closed_at
    assert closed is not None
    assert view(house)["sealed"]["reveal_by"] == closed + 2 * SECOND
    devices.reveal("p1", "phone")
    secret = devices.secret("p1", "phone")
    assert view(house)["sealed"]["devices"][0]["secret"] == secret
    house.steps("dealer: deal")
    sealed = view(house)["sealed"]
    assert sealed["reveal_by"] is None
    assert sealed["composed"] == {
        "contributions": [{"player": "p1", "device": "phone", "secret": secret}],
        "withheld": [],
        "beacon": None,
        "independent": 1,
    }


def test_a_device_that_withholds_is_left_out_and_counts_no_more_that_day() -> None:
    house, devices = a_house()
    house.table(THREE_CARD, "t2", players=("p1", "p2"))
    seat(house, "p1", table="t2")
    a_composed_round(house, devices, withheld=("p2",))
    deal = q.Act(table="t1", command=DEAL)
    assert house.refused("dora", deal) == "reveals-awaited"
    house.wait(2)
    assert devices.reveal("p2", "p2-phone").code == "too-late"
    house.ok("dora", deal)
    composed = last(house, te.OrderComposed)
    assert composed.withheld == (te.DeviceOf(player="p2", device="p2-phone"),)
    assert [found.player for found in composed.contributions] == ["p1"]
    assert names(house, "player/p2") == ["device-counted.v1", "device-withheld.v1"]
    assert devices.reveal("p2", "p2-phone").code == "too-late"
    play_on(house)
    house.ok("p2", q.TakeSeat(table="t2", position=2, player="p2"))
    house.steps("dealer: open bets", table="t2")
    assert devices.commit("p2", "p2-phone", "t2").code == "device-withheld"
    assert devices.commit("p2", "p2-tablet", "t2").ok
    house.steps("dealer: open bets")
    assert devices.commit("p2", "p2-phone").code == "device-withheld"
    house.wait(24 * 3600)
    assert devices.commit("p2", "p2-phone").ok


def test_every_device_has_revealed_and_nothing_is_waited_for() -> None:
    house, devices = a_house()
    a_composed_round(house, devices)
    house.ok("dora", q.Act(table="t1", command=DEAL))


def test_one_device_of_a_player_commits_in_a_round_and_three_on_a_day() -> None:
    house, devices = a_house()
    for number in range(MOST_DEVICES):
        open_bets(house)
        before = house.store.head(table_stream("t1"))
        assert devices.commit("p1", f"phone-{number}").ok
        committed = house.store.head(table_stream("t1"))
        assert committed.version == before.version + 1
        assert devices.commit("p1", f"phone-{number}").ok
        assert house.store.head(table_stream("t1")) == committed
        other = q.CommitEntropy(table="t1", device=f"phone-{number}", commitment=HEX)
        assert house.refused("p1", other) == "commitment-stands"
        assert devices.commit("p1", "second").code == "device-already"
        house.steps("dealer: close bets")
        devices.reveal("p1", f"phone-{number}")
        play_on_from_the_deal(house)
    open_bets(house)
    assert devices.commit("p1", "phone-9").code == "too-many-devices"
    assert devices.commit("p1", "phone-1").ok
    assert devices.commit("p2", "phone-9").ok


def play_on_from_the_deal(house: House) -> None:
    house.steps("dealer: deal", "p1@1: view", "p2@2: view")
    play_on(house)


@pytest.mark.parametrize("who", [staff("dora"), staff("saul"), SYSTEM, CONSOLE])
def test_staff_and_the_floor_itself_do_not_contribute(who: Any) -> None:
    house, _ = a_house()
    open_bets(house)
    commit = q.CommitEntropy(table="t1", device="phone", commitment=HEX)
    reveal = q.RevealEntropy(table="t1", device="phone", secret=HEX)
    assert [house.refused(who, request) for request in (commit, reveal)] == ["not-a-player"] * 2


def test_nobody_contributes_without_a_seat_after_the_close_or_where_nothing_is_composed() -> None:
    house, devices = a_house()
    house.ok("dora", q.AddPlayer(player="p3"))
    house.table(THREE_CARD, "practice", players=("p1",), practice=True)
    seat(house, "p1", table="practice")
    open_bets(house)
    assert devices.commit("p3", "phone").code == "no-seat"
    devices.commit("p1", "phone")
    assert devices.reveal("p1", "phone").code == "bets-open"
    house.steps("dealer: close bets")
    assert devices.commit("p2", "phone").code == "bets-closed"
    assert devices.reveal("p2", "phone").code == "not-committed"
    wrong = q.RevealEntropy(table="t1", device="phone", secret=HEX)
    assert house.refused("p1", wrong) == "not-committed"
    house.steps("dealer: open bets", table="practice")
    assert view(house, table="practice")["sealed"]["seal"] == 2
    assert "composition" not in view(house, table="practice")["sealed"]
    commit = q.CommitEntropy(table="practice", device="phone", commitment=HEX)
    assert house.refused("p1", commit) == "nothing-composed"


def test_devices_do_not_count_as_stays_where_a_player_has_limits() -> None:
    house, devices = a_house()
    house.ok("p1", q.LimitPlayer(player="p1", loss=Cents(900_000), minutes=600))
    a_composed_round(house, devices, withheld=("p1",))
    house.wait(3)
    play_on_from_the_deal(house)
    house.ok("dora", q.CashOut(table="t1", player="p1"))
    house.ok("dora", q.BuyIn(table="t1", player="p1", amount=Cents(100_000)))
    open_bets(house)
    assert names(house, "player/p1") == ["device-counted.v1", "device-withheld.v1", "stay-ended.v1"]


@pytest.mark.parametrize("device", ["", "a" * 41, "no spaces", "ü", "a\n"])
def test_a_device_has_a_plain_name(device: str) -> None:
    house, _ = a_house()
    open_bets(house)
    with pytest.raises(BadInput, match="device"):
        house.ask("p1", q.CommitEntropy(table="t1", device=device, commitment=HEX))


@pytest.mark.parametrize("written", ["", "ab", HEX.upper(), HEX + "a", "zz" * 32, HEX + "\n"])
def test_commitments_and_secrets_are_64_digits(written: str) -> None:
    house, _ = a_house()
    open_bets(house)
    with pytest.raises(BadInput, match="commitment"):
        house.ask("p1", q.CommitEntropy(table="t1", device="phone", commitment=written))
    with pytest.raises(BadInput, match="secret"):
        house.ask("p1", q.RevealEntropy(table="t1", device="phone", secret=written))


def test_a_retry_gets_the_first_answer() -> None:
    house, devices = a_house()
    open_bets(house)
    commit = q.CommitEntropy(table="t1", device="phone", commitment=devices.commitment("p1", "phone"))
    first = house.ask("p1", commit, key="commit")
    again = house.floor.do(staff_or_player("p1"), commit, key="commit")
    assert (again.repeated, again.body) == (True, first.body)
    house.steps("dealer: close bets")
    reveal = q.RevealEntropy(table="t1", device="phone", secret=devices.secret("p1", "phone"))
    first = house.ask("p1", reveal, key="reveal")
    house.wait(3)
    again = house.floor.do(staff_or_player("p1"), reveal, key="reveal")
    assert (again.repeated, again.body) == (True, first.body)
    assert names(house).count("entropy-revealed.v1") == 1


def staff_or_player(name: str) -> Any:
    from pitboss.floor.people import player

    return staff(name) if name in PEOPLE else player(name)


@pytest.mark.parametrize("stop", ["committed", "closed", "revealed", "dealt"])
def test_a_floor_that_stopped_goes_on_with_what_was_contributed(stop: str) -> None:
    house, devices = a_house("rws-thp-2")
    open_bets(house)
    restart = _restarting(house, stop)
    assert devices.commit("p1", "phone").ok
    restart("committed")
    house.steps("dealer: close bets")
    restart("closed")
    assert devices.reveal("p1", "phone").ok
    restart("revealed")
    house.steps("dealer: deal")
    restart("dealt")
    table = house.floor.table("t1")
    assert [opening.index for opening in table.drawn] == list(table.order[: len(table.drawn)])
    play_on(house)
    drawn = [opening.index for opening in house.floor.table("t1").drawn]
    assert drawn == list(house.floor.table("t1").order[: len(drawn)])
    house.steps("dealer: open bets")


def _restarting(house: House, stop: str) -> Callable[[str], None]:
    def restart(at: str) -> None:
        if at == stop:
            house.floor = house.opened()

    return restart


@pytest.mark.parametrize("when", ["committed", "closed", "revealed"])
def test_a_crash_is_recovered_by_the_book_with_contributions_in_play(when: str) -> None:
    house, devices = a_house("mbs-thb-9")
    open_bets(house)
    assert devices.commit("p1", "phone").ok
    if when != "committed":
        house.steps("dealer: close bets")
    if when == "revealed":
        assert devices.reveal("p1", "phone").ok
    house.floor = house.opened()
    house.floor.recover(crash="one")
    house.floor.recover(crash="one")
    assert house.floor.table("t1").devices[0].device == "phone"
    assert names(house).count("interrupted.v1") == 1


# --- the house's clock -------------------------------------------------------------------------------------


def next_deal(house: House) -> Micros:
    found = house.floor.desk.loaded[table_stream("t1")]
    step = due(found.state, None, last=found.at, beacon=house.floor.desk.beacon)
    assert step is not None
    assert isinstance(step.command, c.Deal)
    return step.at


def clock_dealt(**more: Any) -> tuple[House, Devices]:
    house, devices = a_house(**more)
    house.ok("mara", q.SetDealing(table="t1", dealt_by="house", betting_seconds=10))
    return house, devices


def test_the_clock_deals_no_later_than_before_when_everybody_has_revealed() -> None:
    house, devices = clock_dealt()
    a_composed_round(house, devices)
    closed = house.floor.table("t1").closed_at
    assert closed is not None
    assert next_deal(house) == closed + STEP_SECONDS * SECOND


def test_the_clock_deals_at_the_deadline_without_what_was_withheld() -> None:
    house, devices = clock_dealt()
    a_composed_round(house, devices, withheld=("p1",))
    table = house.floor.table("t1")
    assert table.reveal_by is not None
    assert next_deal(house) == table.reveal_by
    house.clock.at = Micros(next_deal(house) - 1000)
    assert house.floor.do(SYSTEM, q.Act(table="t1", command=DEAL)).code == "reveals-awaited"
    house.clock.at = next_deal(house)
    assert house.floor.do(SYSTEM, q.Act(table="t1", command=DEAL)).ok


@pytest.mark.parametrize("missing", ["wait", "without"])
def test_the_clock_deals_when_the_beacon_is_published(missing: str) -> None:
    house, devices = clock_dealt()
    signer = a_signer(house, period=30, missing=missing, wait_seconds=7)
    with_beacon(house, signer)
    a_composed_round(house, devices)
    at = next_deal(house)
    announced = house.floor.table("t1").composition
    assert announced is not None
    assert announced.beacon is not None
    published = signer.terms.genesis + (announced.beacon.round - 1) * 30
    assert at == Micros((published + 7) * SECOND)  # it is not there yet
    assert house.floor.do(SYSTEM, q.Act(table="t1", command=DEAL)).code == "beacon-awaited"
    house.clock.at = Micros(published * SECOND)
    assert next_deal(house) == published * SECOND
    assert house.floor.do(SYSTEM, q.Act(table="t1", command=DEAL)).ok


# --- the beacon --------------------------------------------------------------------------------------------


def test_a_beacon_is_announced_with_the_seal_and_mixed_in() -> None:
    house, devices = a_house()
    signer = a_signer(house)
    with_beacon(house, signer)
    a_composed_round(house, devices)
    sealed = view(house)["sealed"]
    assert sealed["composition"]["beacon"] == {
        **signer.terms._asdict(),
        "round": sealed["composition"]["beacon"]["round"],
    }
    assert house.refused("dora", q.Act(table="t1", command=DEAL)) == "beacon-awaited"
    house.wait(10)
    house.ok("dora", q.Act(table="t1", command=DEAL))
    beacon = last(house, te.OrderComposed).beacon
    assert beacon.round >= sealed["composition"]["beacon"]["round"]
    published = signer.terms.genesis + (beacon.round - 1) * signer.terms.period
    by = house.floor.table("t1").reveal_by
    assert by is not None
    assert by < published * SECOND <= by + signer.terms.period * SECOND
    assert view(house)["sealed"]["composed"]["beacon"] == {
        "round": beacon.round,
        "signature": beacon.signature,
    }


def test_a_beacon_alone_composes_the_order_and_no_device_is_independent() -> None:
    house, _ = a_house()
    with_beacon(house, a_signer(house))
    open_bets(house)
    house.steps("dealer: close bets")
    house.wait(10)
    house.steps("dealer: deal")
    assert house.floor.table("t1").order != AS_SEALED
    assert view(house)["sealed"]["composed"]["independent"] == 0


def test_bets_that_close_late_use_a_later_round_of_the_beacon() -> None:
    house, _ = a_house()
    with_beacon(house, a_signer(house, period=5))
    open_bets(house)
    announced = house.floor.table("t1").composition
    house.wait(100)
    house.steps("dealer: close bets")
    house.wait(10)
    house.steps("dealer: deal")
    assert announced is not None
    assert announced.beacon is not None
    assert last(house, te.OrderComposed).beacon.round > announced.beacon.round + 15


def test_a_missing_beacon_is_waited_for_where_that_was_announced() -> None:
    house, devices = a_house()
    signer = a_signer(house, missing="wait", wait_seconds=4)
    with_beacon(house, signer)
    a_composed_round(house, devices)
    signer.silent = True
    house.wait(3600)
    assert house.refused("dora", q.Act(table="t1", command=DEAL)) == "beacon-awaited"
    signer.silent = False
    house.ok("dora", q.Act(table="t1", command=DEAL))
    assert last(house, te.OrderComposed).beacon is not None


def test_a_missing_beacon_is_left_out_after_the_time_that_was_announced() -> None:
    house, devices = a_house()
    signer = a_signer(house, missing="without", wait_seconds=4)
    with_beacon(house, signer)
    a_composed_round(house, devices)
    signer.silent = True
    house.wait(6)
    assert house.refused("dora", q.Act(table="t1", command=DEAL)) == "beacon-awaited"
    house.wait(4)
    house.ok("dora", q.Act(table="t1", command=DEAL))
    composed = last(house, te.OrderComposed)
    assert composed.beacon is None
    assert len(composed.contributions) == 2
    assert house.floor.table("t1").order != AS_SEALED


@pytest.mark.parametrize("wrong", ["round", "signature", "key", "capitals", "spaces"])
def test_a_value_that_the_beacon_did_not_sign_is_none(wrong: str) -> None:
    house, devices = a_house()
    signer = a_signer(house, missing="wait")
    other = a_signer(house, seed=b"o" * 32)

    class Forged:
        terms = signer.terms

        def published(self, round_number: int) -> Any:
            if wrong == "round":
                return signer.published(round_number - 1)
            value = (other if wrong == "key" else signer).published(round_number)
            return value and value._replace(signature=_swapped(value.signature, wrong))

    with_beacon(house, Forged())
    a_composed_round(house, devices)
    house.wait(60)
    assert house.refused("dora", q.Act(table="t1", command=DEAL)) == "beacon-awaited"


def _swapped(signature: str, wrong: str) -> str:
    if wrong == "capitals":
        return signature.upper()
    return {"key": signature, "spaces": f"{signature[:2]} {signature[2:]}"}.get(wrong, signature[::-1])


def test_a_beacon_that_is_configured_meanwhile_is_of_the_next_round() -> None:
    house, _ = a_house()
    open_bets(house)
    with_beacon(house, a_signer(house))
    house.steps("dealer: close bets", "dealer: deal")
    assert "order-composed.v1" not in names(house)


BEACON_FILE = {
    "name": '"city"',
    "key": f'"{HEX}"',
    "genesis": "1767225600",
    "period": "3",
    "wait_seconds": "10",
    "missing": '"wait"',
    "url": '"https://beacon.example/{round}"',
}


def beacon_file(folder: Path, **changed: str | None) -> Path:
    lines = {name: text for name, text in (BEACON_FILE | changed).items() if text is not None}
    file = folder / "beacon.toml"
    file.write_text("".join(f"{name} = {text}\n" for name, text in lines.items()), encoding="utf-8")
    return file


def test_a_beacon_is_read_from_its_file(tmp_path: Path) -> None:
    found = read_beacon(beacon_file(tmp_path))
    assert found.terms.missing == "wait"
    assert found.address_of(17) == "https://beacon.example/17"


@pytest.mark.parametrize(
    ("field", "text"),
    [
        *((name, None) for name in BEACON_FILE),
        ("name", '"no spaces"'),
        ("key", '"ab"'),
        ("key", f'"{HEX.upper()}"'),
        ("genesis", "0"),
        ("genesis", "1.5"),
        ("period", "0"),
        ("period", "true"),
        ("wait_seconds", "-1"),
        ("wait_seconds", "100000"),
        ("missing", '"maybe"'),
        ("url", '"https://beacon.example/"'),
        ("url", '"ftp://beacon.example/{round}"'),
        ("urls", '"https://beacon.example/{round}"'),
        ("period", "= 3"),
    ],
)
def test_a_bad_file_of_a_beacon_is_refused_with_its_place(
    tmp_path: Path, field: str, text: str | None
) -> None:
    with pytest.raises(BadInput, match=r"beacon\.toml") as bad:
        read_beacon(beacon_file(tmp_path, **{field: text}))
    assert bad.value.remedy


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="PITBOSS_BEACON"):
        read_beacon(tmp_path / "none.toml")


# --- hidden cards ------------------------------------------------------------------------------------------


def shown(swap: tuple[int, int] | None, *, beacon: bool) -> list[dict[str, Any]]:
    """Every view of a round up to the deal, with two places of the sealed deck swapped or not."""
    house, devices = a_house()
    if beacon:
        with_beacon(house, a_signer(house))
    pack = list(DECK)
    if swap is not None:
        pack[swap[0]], pack[swap[1]] = pack[swap[1]], pack[swap[0]]
    house.cards.next_pack = tuple(pack)
    viewers = [Viewer(Role.PUBLIC), Viewer(Role.PLAYER, "p1"), Viewer(Role.PLAYER, "p2"), Viewer(Role.DEALER)]
    viewers += [Viewer(Role.PIT), Viewer(Role.SURVEILLANCE)]
    views = []

    def look() -> None:
        for viewer in viewers:
            found = json.loads(json.dumps(view(house, viewer)))
            for name in ("root", "commitments"):
                found["sealed"].pop(name)
            for device in found["sealed"]["devices"]:
                device.pop("commitment")
            views.append(found)

    open_bets(house)
    look()
    devices.commit("p1", "phone")
    look()
    house.steps("dealer: close bets")
    look()
    devices.reveal("p1", "phone")
    look()
    return views


@pytest.mark.parametrize("beacon", [False, True])
@pytest.mark.parametrize("swap", [(0, 1), (0, 51), (7, 30)])
def test_before_the_deal_no_view_depends_on_the_sealed_cards(swap: tuple[int, int], *, beacon: bool) -> None:
    """Root and commitments are salted hashes of the cards; all else is the same to the byte."""
    assert shown(None, beacon=beacon) == shown(swap, beacon=beacon)


def test_after_the_deal_views_differ_only_where_cards_are_seen() -> None:
    """Two hidden cards are swapped in the state of a composed round: who may not see them sees the same bytes."""
    house, devices = a_house()
    a_composed_round(house, devices)
    house.steps("dealer: deal")
    table = house.floor.table("t1")
    known = dict(table.state.known)
    (mine, *rest), (theirs, *others) = known["1"], known["2"]
    known |= {"1": (theirs, *rest), "2": (mine, *others)}
    by_card = {opening.card: opening for opening in table.drawn}
    one, two = by_card[mine.code], by_card[theirs.code]
    swapped = {mine.code: replace(one, card=theirs.code), theirs.code: replace(two, card=mine.code)}
    drawn = tuple(swapped.get(opening.card, opening) for opening in table.drawn)
    other = table._replace(drawn=drawn, state=replace_known(table.state, known))
    for viewer in (Viewer(Role.PUBLIC), Viewer(Role.DEALER), Viewer(Role.PIT)):
        before = json.dumps(as_sent(floor_view(table, None, viewer)))
        assert before == json.dumps(as_sent(floor_view(other, None, viewer)))
        assert mine.code not in before.split()
    assert devices.secret("p1", "p1-phone") in json.dumps(
        as_sent(floor_view(table, None, Viewer(Role.PUBLIC)))
    )


def replace_known(state: Any, known: dict[str, Any]) -> Any:
    return state._replace(known=known)


# --- the record --------------------------------------------------------------------------------------------


def problems(where: Settings) -> list[str]:
    return [str(problem) for problem in verify(where, processes=1).problems]


@pytest.fixture(autouse=True)
def deck_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """The key that the decks of a test's house are sealed with."""
    monkeypatch.setenv("PITBOSS_DECK_KEY", (b"k" * 32).hex())


def a_record(where: Settings, *, beacon: Callable[[House], Beacon] | None = None) -> None:
    """Rounds with contributions, one of them withheld, one without any, at two tables."""
    with at_work(where, create=True) as work:
        house = House(work.store)
        house.table(THREE_CARD)
        house.table("rws-thp-2", "t2", players=("p1", "p2"))
        house.table(THREE_CARD, "practice", players=("p1", "p2"), practice=True)
        for name in ("t1", "t2", "practice"):
            seat(house, "p1", "p2", table=name)
        if beacon is not None:
            with_beacon(house, beacon(house))
        devices = Devices(house)
        for number in range(12):
            withheld = ("p2",) if number == 5 else ()
            if number > 5:
                open_bets(house)
                devices.commit("p1", "p1-phone")
                house.steps("dealer: close bets")
                devices.reveal("p1", "p1-phone")
            else:
                a_composed_round(house, devices, withheld=withheld)
            house.wait(12)
            play_on_from_the_deal(house)
        open_bets(house, "t2")
        house.steps("dealer: close bets", table="t2")
        house.wait(12)
        house.steps("dealer: deal", table="t2")
        play_on(house, "t2")
        open_bets(house, "practice")
        house.steps("dealer: close bets", "dealer: deal", table="practice")
        house.steps("dealer: open bets", table="t2")
        assert devices.commit("p1", "p1-phone", "t2").ok


@pytest.mark.parametrize("missing", ["", "wait", "without"])
def test_a_record_with_contributions_holds(tmp_path: Path, missing: str) -> None:
    where = Settings(tmp_path / "floor")
    beacon = (lambda house: a_signer(house, missing=missing)) if missing else None
    a_record(where, beacon=beacon)
    assert problems(where) == []


def test_the_keys_of_the_record_are_there(tmp_path: Path) -> None:
    where = Settings(tmp_path / "floor")
    a_record(where)
    store = open_store(where)
    found = {recorded.name for stream in store.streams() for recorded in store.read(stream)}
    store.close()
    assert checkpoint_key(where, create=False) is not None
    assert {"entropy-committed.v1", "entropy-revealed.v1", "order-composed.v1"} <= found
    assert {"device-counted.v1", "device-withheld.v1"} <= found
