"""Completion in the shell: rulebooks, readings, procedures, figures, and the names of a floor on this disk.

Nothing here says a word about what is wrong: where nothing fits, the shell offers files.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import typer

from pitboss.folders import books_here

_VARIABLE = "_PITBOSS_COMPLETE"
_BREAKS = "=:"
"""Where bash begins a new word, which is none to us."""


def complete(build: Callable[[str], typer.Typer]) -> int:
    """Answer the shell that asks how a line may go on. `build` makes the command line with a verb, or all."""
    from typer._completion_classes import completion_init
    from typer.completion import shell_complete

    cut = _mend_bash_words()
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    words = line.split()
    beyond = len(words) > 2 or line[-1:].isspace() or os.environ.get("COMP_CWORD") == "2"
    command = typer.main.get_command(build(words[1] if beyond and len(words) > 1 else ""))
    completion_init()
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        code = shell_complete(command, {}, "pitboss", _VARIABLE, os.environ[_VARIABLE])
    lines = (text.removeprefix(cut) for text in said.getvalue().splitlines())
    sys.stdout.write("".join(f"{text}\n" for text in lines if text))
    return code


def _mend_bash_words() -> str:
    """Join what bash has taken apart at `=` and `:`; the part of the last word that bash has done with."""
    line, at = os.environ.get("COMP_WORDS", ""), os.environ.get("COMP_CWORD", "")
    if "\n" not in line or not at.isdigit():
        return ""
    words: list[str] = []
    current, glued = int(at), False
    for number, word in enumerate(line.split("\n")):
        breaks = word != "" and all(sign in _BREAKS for sign in word)
        if words and (breaks or glued):
            words[-1] += word
        else:
            words.append(word)
        if number == int(at):
            current = len(words) - 1
        glued = breaks
    os.environ["COMP_WORDS"], os.environ["COMP_CWORD"] = "\n".join(words), str(current)
    last = words[current] if current < len(words) else ""
    value = last.partition("=")[2] if last.startswith("--") and "=" in last else last
    return value[: max(value.rfind(sign) for sign in _BREAKS) + 1]


def one_of(names: Iterable[str]) -> Callable[[], list[str]]:
    """Completes one of these words."""
    fixed = list(names)
    return lambda: fixed


strategies = one_of(("simple", "optimal", "blind"))
levels = one_of(("debug", "info", "warning", "error"))
exports = one_of(("events", "postings", "balances", "rounds", "checkpoints", "all"))
formats = one_of(("jsonl", "csv"))
makings = one_of(("virtual", "physical"))
problem_kinds = one_of(("settlement", "irregularity"))
positions = one_of(
    (
        "dealer",
        "dealer-inspector",
        "pit-supervisor",
        "pit-manager",
        "shift-manager",
        "assistant-director",
        "surveillance",
    )
)


def rulebooks(incomplete: str) -> list[str]:
    """The ids of the books, and what may be a book of one's own in this folder."""
    books = Path(__file__).parent.parent / "rulebooks" / "books"
    found = sorted(entry.name for entry in books.iterdir() if entry.is_dir())
    return found if incomplete.startswith(("/", ".", "~")) else found + books_here()


