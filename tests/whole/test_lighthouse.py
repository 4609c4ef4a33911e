"""Lighthouse on every screen: accessibility and best practices, as whoever uses it sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.server.gate import COOKIE
from support.browser import CHROMIUM
from support.floor import House
from support.service import Served, served

pytestmark = pytest.mark.whole
BUILD = Path(__file__).parent.parent.parent / "web" / "build.py"
LEAST = 95
PAGES = {
    "": ("/", "/sign/mega"),
    "p1": ("/play/t1", "/drill"),
    "dora": ("/deal/t1",),
    "mara": ("/pit",),
    "eye": ("/surveillance", "/mathematics?book=mbs-3cp-2023"),
}


def prepare(house: House) -> None:
    house.link()
    house.table("mbs-3cp-2023", players=("p1", "p2"), link="mega")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")


def test_every_screen_has_at_least_95(tmp_path: Path) -> None:
    pages, scores = tmp_path / "pages.json", tmp_path / "scores.json"
    with served(tmp_path / "floor", prepare) as service:
        cookies = {name: f"{COOKIE}={signed_in(service, name)}" if name else "" for name in PAGES}
        wanted = [
            {"page": service.url + path, "cookie": cookies[name]}
            for name, paths in PAGES.items()
            for path in paths
        ]
        pages.write_text(json.dumps(wanted))
        command = [sys.executable, str(BUILD), "lighthouse", str(pages), str(scores)]
        subprocess.run(command, env=os.environ | {"CHROME_PATH": CHROMIUM}, check=True)
    found = json.loads(scores.read_text())
    assert len(found) == len(wanted)
    for page in found:
        assert page["error"] == "", page
        assert min(page["scores"].values()) >= LEAST, page


def signed_in(service: Served, name: str) -> str:
    """The token of a new session."""
    with service.signed_in(name) as ask:
        return str(ask.client._token)
