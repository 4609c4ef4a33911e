"""Wheel and source distribution: what is in them, and that the wheel alone is enough.

In `make test` the wheel is installed into an empty environment to which exactly the declared dependencies are lent; with
PROVE_LONG (`make prove`) they are downloaded, and the web client is built anew from the source distribution.
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
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

import artefacts
from pitboss.version import __version__
from support import wheels

pytestmark = pytest.mark.whole
SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
"""Older Pythons, such as Debian's 3.11.2, have no filters."""

LONG = bool(os.environ.get("PROVE_LONG"))
CASE = {
    "rulebook": "mbs-stud-6",
    "dealer": ["As", "Kd", "8d", "4c", "2h"],
    "seats": [
        {
            "position": 1,
            "player": "p1",
            "cards": ["9s", "9d", "5c", "3h", "Jc"],
            "status": "played",
            "wagers": {"ante": "25", "bet": "50"},
        }
    ],
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> wheels.Built:
    folder = tmp_path_factory.mktemp("built")
    return wheels.build(wheels.copy_of_the_tree(folder / "source"), folder / "dist")


@pytest.fixture(scope="module")
def python(built: wheels.Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment in which the wheel is installed, and nothing that it does not ask for."""
    found = wheels.empty_environment(tmp_path_factory.mktemp("empty") / "venv", pip=LONG)
    (wheels.install_downloaded if LONG else wheels.install_lent)(found, built.wheel)
    return found


class Shell:
    """Commands in an empty folder, with the environment's programs alone."""

    def __init__(self, python: Path, folder: Path) -> None:
        self.bin, self.folder = python.parent, folder
        self.variables = wheels.bare_surroundings(folder / "home")

    def __call__(self, program: str, *words: str) -> str:
        command = [str(self.bin / program), *words]
        done = subprocess.run(
            command, cwd=self.folder, env=self.variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout


@pytest.fixture
def shell(python: Path, tmp_path: Path) -> Shell:
    return Shell(python, tmp_path)


# --- what is in them ------------------------------------------------------------------------------------


def test_both_hold_what_they_should_and_nothing_else(built: wheels.Built) -> None:
    assert artefacts.problems(built.folder, __version__) == []


def test_a_wheel_that_lacks_something_or_has_too_much_is_found(built: wheels.Built) -> None:
    good = artefacts.wheel_files(built.wheel)
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
        "the README is missing": good | {metadata: good[metadata].partition(b"\n\n")[0] + b"\n\n"},
    }
    for words, files in spoilt.items():
        found = list(artefacts.wheel_problems(files, __version__))
        assert any(words in problem for problem in found), (words, found)


def _without(files: dict[str, bytes], name: str) -> dict[str, bytes]:
    assert name in files
    return {key: content for key, content in files.items() if key != name}


def test_a_page_never_asks_for_an_asset_that_is_not_there(built: wheels.Built) -> None:
    files = artefacts.wheel_files(built.wheel)
    page = files[f"{artefacts.STATIC}index.html"].decode()
    (first, *_) = re.findall(r'(?:src|href)="/[^"]*(assets/[^"]+)"', page)
    found = list(artefacts.wheel_problems(_without(files, artefacts.STATIC + first), __version__))
    assert any("asks for" in problem and first in problem for problem in found), found


def test_the_same_source_gives_the_same_bytes(built: wheels.Built, tmp_path: Path) -> None:
    with tarfile.open(built.sdist) as archive:
        archive.extractall(tmp_path, **SAFELY)
    again = wheels.build(tmp_path / f"pitboss-{__version__}", tmp_path / "dist", "--wheel")
    assert again.wheel.read_bytes() == built.wheel.read_bytes()


@pytest.mark.skipif(not LONG, reason="npm downloads what the client is built with: make prove")
def test_the_client_is_built_from_the_source_distribution_alone(built: wheels.Built, tmp_path: Path) -> None:
    with tarfile.open(built.sdist) as archive:
        archive.extractall(tmp_path, **SAFELY)
    source = tmp_path / f"pitboss-{__version__}"
    shutil.rmtree(source / wheels.STATIC)
    again = wheels.build(source, tmp_path / "dist", "--wheel")
    assert list(artefacts.wheel_problems(artefacts.wheel_files(again.wheel), __version__)) == []


# --- the wheel alone ------------------------------------------------------------------------------------


def test_nothing_of_this_folder_is_seen(shell: Shell) -> None:
    where = shell("python", "-c", "import pitboss, pitboss.cli.main; print(pitboss.__file__)").strip()
    assert where.startswith(str(shell.bin.parent))
    missing = (
        "import importlib.util as u; print([n for n in ('pytest', 'mypy', 'hypothesis') if u.find_spec(n)])"
    )
    assert shell("python", "-c", missing).strip() == "[]"


def test_the_command_line_works(shell: Shell) -> None:
    assert shell("pitboss", "--version") == f"pitboss {__version__}\n"
    assert len(json.loads(shell("pitboss", "rules", "list", "--json"))) == 5
    (shell.folder / "case.json").write_text(json.dumps(CASE))
    assert json.loads(shell("pitboss", "settle", "case.json", "--json"))["seats"][0]["net"] == "75.00"
    shell("pitboss", "rules", "new", "mine", "--from", "mbs-3cp-2023")
    assert "no defects" in shell("pitboss", "rules", "validate", "mine")


def test_the_library_works(shell: Shell) -> None:
    program = """
import pitboss, importlib.resources as r, importlib.metadata as m
assert pitboss.__version__ == m.version("pitboss")
assert (r.files("pitboss") / "py.typed").is_file()
assert len(pitboss.books()) == 5
print(*(getattr(pitboss, name).__name__ for name in pitboss.__all__))
print(pitboss.evaluate("As Ks Qs Js Ts"))
"""
    names, hand = shell("python", "-c", program).splitlines()
    assert "settle" in names.split()
    assert hand == "<Hand royal flush: A♠ K♠ Q♠ J♠ 10♠>"


def test_every_module_can_be_imported_with_what_is_declared(shell: Shell) -> None:
    """Only Dask is an extra; nothing imports it before a cluster is asked for."""
    program = """
import importlib, pkgutil, pitboss
for found in pkgutil.walk_packages(pitboss.__path__, "pitboss."):
    if ".migrations.env" not in found.name:
        importlib.import_module(found.name)
"""
    shell("python", "-W", "ignore", "-c", program)


@pytest.fixture
def demo(shell: Shell) -> Iterator[str]:
    """The demo floor, served from an empty folder by the wheel alone; its address."""
    log = (shell.folder / "serve.log").open("w")
    command = [str(shell.bin / "pitboss"), "serve", "--demo", "--data", "demo", "--port", "0"]
    process = subprocess.Popen(command, cwd=shell.folder, env=shell.variables, stdout=log, stderr=log)
    try:
        yield _address(shell.folder / "serve.log", process)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
        log.close()
    assert "Traceback" not in (shell.folder / "serve.log").read_text()


def _address(log: Path, process: subprocess.Popen[bytes]) -> str:
    for _ in range(1200):
        found = re.search(r"listening on (\S+)", log.read_text())
        if found:
            return found[1]
        assert process.poll() is None, log.read_text()
        time.sleep(0.1)
    raise AssertionError(f"nothing is served: {log.read_text()}")


def fetch(address: str) -> tuple[str, bytes]:
    for _ in range(100):
        try:
            with urlopen(address, timeout=30) as answer:
                return answer.headers["Content-Type"], answer.read()
        except URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise
            time.sleep(0.1)
    raise AssertionError(f"{address} does not answer")


def test_the_demo_is_served_with_the_web_client(demo: str) -> None:
    kind, page = fetch(f"{demo}/")
    assert kind.startswith("text/html")
    assets = re.findall(r'(?:src|href)="(/[^"]*assets/[^"]+)"', page.decode())
    assert any(asset.endswith(".js") for asset in assets)
    for asset in assets:
        kind, content = fetch(demo + asset)
        assert content
        assert ("javascript" in kind) == asset.endswith(".js")
    tables = json.loads(fetch(f"{demo}/api/lobby")[1])["tables"]
    assert len(tables) == 5
