"""Sessions, tokens and passwords: who is let in however busy an address is, and who is never let in again."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import aiohttp
import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError

from pitboss.bootstrap import Settings, at_work
from pitboss.errors import BadInput
from pitboss.floor import requests as q
from pitboss.floor.people import CONSOLE, Asker
from pitboss.floor.ports import SECOND, Micros
from pitboss.server.identity import COUNTERSIGN_SECONDS, Identity, NotSignedIn
from pitboss.server.passwords import check_password, least_length
from pitboss.store.identities import Identities
from support import pitboss
from support.service import PASSWORD, QUICK, Served, raw, served, stud_on_a_link


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("accounts") / "floor", stud_on_a_link) as found:
        yield found


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def token_of(service: Served, name: str, kind: str = "staff", password: str = PASSWORD) -> str:
    form = {"kind": kind, "name": name, "password": password}
    status, body, _ = raw(service, "POST", "/api/sign-in", form)
    assert status == 200, body
    return str(body["token"])


def status_of(service: Served, token: str, path: str = "/api/session") -> int:
    return raw(service, "GET", path, headers=bearer(token))[0]


# --- a busy address -------------------------------------------------------------------------------------


def flooded(service: Served, *tokens: str) -> list[int]:
    """Ask without a token, or by tokens in turn, until the address has had enough; what was answered."""
    answered: list[int] = []
    while 429 not in answered[-3:]:
        token = tokens[len(answered) % len(tokens)] if tokens else ""
        answered.append(raw(service, "GET", "/api/lobby", headers=bearer(token) if token else None)[0])
        assert len(answered) < 500, "nothing bounds this address"
    return answered


@pytest.mark.parametrize("kind", ["anonymous", "guessed", "forged", "over"])
def test_who_is_signed_in_is_let_in_however_busy_their_address_is(tmp_path: Path, kind: str) -> None:
    """All of a casino's screens come from one address; traffic without a session locked staff out."""
    with served(tmp_path / "floor", stud_on_a_link, per_second=2) as service:
        staff, over = token_of(service, "dora"), token_of(service, "p1", "player")
        raw(service, "DELETE", "/api/session", headers=bearer(over))
        guessed = {
            "anonymous": [],
            "guessed": ["x" * 43],
            "forged": [over[:-1] + "_", f"{over}x"],
            "over": [over],
        }[kind]
        looked_up: list[str] = []
        find = Identities.find

        def counted(self: Identities, hashed: str) -> Any:
            looked_up.append(hashed)
            return find(self, hashed)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Identities, "find", counted)
            answered = flooded(service, *guessed)
            answered += flooded(service, *guessed)
            assert len(looked_up) <= answered.count(401), "what is refused for its number is not looked up"
            service.served.identity.forget_all()  # as a notice does: the session is not at hand any more
            assert status_of(service, staff) == 200
            assert status_of(service, staff) == 200
            flooded(service, *guessed)
            assert raw(service, "GET", "/health/ready")[0] == 200, (
                "what asks whether we serve hears the truth"
            )
            assert status_of(service, token_of(service, "ines")) == 200, "signing in has a bucket of its own"
        form = {"password": PASSWORD}
        raw(service, "POST", "/api/session/lock", headers=bearer(staff))
        assert raw(service, "POST", "/api/session/unlock", form, bearer(staff))[0] == 200


def test_tries_of_others_leave_a_session_its_own(tmp_path: Path) -> None:
    with served(tmp_path / "floor", stud_on_a_link, sign_ins_a_minute=3) as service:
        staff = token_of(service, "dora")
        form = {"kind": "staff", "name": "nobody", "password": "x"}
        answered = [raw(service, "POST", "/api/sign-in", form)[0] for _ in range(6)]
        assert 429 in answered
        raw(service, "POST", "/api/session/lock", headers=bearer(staff))
        assert raw(service, "POST", "/api/session/unlock", {"password": PASSWORD}, bearer(staff))[0] == 200


def test_tokens_of_before_they_were_signed_are_still_good(service: Served) -> None:
    plain = Identity(service.served.identity.identities, service.clock, hasher=QUICK)
    begun = plain.begin("staff", "dora")
    assert "." not in begun.token
    assert status_of(service, begun.token) == 200
    assert not service.served.identity.is_signed(begun.token)
    assert not service.served.identity.is_signed("." + begun.token)
    assert not service.served.identity.is_signed("")


# --- open sockets -------------------------------------------------------------------------------------------


