"""`docs/proofs.md` is in its form with the right sums, and the runner records, skips, resumes, bounds and fails."""

from __future__ import annotations

import importlib
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

import prove
from prove_parts import AIMS, BOOKS, PARTS, Part, Proof, claims_of, run_tests, spread
from prove_record import (
    HEADING,
    PAGE,
    RULE,
    SUMS_BEGIN,
    SUMS_END,
    Aim,
    Claim,
    Line,
    RecordError,
    append,
    read_line,
    read_lines,
    sum_of,
    with_sums,
)
from support import BOOKS as ALL_BOOKS

LONGEST_RUN = 100 * 60
EMPTY = f"# Proofs\n\n{SUMS_BEGIN}\n{SUMS_END}\n\n{HEADING}\n{RULE}\n"

# --- the page of this repository --------------------------------------------------------------------------


def test_the_page_is_in_its_form_and_its_sums_are_right() -> None:
    page = PAGE.read_text(encoding="utf-8")
    lines = read_lines(page)
    assert with_sums(page, claims_of(PARTS), AIMS) == page, "the sums are not those of the lines"
    known = {(part.name, claim.name): claim for part in PARTS for claim in part.claims}
    for line in lines:
        assert known[line.part, line.claim].unit == line.unit, line
        assert line.count > 0, line
    today = datetime.now(UTC)
    assert all(line.date <= today for line in lines)


def test_the_parts_are_whole() -> None:
    """Names once each, work that exists, aims of claims that add up, and less than the longest run in all."""
    names = [part.name for part in PARTS]
    claims = [claim.name for claim in claims_of(PARTS)]
    assert len(set(names)) == len(names)
    assert len(set(claims)) == len(claims)
    assert sorted(BOOKS) == sorted(ALL_BOOKS)
    adding = {claim.name for claim in claims_of(PARTS) if claim.adds_up}
    for aim in AIMS:
        assert set(aim.claims) <= adding, aim
    assert sum(part.seconds for part in PARTS) < LONGEST_RUN
    for part in PARTS:
        module, _, name = part.work.partition(":")
        if module in (
            "prove_rules",
            "prove_maths",
            "prove_entropy",
        ):  # their imports compile kernels: tests/whole has them
            assert f"def {name}(proof: Proof)" in (PAGE.parent.parent / f"tools/{module}.py").read_text()
        else:
            assert callable(getattr(importlib.import_module(module), name))


# --- the record -------------------------------------------------------------------------------------------

COUNTED = Claim(name="things hold", unit="things", adds_up=True)
ONCE = Claim(name="all hold", unit="tests")
AIM = Aim(name="things hold", claims=("things hold",), count=1000)
LINE = Line(
    date=datetime(2030, 1, 31, 8, 5, tzinfo=UTC),
    commit="0123456789",
    part="tiny",
    claim="things hold",
    count=1234,
    unit="things",
    seconds=7,
)


def test_a_line_is_read_as_it_was_written() -> None:
    text = "| 2030-01-31 08:05 | `0123456789` | tiny | things hold | 1,234 things | 7 |"
    assert str(LINE) == text
    for line in (LINE, replace(LINE, remark="mean +0.1; more"), replace(LINE, count=0)):
        assert read_line(str(line)) == line


def test_every_claim_of_every_part_can_be_recorded() -> None:
    for part in PARTS:
        for claim in part.claims:
            line = replace(LINE, part=part.name, claim=claim.name, unit=claim.unit)
            assert read_line(str(line)) == line


@pytest.mark.parametrize(
    "text",
    [
        "",
        "free text",
        "| 2030-01-31 08:05 | `0123456789` | tiny | things hold | 1234 things | 7 |",
        "| 2030-01-31 08:05 | `0123456789` | tiny | things hold | 01,234 things | 7 |",
        "| 2030-01-31 08:05 | 0123456789 | tiny | things hold | 1,234 things | 7 |",
        "| 2030-01-31 | `0123456789` | tiny | things hold | 1,234 things | 7 |",
        "| 2030-01-31 08:05 | `0123456789` | tiny | things hold | many things | 7 |",
        "| 2030-01-31 08:05 | `0123456789` | tiny | things hold | 1,234 things | 7 | more |",
    ],
)
def test_a_line_in_another_form_is_an_error(text: str) -> None:
    with pytest.raises(RecordError):
        read_lines(f"{EMPTY}{text}\n")


