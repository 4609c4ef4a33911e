"""The parts of `make prove`: what each claims, how long it may take, and what it works with.

A part is a function `module:name` that takes a `Proof` and calls `show` for the cases it has proved; it
raises at the first that fails. A claim that adds up uses `before` for its seeds: no case is counted twice,
however many runs there are.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar
from xml.etree import ElementTree

from prove_record import Aim, Claim, read_lines, sum_of

ROOT = Path(__file__).resolve().parent.parent
BOOKS = ("mbs-thb-9", "hoiana-thb-2025", "rws-thp-2", "mbs-3cp-2023", "mbs-stud-6")
Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of the proofs. After `seconds` it starts nothing new; somewhat later it is killed."""

    name: str
    what: str
    seconds: int
    claims: tuple[Claim, ...]
    work: str
    """The function that proves it, as `module:name`."""

    @property
    def killed_after(self) -> float:
        """Seconds after which a part that does not end by itself has failed."""
        return 1.5 * self.seconds + 90

    @property
    def command(self) -> list[str]:
        """What runs it in a process of its own."""
        return [sys.executable, str(ROOT / "tools" / "prove.py"), "--work", self.name]


@dataclass(frozen=True, slots=True)
class Shown:
    """A journal's line: so many cases of a claim hold, which took so many seconds."""

    claim: str
    count: int
    remark: str
    seconds: float


def read_journal(file: Path) -> list[Shown]:
    """What a part has shown so far; a last line that was cut off when the part was killed does not count."""
    if not file.exists():
        return []
    found = []
    for line in file.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.endswith("\n"):
            found.append(Shown(*json.loads(line)))
    return found


@dataclass
class Proof:
    """What a part has to go by: its time, what was shown before, and where it writes what it shows."""

    journal: Path
    seconds: float
    sums: Mapping[str, int] = field(default_factory=dict)
    """What earlier runs have shown, by claim."""
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.shown = read_journal(self.journal)
        self.seconds = max(0.0, self.seconds - sum(line.seconds for line in self.shown))
        self._since = self.began

    @property
    def until(self) -> float:
        """When the part stops starting new work, by the monotonic clock."""
        return self.began + self.seconds

    def share(self, part: float) -> float:
        """The end of a share of the time that is left."""
        now = time.monotonic()
        return now + max(0.0, self.until - now) * part

    def is_shown(self, claim: str) -> bool:
        """Whether an interrupted run of the part on this commit has shown the claim."""
        return any(line.claim == claim for line in self.shown)

    def before(self, claim: str) -> int:
        """How many cases of a claim were shown before now, in all runs: the next seeds start there."""
        return self.sums.get(claim, 0) + sum(line.count for line in self.shown if line.claim == claim)

    def show(self, claim: str, count: int, remark: str = "") -> None:
        """Write that so many more cases of a claim hold."""
        now = time.monotonic()
        line = Shown(claim, count, remark, round(now - self._since, 3))
        self._since = now
        self.shown.append(line)
        with self.journal.open("a", encoding="utf-8") as file:
            file.write(json.dumps(astuple(line)) + "\n")


def spread(
    work: Callable[[Task], Result], tasks: Iterable[Task], until: float, *, processes: int = 0
) -> Iterator[tuple[Task, Result]]:
    """Tasks over all processors, in their order. None is begun after `until`, but the first always is."""
    pending: deque[tuple[Task, Future[Result]]] = deque()
    processes = processes or os.cpu_count() or 1
    with ProcessPoolExecutor(processes) as pool:
        try:
            for number, task in enumerate(tasks):
                if number and time.monotonic() >= until:
                    break
                pending.append((task, pool.submit(work, task)))
                if len(pending) > processes:
                    first, submitted = pending.popleft()
                    yield first, submitted.result()
            while pending:
                first, submitted = pending.popleft()
                yield first, submitted.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


class TestRun(NamedTuple):
    """What pytest did: tests that passed, tests that were skipped, and the counts that they recorded."""

    passed: int
    skipped: int
    counts: Counter[str]


