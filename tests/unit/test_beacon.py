"""The public beacon of the settings: announced everywhere, fetched by a server, and looked at by doctor."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from pitboss.beacons import AnnouncedBeacon, ConfiguredBeacon, latest_value, value_of
from pitboss.bootstrap import Settings, at_work
from pitboss.cli import checkups
from pitboss.floor.composition import first_round_after, is_signed
from pitboss.floor.ports import SECOND, Micros
from pitboss.server.beacon import FetchedBeacon, LocalSigner
from support import pitboss
from support.floor import House

NOW = Micros(1_800_000_000 * SECOND)


def a_signer(now: Any = lambda: NOW) -> LocalSigner:
    return LocalSigner(now, genesis=1_700_000_000, period=3, missing="wait", seed=b"b" * 32)


def latest(signer: LocalSigner, now: float = NOW / SECOND) -> int:
    return first_round_after(now, genesis=signer.terms.genesis, period=signer.terms.period) - 1


@contextmanager
def published(signer: LocalSigner, *, answer: Any = None, status: int = 200) -> Iterator[ConfiguredBeacon]:
    """The beacon as a site publishes it, or another answer."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            value = signer.published(int(self.path.rpartition("/")[2]))
            text = json.dumps(value._asdict() if value else None) if answer is None else answer
            self.send_response(status)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *args: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Site) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield ConfiguredBeacon(signer.terms, f"http://127.0.0.1:{site.server_port}/public/{{round}}")
        site.shutdown()


def fetched(configured: ConfiguredBeacon, number: int, *, seconds: float = 3) -> Any:
    """What a server has of a round after a while."""

    async def fetch() -> Any:
        beacon = FetchedBeacon(configured, lambda: NOW)
        assert beacon.published(number) is None, "nothing is waited for"
        running = asyncio.create_task(beacon.run())
        end = time.monotonic() + seconds
        while beacon.published(number) is None and time.monotonic() < end:
            await asyncio.sleep(0.02)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return beacon.published(number)

    return asyncio.run(fetch())


def test_a_value_is_fetched_once_it_is_asked_for() -> None:
    signer = a_signer()
    with published(signer) as configured:
        value = fetched(configured, latest(signer))
    assert value == signer.published(latest(signer))
    assert is_signed(signer.terms.name, signer.terms.key, value)


def test_a_value_is_not_asked_for_before_its_time() -> None:
    signer = a_signer(lambda: Micros(NOW + 60 * SECOND))
    with published(signer) as configured:
        assert fetched(configured, latest(signer) + 5, seconds=0.6) is None


@pytest.mark.parametrize(
    "answer", ["", "no", "[]", '{"round": 1}', '{"round": 1, "signature": "ab"}', "x" * 5000]
)
def test_what_is_not_signed_is_no_value(answer: str) -> None:
    signer = a_signer()
    with published(signer, answer=answer) as configured:
        assert fetched(configured, latest(signer), seconds=0.6) is None
        assert "cannot be fetched" in latest_value(configured, NOW / SECOND) or "not signed" in latest_value(
            configured, NOW / SECOND
        )


def test_the_value_of_another_round_is_none() -> None:
    signer = a_signer()
    other = signer.published(latest(signer) - 1)
    assert other is not None
    with published(signer, answer=json.dumps(other._asdict())) as configured:
        assert fetched(configured, latest(signer), seconds=0.6) is None


@pytest.mark.parametrize("status", [404, 500])
def test_a_beacon_that_fails_is_tried_again(status: int) -> None:
    signer = a_signer()
    with published(signer, status=status) as configured:
        assert fetched(configured, latest(signer), seconds=0.6) is None
        assert "cannot be fetched" in latest_value(configured, NOW / SECOND)


@pytest.mark.parametrize("body", [b"1", b"[]", b'{"round": true, "signature": ""}', b'{"signature": "ab"}'])
def test_an_answer_that_is_no_value_is_an_error(body: bytes) -> None:
    with pytest.raises(ValueError, match="no round and signature"):
        value_of(body)


