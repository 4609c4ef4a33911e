"""The table of commands and positions: everybody asks everything, and is refused what he may not do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pitboss.client import ClientError, SyncClient
from pitboss.floor import requests as q
from pitboss.forms import ACTS, REQUESTS
from support.floor import House
from support.service import PASSWORD, Served, served

LADDER = ("dora", "ines", "saul", "mara", "gina", "ada")
"""From the dealer up: each may do what those before him may."""

OUTSIDE = ("", "locked", "p2", "eye")
"""Signed out, a locked session, another player, Surveillance (which looks on)."""

DEALER, INSPECTOR, SUPERVISOR, MANAGER, SHIFT, DIRECTOR = range(6)
NOBODY_BELOW = -1
PLAYERS_ALONE = DIRECTOR + 1

MONEY: dict[str, Any] = {"unit": "5", "reset": "100000", "increment_bp": 2000, "reserve_bp": 0}
REQUESTED: dict[str, tuple[int, dict[str, Any]]] = {
    "create-floor": (SHIFT, {"name": "another"}),
    "add-person": (SHIFT, {"person": "dora", "position": "dealer"}),
    "move-person": (SHIFT, {"person": "nobody", "position": "dealer"}),
    "remove-person": (SHIFT, {"person": "nobody"}),
    "add-player": (DEALER, {"player": "p1"}),
    "limit-player": (MANAGER, {"player": "p1", "minutes": -1}),
    "exclude-player": (MANAGER, {"player": "p1", "until": "2000-01-01"}),
    "propose-rulebook": (SHIFT, {"id": "x", "document": "{}"}),
    "approve-rulebook": (SHIFT, {"rulebook": "ffff"}),
    "withdraw-rulebook": (SHIFT, {"rulebook": "ffff", "reason": "x"}),
    "add-table": (SHIFT, {"table": "t1"}),
    "open-table": (MANAGER, {"table": "t1", "rulebook": "ffff", "count": {}}),
    "close-table": (MANAGER, {"table": "t1", "count": {}}),
    "assign-staff": (SUPERVISOR, {"table": "t1", "person": "dora"}),
    "relieve-staff": (SUPERVISOR, {"table": "t1", "person": "nobody"}),
    "take-seat": (DEALER, {"table": "t1", "position": 99, "player": "p1"}),
    "leave-seat": (DEALER, {"table": "t1", "position": 1}),
    "buy-in": (DEALER, {"table": "t1", "player": "p1", "amount": "0"}),
    "cash-out": (DEALER, {"table": "t1", "player": "p1", "amount": "0"}),
    "fill": (SUPERVISOR, {"table": "t1", "count": {"25": 0}, "witness": "milo"}),
    "credit": (SUPERVISOR, {"table": "t1", "count": {"25": 0}, "witness": "milo"}),
    "set-limits": (MANAGER, {"table": "t1", "limits": {"nothing": ["1", "2"]}}),
    "set-dealing": (MANAGER, {"table": "t1", "dealt_by": "nobody"}),
    "call-supervisor": (DEALER, {"table": "none"}),
    "enter-unnoticed": (
        DEALER,
        {"table": "t1", "position": 1, "player": "p1", "wager": "ante", "amount": "25"},
    ),
    "commit-entropy": (PLAYERS_ALONE, {"table": "t1", "device": "phone", "commitment": "00" * 32}),
    "reveal-entropy": (PLAYERS_ALONE, {"table": "t1", "device": "phone", "secret": "00" * 32}),
    "answer-call": (SUPERVISOR, {"table": "t1"}),
    "open-link": (SHIFT, {"link": "mega", "currency": "SGD", **MONEY, "approved_by": "gus"}),
    "verify-claim": (MANAGER, {"link": "mega", "claim": 99}),
    "reject-claim": (MANAGER, {"link": "mega", "claim": 99, "reason": "x"}),
    "determine-order": (MANAGER, {"link": "mega", "claims": [99]}),
    "fail-link": (SUPERVISOR, {"link": "none", "reason": "x"}),
    "restore-link": (MANAGER, {"link": "mega"}),
    "plan-parameters": (SHIFT, {"link": "mega", "reason": "", "approved_by": "gus"}),
    "transfer": (
        SHIFT,
        {
            "link": "mega",
            "source": "meter",
            "target": "reserve",
            "amount": "1",
            "reason": "",
            "approved_by": "gus",
        },
    ),
    "open-dispute": (NOBODY_BELOW, {"table": "t1", "round_number": 99, "about": "x"}),
    "note-dispute": (NOBODY_BELOW, {"dispute": 99, "text": "x"}),
    "escalate-dispute": (NOBODY_BELOW, {"dispute": 99}),
    "give-time-frame": (NOBODY_BELOW, {"dispute": 99}),
    "decide-dispute": (
        NOBODY_BELOW,
        {"dispute": 99, "decision": "x", "basis": "x", "in_favour_of": "house"},
    ),
    "file-complaint": (NOBODY_BELOW, {"dispute": 99, "text": "x"}),
    "answer-complaint": (DIRECTOR, {"dispute": 99, "answer": "x"}),
}
"""For each request the least position, and a form that whoever may ask it is told is bad or impossible."""

HIS_OWN = ("limit-player", "exclude-player", "take-seat", "leave-seat", "commit-entropy", "reveal-entropy")
"""What a player asks for themself; p1 is the player of the forms above."""

LOOKS: dict[str, int | str] = {
    "/api/lobby": "everybody",
    "/api/floor": DEALER,
    "/api/tables/t1": "everybody",
    "/api/tables/t1/terms": "everybody",
    "/api/tables/t1/rules": "everybody",
    "/api/demo": "everybody",
    "/api/jackpots": "everybody",
    "/api/session": "anybody signed in",
    "/api/tables/t1/rounds": "anybody signed in",
    "/api/disputes": "anybody signed in",
    "/api/links/mega": SUPERVISOR,
    "/api/tables/t1/irregularities": DEALER,
    "/api/tables/t1/irregularities/misdeal": DEALER,
    "/api/rounds": SUPERVISOR,
    "/api/openings": SUPERVISOR,
    "/api/irregularities": DEALER,
    "/api/record": MANAGER,
    "/api/reports/day": MANAGER,
}


def prepare(house: House) -> None:
    house.link()
    house.table("mbs-stud-6", players=("p1", "p2"), link="mega")
    house.ok("saul", q.AssignStaff(table="t1", person="ines"))
    house.ok("p1", q.TakeSeat(table="t1", position=1, player="p1"))
    house.table("mbs-stud-6", "t2", players=("p1",))
    house.ok("saul", q.RelieveStaff(table="t2", person="dora"))


class Everybody:
    """A client of each."""

    def __init__(self, service: Served) -> None:
        self.asks: dict[str, SyncClient] = {}
        self.service = service
        for name in (*LADDER, "p1", "p2", "eye", "", "locked"):
            ask = self.asks[name] = SyncClient(service.url)
            ask.__enter__()
            if name == "locked":
                ask(ask.client.sign_in("staff", "ada", PASSWORD))
                ask(ask.client.call("POST", "/api/session/lock"))
            elif name:
                kind = "player" if name.startswith("p") else "staff"
                ask(ask.client.sign_in(kind, name, PASSWORD))

    def close(self) -> None:
        for ask in self.asks.values():
            ask.__exit__(None, None, None)

    def word(self, who: str, name: str, body: dict[str, Any]) -> dict[str, str]:
        """The second person's word, where a form names one, for whoever may ask for it."""
        second = body.get("witness") or body.get("approved_by")
        if second is None or who not in LADDER:
            return {}
        ask = self.asks[who]
        form = {"name": second, "password": PASSWORD, "request": name, "asked": body}
        return {"Countersign": ask(ask.client.call("POST", "/api/countersign", form))["countersign"]}

    def status(self, who: str, method: str, path: str, body: Any = None, **headers: str) -> int:
        ask = self.asks[who]
        try:
            ask(ask.client.call(method, path, body, headers or None))
        except ClientError as error:
            return error.status
        return 200

    def version(self) -> int:
        ask = self.asks[""]
        return int(ask(ask.client.table("t1"))["version"])