def test_lines_out_of_order_and_missing_tables_are_errors() -> None:
    older = replace(LINE, date=datetime(2029, 1, 1, tzinfo=UTC))
    assert read_lines(f"{EMPTY}{older}\n{LINE}\n") == [older, LINE]
    for page in (f"{EMPTY}{LINE}\n{older}\n", EMPTY.replace(HEADING, ""), EMPTY.replace(SUMS_END, "")):
        with pytest.raises(RecordError):
            read_lines(page)


def test_sums_are_made_from_the_lines(tmp_path: Path) -> None:
    page = tmp_path / "proofs.md"
    page.write_text(EMPTY)
    append(page, [LINE, replace(LINE, claim="all hold", unit="tests", count=3)], (COUNTED, ONCE), (AIM,))
    append(page, [replace(LINE, commit="abcdef0123", count=6)], (COUNTED, ONCE), (AIM,))
    text = page.read_text()
    assert sum_of(read_lines(text), ("things hold",)) == 1240
    assert "| **things hold** | 1,240 | 1,000 | 2 |" in text
    assert "| all hold | 3" not in text.partition(SUMS_END)[0]
    wrong = text.replace("1,240", "1,241")
    assert with_sums(wrong, (COUNTED, ONCE), (AIM,)) == text


# --- the runner -------------------------------------------------------------------------------------------

FAKE = """
import os, sys, time
sys.path.insert(0, {tools!r})
from pathlib import Path
from prove_parts import Proof
from prove_record import read_lines, sum_of
lines = read_lines(Path(os.environ["PROVE_PAGE"]).read_text())
sums = dict.fromkeys(["things hold"], sum_of(lines, ["things hold"]))
proof = Proof(Path(os.environ["PROVE_JOURNAL"]), float(os.environ["PROVE_SECONDS"]), sums)
{body}
"""
GOOD = 'proof.show("things hold", 10, f"from {proof.before(\'things hold\')}")'