def test_sockets_without_a_session_take_no_place_of_those_with_one(tmp_path: Path) -> None:
    async def run(service: Served, token: str) -> None:
        async with aiohttp.ClientSession() as http:

            async def opened(path: str, token: str = "") -> aiohttp.ClientWebSocketResponse:
                return await http.ws_connect(f"{service.url}{path}", headers=bearer(token) if token else {})

            async def is_open(line: aiohttp.ClientWebSocketResponse) -> bool:
                with suppress(TypeError, ConnectionError):
                    await line.send_str('{"beat": 1}')
                    while (message := await line.receive(timeout=30)).type is aiohttp.WSMsgType.TEXT:
                        if json.loads(message.data)["kind"] == "beat":
                            return True
                return False

            anonymous = [await opened(path) for path in ("/api/live", "/api/jackpots/live")]
            assert [await is_open(line) for line in anonymous] == [True, True]
            third = await opened("/api/live")
            assert (await is_open(third), third.close_code) == (False, 4429)
            own = [await opened(path, token) for path in ("/api/live", "/api/jackpots/live", "/api/live")]
            assert [await is_open(line) for line in own] == [True] * 3
            assert not await is_open(await opened("/api/live", token))
            await anonymous[0].close()
            for _ in range(200):
                if await is_open(again := await opened("/api/live")):
                    break
                await again.close()
            else:
                raise AssertionError("a closed socket is still counted")

    with served(
        tmp_path / "floor",
        stud_on_a_link,
        most_anonymous_sockets_an_address=2,
        most_sockets_an_address=4,
        most_sockets_a_session=3,
    ) as service:
        asyncio.run(run(service, token_of(service, "dora")))


# --- sessions listed and ended ---------------------------------------------------------------------------


def sessions_of(service: Served, token: str, query: str = "") -> list[dict[str, Any]]:
    status, body, _ = raw(service, "GET", f"/api/sessions{query}", headers=bearer(token))
    assert status == 200, body
    return list(body["sessions"])


def test_people_list_their_sessions_and_end_the_others(service: Served) -> None:
    tokens = [token_of(service, "p1", "player") for _ in range(3)]
    found = sessions_of(service, tokens[1])
    assert [one["current"] for one in found[-3:]] == [False, True, False]
    assert all(one["begun_at"] <= one["active_at"] < one["ends_at"] for one in found)
    gone = f"/api/sessions/{found[-1]['id']}"
    assert raw(service, "DELETE", gone, headers=bearer(tokens[1]))[0] == 204
    assert [status_of(service, token) for token in tokens] == [200, 200, 401]
    assert raw(service, "DELETE", gone, headers=bearer(tokens[1]))[0] == 404
    assert raw(service, "DELETE", "/api/sessions", headers=bearer(tokens[1]))[0] == 204
    assert [status_of(service, token) for token in tokens] == [401, 200, 401]


def test_a_shift_manager_lists_and_ends_sessions_of_people_below(service: Served) -> None:
    gina, dora, ada = (token_of(service, name) for name in ("gina", "dora", "ada"))
    token_of(service, "gus"), token_of(service, "eye")
    for token, name, code in (
        (dora, "ines", "no-authority"), (dora, "p1&kind=player", "no-authority"), (gina, "gus", "above-you"),
        (gina, "ada", "above-you"), (gina, "eye", "by-console"), (ada, "eye", "by-console"), (gina, "nobody", "bad-input"),
    ):  # fmt: skip
        for method in ("GET", "DELETE"):
            status, body, _ = raw(service, method, f"/api/sessions?name={name}", headers=bearer(token))
            assert (status in (400, 403), body["code"]) == (True, code), (method, name)
    listed = sessions_of(service, gina, "?name=dora")
    assert [one["current"] for one in listed] == [False] * len(listed)
    assert raw(service, "DELETE", "/api/sessions?kind=staff&name=dora", headers=bearer(gina))[0] == 204
    assert (status_of(service, dora), status_of(service, gina)) == (401, 200)
    assert sessions_of(service, gina, "?name=dora") == []
    noted = service.house.store.read("floor")[-1]
    said = json.loads(noted.data)
    assert [said[name] for name in ("by", "name", "what")] == ["staff/gina", "dora", "signing out"]
    assert sessions_of(service, ada, "?name=gina")
    p1 = token_of(service, "p1", "player")
    assert raw(service, "DELETE", "/api/sessions?kind=player&name=p1", headers=bearer(gina))[0] == 204
    assert status_of(service, p1) == 401


