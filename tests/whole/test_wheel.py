"""Wheel and source distribution: what is in them, and that the wheel alone is enough, whichever parts it has.

In `make test` the wheel is built once and unpacked into empty environments to which exactly the declared
dependencies are lent: of the base, of the base with the server, of everything. With PROVE_LONG (`make prove`)
every combination of parts is installed by a real download and used, both distributions are built and compared,
and the web client is built anew from the source distribution.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest

import artefacts
from pitboss.parts import PARTS
from pitboss.version import __version__
from support import wheels
from support.parts import modules, needs, with_needed

pytestmark = pytest.mark.whole
SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
"""Older Pythons, such as Debian's 3.11.2, have no filters."""

LONG = bool(os.environ.get("PROVE_LONG"))
SHORT_COMBINATIONS = ("", "server", "all")
LONG_COMBINATIONS = ("", *PARTS, "maths,server", "all")
only_long = pytest.mark.skipif(not LONG, reason="it builds or downloads for minutes: make prove")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the working tree, the web client as it is built now."""
    folder = tmp_path_factory.mktemp("wheel")
    source = wheels.copy_of_the_tree(folder / "source", *wheels.FOR_A_WHEEL)
    return wheels.build_wheel(source, folder / "dist")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> wheels.Built:
    """Both distributions as a release builds them."""
    folder = tmp_path_factory.mktemp("built")
    return wheels.build(wheels.copy_of_the_tree(folder / "source"), folder / "dist")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Path]:
    """A folder for an environment, which is removed with it: a downloaded one takes gigabytes."""
    yield tmp_path
    shutil.rmtree(tmp_path / "venv", ignore_errors=True)


def installed(wheel: Path, folder: Path, extras: frozenset[str]) -> Path:
    """The Python of an environment in which the wheel is installed, and nothing that it does not ask for."""
    python = wheels.empty_environment(folder / "venv", pip=LONG)
    (wheels.install_downloaded if LONG else wheels.install_lent)(python, wheel, sorted(extras))
    return python


class Shell:
    """Commands in an empty folder, with the environment's programs alone."""

    def __init__(self, python: Path, folder: Path) -> None:
        self.python, self.folder = python, folder
        self.variables = wheels.bare_surroundings(folder / "home")
        folder.mkdir()

    def __call__(self, *words: str, told: str = "") -> str:
        command = [str(self.python), *words]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.variables,
            input=told,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout


# --- what is in them ------------------------------------------------------------------------------------


def test_the_wheel_holds_what_it_should_and_what_it_lacks_or_has_too_much_is_found(wheel: Path) -> None:
    good = artefacts.wheel_files(wheel)
    assert list(artefacts.wheel_problems(good, __version__)) == []
    metadata = f"pitboss-{__version__}.dist-info/METADATA"
    asset = next(
        name for name in good if name.startswith(f"{artefacts.STATIC}assets/") and name.endswith(".js")
    )
    spoilt = {
        "tests/unit/test_tidy.py does not belong": good | {"tests/unit/test_tidy.py": b""},
        "node_modules/vite/x.js does not belong": good | {"pitboss/node_modules/vite/x.js": b""},
        "/etc/passwd leaves the archive": good | {"/etc/passwd": b""},
        "names a folder of this machine": good | {asset: good[asset] + str(wheels.ROOT).encode()},
        "py.typed is missing": _without(good, "pitboss/py.typed"),
        "v0002_sign_in.py is missing": _without(good, "pitboss/store/migrations/versions/v0002_sign_in.py"),
        "book.toml is missing": _without(good, "pitboss/rulebooks/books/mbs-thb-9/book.toml"),
        "pages of the web client": _without(good, f"{artefacts.STATIC}index.html"),
        "Requires-Python is": good | {metadata: good[metadata].replace(b">=3.11", b">=3.8")},
        "the extra 'maths' is missing": good
        | {metadata: good[metadata].replace(b"Provides-Extra: maths\n", b"")},
        "the README is missing": good | {metadata: good[metadata].partition(b"\n\n")[0] + b"\n\n"},
    }
    for words, files in spoilt.items():
        found = list(artefacts.wheel_problems(files, __version__))
        assert any(words in problem for problem in found), (words, found)
    page = good[f"{artefacts.STATIC}index.html"].decode()
    (first, *_) = re.findall(r'(?:src|href)="/[^"]*(assets/[^"]+)"', page)
    found = list(artefacts.wheel_problems(_without(good, artefacts.STATIC + first), __version__))
    assert any("asks for" in problem and first in problem for problem in found), found


def _without(files: dict[str, bytes], name: str) -> dict[str, bytes]:
    assert name in files
    return {key: content for key, content in files.items() if key != name}


@only_long
def test_both_hold_what_they_should_and_nothing_else(built: wheels.Built) -> None:
    assert artefacts.problems(built.folder, __version__) == []


@only_long
def test_the_same_source_gives_the_same_bytes(built: wheels.Built, tmp_path: Path) -> None:
    with tarfile.open(built.sdist) as archive:
        archive.extractall(tmp_path, **SAFELY)
    again = wheels.build(tmp_path / f"pitboss-{__version__}", tmp_path / "dist", "--wheel")
    assert again.wheel.read_bytes() == built.wheel.read_bytes()
    inside = wheels.build_wheel(tmp_path / f"pitboss-{__version__}", tmp_path / "inside")
    assert inside.read_bytes() == built.wheel.read_bytes(), "what make test looks at is what is released"


@only_long
def test_the_client_is_built_from_the_source_distribution_alone(built: wheels.Built, tmp_path: Path) -> None:
    with tarfile.open(built.sdist) as archive:
        archive.extractall(tmp_path, **SAFELY)
    source = tmp_path / f"pitboss-{__version__}"
    shutil.rmtree(source / wheels.STATIC)
    again = wheels.build(source, tmp_path / "dist", "--wheel")
    assert list(artefacts.wheel_problems(artefacts.wheel_files(again.wheel), __version__)) == []