def run_tests(*words: str, variables: Mapping[str, str]) -> TestRun:
    """Run tests in their long form. Raises `AssertionError` if one fails, or if none passes."""
    with tempfile.TemporaryDirectory(prefix="pitboss-prove-") as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *words]
        code = subprocess.run(command, cwd=ROOT, env=os.environ | variables, check=False).returncode
        assert code == 0, f"pytest {' '.join(words)} ended with {code}"
        cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    skipped = sum(case.find("skipped") is not None for case in cases)
    counts: Counter[str] = Counter()
    for case in cases:
        for recorded in case.iter("property"):
            counts[recorded.attrib["name"]] += int(recorded.attrib["value"])
    assert len(cases) > skipped, "no test was run"
    return TestRun(len(cases) - skipped, skipped, counts)


def settled_as(book: str) -> str:
    """The claim of a book's rounds."""
    return f"rounds of {book} settle as `pitboss settle` settles their facts"


PARTS: tuple[Part, ...] = (
    Part(
        name="mutants",
        what="a changed book is noticed",
        seconds=150,
        claims=(Claim(name="every mutant of the books is noticed", unit="mutants", adds_up=True),),
        work="prove_rules:mutants",
    ),
    Part(
        name="clauses",
        what="a clause taken out of its book is noticed",
        seconds=180,
        claims=(Claim(name="every clause taken out of its book is noticed", unit="mutants", adds_up=True),),
        work="prove_rules:clauses",
    ),
    Part(
        name="evaluator",
        what="the readable evaluator against all hands and outside evaluators",
        seconds=150,
        claims=(
            Claim(name="all five-card hands: kernel, counts and digest", unit="hands"),
            Claim(name="hands rank as in treys and phevaluator", unit="hands", adds_up=True),
        ),
        work="prove_rules:evaluator",
    ),
    Part(
        name="properties",
        what="properties of settlement and of a table under way",
        seconds=120,
        claims=(
            Claim(name="properties of settlement", unit="rounds", adds_up=True),
            Claim(name="properties of a table under way", unit="rounds", adds_up=True),
        ),
        work="prove_rules:properties",
    ),
    Part(
        name="settle",
        what="rounds of play pay what `pitboss settle` pays",
        seconds=300,
        claims=tuple(Claim(name=settled_as(book), unit="rounds", adds_up=True) for book in BOOKS),
        work="prove_rules:settle",
    ),
    Part(
        name="same-money",
        what="the same scripts through `pitboss run` and through a floor",
        seconds=150,
        claims=(
            Claim(name="scripts move the same money through run and a floor", unit="scripts", adds_up=True),
            Claim(
                name="floors of several tables on one link are right for both verifiers",
                unit="floors",
                adds_up=True,
            ),
        ),
        work="prove_rules:same_money",
    ),
    Part(
        name="solver",
        what="the solvers against the engine, brute force and published figures",
        seconds=420,
        claims=(
            Claim(name="reduced packs solve as by brute force", unit="games"),
            Claim(name="a dealer's card seen nets the published 7.61 %", unit="games"),
            Claim(name="reports, solvers and histories in their long form", unit="tests"),
            Claim(name="kernels rank as the readable evaluator", unit="hands", adds_up=True),
            Claim(name="the solver pays as the engine settles", unit="rounds", adds_up=True),
        ),
        work="prove_maths:solver",
    ),
    Part(
        name="simulation",
        what="simulated rounds against the exact mean and deviation",
        seconds=180,
        claims=(Claim(name="simulated rounds are near the exact value", unit="rounds", adds_up=True),),
        work="prove_maths:simulation",
    ),
    Part(
        name="shuffle",
        what="the floor's shuffle over a million decks",
        seconds=120,
        claims=(Claim(name="the floor's shuffle fits every test", unit="decks", adds_up=True),),
        work="prove_rules:shuffle",
    ),
    Part(
        name="insider",
        what="what an insider wins who knows deck and key before bets",
        seconds=300,
        claims=(
            Claim(name="an insider wins nothing where every device reveals", unit="rounds", adds_up=True),
            Claim(name="an insider who withholds wins nothing with a beacon", unit="rounds", adds_up=True),
            Claim(name="what an insider wins who withholds without a beacon", unit="rounds", adds_up=True),
            Claim(
                name="what an insider wins who reads the order once it is made", unit="rounds", adds_up=True
            ),
            Claim(
                name="an insider who knows the sealed deck wins where nothing is composed",
                unit="rounds",
                adds_up=True,
            ),
        ),
        work="prove_entropy:insider",
    ),
    Part(
        name="kills",
        what="processes and databases killed at random moments",
        seconds=360,
        claims=(
            Claim(name="kills on SQLite lose and repeat nothing", unit="kills", adds_up=True),
            Claim(name="kills on PostgreSQL lose and repeat nothing", unit="kills", adds_up=True),
        ),
        work="prove_floor:kills",
    ),
    Part(
        name="tampering",
        what="changes of the database are found and named",
        seconds=600,
        claims=(
            Claim(name="tamperings are found and named by both verifiers", unit="tamperings"),
            Claim(name="forged fields are found by both verifiers or listed", unit="fields"),
        ),
        work="prove_floor:tampering",
    ),
    Part(
        name="fuzz",
        what="hostile input is used or refused",
        seconds=330,
        claims=(
            Claim(name="parsers use their input or refuse it", unit="documents", adds_up=True),
            Claim(name="the service answers hostile bytes", unit="requests", adds_up=True),
            Claim(name="the service keeps to its OpenAPI document", unit="requests", adds_up=True),
        ),
        work="prove_service:fuzz",
    ),
    Part(
        name="days",
        what="hours on 64 tables, the process gone every half hour",
        seconds=150,
        claims=(
            Claim(
                name="hours on 64 tables with crashes are audited and verified", unit="rounds", adds_up=True
            ),
        ),
        work="prove_floor:days",
    ),
    Part(
        name="lighthouse",
        what="every screen in Lighthouse, the median of three",
        seconds=240,
        claims=(Claim(name="screens score 95 or more in Lighthouse", unit="screens"),),
        work="prove_service:lighthouse",
    ),
    Part(
        name="wheel",
        what="the wheel, downloaded and built from nothing",
        seconds=600,
        claims=(Claim(name="the wheel alone is enough", unit="tests"),),
        work="prove_service:wheel",
    ),
    Part(
        name="audit",
        what="dependencies and their advisories",
        seconds=60,
        claims=(Claim(name="dependencies are as pinned; advisories where services answer", unit="packages"),),
        work="prove_service:audit",
    ),
    Part(
        name="drills",
        what="faults under load, judged by the clients' own journal",
        seconds=720,
        claims=(
            Claim(name="acts under faults are kept once", unit="acts", adds_up=True),
            Claim(name="kills in fault drills lose and repeat nothing", unit="kills", adds_up=True),
        ),
        work="prove_floor:drills",
    ),
    Part(
        name="soak",
        what="a floor under load with kills, restarts and clock steps",
        seconds=330,
        claims=(Claim(name="acts under load and trouble are kept", unit="acts", adds_up=True),),
        work="prove_floor:soak",
    ),
)
AIMS: tuple[Aim, ...] = (
    Aim(
        name="kills lose and repeat nothing",
        claims=(
            "kills on SQLite lose and repeat nothing",
            "kills on PostgreSQL lose and repeat nothing",
            "kills in fault drills lose and repeat nothing",
        ),
        count=10_000,
    ),
    *(Aim(name=settled_as(book), claims=(settled_as(book),), count=1_000_000) for book in BOOKS),
    Aim(
        name="simulated rounds are near the exact value",
        claims=("simulated rounds are near the exact value",),
        count=10_000_000_000,
    ),
    Aim(
        name="hands rank as in treys and phevaluator",
        claims=("hands rank as in treys and phevaluator",),
        count=10_000_000,
    ),
)


def claims_of(parts: Iterable[Part]) -> tuple[Claim, ...]:
    """Every claim of some parts."""
    return tuple(claim for part in parts for claim in part.claims)


def work_on(part: Part) -> None:
    """Prove a part in this process; the runner has left its time and its journal in the environment."""
    sys.path.insert(0, str(ROOT / "tests"))
    lines = read_lines(Path(os.environ["PROVE_PAGE"]).read_text(encoding="utf-8"))
    proof = Proof(
        journal=Path(os.environ["PROVE_JOURNAL"]),
        seconds=float(os.environ["PROVE_SECONDS"]),
        sums={claim.name: sum_of(lines, (claim.name,)) for claim in part.claims if claim.adds_up},
    )
    module, _, name = part.work.partition(":")
    getattr(importlib.import_module(module), name)(proof)