@pytest.mark.whole
def test_the_console_lists_and_ends_sessions(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "floor"))
    for command in (("create", "test"), ("add-person", "dora", "dealer"), ("add-player", "p1")):
        assert pitboss("floor", *command, *data).code == 0
    with at_work(Settings(tmp_path / "floor")) as work:
        identity = Identity(Identities(work.store.engine), work.floor.desk.clock, hasher=QUICK)
        tokens = [
            identity.begin(kind, name).token
            for kind, name in (("staff", "dora"), ("staff", "dora"), ("player", "p1"))
        ]
        listed = json.loads(pitboss("users", "sessions", "--json", *data).out)["sessions"]
        assert [one["name"] for one in listed] == ["dora", "dora", "p1"]
        assert "player/p1" in pitboss("users", "sessions", "player/p1", *data).out
        ran = pitboss("users", "sign-out", "player/p1", "--session", listed[0]["session"], *data)
        assert (ran.code, "no open session" in ran.err) == (2, True)
        assert pitboss("users", "sign-out", "dora", "--session", listed[0]["session"], *data).code == 0
        identity.forget_all()
        with pytest.raises(Exception, match="signed in"):
            identity.session(tokens[0])
        assert identity.session(tokens[1]).asker.name == "dora"
        assert pitboss("users", "sign-out", "dora", *data).code == 0
        assert "dora" not in pitboss("users", "sessions", *data).out


# --- people who are removed ---------------------------------------------------------------------------------


def remove(service: Served, person: str, *, by_server: bool) -> None:
    """Remove a person by this server, or at the console while the server works."""
    if by_server:
        status, body, _ = raw(
            service, "POST", "/api/floor/remove-person", {"person": person}, bearer(token_of(service, "gina"))
        )
        assert status == 200, body
    else:
        service.house.ok(CONSOLE, q.RemovePerson(person=person))


@pytest.mark.parametrize("by_server", [True, False])
@pytest.mark.parametrize("added_at_once", [True, False])
def test_a_removed_person_s_tokens_and_password_end_for_ever(
    service: Served, *, by_server: bool, added_at_once: bool
) -> None:
    """Added again under the same name, a person had the old password, and the old tokens opened everything."""
    name = f"nina-{by_server}-{added_at_once}"
    service.house.ok(CONSOLE, q.AddPerson(person=name, position="dealer"))
    identity = service.served.identity
    identity.set_password("staff", name, PASSWORD, position="dealer")
    token = token_of(service, name)
    word = identity.countersign(name, PASSWORD, "bound")
    assert status_of(service, token) == 200
    if not added_at_once:
        remove(service, name, by_server=by_server)
        service.served.identity.forget_all()
        assert status_of(service, token) == 401
        assert identity.identities.account("staff", name) is None
    else:
        service.house.ok(CONSOLE, q.RemovePerson(person=name))
    service.clock.at = Micros(service.clock.at + 2 * SECOND)
    service.house.ok(CONSOLE, q.AddPerson(person=name, position="dealer"))
    identity.forget_all()
    assert status_of(service, token) == 401
    form = {"kind": "staff", "name": name, "password": PASSWORD}
    assert raw(service, "POST", "/api/sign-in", form)[0] == 401
    service.served.end_what_is_void(Asker("staff", name))
    assert identity.take_word(word, name, "bound") is None
    assert identity.identities.account("staff", name) is None
    identity.set_password("staff", name, "quite another password", position="dealer")
    assert status_of(service, token_of(service, name, password="quite another password")) == 200
    assert status_of(service, token) == 401


def test_a_word_given_before_a_removal_is_void(service: Served) -> None:
    gina = token_of(service, "gina")
    service.house.ok(CONSOLE, q.AddPerson(person="sven", position="pit-supervisor"))
    service.served.identity.set_password("staff", "sven", PASSWORD, position="pit-supervisor")
    asked = {"table": "t1", "count": {"25.00": 4}, "witness": "sven"}
    form = {"name": "sven", "password": PASSWORD, "request": "fill", "asked": asked}
    status, body, _ = raw(service, "POST", "/api/countersign", form, bearer(gina))
    assert status == 200, body
    service.house.ok(CONSOLE, q.RemovePerson(person="sven"))
    service.clock.at = Micros(service.clock.at + 2 * SECOND)
    service.house.ok(CONSOLE, q.AddPerson(person="sven", position="pit-supervisor"))
    service.served.floor.desk.registry(service.served.floor.store, fresh=True)
    headers = bearer(gina) | {"Countersign": body["countersign"]}
    status, body, _ = raw(service, "POST", "/api/floor/fill", asked, headers)
    assert (status, body["code"]) == (403, "second-person")
    assert COUNTERSIGN_SECONDS > 2, "it was void, and not late"