# --- the wheel alone ------------------------------------------------------------------------------------


@pytest.mark.parametrize("extras", LONG_COMBINATIONS if LONG else SHORT_COMBINATIONS)
def test_the_wheel_alone_does_what_its_parts_promise(
    extras: str, wheel: Path, request: pytest.FixtureRequest, room: Path
) -> None:
    """`tests/support/installed.py` is asked in the environment; with the server the demo plays meanwhile."""
    chosen = frozenset(extras.split(",")) - {""}
    parts = with_needed(chosen)
    python = installed(request.getfixturevalue("built").wheel if LONG else wheel, room, chosen)
    shell = Shell(python, room / "empty")
    told = {
        "parts": sorted(parts),
        "modules": [name for name in modules() if needs(name) <= parts],
        "base": LONG or not chosen,
    }
    script = str(wheels.ROOT / "tests" / "support" / "installed.py")
    if "server" not in parts or not (LONG or extras == "server"):
        shell("-P", "-W", "ignore", script, told=json.dumps(told))
        return
    with demo(Shell(python, room / "demo")) as address:
        shell("-P", "-W", "ignore", script, told=json.dumps(told))
        check_screens(address)
        check_pricing(address, priced="maths" in parts)
        wait_for_a_round(address)


@contextmanager
def demo(shell: Shell) -> Iterator[str]:
    """The demo floor, served from an empty folder by the wheel alone; its address."""
    log = shell.folder / "serve.log"
    words = ["-m", "pitboss.cli.main", "serve", "--demo", "--data", "demo", "--port", "0", "--pace", "0.1"]
    with log.open("w") as out:
        process = subprocess.Popen(
            [str(shell.python), *words], cwd=shell.folder, env=shell.variables, stdout=out, stderr=out
        )
        try:
            yield _address(log, process)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=30)
    assert not re.search(r"Traceback|\"level\": \"error\"", log.read_text()), log.read_text()


def _address(log: Path, process: subprocess.Popen[bytes]) -> str:
    for _ in range(1200):
        found = re.search(r"listening on (\S+)", log.read_text())
        if found:
            return found[1]
        assert process.poll() is None, log.read_text()
        time.sleep(0.1)
    raise AssertionError(f"nothing is served: {log.read_text()}")


def fetch(address: str, body: dict[str, str] | None = None, token: str = "") -> tuple[str, bytes]:
    """The kind and the content of an answer; a body is posted, a token names the session."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    asked = Request(address, None if body is None else json.dumps(body).encode(), headers)
    for _ in range(100):
        try:
            with urlopen(asked, timeout=600) as answer:
                return answer.headers["Content-Type"], answer.read()
        except HTTPError:
            raise
        except URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise
            time.sleep(0.1)
    raise AssertionError(f"{address} does not answer")


def check_screens(address: str) -> None:
    """The web client is served whole, and the lobby has the demo's tables."""
    kind, page = fetch(f"{address}/")
    assert kind.startswith("text/html")
    assets = re.findall(r'(?:src|href)="(/[^"]*assets/[^"]+)"', page.decode())
    assert any(asset.endswith(".js") for asset in assets)
    for asset in assets:
        kind, content = fetch(address + asset)
        assert content
        assert ("javascript" in kind) == asset.endswith(".js")
    assert len(json.loads(fetch(f"{address}/api/lobby")[1])["tables"]) == 5


def check_pricing(address: str, *, priced: bool) -> None:
    """A server with the mathematics prices; one without says what is missing, and nothing is wrong with it."""
    me = json.loads(fetch(f"{address}/api/demo/enter", {"kind": "player", "name": "guest-1"})[1])
    question = f"{address}/api/mathematics/mbs-3cp-2023"
    if priced:
        assert json.loads(fetch(question, token=me["token"])[1])["wagers"]["ante"]["cycle"] == 407_170_400
        return
    with pytest.raises(HTTPError) as refused:
        fetch(question, token=me["token"])
    body = json.loads(refused.value.read())
    assert (refused.value.code, body["code"]) == (501, "not-installed")
    assert "pip install 'pitboss[maths]'" in body["message"]


def wait_for_a_round(address: str) -> None:
    """The demo's bots play a round to its end: the next one has begun."""
    for _ in range(600):
        if json.loads(fetch(f"{address}/api/tables/three-card-1")[1])["round"] >= 2:
            return
        time.sleep(0.2)
    raise AssertionError("no round came to its end")


@only_long
def test_the_installed_program_counts_and_draws(built: wheels.Built, room: Path) -> None:
    """Prices, a par sheet on paper, a simulation with its drawing, by the program that pip has installed."""
    python = installed(built.wheel, room, frozenset({"reports"}))
    shell = Shell(python, room / "empty")

    def pitboss(*words: str) -> str:
        command = [str(python.parent / "pitboss"), *words]
        done = subprocess.run(
            command, cwd=shell.folder, env=shell.variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    assert pitboss("--version") == f"pitboss {__version__}\n"
    ante = json.loads(pitboss("analyze", "mbs-3cp-2023", "--json"))["wagers"]["ante"]
    assert ante["cycle"] == 407_170_400
    pitboss("par", "mbs-3cp-2023", "-o", "par.pdf", "--no-prices")
    assert (shell.folder / "par.pdf").read_bytes().startswith(b"%PDF")
    pitboss("simulate", "mbs-3cp-2023", "--rounds", "1000", "--plot", "run.svg")
    assert "<svg" in (shell.folder / "run.svg").read_text()
