"""Clients contribute to the order of sealed decks by themselves, and a deal is held until they have revealed."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli.online import order_in_words
from pitboss.client import ClientError, Refused, SyncClient, contributor
from pitboss.client.contributor import NOT_TODAY, Contributor, device_of_this_user
from pitboss.floor import requests as q
from pitboss.floor import table_events as te
from pitboss.floor.codec import decode
from pitboss.floor.composition import BeaconValue, Contribution, commitment_to
from pitboss.floor.desk import table_stream
from pitboss.floor.ports import SECOND, Micros
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.rulebooks.trouble import Irregularity, Ruling
from pitboss.rulebooks.vocabulary import Position
from pitboss.server import commands
from pitboss.server.beacon import LocalSigner
from support.entropy import seat
from support.floor import House
from support.service import Served, served

DEALER = c.Staff(Position.DEALER)
PATIENCE = 10.0


def prepare(house: House) -> None:
    house.table("mbs-3cp-2023")
    seat(house, "p1", "p2")


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user"))
    monkeypatch.delenv("PITBOSS_DATA", raising=False)
    with served(tmp_path / "floor", prepare) as found:
        yield found


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it does not come about"
        time.sleep(0.02)


def devices(service: Served) -> list[tuple[str, str, bool]]:
    table = service.house.floor.table("t1")
    return [(found.player, found.device, bool(found.secret)) for found in table.devices]


def bet(player: SyncClient, position: int) -> None:
    player(
        player.client.act(
            "t1", c.PlaceWager(by=player.client.me, position=position, wager="ante", amount=Cents(2500))
        )
    )


def composed(service: Served) -> te.OrderComposed:
    found = [decode(recorded) for recorded in service.house.store.read(table_stream("t1"))]
    return [event for event in found if isinstance(event, te.OrderComposed)][-1]


def test_a_client_that_watches_contributes_while_its_user_thinks(service: Served) -> None:
    with service.signed_in("dora") as dealer, service.signed_in("p1") as one, service.signed_in("p2") as two:
        messages = one.each(one.client.views("t1"))
        next(messages)  # and no further: whoever watches is asked for something now
        two(two.client.contribute("t1"))
        dealer(dealer.client.act("t1", c.OpenBets(by=DEALER)))
        until(lambda: len(devices(service)) == 2)
        bet(one, 1)
        bet(two, 2)
        dealer(dealer.client.act("t1", c.CloseBets(by=DEALER)))
        dealer(dealer.client.act("t1", c.Deal(by=DEALER)))
        found = composed(service)
        device = device_of_this_user()
        assert found.contributions == (
            te.DeviceOf(player="p1", device=device),
            te.DeviceOf(player="p2", device=device),
        )
        view = two(two.client.table("t1"))
        own = two.client.contributed(view)
        assert own is not None
        assert own.secret in [made["secret"] for made in view["sealed"]["composed"]["contributions"]]
        two(two.client.stop_contributing("t1"))


def test_who_looks_on_or_does_not_want_to_contributes_nothing(service: Served) -> None:
    with service.signed_in("dora") as dealer, SyncClient(service.url, contributes=False) as one:
        from support.service import PASSWORD

        one(one.client.sign_in("player", "p1", PASSWORD))
        watching = [dealer.each(dealer.client.views("t1")), one.each(one.client.views("t1"))]
        for messages in watching:
            next(messages)
        dealer(dealer.client.act("t1", c.OpenBets(by=DEALER)))
        bet(one, 1)
        dealer(dealer.client.act("t1", c.CloseBets(by=DEALER)))
        dealer(dealer.client.act("t1", c.Deal(by=DEALER)))
        assert devices(service) == []


def test_a_deal_is_held_until_the_time_to_reveal_is_over(
    service: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dealer presses Deal at once; it is done when the deadline has passed, without the device that withheld."""
    with service.signed_in("dora") as dealer, service.signed_in("p1") as one:
        one(one.client.contribute("t1"))
        dealer(dealer.client.act("t1", c.OpenBets(by=DEALER)))
        until(lambda: len(devices(service)) == 1)
        one(one.client.stop_contributing("t1"))
        bet(one, 1)
        dealer(dealer.client.act("t1", c.CloseBets(by=DEALER)))
        later = threading.Timer(0.4, service.house.wait, (3,))
        later.start()
        dealer(dealer.client.act("t1", c.Deal(by=DEALER)))
        later.join()
        assert [left.player for left in composed(service).withheld] == ["p1"]
        monkeypatch.setattr(commands, "HELD_SECONDS", 0.2)
        for command in (c.ViewHand(by=one.client.me, position=1), c.Fold(by=one.client.me, position=1)):
            one(one.client.act("t1", command))
        for step in (
            c.Reveal(by=DEALER, place="dealer"),
            c.Reveal(by=DEALER, place="community"),
            c.Settle(by=DEALER),
        ):
            dealer(dealer.client.act("t1", step))
        dealer(dealer.client.act("t1", c.OpenBets(by=DEALER)))
        two = Contributor("p2", "other", one.client.do)
        assert two.contributed(dealer(dealer.client.table("t1"))) is None