@pytest.fixture(scope="module")
def everybody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Everybody]:
    with served(tmp_path_factory.mktemp("authority") / "floor", prepare) as service:
        found = Everybody(service)
        yield found
        found.close()


def test_the_table_has_every_request() -> None:
    assert set(REQUESTED) == set(REQUESTS)


@pytest.mark.parametrize("name", list(REQUESTED))
def test_everybody_asks_everything(everybody: Everybody, name: str) -> None:
    least, body = REQUESTED[name]
    path = f"/api/floor/{name}"

    def status(who: str) -> int:
        found = everybody.status(who, "POST", path, body, **everybody.word(who, name, body))
        if name == "leave-seat" and found == 200:
            everybody.asks["p1"](
                everybody.asks["p1"].client.do(q.TakeSeat(table="t1", position=1, player="p1"))
            )
        return found

    assert status("") == 401
    assert status("locked") == 403
    for rank, who in enumerate(LADDER):
        found = status(who)
        if rank >= least:
            assert found not in (401, 403), (who, found)
        else:
            assert found in ((403, 409) if name == "determine-order" else (403,)), (who, found)
    outside = {NOBODY_BELOW: (), PLAYERS_ALONE: ("eye",)}.get(least, ("p2", "eye"))
    for who in outside:
        assert status(who) in ((403, 409) if name == "determine-order" else (403,)), who
    if least != NOBODY_BELOW and name != "determine-order":
        assert (status("p1") == 403) is (name not in HIS_OWN)