class Place:
    """A repository with a page, and parts that are scripts."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "repository"
        self.root.mkdir()
        self.scripts = folder
        self.said: list[str] = []
        self.page = self.root / "proofs.md"
        self.page.write_text(EMPTY)
        (self.root / "code").write_text("1")
        self.git("init", "-q")
        for name, value in (
            ("user.name", "Test"),
            ("user.email", "test@localhost"),
            ("commit.gpgsign", "false"),
        ):
            self.git("config", name, value)
        self.commit()
        self.bodies: dict[str, str] = {}
        self.seconds = 20

    def git(self, *words: str) -> None:
        subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True)

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "More")

    def prove(self, *words: str) -> int:
        """The exit code of the runner, as from the command line."""
        for name, body in self.bodies.items():
            script = FAKE.format(tools=str(PAGE.parent.parent / "tools"), body=body)
            (self.scripts / f"{name}.py").write_text(script)
        parts = tuple(
            Part(name=name, what="it holds", seconds=self.seconds, claims=(COUNTED,), work="nowhere:nothing")
            for name in self.bodies
        )
        bench = prove.Bench(
            root=self.root,
            page=self.page,
            journals=self.scripts / "journals",
            parts=parts,
            aims=(AIM,),
            command=lambda part: [sys.executable, str(self.scripts / f"{part.name}.py")],
            say=self.said.append,
        )
        self.said.clear()
        return prove.main(words, bench)

    @property
    def recorded(self) -> list[tuple[str, int, str]]:
        return [(line.part, line.count, line.remark) for line in read_lines(self.page.read_text())]

    @property
    def told(self) -> str:
        return "\n".join(self.said)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_parts_are_recorded_and_skipped_on_the_same_commit_unless_named(place: Place) -> None:
    place.bodies = {"one": GOOD, "two": GOOD}
    assert place.prove() == 0
    assert place.recorded == [("one", 10, "from 0"), ("two", 10, "from 10")]
    assert place.prove() == 0
    assert place.told.count("skipped") == 2
    assert len(place.recorded) == 2
    assert place.prove("two") == 0
    assert place.recorded[2:] == [("two", 10, "from 20")]
    place.commit()
    assert place.prove() == 0
    assert len(place.recorded) == 5
    assert "| **things hold** | 50 | 1,000 |" in place.page.read_text()


def test_a_failing_part_is_not_recorded_and_the_others_run(place: Place) -> None:
    place.bodies = {"bad": f"{GOOD}\nraise SystemExit(3)", "good": GOOD}
    assert place.prove() == 1
    assert place.recorded == [("good", 10, "from 0")]
    assert place.said[-2] == "FAILED bad: it ended with 3"
    place.bodies["bad"] = "assert proof.is_shown('things hold')"
    assert place.prove() == 0, "what it had shown before it failed is kept"
    assert place.recorded[1:] == [("bad", 10, "from 0")]
    assert place.told.count("skipped") == 1


def test_a_part_that_shows_too_little_fails(place: Place) -> None:
    place.bodies = {"silent": "pass"}
    assert place.prove() == 1
    assert "its time was over before: things hold" in place.told
    assert place.recorded == []


@pytest.mark.whole
def test_a_part_that_does_not_end_is_killed_with_its_children(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Part, "killed_after", property(lambda part: 1.5))
    child = f"import time\ntime.sleep(3)\nopen({str(tmp_path / 'outlived')!r}, 'w')"
    place.bodies = {
        "endless": f"{GOOD}\nimport subprocess\nsubprocess.Popen([sys.executable, '-c', {child!r}])\ntime.sleep(60)"
    }
    assert place.prove() == 1
    assert "did not end by itself" in place.told
    assert place.recorded == []
    subprocess.run(["sleep", "2.5"], check=True)
    assert not (tmp_path / "outlived").exists()


def test_an_interrupted_part_goes_on_with_what_is_left(place: Place) -> None:
    """The part interrupts the runner, as Ctrl-C would; then it has the rest of its time, and other seeds."""
    interrupt = (
        f"time.sleep(0.1)\n{GOOD}\nimport signal\nos.kill(os.getppid(), signal.SIGINT)\ntime.sleep(30)"
    )
    place.bodies = {"long": interrupt}
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background ignores it
    try:
        assert place.prove() == prove.INTERRUPTED
    finally:
        signal.signal(signal.SIGINT, before)
    assert place.recorded == []
    place.bodies = {"long": f"{GOOD}\nassert proof.seconds < 20"}
    assert place.prove() == 0
    assert "goes on after" in place.told
    assert place.recorded == [("long", 20, "from 10")]


def test_a_tree_with_changes_is_refused_or_not_recorded(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    place.bodies = {"one": GOOD}
    (place.root / "code").write_text("2")
    assert place.prove() == 2
    assert "not committed, first code" in capsys.readouterr().err
    assert place.prove("--no-record") == 0
    assert place.recorded == []
    place.commit()
    place.bodies = {"one": f"{GOOD}\nPath('code').write_text('3')"}
    assert place.prove() == 2, "what is recorded is what was run"
    assert place.recorded == []


def test_unknown_parts_are_refused_and_known_ones_listed(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    place.bodies = {"one": GOOD}
    assert place.prove("two") == 2
    assert "unknown part two; the parts are one" in capsys.readouterr().err
    assert place.prove("--list") == 0
    assert place.said[0].split()[:3] == ["one", "0.3", "min"]


def _double(number: int) -> int:
    return 2 * number


def test_work_is_spread_in_order_until_the_time_is_over(tmp_path: Path) -> None:
    assert list(spread(_double, range(5), float("inf"))) == [(n, 2 * n) for n in range(5)]
    assert list(spread(_double, range(5), 0.0)) == [(0, 0)]
    proof = Proof(tmp_path / "journal", 10)
    assert proof.until == proof.began + 10


A_LONG_TEST = """
def test_requests(record_property):
    record_property("requests", 3)

def test_more_requests(record_property):
    record_property("requests", 4)
"""


@pytest.mark.whole
def test_counts_of_long_tests_are_summed(tmp_path: Path) -> None:
    """As under `make test`, where each report also has the test's processor time."""
    file = tmp_path / "test_long.py"
    file.write_text(A_LONG_TEST)
    with_costs = ["-c", "pyproject.toml", "-p", "support.costs", "-n", "1", str(file)]
    done = run_tests(*with_costs, variables={"PYTHONPATH": "tests"})
    assert (done.passed, done.skipped, done.counts) == (2, 0, {"requests": 7})