def test_a_signature_has_one_text() -> None:
    """The seed is made of its digits: whoever could write them otherwise would choose among orders."""
    signer = a_signer()
    value = signer.published(latest(signer))
    assert value is not None
    name, key, digits = signer.terms.name, signer.terms.key, value.signature
    assert is_signed(name, key, value)
    others = (digits.upper(), digits + " ", " ".join((digits[:2], digits[2:])), digits + "\n", digits[:-1])
    assert not any(is_signed(name, key, value._replace(signature=other)) for other in others)


def test_a_local_signer_publishes_nothing_before_its_time() -> None:
    signer = a_signer()
    assert signer.published(latest(signer)) is not None
    assert signer.published(latest(signer) + 1) is None
    assert latest_value(ConfiguredBeacon(signer.terms, "http://127.0.0.1:9/{round}"), 1.0).startswith(
        "its first"
    )


# --- the setting -------------------------------------------------------------------------------------------


def written(folder: Path, configured: ConfiguredBeacon) -> Path:
    file = folder / "beacon.toml"
    said = configured.terms._asdict() | {"url": configured.url}
    file.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in said.items()))
    return file


def test_the_console_announces_the_beacon_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever opens bets past the server cannot leave it out; values come to the server alone."""
    signer = a_signer()
    monkeypatch.setenv(
        "PITBOSS_BEACON", str(written(tmp_path, ConfiguredBeacon(signer.terms, "http://127.0.0.1:9/{round}")))
    )
    with at_work(Settings(tmp_path / "floor"), create=True) as work:
        beacon = work.floor.desk.beacon
        assert isinstance(beacon, AnnouncedBeacon)
        assert beacon.terms == signer.terms
        assert beacon.published(1) is None
        house = House(work.store)
        house.table("mbs-3cp-2023")
        house.floor.desk.beacon = beacon
        house.steps("dealer: open bets")
        announced = house.floor.table("t1").composition
        assert announced is not None
        assert announced.beacon is not None
        assert announced.beacon.key == signer.terms.key
        house.floor.desk.beacon = None
        house.steps("pit-manager: report power-failure")


def finding(ran: Any) -> dict[str, str]:
    return next(check for check in json.loads(ran.out)["checks"] if check["check"] == "beacon")


def test_doctor_looks_at_the_beacon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PITBOSS_BEACON", raising=False)
    monkeypatch.setattr(checkups, "CHECKS", {"beacon": checkups.CHECKS["beacon"]})  # the others take seconds
    words = ("doctor", "--data", str(tmp_path / "floor"), "--port", "0", "--json")
    found = finding(pitboss(*words))
    assert (found["verdict"], found["found"].split(":")[0]) == ("ok", "none")
    signer = a_signer(lambda: Micros(int(time.time() * SECOND)))
    with published(signer) as configured:
        monkeypatch.setenv("PITBOSS_BEACON", str(written(tmp_path, configured)))
        found = finding(pitboss(*words))
        assert (found["verdict"], found["found"]) == ("ok", "local, a round every 3 s, missing: wait")
    found = finding(pitboss(*words))
    assert found["verdict"] == "warning"
    assert "rounds wait for it" in found["remedy"]
    (tmp_path / "beacon.toml").write_text("name = 1\n")
    found = finding(pitboss(*words))
    assert found["verdict"] == "wrong"
    assert "name" in found["found"]


def test_a_server_does_not_start_with_a_bad_beacon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, ConfiguredBeacon(a_signer().terms._replace(period=0), "http://127.0.0.1:9/{round}"))
    monkeypatch.setenv("PITBOSS_BEACON", str(tmp_path / "beacon.toml"))
    ran = pitboss("serve", "--data", str(tmp_path / "floor"), "--demo", "--port", "0")
    assert ran.code == 2
    assert "beacon.toml: period" in ran.err