def _words() -> list[str]:
    """The words of the line so far. Where an option still lacks its value, they were not parsed."""
    return (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()


def _book(ctx: typer.Context) -> str:
    """The rulebook that the line names, else the one that `play` takes."""
    ids = rulebooks("/")
    named = (word for word in _words()[1:] if word in ids or Path(word, "book.toml").is_file())
    return next(named, ctx.params.get("rulebook") or "mbs-thb-9")


def _plan(ctx: typer.Context) -> Any:
    from pitboss.rulebooks import load_plan

    return load_plan(_book(ctx))


def _option(ctx: typer.Context, name: str) -> str | None:
    """The value of an option, as far as the line has it."""
    words = [*_words(), ""]
    written = (words[at + 1] for at, word in enumerate(words[:-1]) if word == f"--{name}")
    return next(written, None) or ctx.params.get(name)


def readings(ctx: typer.Context) -> list[tuple[str, str]]:
    """Every letter of every reading of the book: `R-X=a`."""
    with contextlib.suppress(Exception):
        return [
            (f"{label}={letter}", option.says)
            for label, reading in _plan(ctx).book.readings.items()
            for letter, option in reading.options.items()
        ]
    return []


def procedures(ctx: typer.Context) -> list[tuple[str, str]]:
    """How the book lets cards be dealt."""
    with contextlib.suppress(Exception):
        return [(procedure.name, procedure.title) for procedure in _plan(ctx).procedures]
    return []


def figures(ctx: typer.Context) -> list[str]:
    """The figures of the book that `--set` can change."""
    with contextlib.suppress(Exception):
        from pitboss.rulebooks.document import read_document
        from pitboss.rulebooks.what_if import keys_of

        document = read_document(_book(ctx))
        return [f"{wager}.{key}=" for wager in document.tables["pays"] for key in keys_of(document, wager)]
    return []


def clauses(ctx: typer.Context) -> list[tuple[str, str]]:
    """The clauses of the book with their gist."""
    with contextlib.suppress(Exception):
        return [(str(number), clause.gist) for number, clause in _plan(ctx).register.items()]
    return []


def irregularities() -> list[str]:
    """What can go wrong at a table, by name."""
    from pitboss.rulebooks.conduct import CONDUCT
    from pitboss.rulebooks.trouble import Irregularity

    return [*(kind.value for kind in Irregularity), *CONDUCT]


def biases() -> list[str]:
    """The planted biases of the shuffle test."""
    from pitboss.fairness.planted import PLANTED

    return list(PLANTED)


def trainees(ctx: typer.Context) -> list[str]:
    """Whoever has scores in the file of the dealer school."""
    with contextlib.suppress(Exception):
        from pitboss.cli.score_file import ScoreFile, scores_file

        return sorted(ScoreFile(scores_file(_option(ctx, "scores"))).all())
    return []


# --- the names of a floor: read from its file without opening the floor ----------------------------------


def tables(ctx: typer.Context) -> list[str]:
    """The tables of the floor."""
    return list(_named(ctx, "table-added.v1", "table"))


def rounds(ctx: typer.Context, incomplete: str) -> list[str]:
    """The rounds of the floor as TABLE/NUMBER, once the table is written."""
    table = incomplete.partition("/")[0]
    if "/" not in incomplete:
        return [f"{name}/" for name in _named(ctx, "table-added.v1", "table")]
    query = "SELECT number FROM rounds WHERE table_id = ? ORDER BY number DESC LIMIT 200"
    return [f"{table}/{row[0]}" for row in _asked(ctx, query, table)]


def links(ctx: typer.Context) -> list[str]:
    """The links of the floor."""
    return list(_named(ctx, "link-added.v1", "link"))


def people(ctx: typer.Context) -> list[str]:
    """The persons of the house."""
    return list(_named(ctx, "person-added.v1", "person"))


def players(ctx: typer.Context) -> list[str]:
    """The players the house knows."""
    return list(_named(ctx, "player-added.v1", "player"))


def everybody(ctx: typer.Context) -> list[str]:
    """Persons of the house, and players as player/NAME."""
    return [*people(ctx), *(f"player/{name}" for name in players(ctx))]


def viewers(ctx: typer.Context) -> list[str]:
    """Who may look at a table: the roles, and the players."""
    return ["public", "dealer", "pit", "surveillance", *players(ctx)]


def _named(ctx: typer.Context, event: str, key: str) -> Iterator[str]:
    query = "SELECT data FROM events WHERE stream = 'floor' AND name = ? ORDER BY version LIMIT 2000"
    for row in _asked(ctx, query, event):
        yield str(json.loads(row[0]).get(key, ""))


def _asked(ctx: typer.Context, query: str, *values: str) -> list[Any]:
    """The answer of the floor's own file, if it has one here; a database elsewhere is not asked."""
    import sqlite3

    from pitboss.folders import data_folder

    database = _option(ctx, "database") or os.environ.get("PITBOSS_DATABASE")
    if database and not database.startswith("sqlite:///"):
        return []
    own = data_folder(_option(ctx, "data")) / "floor.db"
    file = Path(database.removeprefix("sqlite:///")) if database else own
    with contextlib.suppress(sqlite3.Error), contextlib.closing(_read_only(file)) as asked:
        return list(asked.execute(query, values))
    return []


def _read_only(file: Path) -> Any:
    import sqlite3

    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=0.2)
