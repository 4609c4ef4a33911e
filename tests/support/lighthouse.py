"""Lighthouse over the screens of a floor with a round in play, each as its own user sees it."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from pitboss.server.gate import COOKIE
from support.browser import CHROMIUM
from support.floor import House
from support.service import Served, served

BUILD = Path(__file__).parent.parent.parent / "web" / "build.py"
LEAST = 95
PAGES: Mapping[str, Sequence[str]] = {
    "": ("/", "/sign/mega"),
    "p1": ("/play/t1", "/drill"),
    "dora": ("/deal/t1",),
    "mara": ("/pit",),
    "eye": ("/surveillance", "/mathematics?book=mbs-3cp-2023"),
}
"""The pages of every user; the empty name is not signed in."""


def _prepare(house: House) -> None:
    house.link()
    house.table("mbs-3cp-2023", players=("p1", "p2"), link="mega")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")


def scores_of(
    folder: Path, pages: Mapping[str, Sequence[str]], *, runs: int = 1
) -> dict[str, dict[str, int]]:
    """The scores of every page by category, each the median of the runs. Raises where a page does not load."""
    wanted_file, scores_file = folder / "pages.json", folder / "scores.json"
    with served(folder / "floor", _prepare) as service:
        cookies = {name: f"{COOKIE}={_signed_in(service, name)}" if name else "" for name in pages}
        wanted = [
            {"page": service.url + path, "cookie": cookies[name]}
            for name, paths in pages.items()
            for path in paths
            for _ in range(runs)
        ]
        wanted_file.write_text(json.dumps(wanted))
        command = [sys.executable, str(BUILD), "lighthouse", str(wanted_file), str(scores_file)]
        subprocess.run(command, env=os.environ | {"CHROME_PATH": CHROMIUM}, check=True)
    found = json.loads(scores_file.read_text())
    assert len(found) == len(wanted)
    by_page: dict[str, list[dict[str, int]]] = {}
    for page in found:
        assert page["error"] == "", page
        by_page.setdefault(page["page"].removeprefix(service.url), []).append(page["scores"])
    return {
        page: {name: int(statistics.median(one[name] for one in scores)) for name in scores[0]}
        for page, scores in by_page.items()
    }


def _signed_in(service: Served, name: str) -> str:
    """The token of a new session."""
    with service.signed_in(name) as ask:
        return str(ask.client._token)