def test_a_deal_that_is_held_too_long_is_refused(service: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "HELD_SECONDS", 0.2)
    with service.signed_in("dora") as dealer, service.signed_in("p1") as one:
        one(one.client.contribute("t1"))
        dealer(dealer.client.act("t1", c.OpenBets(by=DEALER)))
        until(lambda: len(devices(service)) == 1)
        one(one.client.stop_contributing("t1"))
        bet(one, 1)
        dealer(dealer.client.act("t1", c.CloseBets(by=DEALER)))
        with pytest.raises(Refused, match="reveals-awaited"):
            dealer(dealer.client.act("t1", c.Deal(by=DEALER)))


# --- by itself ---------------------------------------------------------------------------------------------


def a_view(stage: str = "betting", **sealed: Any) -> dict[str, Any]:
    seal: dict[str, Any] = {
        "root": "aa",
        "composition": {},
        "devices": [],
        "reveal_by": None,
        "composed": None,
    }
    return {"table": "t1", "round": 7, "stage": stage, "seats": {"1": "p1"}, "sealed": seal | sealed}


def asked_for(*views: dict[str, Any], player: str = "p1", refuse: str = "") -> list[q.Request]:
    found: list[q.Request] = []

    async def ask(request: q.Request) -> dict[str, Any]:
        found.append(request)
        if refuse:
            raise Refused(409, {"code": refuse, "message": refuse})
        return {}

    async def see() -> None:
        device = Contributor(player, "phone", ask)
        for view in views:
            await device.see(view)

    asyncio.run(see())
    return found


def test_a_device_commits_once_and_reveals_what_it_has_committed_to() -> None:
    own = {"player": "p1", "device": "phone", "commitment": "", "secret": ""}
    closed = a_view("closed", devices=[own], reveal_by=5)
    commit, reveal = asked_for(a_view(), a_view(), closed, closed)
    assert isinstance(commit, q.CommitEntropy)
    assert isinstance(reveal, q.RevealEntropy)
    made = Contribution("p1", "phone", reveal.secret)
    assert commit.commitment == commitment_to(made, table="t1", number=7, root="aa")


@pytest.mark.parametrize(
    "view",
    [
        a_view("closed", reveal_by=5),
        a_view("playing"),
        a_view(devices=[{"player": "p1", "device": "tablet", "commitment": "", "secret": ""}]),
        a_view("closed", devices=[{"player": "p1", "device": "phone", "secret": ""}], reveal_by=5),
        a_view() | {"seats": {}},
        a_view() | {"sealed": {"root": "aa", "seal": 2}},
        {"table": "t1", "round": 7, "stage": "betting", "seats": {"1": "p1"}},
    ],
)
def test_nothing_is_asked_for_when_it_is_not_time(view: dict[str, Any]) -> None:
    assert asked_for(view) == []


@pytest.mark.parametrize("code", NOT_TODAY)
def test_a_device_that_does_not_count_today_does_not_go_on_asking(code: str) -> None:
    assert len(asked_for(a_view(), a_view() | {"round": 8}, a_view() | {"round": 9}, refuse=code)) == 1
    assert len(asked_for(a_view(), a_view() | {"round": 8}, refuse="bets-closed")) == 2


@pytest.mark.parametrize("status", [429, 503])
def test_a_secret_is_revealed_again_where_it_was_too_soon(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contributor, "TRY_AGAIN_SECONDS", 0)
    found: list[q.Request] = []

    async def ask(request: q.Request) -> dict[str, Any]:
        found.append(request)
        if len(found) in (2, 3):
            raise ClientError(status, {})
        return {}

    async def see() -> None:
        device = Contributor("p1", "phone", ask)
        await device.see(a_view())
        own = {"player": "p1", "device": "phone", "commitment": "", "secret": ""}
        await device.see(a_view("closed", devices=[own], reveal_by=5))

    asyncio.run(see())
    assert [type(request).__name__ for request in found] == ["CommitEntropy", *["RevealEntropy"] * 3]