@pytest.mark.parametrize("path", list(LOOKS))
def test_everybody_looks_at_everything(everybody: Everybody, path: str) -> None:
    least = LOOKS[path]
    if least == "everybody":
        assert all(everybody.status(who, "GET", path) == 200 for who in everybody.asks)
        return
    assert everybody.status("", "GET", path) == 401
    assert everybody.status("locked", "GET", path) == (200 if path == "/api/session" else 403)
    for rank, who in enumerate(LADDER):
        allowed = least == "anybody signed in" or rank >= int(least)
        assert everybody.status(who, "GET", path) == (200 if allowed else 403), who
    assert everybody.status("eye", "GET", path) == 200
    for who in ("p1", "p2"):
        assert everybody.status(who, "GET", path) == (200 if least == "anybody signed in" else 403)


ROUND: list[tuple[str, dict[str, Any]]] = [
    ("dora", {"do": "open-bets"}),
    ("p1", {"do": "place-wager", "position": 1, "wager": "ante", "amount": "25"}),
    ("p1", {"do": "place-wager", "position": 1, "wager": "jackpot", "amount": "5"}),
    ("p1", {"do": "withdraw-wager", "position": 1, "wager": "jackpot"}),
    ("dora", {"do": "close-bets"}),
    ("dora", {"do": "deal"}),
    ("p1", {"do": "view-hand", "position": 1}),
    ("p1", {"do": "bet", "position": 1, "wager": "bet"}),
    ("dora", {"do": "report", "kind": "uncovered", "what": "a chip fell"}),
    ("gina", {"do": "rule", "ruling": "continue"}),
    ("dora", {"do": "reveal", "place": "dealer"}),
    ("dora", {"do": "settle"}),
]
SHARED: list[dict[str, Any]] = [{"do": "place-wager", "position": 1, "wager": "ante", "amount": "25"}]
"""What another player may do there too: several may fund an Ante, in any order (MBS 3.4, R-POOL-ORDER)."""


def test_in_a_round_each_act_is_done_by_whom_it_is_for_and_refused_to_the_others(
    everybody: Everybody,
) -> None:
    path = "/api/tables/t1/acts"
    for who, act in ROUND:
        before = everybody.version()
        others = ["", "locked", "eye"]
        others += ["p2"] if act not in SHARED else []
        others += ["p1"] if who != "p1" else []
        others += list(LADDER[: LADDER.index(who)]) if who in LADDER else list(LADDER)
        for other in others:
            found = everybody.status(other, "POST", path, {"acts": [act]})
            wanted = (401,) if other == "" else (403, 409) if other != "locked" else (403,)
            assert found in wanted, (other, act, found)
            assert everybody.version() == before, (other, act)
        assert everybody.status(who, "POST", path, {"acts": [act]}) == 200, (who, act)
        assert everybody.version() > before
    state = everybody.asks[""](everybody.asks[""].client.table("t1"))
    assert state["stage"] == "settled"


@pytest.mark.parametrize("name", list(ACTS))
def test_nobody_acts_at_a_table_where_he_does_not_work(everybody: Everybody, name: str) -> None:
    """At t2 no dealer is on shift; a dealer of another table, signed in, is refused every act there."""
    samples: dict[str, Any] = {
        "position": 1,
        "wager": "ante",
        "amount": "25",
        "place": "dealer",
        "number": 1,
        "card": "As",
        "ruling": "void",
        "order": "block",
        "argument": "1",
        "kind": "misdeal",
        "stay": True,
    }
    fields = [field.written for field in ACTS[name].fields]
    required = {field: samples[field] for field in fields if field in samples}
    if name in ("check", "open-bets", "deal", "settle", "close-bets"):
        required.pop("argument", None)
    act = {"do": name, **required}
    for who, wanted in (
        ("", (401,)),
        ("locked", (403,)),
        ("eye", (403,)),
        ("dora", (403,)),
        ("p2", (403, 409)),
    ):
        assert everybody.status(who, "POST", "/api/tables/t2/acts", {"acts": [act]}) in wanted, who