def test_a_person_removed_while_no_server_ran_is_gone_when_one_starts(tmp_path: Path) -> None:
    folder = tmp_path / "floor"
    data = ("--data", str(folder))
    for command in (("create", "test"), ("add-person", "dora", "dealer"), ("add-person", "ines", "dealer")):
        assert pitboss("floor", *command, *data).code == 0
    with at_work(Settings(folder)) as work:
        identity = Identity(Identities(work.store.engine), work.floor.desk.clock, hasher=QUICK)
        for name in ("dora", "ines"):
            identity.set_password("staff", name, PASSWORD)
            identity.begin("staff", name)
        work.floor.do(CONSOLE, q.RemovePerson(person="dora"))  # as an older version did, which left the rest
        assert identity.sessions("staff", "dora")
    assert pitboss("floor", "remove-person", "ines", *data).code == 0
    with at_work(Settings(folder)) as work:
        identities = Identities(work.store.engine)
        assert identities.account("staff", "ines") is None
        assert identities.sessions_of("staff", "ines") == []
        from pitboss.server.house import House as ServedHouse
        from pitboss.server.settings import ServerSettings

        house = ServedHouse(work, ServerSettings(), hasher=QUICK)
        try:
            house.end_removed_accounts()
        finally:
            house.notices.start()
            house.stop()
        assert identities.account("staff", "dora") is None
        assert identities.sessions_of("staff", "dora") == []


def test_sockets_of_a_session_that_is_ended_are_closed(service: Served) -> None:
    async def run(token: str) -> int | None:
        async with (
            aiohttp.ClientSession() as http,
            http.ws_connect(f"{service.url}/api/live", headers=bearer(token)) as line,
        ):
            await line.send_str('{"watch": "t1"}')
            await line.receive(timeout=30)
            remove(service, "sofia", by_server=True)
            while (await line.receive(timeout=30)).type is aiohttp.WSMsgType.TEXT:
                pass
            return line.close_code

    service.house.ok(CONSOLE, q.AddPerson(person="sofia", position="dealer"))
    service.served.identity.set_password("staff", "sofia", PASSWORD, position="dealer")
    assert asyncio.run(run(token_of(service, "sofia"))) == 4401


# --- passwords ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("password", "position", "says"),
    [
        ("x" * 201, "dealer", "too long"),
        ("kx7!mq2", "", "use 8 to 200"),
        ("kx7!mq2fz", "dealer", "use 10 to 200"),
        ("kx7!mq2fzvt", "shift-manager", "use 12 to 200"),
        ("kx7!mq2fzvt", "assistant-director", "use 12 to 200"),
        ("kx7!mq2fzvt", "surveillance", "use 12 to 200"),
        ("password", "", "easy to guess"),
        ("password1234", "dealer", "easy to guess"),
        ("Password123!", "shift-manager", "easy to guess"),
        ("qwertyuiop12", "dealer", "easy to guess"),
        ("aaaaaaaaaaaaaaaa", "dealer", "easy to guess"),
        ("abcabcabcabcabc", "dealer", "easy to guess"),
        ("123456789012", "dealer", "easy to guess"),
        ("sunshine2024", "dealer", "easy to guess"),
        ("Password2026!!", "shift-manager", "easy to guess"),
        ("Casino2026!!", "shift-manager", "easy to guess"),
        ("Macau2026!!!", "shift-manager", "easy to guess"),
        ("poker2026poker", "shift-manager", "easy to guess"),
        ("summer2026!!", "dealer", "easy to guess"),
        ("2026!!Moonlight", "dealer", "easy to guess"),
        ("dora-dora-dora", "dealer", "the name dora"),
        ("Dora.Bellini", "dealer", "the name"),
        ("TheGoldenHorse", "dealer", "the name"),
        ("golden horse 1", "dealer", "the name"),
        ("long\tenough tabs", "dealer", "cannot be typed"),
    ],
)
def test_passwords_that_are_refused(password: str, position: str, says: str) -> None:
    least = least_length(position, staff=bool(position))
    with pytest.raises(BadInput) as refused:
        check_password(password, least=least, names=("dora bellini", "The Golden Horse", position))
    assert says in str(refused.value), str(refused.value)
    assert refused.value.remedy


