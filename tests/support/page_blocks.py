"""The blocks of the documents, and which of their commands are run quickly, run in `make test`, or not run.

Every block of every page belongs to a runner: data are parsed, Python is executed, commands are run in the
order of the page in a folder of its own. What is not run stands in `NOT_RUN` with the reason.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pitboss.cli.main import VERBS

ROOT = Path(__file__).parent.parent.parent
DATA = ("json", "toml", "yaml")
COMMANDS = ("sh", "console")
SILENT = ("", "text")
"""Languages of blocks that only show something."""

LONG = frozenset(
    {"analyze", "advise", "jackpot", "simulate", "par", "serve", "users", "shuffle-test"} & set(VERBS)
)
"""Verbs that count or serve: a second or more each. All others are quick."""
LONG_COMMAND = re.compile(r"--server|pitboss report(?!.*--no-theory)|rules coverage")
"""Quick verbs asked for something longer: a seat over the network, theory beside figures, all tests read."""
INTERACTIVE = frozenset({"play", "drill"})
"""Verbs that talk with a person; here nobody answers them, and they leave."""
SHELL = ("export", "echo", "printf", "cat", "cd", "ls", "python")
"""Other programs that a page may use."""
WHOLE_ONLY = frozenset({"docs/operations.md", "docs/terminal.md"})
"""Pages whose quick commands need what the long ones have left behind, or take seconds together."""
LONG_PYTHON = re.compile(r"pitboss\.maths|analyse\(|simulate\(")


@dataclass(frozen=True)
class Untried:
    """A command no test runs: why, and the test that shows the same in another way."""

    pattern: str
    why: str
    shown_by: str


NOT_RUN = (
    Untried(
        r"make run",
        "it serves until it is stopped",
        "tests/whole/test_docs_service.py::test_the_readme_s_demo_floor_and_client_work_and_go_on_after_a_stop",
    ),
    Untried(
        r"make [a-z-]+( [A-Z]+=\S+)*",
        "it runs the tests that would run it; what it would do is asked with make -n",
        "tests/unit/test_docs.py::test_what_the_pages_make_can_be_made",
    ),
    Untried(
        r"python tools/web_types\.py",
        "it writes into the client's sources",
        "tests/unit/test_shapes.py::test_what_the_client_knows_of_the_service_is_made_from_it",
    ),
    Untried(
        r"python tools/docs_prices\.py",
        "it counts for minutes",
        "tests/whole/test_docs_prices.py::test_the_prices_of_a_book_are_those_that_are_counted_now",
    ),
)


@dataclass(frozen=True)
class Block:
    """A fenced block: where it stands, what it is written in, and the paragraph before it."""

    page: str
    line: int
    language: str
    text: str
    before: str

    @property
    def file(self) -> str:
        """The name of the file that the paragraph before says this is; empty if it names none."""
        kinds = "txt" if self.language == "text" else "json|toml|yaml|yml"
        names = re.findall(rf"`([\w./-]+\.(?:{kinds}))`", self.before)
        return names[-1] if names and self.language in (*DATA, "text") else ""


@dataclass(frozen=True)
class Command:
    """A command of a page, and what it is said to print."""

    text: str
    shown: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The command with the tools of this environment by their own names."""
        return re.sub(r"(?<![\w/])\.venv/bin/", "", self.text)

    @property
    def untried(self) -> Untried | None:
        return next((entry for entry in NOT_RUN if re.fullmatch(entry.pattern, self.words)), None)

    @property
    def verb(self) -> str:
        """The verb of `pitboss`, wherever in a pipe it stands; empty for other programs."""
        found = re.search(r"(?:^|[|;] |[A-Z]=\S* )pitboss (.*)", self.words)
        return next((word for word in found[1].split() if word in VERBS), "") if found else ""

    @property
    def is_long(self) -> bool:
        return self.verb in LONG or LONG_COMMAND.search(self.words) is not None

    @property
    def is_known(self) -> bool:
        program = re.sub(r"^(?:[A-Z_]+=\S* )+", "", self.words).split()[0]
        return self.untried is not None or program in ("pitboss", *SHELL)

    @property
    def is_refused(self) -> bool:
        """Whether the page shows what is said to somebody who asked wrongly."""
        return bool(self.shown) and self.shown[0].startswith("pitboss: ")


def pages() -> list[str]:
    """Every document with blocks that somebody may copy."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return sorted(str(path.relative_to(ROOT)) for path in found)


@cache
def blocks(page: str) -> tuple[Block, ...]:
    """The fenced blocks of a page in its order, those in lists too."""
    text = (ROOT / page).read_text()
    found = []
    for match in re.finditer(r"(?ms)^( *)```([\w-]*)[^\n]*\n(.*?)^\1```$", text):
        before = text[: match.start()].rstrip().rpartition("\n\n")[2]
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(page, line, match[2], textwrap.dedent(match[3]), before))
    return tuple(found)


def commands(block: Block) -> Iterator[Command]:
    """The commands of a block, without the remarks beside them."""
    if block.language == "sh":
        for text in block.text.replace("\\\n", " ").splitlines():
            words = re.sub(r"(^|\s+)#\s.*$", "", text).strip()
            if words:
                yield Command(" ".join(words.split()) if '"' not in words and "'" not in words else words)
    elif block.language == "console":
        for part in re.split(r"(?m)^\$ ", block.text)[1:]:
            command, *shown = part.splitlines()
            yield Command(command.strip(), tuple(line.rstrip() for line in shown if line.strip()))


def is_long(block: Block) -> bool:
    """Whether a block takes more than a moment."""
    if block.language == "python":
        return LONG_PYTHON.search(block.text) is not None
    return any(command.is_long for command in commands(block))


def quick_pages() -> list[str]:
    """Pages with something to do that takes a moment."""
    return [p for p in pages() if p not in WHOLE_ONLY and any(not is_long(b) for b in _live(p))]


def long_pages() -> list[str]:
    """Pages with something to do that takes longer; they are done from their first block to the last."""
    return [p for p in pages() if p in WHOLE_ONLY or any(is_long(b) for b in _live(p))]


def _live(page: str) -> list[Block]:
    return [block for block in blocks(page) if block.language not in SILENT]


def in_order(wanted: tuple[str, ...], said: list[str]) -> str:
    """The first line that was not said next; empty if all were. Only `…` stands for lines left out."""
    rest, gap = iter(line.rstrip() for line in said if line.strip()), False
    for line in wanted:
        if line.strip() == "…":
            gap = True
            continue
        found = next((one for one in rest if one == line or not gap), None)
        if found != line:
            return line
        gap = False
    left = next(rest, "") if wanted and not gap else ""
    return f"{wanted[-1]} (and then {left!r})" if left else ""
