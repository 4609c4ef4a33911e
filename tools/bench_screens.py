"""The screens measured: `make bench`. How long after an answer a screen shows it, with fifty tables live;
and how much a first load weighs."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from pitboss.bootstrap import Settings, at_work
from pitboss.floor import requests as q
from pitboss.floor.clock import SystemClock
from pitboss.floor.people import Asker, staff
from pitboss.floor.simulation import set_up
from pitboss.server.identity import Identity
from pitboss.store.identities import Identities

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from support.browser import CHROMIUM, FLAGS

TABLES = 50
ACTS = 120
WANTED_MS, WANTED_KB = 100, 200
STATIC = Path(__file__).parent.parent / "src" / "pitboss" / "server" / "static"

_MEASURE = """async ([csrf, count]) => {
  const took = [];
  for (let n = 0; n < count; n++) {
    const wanted = n % 2 === 0;
    const shown = new Promise((resolve) => {
      const look = () => {
        if (!!document.querySelector('.seats li.own') !== wanted) return;
        watch.disconnect();
        resolve(performance.now());
      };
      const watch = new MutationObserver(look);
      watch.observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    const name = wanted ? 'take-seat' : 'leave-seat';
    const body = wanted ? { table: 't01', position: 1, player: 't01-p1' } : { table: 't01', position: 1 };
    const answer = await fetch(`/api/floor/${name}`, { method: 'POST', body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf } });
    const answered = performance.now();
    if (!answer.ok) throw new Error(await answer.text());
    took.push(Math.max(0, (await shown) - answered));
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  return took;
}"""


def first_loads() -> dict[str, float]:
    """What each page and the files it names weigh, compressed, in KB."""
    found = {}
    for page in sorted(STATIC.glob("*.html")):
        files = set(re.findall(r'(?:src|href)="/(assets/[^"]+)"', page.read_text()))
        size = len(gzip.compress(page.read_bytes(), 9))
        size += sum(len(gzip.compress((STATIC / name).read_bytes(), 9)) for name in files)
        found[page.stem] = size / 1024
    return found


def main() -> None:
    """Measure, and print the figures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        where = Settings(Path(folder) / "floor")
        names = [f"t{number:02d}" for number in range(1, TABLES + 1)]
        with at_work(where, create=True) as work:
            set_up(work.floor, names, seats=6, physical=False)
            work.floor.do(_dealer("t01"), q.LeaveSeat(table="t01", position=1))
            identity = Identity(Identities(work.store.engine), SystemClock())
            tokens = {name: identity.begin("staff", f"dealer-{name}").token for name in names}
            mine = identity.begin("player", "t01-p1")
        command = [
            sys.executable,
            "-m",
            "pitboss.cli.main",
            "serve",
            "--data",
            str(where.data),
            "--port",
            "0",
        ]
        command += ["--log", "error", "--per-second", "100000"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        stopped = threading.Event()
        try:
            assert server.stdout is not None
            url = server.stdout.readline().removeprefix("listening on ").strip()
            busy = threading.Thread(target=_keep_busy, args=(url, tokens, stopped), daemon=True)
            busy.start()
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            context = browser.new_context()
            host = urlsplit(url).hostname or ""
            context.add_cookies(
                [{"name": "pitboss_session", "value": mine.token, "domain": host, "path": "/"}]
            )
            page = context.new_page()
            page.goto(f"{url}/play/t01")
            page.locator(".seats li").first.wait_for()
            csrf = page.evaluate("async () => (await (await fetch('/api/session')).json()).csrf")
            took = sorted(page.evaluate(_MEASURE, [csrf, ACTS]))
            browser.close()
        finally:
            stopped.set()
            server.terminate()
            server.wait()
    p95 = took[int(len(took) * 0.95)]
    print(
        f"screens: an update is shown {statistics.median(took):.0f} ms (p50), {p95:.0f} ms (p95), "
        f"{took[-1]:.0f} ms (at most) after the answer, {TABLES} tables live (wanted p95 under {WANTED_MS}; "
        "0 is shown before the answer is there)"
    )
    loads = first_loads()
    sizes = ", ".join(f"{name} {size:.0f}" for name, size in loads.items())
    print(f"first load, compressed KB: {sizes} (wanted under {WANTED_KB})")


def _dealer(table: str) -> Asker:
    return staff(f"dealer-{table}")


def _keep_busy(url: str, tokens: dict[str, str], stopped: threading.Event) -> None:
    """The other tables open bets, close them and settle, each a step every two seconds."""
    host = urlsplit(url).netloc
    connection = http.client.HTTPConnection(host, timeout=30)
    pause = 1 / (TABLES * 0.5)
    others = list(tokens.items())[1:]
    for number in range(10**9):
        if stopped.is_set():
            return
        table, token = others[number % len(others)]
        step = ("open-bets", "close-bets", "settle")[number // len(others) % 3]
        headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        connection.request("POST", f"/api/tables/{table}/acts", json.dumps({"acts": [{"do": step}]}), headers)
        answer = connection.getresponse()
        said = answer.read().decode()
        if answer.status != 200:
            raise SystemExit(f"{table}: {step}: {said}")
        time.sleep(pause)


if __name__ == "__main__":
    main()
