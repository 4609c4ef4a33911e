"""`pitboss doctor`: an installation in order, and one with something wrong at each place that is looked at."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import sys
import time
from collections import namedtuple
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from pitboss.bootstrap import Settings
from pitboss.cli import checkups
from pitboss.cli.checkups import OK, WARNING, WRONG, Finding
from pitboss.parts import PARTS
from support import pitboss

Version = namedtuple("Version", "major minor micro")


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings of whoever runs the tests."""
    for name in [name for name in os.environ if name.startswith("PITBOSS_") and name != "PITBOSS_CACHE"]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def floor(tmp_path: Path) -> Settings:
    assert pitboss("floor", "create", "x", "--data", str(tmp_path / "floor")).code == 0
    return Settings(tmp_path / "floor")


def only(check: Any, where: Settings = Settings(Path("none")), **more: Any) -> Finding:  # noqa: B008
    (finding,) = check(where, **more)
    assert isinstance(finding, Finding)
    assert (finding.verdict == OK) == (finding.remedy == ""), "what is not right says what would be"
    return finding


def test_an_installation_in_order_leaves_with_0(floor: Settings) -> None:
    ran = pitboss("doctor", "--data", str(floor.data), "--port", "0", "--json")
    document = json.loads(ran.out)
    assert {check["check"] for check in document["checks"] if check["verdict"] == WRONG} == set()
    assert (ran.code, document["ok"], ran.err) == (0, True, "")
    assert [check["check"] for check in document["checks"]] == [
        "settings", "python", "dependencies", *["parts"] * len(PARTS), "program", "screens", "kernels", "rulebooks", "data folder",
        "database", "patience", "deck key", "checkpoint key", "beacon", "file limit", "terminal", "clock", "random source", "port",
    ]  # fmt: skip


def test_something_wrong_leaves_with_1_and_says_what_would_be_right(floor: Settings) -> None:
    (floor.data / "deck.key").unlink()
    (floor.data / "checkpoint.pem").unlink()
    (floor.data / "program.sha256").write_text("0" * 64)
    Path("pitboss.toml").write_text("[serve]\nprot = 1\n")
    ran = pitboss("doctor", "--data", str(floor.data), "--port", "0")
    assert ran.code == 1
    lines = {line[8:22].strip(): line for line in ran.out.splitlines() if line.startswith("wrong")}
    assert set(lines) == {"settings", "program", "deck key", "checkpoint key"}
    assert "did you mean 'port'?" in lines["settings"]
    assert "set PITBOSS_DECK_KEY" in lines["deck key"]
    assert "nothing is signed" in lines["checkpoint key"]
    assert "approves of 0000000000000000" in lines["program"]
    assert ran.out.endswith("4 wrong\n")


def test_an_old_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.cli.checkups.sys.version_info", Version(3, 10, 1))
    assert only(checkups.check_python).verdict == WRONG


def test_packages_that_are_missing_too_old_or_not_as_pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        metadata, "requires", lambda name: ["rich>=13", "no-such-package>=1", "x>=1; extra == 'dev'"]
    )
    found = only(checkups.check_dependencies)
    assert (found.verdict, found.found) == (WRONG, "no-such-package is missing")
    monkeypatch.setattr(metadata, "requires", lambda name: ["rich>=9999"])
    assert "rich is " in only(checkups.check_dependencies).found
    monkeypatch.setattr(metadata, "requires", lambda name: ["rich>=13"])
    monkeypatch.setattr(checkups, "_pins", lambda: {"rich": "0.1"})
    assert only(checkups.check_dependencies).verdict == WARNING


def test_parts_that_are_not_installed_are_named_with_their_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    findings = list(checkups.check_parts(Settings(Path("none"))))
    assert {(finding.check, finding.verdict, finding.remedy) for finding in findings} == {("parts", OK, "")}
    assert [finding.found for finding in findings] == [
        "maths: not installed, pip install 'pitboss[maths]' adds it",
        "server: installed",
        "postgres: not installed, pip install 'pitboss[postgres]' adds it",
        "reports: not installed, pip install 'pitboss[reports]' adds it",
        "cluster: not installed, pip install 'pitboss[cluster]' adds it",
    ]
    assert list(checkups.check_kernels(Settings(Path("none")))) == []


