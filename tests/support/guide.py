"""`docs/adding-a-rulebook.md`, followed: its files are written and its commands run, in the order of the page."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support import pitboss
from support.page_blocks import in_order

PAGE = Path(__file__).parent.parent.parent / "docs/adding-a-rulebook.md"
_BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<language>\w+)\n(?P<text>.*?)```", re.S)
_NAMED = re.compile(r"`([\w./-]+\.(?:toml|json))`:$")
BOOK = "caribbean-stud"


@dataclass(frozen=True)
class File:
    """A block that is a file: the sentence before it ends with its name."""

    name: str
    text: str


@dataclass(frozen=True)
class Command:
    """A line to type. `shown` is what the page says it prints, None where it does not say."""

    words: tuple[str, ...]
    shown: str | None


Step = File | Command


def steps() -> Iterator[Step]:
    """What a reader of the page does, in its order."""
    for block in _BLOCK.finditer(PAGE.read_text()):
        text = block["text"]
        match block["language"]:
            case "toml" | "json":
                named = _NAMED.search(block["before"])
                assert named, f"no file is named before: {text[:60]}"
                yield File(named[1], text)
            case "sh":
                for line in text.splitlines():
                    yield Command(_words(line), None)
            case "console":
                for entry in re.split(r"(?m)^\$ ", text)[1:]:
                    line, _, shown = entry.partition("\n")
                    yield Command(_words(line), shown)
            case other:
                raise AssertionError(f"a block of {other} is followed by nobody")


def _words(line: str) -> tuple[str, ...]:
    return tuple(shlex.split(line, comments=True))


def write_book(folder: Path) -> Path:
    """The worked example of the page, written into a folder as a reader would."""
    for step in steps():
        if isinstance(step, File) and step.name.startswith(f"{BOOK}/"):
            target = folder / step.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(step.text)
    return folder / BOOK


def run(command: Command) -> tuple[int, list[str]]:
    """Run a command of the page in the current folder: its exit code, and what it prints, line by line."""
    assert command.words[0] == "pitboss", command.words
    ran = pitboss(*command.words[1:])
    return ran.code, [line.rstrip() for line in (ran.out + ran.err).splitlines()]


def assert_shows(printed: list[str], command: Command) -> None:
    """What the page shows is what was printed, line after line; what it leaves out it marks."""
    if command.shown is None:
        return
    shown = tuple(line.rstrip() for line in command.shown.splitlines() if line.strip())
    assert in_order(shown, printed) == "", (command.words, shown, printed)
