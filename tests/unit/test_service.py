"""The service: sign-in, sessions, who may ask what, what is bad input, and what a browser's request needs."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import socket
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from pitboss.client import BadField, ClientError, NotAllowed, Refused, SignedOut, SyncClient, asking
from pitboss.floor import requests as q
from pitboss.floor.ports import SECOND, Micros
from pitboss.money import Cents
from pitboss.play import commands as c
from support.service import PASSWORD, Served, raw, served, stud_on_a_link


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("service") / "floor", stud_on_a_link) as found:
        yield found


# --- signing in -------------------------------------------------------------------------------------------


def test_a_wrong_password_says_no_more_than_that(service: Served) -> None:
    with SyncClient(service.url) as ask:
        for kind, name in (("staff", "dora"), ("staff", "nobody"), ("player", "dora")):
            with pytest.raises(SignedOut, match="do not match") as found:
                ask(ask.client.sign_in(kind, name, "wrong password"))
            assert found.value.code == "wrong-password"
        found_me = ask(ask.client.sign_in("staff", "dora", PASSWORD))
        assert (found_me["name"], found_me["position"], found_me["locked"]) == ("dora", "dealer", False)


def test_a5_three_failures_lock_an_account_for_a_while(service: Served) -> None:
    with SyncClient(service.url) as ask:
        for _ in range(3):
            with pytest.raises(SignedOut):
                ask(ask.client.sign_in("staff", "ines", "wrong password"))
        with pytest.raises(SignedOut, match="after 3 failures it is for 15 minutes"):
            ask(ask.client.sign_in("staff", "ines", PASSWORD))
        unlock = {"kind": "staff", "name": "ines"}
        with service.signed_in("dora") as dealer, pytest.raises(NotAllowed):
            dealer(dealer.client.call("POST", "/api/accounts/unlock", unlock))
        with service.signed_in("gina") as shift:
            shift(shift.client.call("POST", "/api/accounts/unlock", unlock))
        ask(ask.client.sign_in("staff", "ines", PASSWORD))
        for _ in range(3):
            with pytest.raises(SignedOut):
                ask(ask.client.sign_in("staff", "ines", "wrong password"))
        service.clock.at = Micros(service.clock.at + 16 * 60 * SECOND)
        ask(ask.client.sign_in("staff", "ines", PASSWORD))


def test_a5_a_dealer_s_session_locks_after_five_idle_minutes_and_opens_by_his_password(
    service: Served,
) -> None:
    with service.signed_in("dora") as dealer, service.signed_in("p1") as patron:
        service.clock.at = Micros(service.clock.at + 4 * 60 * SECOND)
        dealer(dealer.client.call("POST", "/api/session/activity"))
        service.clock.at = Micros(service.clock.at + 4 * 60 * SECOND)
        dealer(dealer.client.call("POST", "/api/session/activity"))
        service.clock.at = Micros(service.clock.at + 6 * 60 * SECOND)
        with pytest.raises(NotAllowed) as found:
            dealer(dealer.client.act("t1", c.OpenBets(by=dealer.client.me)))
        assert found.value.code == "locked"
        assert dealer(dealer.client.session())["locked"]
        with pytest.raises(SignedOut):
            dealer(dealer.client.unlock("wrong password"))
        assert not dealer(dealer.client.unlock(PASSWORD))["locked"]
        dealer(dealer.client.call("POST", "/api/session/activity"))
        assert patron(patron.client.session())["locked"] is False, "players' sessions do not lock"


def test_a_session_ends_when_it_is_signed_out_and_after_its_time(service: Served) -> None:
    with service.signed_in("p1") as ask:
        token = ask.client._token
        ask(ask.client.sign_out())
        ask.client.use_token(token, "player", "p1")
        with pytest.raises(SignedOut):
            ask(ask.client.session())
    with service.signed_in("p1") as ask:
        service.clock.at = Micros(service.clock.at + 13 * 3600 * SECOND)
        with pytest.raises(SignedOut, match="sign in again"):
            ask(ask.client.session())


def test_a_new_password_ends_the_sessions_of_the_old(service: Served) -> None:
    form = {"kind": "player", "name": "p2", "password": "another password"}
    with service.signed_in("p2") as before, service.signed_in("saul") as supervisor:
        with pytest.raises(SignedOut):
            before(before.client.call("POST", "/api/accounts/password", {**form, "current": "wrong one"}))
        with pytest.raises(BadField, match="8 to 200"):
            supervisor(
                supervisor.client.call("POST", "/api/accounts/password", {**form, "password": "short"})
            )
        supervisor(supervisor.client.call("POST", "/api/accounts/password", form))
        with pytest.raises(SignedOut):
            before(before.client.session())
        above = {"kind": "staff", "name": "gina", "password": "another password"}
        with pytest.raises(NotAllowed):
            supervisor(supervisor.client.call("POST", "/api/accounts/password", above))
        supervisor(supervisor.client.call("POST", "/api/accounts/password", {**form, "password": PASSWORD}))


def test_sign_ins_are_limited_in_number(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("limited") / "floor"
    with served(folder, sign_ins_a_minute=4, per_second=5) as found, SyncClient(found.url) as ask:
        statuses = []
        for _ in range(6):
            with pytest.raises(ClientError) as error:
                ask(ask.client.sign_in("staff", "nobody", "wrong password"))
            statuses.append(error.value.status)
        assert statuses == [401, 401, 401, 401, 429, 429]
        many = [raw(found, "GET", "/api/jackpots")[0] for _ in range(100)]
        assert 429 in many
        guessed = [
            raw(found, "GET", "/api/session", headers={"Authorization": f"Bearer x{n}"})[0]
            for n in range(100)
        ]
        assert 429 in guessed, "whoever guesses tokens is stopped too"


# --- cookies, origins, headers ------------------------------------------------------------------------------


def test_a_cookie_needs_the_token_that_came_with_it(service: Served) -> None:
    form = {"kind": "player", "name": "p1", "password": PASSWORD}
    status, me, headers = raw(service, "POST", "/api/sign-in", form)
    assert status == 200
    cookie = headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    own = {"Cookie": cookie.split(";")[0]}
    assert raw(service, "GET", "/api/session", headers=own)[0] == 200
    status, problem, _ = raw(service, "POST", "/api/session/activity", headers=own)
    assert (status, problem["code"]) == (403, "csrf")
    assert raw(service, "POST", "/api/session/activity", headers=own | {"X-CSRF-Token": me["csrf"]})[0] == 204


def test_pages_of_other_origins_may_not_use_it(service: Served) -> None:
    form = {"kind": "player", "name": "p1", "password": PASSWORD}
    status, problem, _ = raw(service, "POST", "/api/sign-in", form, {"Origin": "https://elsewhere.example"})
    assert (status, problem["code"]) == (403, "foreign-origin")
    assert raw(service, "POST", "/api/sign-in", form, {"Origin": service.url})[0] == 200
    assert raw(service, "POST", "/api/sign-in", form, {"Origin": "http://[localhost"})[0] == 403


def test_a_token_that_does_not_hold_is_said_not_to(service: Served) -> None:
    headers = {"Authorization": "Bearer nonsense"}
    assert raw(service, "GET", "/api/tables/t1", headers=headers)[0] == 401
    assert raw(service, "GET", "/", headers=headers)[0] == 200


def test_surveillance_has_its_passwords_from_the_console(service: Served) -> None:
    form = {"kind": "staff", "name": "eye", "password": "another password"}
    with service.signed_in("gina") as shift, pytest.raises(NotAllowed):
        shift(shift.client.call("POST", "/api/accounts/password", form))


def test_the_documentation_for_people_lists_every_request(service: Served) -> None:
    address = urlsplit(service.url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=30)
    connection.request("GET", "/docs")
    text = connection.getresponse().read().decode()
    connection.close()
    for path in ("/api/floor/open-table", "/api/tables/{table}/acts", "/api/live", "place-wager"):
        assert path in text


def test_every_answer_has_secure_headers(service: Served) -> None:
    for path in ("/", "/api/floor", "/nowhere", "/health/live"):
        headers = raw(service, "GET", path)[2]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["Cache-Control"] == ("no-cache" if path == "/" else "no-store")
        assert headers.get("Server") is None or "uvicorn" not in headers["Server"]


def test_pages_are_packed_and_files_of_the_client_are_kept_for_ever(service: Served) -> None:
    asked = Request(f"{service.url}/play/t1", headers={"Accept-Encoding": "gzip"})
    with urlopen(asked, timeout=30) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        page = gzip.decompress(answer.read()).decode()
    script = re.search(r'src="(/assets/[^"]+)"', page)
    assert script is not None
    status, _, headers = raw(service, "GET", script[1])
    assert status == 200
    assert "immutable" in headers["Cache-Control"]
    tag = headers["ETag"]
    assert raw(service, "GET", script[1], headers={"If-None-Match": tag})[0] == 304
    for path in ("/assets/none.js", "/assets/..", "/assets/%2e%2e%2findex.html", "/play", "/play/t1/more"):
        assert raw(service, "GET", path)[0] == 404


def test_an_unknown_page_is_a_page_for_people_and_a_problem_for_programs(service: Served) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    asked = Request(f"{service.url}/nosuch/page", headers=browser)
    with pytest.raises(HTTPError) as found, urlopen(asked, timeout=30):
        pass
    with found.value as page:
        assert (page.code, page.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
        assert b"/assets/missing" in page.read()
    for path, headers in (("/nosuch", {}), ("/api/nosuch", browser), ("/assets/nosuch.js", browser)):
        status, problem, _ = raw(service, "GET", path, headers=headers)
        assert (status, problem["code"]) == (404, "unknown"), path


def test_nobody_enters_without_a_password_but_on_a_demo_floor(service: Served) -> None:
    with service.signed_in("") as ask:
        assert ask(ask.client.call("GET", "/api/demo")) == {"staff": [], "player": []}
        with pytest.raises(ClientError) as refused:
            ask(ask.client.call("POST", "/api/demo/enter", {"kind": "staff", "name": "gina"}))
        assert refused.value.code == "no-demo"


# --- bad input ----------------------------------------------------------------------------------------------

ANTE = {"do": "place-wager", "position": 1, "wager": "ante", "amount": "25.00"}


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"acts": [{**ANTE, "amount": "-25"}]}, 400, "amount"),
        ({"acts": [{**ANTE, "amount": "25.005"}]}, 400, "amount"),
        ({"acts": [{**ANTE, "amount": 25}]}, 400, "str"),
        ({"acts": [{**ANTE, "amount": "1e9"}]}, 400, "amount"),
        ({"acts": [{**ANTE, "position": "1"}]}, 400, "int"),
        ({"acts": [{**ANTE, "position": 1.5}]}, 400, "int"),
        ({"acts": [{**ANTE, "colour": "red"}]}, 400, "colour"),
        ({"acts": [{"do": "dance", "position": 1}]}, 400, "dance"),
        ({"acts": []}, 400, "acts"),
        ({"acts": [ANTE], "expect": 1, "by": "p2"}, 400, "by"),
        ({"acts": [ANTE], "expect": 1}, 409, "look again"),
        ({"acts": [{**ANTE, "wager": "a\x00b"}]}, 400, "NUL"),
        (b'{"acts": [', 400, ""),
        (b"\xff\xfe", 400, ""),
        (b'{"acts": "\xff"}', 400, "JSON"),
        (b'{"acts": ' + b"[" * 30_000 + b"]" * 30_000 + b"}", 400, ""),
        ([], 400, ""),
        ({"acts": [ANTE] * 101}, 400, "acts"),
    ],
)
def test_bad_bodies_are_refused_with_a_reason(service: Served, body: Any, status: int, says: str) -> None:
    with service.signed_in("p1") as ask:
        before = ask(ask.client.table("t1"))["version"]
        headers = {"Authorization": f"Bearer {ask.client._token}"}
        found, problem, _ = raw(service, "POST", "/api/tables/t1/acts", body, headers)
        assert found == status, problem
        assert says in json.dumps(problem), problem
        assert problem["message"]
        assert ask(ask.client.table("t1"))["version"] == before


def test_unknown_things_are_said_to_be_unknown(service: Served) -> None:
    with service.signed_in("mara") as ask:
        for path in ("/api/tables/t9", "/api/links/none", "/api/tables/t1/rounds/99", "/api/nowhere"):
            with pytest.raises(BadField) as found:
                ask(ask.client.call("GET", path))
            assert found.value.status == 404
        with pytest.raises(BadField, match="there is no table") as bad:
            ask(ask.client.act("t9", c.OpenBets(by=ask.client.me)))
        assert bad.value.field == "table"
        with pytest.raises(BadField) as bad:
            ask(ask.client.do(q.BuyIn(table="t1", player="nobody", amount=Cents(2500))))
        assert bad.value.status == 400


def test_a_body_too_large_is_not_read(service: Served) -> None:
    with service.signed_in("p1") as ask:
        headers = {"Authorization": f"Bearer {ask.client._token}"}
        body = b'{"acts": ["' + b"x" * 3_000_000 + b'"]}'
        status, problem, _ = raw(service, "POST", "/api/tables/t1/acts", body, headers)
        assert (status, problem["code"]) == (413, "too-large")


def test_a_retry_with_its_key_gets_the_first_answer(service: Served) -> None:
    with service.signed_in("dora") as ask, service.signed_in("mara") as other:
        request = q.BuyIn(table="t1", player="p2", amount=Cents(2500))
        first = ask(ask.client.do(request, key="buy-1"))
        again = ask(ask.client.do(request, key="buy-1"))
        assert again == first
        assert other(other.client.do(request, key="buy-1")) != first, "keys are of their owners"
        with pytest.raises(BadField, match="another request"):
            ask(ask.client.do(q.BuyIn(table="t1", player="p2", amount=Cents(5000)), key="buy-1"))


# --- a second person ----------------------------------------------------------------------------------------


def test_a_second_person_gives_his_own_word(service: Served) -> None:
    fill = q.Fill(table="t1", count={2500: 10}, witness="dora")
    with service.signed_in("saul") as ask:
        with pytest.raises(NotAllowed, match="own word") as found:
            ask(ask.client.do(fill))
        assert found.value.code == "second-person"
        with pytest.raises(SignedOut):
            ask(ask.client.countersign("dora", "wrong password", fill))
        with pytest.raises(NotAllowed):
            ask(ask.client.countersign("saul", PASSWORD, fill))
        word = ask(ask.client.countersign("dora", PASSWORD, fill))
        other = q.Fill(table="t1", count={2500: 10}, witness="ines")
        with pytest.raises(NotAllowed):
            ask(ask.client.do(other, countersign=word))
        credit = q.Credit(table="t1", count={2500: 10}, witness="dora")
        with pytest.raises(NotAllowed):
            ask(ask.client.do(credit, countersign=word))
        with service.signed_in("mara") as another, pytest.raises(NotAllowed):
            another(another.client.do(fill, countersign=word))
        larger = q.Fill(table="t1", count={2500: 1000}, witness="dora")
        with pytest.raises(NotAllowed, match="own word"):
            ask(ask.client.do(larger, countersign=word))
        nothing = q.Fill(table="t1", count={2500: 0}, witness="dora")
        with pytest.raises(BadField):
            ask(ask.client.do(nothing, countersign=ask(ask.client.countersign("dora", PASSWORD, nothing))))
        done = ask(ask.client.do(fill, countersign=word, key="fill-1"))
        assert ask(ask.client.do(fill, countersign=word, key="fill-1")) == done
        with pytest.raises(NotAllowed):
            ask(ask.client.do(fill, countersign=word))
        stale = ask(ask.client.countersign("dora", PASSWORD, fill))
        service.clock.at = Micros(service.clock.at + 200 * SECOND)
        with pytest.raises(NotAllowed):
            ask(ask.client.do(fill, countersign=stale))


# --- refusals -----------------------------------------------------------------------------------------------


def test_a_refusal_has_code_sentence_and_clauses(service: Served) -> None:
    with service.signed_in("p1") as ask, pytest.raises(Refused) as found:
        ask(
            ask.client.act("t1", c.PlaceWager(by=ask.client.me, position=1, wager="ante", amount=Cents(2500)))
        )
    assert found.value.status == 409
    assert found.value.code == "early"
    assert found.value.message.endswith(".")
    assert found.value.clauses


def test_health_and_metrics(service: Served) -> None:
    assert raw(service, "GET", "/health/live")[0] == 200
    assert raw(service, "GET", "/health/ready")[0] == 200
    with service.signed_in("dora") as ask:
        ask(ask.client.do(q.BuyIn(table="t1", player="p2", amount=Cents(2500))))
    address = urlsplit(service.url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=30)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    assert "pitboss_request_seconds_bucket" in text
    assert 'pitboss_commands_total{outcome="done",request="BuyIn"}' in text


# --- what is in play ----------------------------------------------------------------------------------------


def test_while_a_round_is_in_play_nobody_borrows_another_s_eyes(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with (
        served(tmp_path_factory.mktemp("eyes") / "floor", stud_on_a_link) as found,
        found.signed_in("dora") as dealer,
        found.signed_in("p1") as patron,
        found.signed_in("eye") as eye,
    ):
        dealer(dealer.client.act("t1", c.OpenBets(by=dealer.client.me)))
        ante = c.PlaceWager(by=patron.client.me, position=1, wager="ante", amount=Cents(2500))
        patron(patron.client.act("t1", ante))
        dealer(dealer.client.act("t1", c.CloseBets(by=dealer.client.me)))
        dealer(dealer.client.act("t1", c.Deal(by=dealer.client.me)))
        patron(patron.client.act("t1", c.ViewHand(by=patron.client.me, position=1)))
        with pytest.raises(NotAllowed) as refused:
            eye(eye.client.round("t1", 1, eyes="p1"))
        assert refused.value.code == "in-play"
        own = eye(eye.client.round("t1", 1))
        cards = [card for step in own["steps"] for card in _cards(step["views"]["surveillance"])]
        assert set(cards) <= {"??"}
        patron(patron.client.act("t1", c.Fold(by=patron.client.me, position=1)))
        dealer(dealer.client.act("t1", c.Reveal(by=dealer.client.me, place="dealer")))
        dealer(dealer.client.act("t1", c.Settle(by=dealer.client.me)))
        after = eye(eye.client.round("t1", 1, eyes="p1"))
        assert any(card != "??" for step in after["steps"] for card in _cards(step["views"]["p1"]))


def _cards(view: dict[str, Any]) -> list[str]:
    return list(view["positions"].get("1", {}).get("cards", []))


# --- several processes ------------------------------------------------------------------------------------


def test_a_client_leaves_a_process_that_is_gone_and_comes_back_to_it(
    service: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who stayed where he fled to would end with everybody else on the one process that never failed."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        gone = service.url.rpartition(":")[0] + f":{nobody.getsockname()[1]}"
    with SyncClient(gone, service.url) as ask:
        assert ask.client.server == gone
        ask(ask.client.call("GET", "/api/lobby"))
        assert ask.client.server == service.url
        monkeypatch.setattr(asking, "HOME_SECONDS", -1)
        assert ask.client.server == gone