def test_packages_of_an_installed_part_are_looked_at_too(monkeypatch: pytest.MonkeyPatch) -> None:
    needed = ["rich>=13", "numpy>=9999; extra == 'maths'", "pytest>=9999; extra == 'dev'"]
    monkeypatch.setattr(metadata, "requires", lambda name: needed)
    found = only(checkups.check_dependencies)
    assert (found.verdict, "numpy is " in found.found, "pytest" in found.found) == (WRONG, True, False)
    monkeypatch.setitem(sys.modules, "numba", None)
    assert only(checkups.check_dependencies).verdict == OK


def test_postgresql_without_its_driver_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    found = only(checkups.check_database, Settings(tmp_path, "postgresql://localhost/floor"))
    assert (found.verdict, "pip install 'pitboss[postgres]'" in found.remedy) == (WRONG, True)


def test_a_file_of_the_program_that_was_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = tmp_path / "pitboss"
    installed.mkdir()
    (installed / "money.py").write_text("changed\n")
    record = f"pitboss/money.py,sha256={'A' * 43},8\n"
    information = tmp_path / "pitboss-0.dist-info"
    information.mkdir()
    (information / "RECORD").write_text(record)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: pitboss\nVersion: 0\n")
    monkeypatch.setattr(metadata, "distribution", lambda name: metadata.PathDistribution(information))
    found = only(checkups.check_program_files)
    assert (found.verdict, "the first is pitboss/money.py" in found.found) == (WRONG, True)


def test_screens_that_were_not_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pitboss as package

    monkeypatch.setattr(package, "__file__", str(tmp_path / "__init__.py"))
    assert only(checkups.check_web_client).verdict == WARNING


def test_kernels_that_do_not_compile_and_a_cache_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pitboss.maths import evaluators

    monkeypatch.setattr(evaluators, "evaluate5", lambda hands: [0])
    found = only(checkups.check_kernels)
    assert (found.verdict, "royal flush" in found.found) == (WRONG, True)
    monkeypatch.undo()
    monkeypatch.setenv("PITBOSS_CACHE", "/proc/nowhere")
    found = only(checkups.check_kernels)
    assert (found.verdict, "PITBOSS_CACHE" in found.remedy) == (WARNING, True)


def test_a_rulebook_with_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    import pitboss.rulebooks as rulebooks
    from pitboss.rulebooks.validate import Defect

    monkeypatch.setattr(
        rulebooks, "validate", lambda document: [Defect("pays.toml: x", "is broken", "mend it")]
    )
    found = only(checkups.check_rulebooks)
    assert (found.verdict, "is broken" in found.found) == (WRONG, True)