@pytest.mark.parametrize(
    ("refused", "listed", "has"), [("", False, True), ("no-seat", False, False), ("", True, True)]
)
def test_a_device_has_committed_to_what_the_floor_has_taken(refused: str, listed: bool, has: bool) -> None:
    """A secret that was made and refused is none that could be missing from the order."""

    async def ask(request: q.Request) -> dict[str, Any]:
        if refused:
            raise ClientError(409, {"code": refused})
        return {}

    device = Contributor("p1", "phone", ask)
    asyncio.run(device.see(a_view()))
    own = [{"player": "p1", "device": "phone", "commitment": "", "secret": ""}] if listed else []
    view = a_view("closed", devices=own)
    asyncio.run(device.see(view))
    assert (device.contributed(view) is not None) is has


MINE = Contribution("p1", "phone", "ab" * 32)
OTHER = {"player": "p2", "device": "tablet", "secret": "cd" * 32}


def made(*given: dict[str, Any], withheld: tuple[str, ...] = (), beacon: bool = False) -> dict[str, Any]:
    return {
        "contributions": list(given),
        "withheld": [{"player": name, "device": "phone"} for name in withheld],
        "beacon": {"round": 1, "signature": "00"} if beacon else None,
        "independent": len(given),
    }


@pytest.mark.parametrize(
    ("composed", "own", "says"),
    [
        (None, None, "no independent device this round"),
        (made(beacon=True), None, "no independent device this round and the beacon"),
        (made(MINE._asdict()), MINE, "composed with 1 device, yours among them"),
        (made(OTHER, beacon=True), None, "composed with 1 device and the beacon"),
        (made(OTHER, withheld=("p1",)), MINE, "did not reveal in time"),
        (made(OTHER), MINE, "the contribution of your device is missing: call the pit"),
        (made(MINE._replace(secret="ef" * 32)._asdict()), MINE, "is missing"),
        (made(MINE._replace(player="p4")._asdict()), MINE, "is missing"),
        (None, MINE, "is missing"),
    ],
)
def test_the_terminal_says_what_the_order_was_composed_with(
    composed: dict[str, Any] | None, own: Contribution | None, says: str
) -> None:
    assert says in order_in_words(composed, "p1", own)


def test_the_name_of_a_device_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("PITBOSS_DATA", raising=False)
    first = device_of_this_user()
    assert device_of_this_user() == first
    file = tmp_path / "pitboss" / "device"
    assert file.stat().st_mode & 0o077 == 0
    file.write_text("not a name\n", encoding="ascii")
    assert device_of_this_user() != first


def test_a_client_that_is_closed_ends_its_contributing_first(
    service: Served, caplog: pytest.LogCaptureFixture
) -> None:
    with service.signed_in("dora") as dealer, service.signed_in("p1") as one:
        one(one.client.contribute("t1"))
        dealer(dealer.client.act("t1", c.OpenBets(by=DEALER)))
        until(lambda: len(devices(service)) == 1)
    assert [record for record in caplog.records if record.name == "asyncio"] == []


def test_a_void_before_the_deal_waits_for_a_beacon_that_is_published(service: Served) -> None:
    """Its figure follows from the value, which is fetched beside the floor's thread."""
    house = service.house
    signer = LocalSigner(house.clock.now, missing="wait", seed=bytes(32))

    class Fetched:
        """A beacon whose values come only some time after they are asked for."""

        terms = signer.terms
        asked = 0.0

        def published(self, round_number: int) -> BeaconValue | None:
            self.asked = self.asked or time.monotonic()
            return signer.published(round_number) if time.monotonic() > self.asked + 0.3 else None

    service.served.floor.desk.beacon = Fetched()
    with service.signed_in("dora") as dealer, service.signed_in("p1") as one, service.signed_in("ada") as ada:
        dealer(dealer.client.act("t1", c.OpenBets(by=DEALER)))
        bet(one, 1)
        dealer(dealer.client.act("t1", c.CloseBets(by=DEALER)))
        service.clock.at = Micros(service.clock.at + 10 * SECOND)
        ada(ada.client.act("t1", c.Report(by=DEALER, kind=Irregularity.DISRUPTION)))
        ada(ada.client.act("t1", c.Rule(by=DEALER, ruling=Ruling.VOID)))
    [note] = [
        decode(recorded) for recorded in house.store.read("table/t1") if recorded.name == "void-noted.v1"
    ]
    assert note.beacon is not None
    assert note.house is not None