@pytest.mark.parametrize(
    "password",
    [
        PASSWORD,
        "another password",
        "kx7!mq2fzvtW",
        "74k-19q-33x-86z",
        "vier Pferde essen Käse",
        "x" * 20 + " correct horse battery staple" * 5,
    ],
)
def test_passwords_that_are_taken(password: str) -> None:
    check_password(password, least=12, names=("dora", "The Golden Horse", "surveillance"))


def test_the_service_and_the_console_refuse_weak_passwords(
    service: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with service.signed_in("gina") as ask:
        form = {"kind": "staff", "name": "mara", "password": "kx7!mq2fz"}
        for weak in ("kx7!mq2fz", "password1234", "mara-mara-mara"):
            with pytest.raises(Exception, match=r"password|short|guess"):
                ask(ask.client.call("POST", "/api/accounts/password", {**form, "password": weak}))
    data = ("--data", str(tmp_path / "floor"))
    assert pitboss("floor", "create", "test", *data).code == 0
    assert pitboss("floor", "add-person", "gina", "shift-manager", *data).code == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("kx7!mq2fzv\n"))
    ran = pitboss("users", "password", "gina", *data)
    assert (ran.code, "use 12 to 200 characters" in ran.err) == (2, True)
    monkeypatch.setattr("sys.stdin", io.StringIO("password123456\n"))
    assert "easy to guess" in pitboss("users", "password", "gina", *data).err


@pytest.mark.parametrize("purpose", ["session", "word"])
def test_what_the_old_password_was_checked_for_does_not_outlive_a_change(
    tmp_path: Path, purpose: str
) -> None:
    """The password is changed while the old one is being checked, which takes a while."""

    class Slow(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
            found = QUICK.verify(hash, password)
            identity.identities.set_password("staff", "dora", QUICK.hash("another password"), at=Micros(2))
            return found

    where = Settings(tmp_path / "floor")
    with at_work(where, create=True) as work:
        clock = work.floor.desk.clock
        identity = Identity(Identities(work.store.engine), clock, hasher=Slow())
        identity.identities.set_password("staff", "dora", QUICK.hash(PASSWORD), at=Micros(1))
        ask: dict[str, Callable[[], object]] = {
            "session": lambda: identity.sign_in("staff", "dora", PASSWORD),
            "word": lambda: identity.countersign("dora", PASSWORD, "bound"),
        }
        with pytest.raises(NotSignedIn, match="match"):
            ask[purpose]()
        assert not identity.is_signed_in("staff", "dora")
        assert not identity.identities.signed_in()
        account = identity.identities.account("staff", "dora")
        assert account is not None
        assert QUICK.verify(account.password, "another password")


def test_a_name_that_nobody_has_is_checked_for_as_long_as_any_other(service: Served) -> None:
    """By a hash of the same costs and lengths, which no password has."""
    identities = Identities(service.served.work.store.engine)
    for hasher in (PasswordHasher(), QUICK):
        identity = Identity(identities, service.clock, hasher=hasher)
        assert extract_parameters(identity._nobody) == extract_parameters(hasher.hash(PASSWORD))
        with pytest.raises(VerifyMismatchError):
            hasher.verify(identity._nobody, PASSWORD)


def test_people_who_share_a_password_have_one_hash_and_it_is_as_strong_as_each_needs(service: Served) -> None:
    identities = Identities(service.served.work.store.engine)
    identity = Identity(identities, service.clock, hasher=QUICK)
    with pytest.raises(BadInput):
        identity.share_password((("player", "one", ""), ("staff", "two", "pit-manager")), "short one")
    assert identities.account("player", "one") is None
    identity.share_password((("player", "one", ""), ("staff", "two", "pit-manager")), PASSWORD)
    for kind, name in (("player", "one"), ("staff", "two")):
        assert identity.check(kind, name, PASSWORD)


def test_a_password_from_before_the_rules_still_opens(service: Served) -> None:
    hashed = QUICK.hash("short")
    service.served.identity.identities.set_password("player", "p1", hashed, at=service.clock.now())
    assert status_of(service, token_of(service, "p1", "player", "short")) == 200
    hashed = QUICK.hash(PASSWORD)
    service.served.identity.identities.set_password("player", "p1", hashed, at=service.clock.now())