def test_a_data_folder_that_cannot_be_written_is_open_to_all_or_full(
    floor: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert only(checkups.check_data_folder, floor).verdict == OK
    assert only(checkups.check_data_folder, Settings(Path("/proc/nowhere"))).verdict == WRONG
    floor.data.chmod(0o755)
    found = only(checkups.check_data_folder, floor)
    assert (found.verdict, found.remedy) == (WARNING, f"run: chmod 700 {floor.data}")
    usage = namedtuple("usage", "free")
    monkeypatch.setattr("pitboss.cli.checkups.shutil.disk_usage", lambda path: usage(free=1024))
    assert "0 MB are free" in only(checkups.check_data_folder, floor).found


def test_a_database_that_does_not_answer_is_empty_older_or_newer(floor: Settings, tmp_path: Path) -> None:
    secret = "postgresql://house:hunter2@127.0.0.1:1/floor"
    found = only(checkups.check_database, Settings(tmp_path, secret))
    assert (found.verdict, "does not answer" in found.found) == (WRONG, True)
    assert "hunter2" not in str(found)
    ran = pitboss("doctor", "--data", str(floor.data), "--database", secret, "--json", "--port", "0")
    assert (ran.code, "hunter2" in ran.out + ran.err) == (1, False)
    assert only(checkups.check_database, Settings(tmp_path, "mysql://x/y")).verdict == WRONG
    assert (
        only(checkups.check_database, Settings(tmp_path, f"sqlite:///{tmp_path}/new.db")).verdict == WARNING
    )
    for revision, verdict in (("0001", WARNING), ("9999", WRONG), ("0006", OK)):
        with sqlite3.connect(floor.data / "floor.db") as file:
            file.execute("UPDATE alembic_version SET version_num = ?", (revision,))
        file.close()
        assert only(checkups.check_database, floor).verdict == verdict


def test_a_deck_key_that_is_missing_wrong_or_open_to_others(
    floor: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert only(checkups.check_deck_key, floor).verdict == OK
    (floor.data / "deck.key").chmod(0o644)
    found = only(checkups.check_deck_key, floor)
    assert (found.verdict, "chmod 600" in found.remedy) == (WRONG, True)
    (floor.data / "deck.key").write_text("short")
    assert only(checkups.check_deck_key, floor).verdict == WRONG
    monkeypatch.setenv("PITBOSS_DECK_KEY", "ab" * 32)
    found = only(checkups.check_deck_key, floor)
    assert (found.verdict, "abab" in found.found) == (OK, False)


def test_a_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert only(checkups.check_port, host="127.0.0.1", port=taken.getsockname()[1]).verdict == WARNING


def test_too_few_files_for_the_sockets_of_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    for highest, verdict in (
        (1024, WARNING),
        (24_255, WARNING),
        (24_256, OK),
        (resource.RLIM_INFINITY, OK),
    ):
        monkeypatch.setattr(resource, "getrlimit", lambda which, highest=highest: (1024, highest))
        found = only(checkups.check_file_limit)
        assert (found.verdict, "24256 are needed" in found.found) == (verdict, True)
        assert ("LimitNOFILE=24256" in found.remedy) == (verdict == WARNING)


def test_a_server_takes_as_many_files_as_it_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    from pitboss.server import file_limit

    limits = [(1024, 4096)]
    monkeypatch.setattr(resource, "getrlimit", lambda which: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda which, given: limits.append(given))
    assert file_limit.raise_file_limit() == 4096
    assert limits[-1] == (4096, 4096)
    assert file_limit.most_connections() == 4096 - file_limit.KEPT_FREE


def test_a_terminal_without_suits(monkeypatch: pytest.MonkeyPatch) -> None:
    class Old:
        encoding = "latin-1"

    monkeypatch.setattr("pitboss.cli.checkups.sys.stdout", Old())
    assert only(checkups.check_terminal).verdict == WARNING


def test_a_clock_of_another_time_or_one_that_jumps(monkeypatch: pytest.MonkeyPatch) -> None:
    assert only(checkups.check_clock).verdict == OK
    real = time.time
    monkeypatch.setattr("pitboss.cli.checkups.time.time", lambda: 0.0)
    assert only(checkups.check_clock).verdict == WRONG
    jumps = iter((0.0, 3600.0))
    monkeypatch.setattr("pitboss.cli.checkups.time.time", lambda: real() + next(jumps))
    assert only(checkups.check_clock).verdict == WARNING


def test_a_random_source_that_repeats_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    import secrets

    monkeypatch.setattr(secrets, "token_bytes", lambda size: b"1234" * (size // 4))
    assert only(checkups.check_random).verdict == WRONG

    def none(size: int) -> bytes:
        raise NotImplementedError

    monkeypatch.setattr(secrets, "token_bytes", none)
    assert only(checkups.check_random).verdict == WRONG


def test_a_file_of_settings_with_a_password_that_others_can_read(monkeypatch: pytest.MonkeyPatch) -> None:
    from pitboss.cli import doctor
    from pitboss.cli.configuration import in_force, read_configuration
    from pitboss.cli.main import VERBS

    Path("pitboss.toml").write_text('database = "postgresql://house:hunter2@db.example/floor"\n')
    Path("pitboss.toml").chmod(0o644)
    monkeypatch.setenv("PITBOSS_FLOOR_SHWO_DATA", "x")
    with in_force(read_configuration(VERBS)):
        found = list(doctor._settings())
    assert [finding.verdict for finding in found] == [WARNING, WARNING]
    assert "did you mean 'PITBOSS_FLOOR_SHOW_DATA'?" in found[0].remedy
    assert found[1].remedy == "run: chmod 600 pitboss.toml"
