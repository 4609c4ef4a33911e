"""Terminal manners: help with examples that run, completion, colours, near-misses."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli.app import command_line
from pitboss.cli.floor_examples import EXAMPLES, SHORT
from pitboss.cli.grammar import split_examples
from pitboss.cli.main import VERBS, run
from pitboss.errors import BadInput
from support import BOOKS, facts, pitboss, seat
from support.signals import heed_ctrl_c
from support.terminal import COMMAND, on_terminal, piped, surroundings

ROUND = facts("mbs-thb-9", seat("Ah Kd", "ante 25 flop 50"), community="Kh 9c 5s 2d 7h", dealer="Qs Qd")
SCRIPT = {
    "rulebook": "mbs-stud-6",
    "players": {"p1": "1000"},
    "deck": "Ah Kd Qc Js 9h 2c 3d 4s 5h 7c",
    "steps": [
        "dealer: open bets", "p1@1: wager ante 25", "dealer: deal", "dealer: close bets", "dealer: deal",
        "p1@1: view", "p1@1: fold", "dealer: reveal dealer", "dealer: settle",
    ],
}  # fmt: skip


# --- help -------------------------------------------------------------------------------------------------


def commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command there is, with its words."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), command_line(VERBS))]
    while waiting:
        path, command = waiting.pop()
        yield path, command
        if hasattr(command, "list_commands"):
            waiting += [
                ((*path, name), command.get_command(None, name)) for name in command.list_commands(None)
            ]


ALL = dict(sorted(commands()))


def test_every_verb_and_every_subcommand_is_looked_at() -> None:
    assert {path[0] for path in ALL if path} == set(VERBS)
    assert len(ALL) > 70
    assert ("floor", "buy-in") in ALL
    assert set(EXAMPLES) == {path[1] for path in ALL if path[:1] == ("floor",) and len(path) == 2} - {
        "propose-rulebook", "act", "tick", "show", "table", "link", "dispute", "checkpoint", "reconcile",
        "simulate", "forget-answers",
    }  # fmt: skip


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_help_ends_with_examples_of_the_command_itself(path: tuple[str, ...]) -> None:
    ran = pitboss(*path, "--help")
    assert ran.code == 0
    assert ran.err == ""
    head, _, tail = ran.out.rpartition("\nExamples:\n")
    assert head.startswith("Usage: pitboss")
    examples = tail.splitlines()
    assert tuple(text.removeprefix("  ") for text in examples) == ALL[path].examples
    words = " ".join(("pitboss", *path))
    assert any(text.strip().startswith(words) for text in examples), examples


def test_examples_are_taken_from_the_last_paragraph_of_a_docstring() -> None:
    text = "Does it.\n\nMore words.\n\nExamples: pitboss a;\npitboss b 'x; y'"
    assert split_examples(text) == ("Does it.\n\nMore words.", ("pitboss a", "pitboss b 'x; y'"))
    assert split_examples("Does it. Example: none") == ("Does it. Example: none", ())


def test_a_list_of_commands_has_whole_thoughts() -> None:
    listed = piped("--help", environment={"COLUMNS": "80"}).out.partition("Commands:")[2]
    lines = [line.split(maxsplit=1)[1] for line in listed.partition("Examples:")[0].splitlines() if line]
    assert len(lines) == len(VERBS)
    assert [line for line in lines if not line.endswith(".") or line[-2] in ".,;:" or "(" in line] == []


def test_the_commands_of_a_floor_have_whole_thoughts_too() -> None:
    listed = piped("floor", "--help", environment={"COLUMNS": "80"}).out.partition("Commands:")[2]
    lines = dict(line.split(maxsplit=1) for line in listed.partition("Examples:")[0].splitlines() if line)
    assert [line for line in lines.values() if not line.endswith(".")] == []
    assert set(SHORT) <= set(lines)
    assert {name: lines[name] for name in SHORT} == SHORT


def test_help_and_completion_load_nothing_that_takes_long() -> None:
    asked = (
        "import sys; from pitboss.cli.main import run; run(['--help']); "
        "sys.stderr.write(' '.join(sorted({'numba', 'numpy', 'litestar', 'sqlalchemy', "
        "'uvicorn', 'aiohttp'} & set(sys.modules))))"
    )
    for changes in (
        {},
        {"_PITBOSS_COMPLETE": "complete_bash", "COMP_WORDS": "pitboss serve --", "COMP_CWORD": "2"},
    ):
        ran = subprocess.run(
            [sys.executable, "-c", asked],
            env=surroundings(**changes),
            capture_output=True,
            text=True,
            check=True,
        )
        assert "--" in ran.stdout
        assert ran.stderr.split() == []


# --- examples run -------------------------------------------------------------------------------------------

PARSED_ONLY = {
    ("play",): "it waits for a person",
    ("drill",): "it waits for a trainee",
    ("serve",): "it serves until it is stopped",
}
MINUTES = {
    ("analyze",): "tests/whole/test_maths_reports.py runs the same command",
    ("advise",): "compiles kernels; tests/whole/test_terminal.py runs it",
    ("simulate",): "compiles kernels; tests/whole/test_terminal.py runs it",
    ("jackpot",): "compiles kernels; tests/whole/test_terminal.py runs it",
    ("par",): "compiles kernels; tests/whole/test_terminal.py runs it",
    ("shuffle-test",): "shuffles for seconds; tests/whole/test_terminal.py runs it",
    ("report",): "compiles kernels; tests/whole/test_terminal.py runs it",
    ("rules", "coverage"): "reads every test; tests/unit/test_coverage.py runs it",
    ("doctor",): "compiles a kernel; tests/unit/test_doctor.py runs it",
}


def example_folder(folder: Path) -> None:
    """What the examples name: rounds, scripts, a book of one's own."""
    (folder / "round.json").write_text(json.dumps(ROUND))
    (folder / "scenario.json").write_text(json.dumps(SCRIPT))
    (folder / "secret.txt").write_text("a long password\n")


def run_example(example: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An example as a shell would run it, with its redirections."""
    words = shlex.split(example)
    assert words.pop(0) == "pitboss"
    target = words.pop(words.index(">") + 1) if ">" in words else ""
    source = words.pop(words.index("<") + 1) if "<" in words else ""
    words = [word for word in words if word not in ("<", ">")]
    with open(source or os.devnull) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        ran = pitboss(*words)
    if target:
        Path(target).write_text(ran.out)
    return ran


def test_the_examples_about_books_and_rounds_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PITBOSS_CONFIG", os.devnull)
    example_folder(tmp_path)
    assert pitboss("run", "scenario.json", "--save", "record.json").code == 0
    ran = 0
    order = sorted(
        ALL, key=lambda path: (path == ("rules", "validate"), path)
    )  # what it checks is made first
    for path in order:
        if path[:1] in (("floor",), ("users",)) or path in PARSED_ONLY or path in MINUTES or path == ():
            continue
        for example in ALL[path].examples:
            if "floor" in example or path == ("verify-round",):
                continue
            found = run_example(example, monkeypatch)
            assert found.code == 0, (example, found.err)
            ran += 1
    assert ran >= 12


NOT_NOW = {
    "verify-claim": "no-such-claim",
    "reject-claim": "no-such-claim",
    "determine-order": "nothing-waits",
    "escalate-dispute": "no-escalation",
    "enter-unnoticed": "virtual-table",
    "commit-entropy": "nothing-composed",
    "reveal-entropy": "nothing-composed",
}
"""Nobody has hit a jackpot on the floor of the examples, its book refers disputes at once, and its table is virtual:
so it is said."""


@pytest.mark.whole
def test_the_examples_about_a_floor_tell_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PITBOSS_CONFIG", os.devnull)
    example_folder(tmp_path)

    def do(example: str) -> None:
        found = run_example(example, monkeypatch)
        name = shlex.split(example)[2]
        if name in NOT_NOW:
            assert (found.code, f"refused ({NOT_NOW[name]})" in found.err) == (1, True), found.err
        else:
            assert found.code == 0, (example, found.err)

    def examples(*path: str) -> None:
        for example in ALL[path].examples:
            do(example)

    before: dict[str, list[str]] = {
        "approve-rulebook": [
            "pitboss floor add-person gina shift-manager --data floor",
            "pitboss floor add-person gus shift-manager --data floor",
            "pitboss floor add-person mara pit-manager --data floor",
            "pitboss floor add-person ada assistant-director --data floor",
            ALL["floor", "propose-rulebook"].examples[0],
            "pitboss floor approve-rulebook mbs-stud-6 --by gus --data floor",
        ],
        "fill": [
            *ALL["floor", "act"].examples,
            'pitboss floor act t1 "dealer: close bets" "dealer: deal" --by dora --data floor',
            'pitboss floor act t1 "p1@1: view" "p1@1: fold" --data floor',
            'pitboss floor act t1 "dealer: reveal dealer" "dealer: settle" --by dora --data floor',
        ],
    }
    for name, example in EXAMPLES.items():
        for needed in before.get(name, ()):
            do(needed)
        do(example)
        if name == "answer-complaint":
            for more in ("tick", "show", "table", "link", "dispute", "checkpoint"):
                examples("floor", more)
            for verb in ("list", "password", "unlock", "sessions", "sign-out", "remove"):
                examples("users", verb)
            for verb in ("verify", "export", "backup", "restore"):
                examples(verb)
            do("pitboss replay t1/1 --as all --data floor")
            do("pitboss replay t1/1 --as p1 --json --data floor > round-12.json")
            examples("verify-round")
    assert (tmp_path / "events.jsonl").is_file()
    assert (tmp_path / "record" / "events.jsonl").is_file()
    examples("floor", "simulate")


def test_examples_that_wait_or_take_long_parse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_CONFIG", os.devnull)
    for path in (*PARSED_ONLY, *MINUTES):
        for example in ALL[path].examples:
            words = shlex.split(example.partition(" < ")[0].partition(" > ")[0])
            command: Any = command_line((path[0],))
            context = command.make_context("pitboss", words[1:])
            for _ in path:
                name, command, rest = command.resolve_command(
                    context, [*context._protected_args, *context.args]
                )
                context = command.make_context(name, rest, parent=context)
            assert context.command is not None


# --- completion ---------------------------------------------------------------------------------------------


def completed(*words: str) -> list[str]:
    """What bash is offered for the last word. `=` and `:` are words of their own to bash."""
    changes = {
        "_PITBOSS_COMPLETE": "complete_bash",
        "COMP_WORDS": "\n".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in changes.items():
            patch.setenv(name, value)
        return pitboss().out.splitlines()


def test_bash_is_offered_what_fits() -> None:
    assert completed("pitboss", "verif") == ["verify", "verify-round"]
    assert completed("pitboss", "rules", "show", "mbs-") == [
        book for book in BOOKS if book.startswith("mbs-")
    ]
    assert completed("pitboss", "analyze", "mbs-thb-9", "--reading", "R-BONUS-L") == [
        "R-BONUS-LOSE=a",
        "R-BONUS-LOSE=b",
    ]
    assert completed("pitboss", "analyze", "mbs-thb-9", "--reading", "R-BONUS-LOSE", "=") == ["a", "b"]
    assert completed("pitboss", "analyze", "mbs-3cp-2023", "--set", "pair-plus.st") == [
        "pair-plus.straight=", "pair-plus.straight-flush=",
    ]  # fmt: skip
    assert completed("pitboss", "play", "mbs-stud-6", "--procedure", "") == ["automated", "manual"]


def test_a_floor_in_reach_completes_its_names(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "floor"))
    for words in (
        ("create", "x"),
        ("add-table", "main-1"),
        ("add-person", "dora", "dealer"),
        ("add-player", "p1"),
    ):
        assert pitboss("floor", *words, *data).code == 0
    assert completed("pitboss", "floor", "table", *data, "") == ["main-1"]
    assert completed("pitboss", "users", "unlock", *data, "") == ["dora", "player/p1"]
    assert completed("pitboss", "floor", "table", "--data", str(tmp_path / "none"), "") == []


def test_a_real_bash_completes_and_falls_back_to_files(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "pitboss"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m pitboss.cli.main "$@"\n')
    program.chmod(0o755)
    script = """
        eval "$(_PITBOSS_COMPLETE=source_bash pitboss)"
        COMP_WORDS=(pitboss rules cl); COMP_CWORD=2; _pitboss_completion pitboss; echo "${COMPREPLY[@]}"
        COMP_WORDS=(pitboss settle rou); COMP_CWORD=2; _pitboss_completion pitboss; echo "${#COMPREPLY[@]}"
        complete -p pitboss
    """
    changes = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    ran = subprocess.run(
        ["bash", "-c", script], env=surroundings(**changes), capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == ["clause", "0", "complete -o default -F _pitboss_completion pitboss"]


@pytest.mark.parametrize(
    ("shell", "says"),
    [("bash", "complete -o default"), ("zsh", "#compdef pitboss"), ("fish", "complete --command pitboss")],
)
def test_completion_is_shown_and_installed_for_each_shell(tmp_path: Path, shell: str, says: str) -> None:
    changes = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1", "HOME": str(tmp_path)}
    assert says in piped("--show-completion", shell, environment=changes).out
    assert piped("--install-completion", shell, environment=changes).code == 0
    assert any(says in file.read_text() for file in tmp_path.rglob("*pitboss*") if file.is_file())


# --- colours --------------------------------------------------------------------------------------------------

ESCAPE = "\x1b["
RED_CARD = "\x1b[31mK♥\x1b[0m"


@pytest.fixture
def round_file(tmp_path: Path) -> str:
    (tmp_path / "round.json").write_text(json.dumps(ROUND))
    return str(tmp_path / "round.json")


def test_a_terminal_has_red_suits_and_errors_in_colour(round_file: str) -> None:
    _, seen, _ = on_terminal("settle", round_file)
    assert RED_CARD in seen
    assert "9♣" in seen
    code, seen, _ = on_terminal("settle", "nowhere.json")
    assert (code, seen.startswith("\x1b[31mpitboss:\x1b[0m ")) == (2, True)


def test_a_terminal_with_no_color_has_none(round_file: str) -> None:
    _, seen, _ = on_terminal("settle", round_file, environment={"NO_COLOR": "1"})
    assert (ESCAPE in seen, "K♥" in seen) == (False, True)


class Screen(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("terminal", "before", "environment", "colour"),
    [
        (True, (), {}, True),
        (True, (), {"NO_COLOR": "1"}, False),
        (True, (), {"NO_COLOR": ""}, True),
        (True, (), {"TERM": "dumb"}, False),
        (True, (), {"PITBOSS_COLOR": "never"}, False),
        (True, ("--color", "never"), {"PITBOSS_COLOR": "always"}, False),
        (True, ("--color", "always"), {"NO_COLOR": "1"}, True),
        (False, (), {}, False),
        (False, (), {"FORCE_COLOR": "1"}, True),
        (False, (), {"FORCE_COLOR": "0"}, False),
        (False, (), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (False, ("--color", "always"), {}, True),
    ],
)
def test_colour_is_for_terminals_unless_somebody_says_otherwise(
    round_file: str,
    monkeypatch: pytest.MonkeyPatch,
    terminal: bool,
    before: tuple[str, ...],
    environment: dict[str, str],
    colour: bool,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "PITBOSS_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"TERM": "xterm-256color"} | environment).items():
        monkeypatch.setenv(name, value)
    out = Screen(terminal)
    with contextlib.redirect_stdout(out):
        assert run([*before, "settle", round_file]) == 0
    assert (ESCAPE in out.getvalue(), "K♥" in out.getvalue()) == (colour, True)


def test_json_is_never_coloured(round_file: str) -> None:
    ran = piped("--color", "always", "settle", round_file, "--json", environment={"FORCE_COLOR": "1"})
    assert ESCAPE not in ran.out
    assert json.loads(ran.out)["rulebook"] == "mbs-thb-9"


def test_refusals_are_marked(tmp_path: Path) -> None:
    script = {**SCRIPT, "steps": ["dealer: deal"]}
    (tmp_path / "script.json").write_text(json.dumps(script))
    _, seen, _ = on_terminal("run", str(tmp_path / "script.json"))
    assert "\x1b[31m✗\x1b[0m dealer: deal" in seen
    assert "\x1b[1;31mrefused (early)\x1b[0m" in seen


# --- progress -------------------------------------------------------------------------------------------------


@pytest.mark.whole
def test_what_takes_long_is_counted_on_the_terminal_and_cleared(tmp_path: Path) -> None:
    day = ("floor", "simulate", "--tables", "4", "--hours", "1", "--json")
    code, seen, out = on_terminal(*day, only="stderr")
    assert code == 0
    assert json.loads(out)["adds_up"]
    assert "playing the day" in seen
    assert "%" in seen
    assert seen.rstrip("\r\n").endswith("\x1b[2K"), "the bar is cleared at the end"


@pytest.mark.whole
def test_what_is_quick_shows_no_bar_and_pipes_get_none() -> None:
    assert on_terminal("rules", "list", only="stderr")[1] == ""
    ran = piped("floor", "simulate", "--tables", "1", "--hours", "0.05", "--json")
    assert (ran.code, ran.err) == (0, "")


def test_counting_knows_how_far_it_is_and_ends_with_an_error() -> None:
    from pitboss.progress import counting, idle, under_way, unseen

    told: list[str] = []
    with idle(lambda: told.append("idle")):
        with counting("outer", 10) as outer, counting("inner"):
            outer.advance(3)
            assert [(task.what, task.done, task.total) for task in under_way()] == [
                ("outer", 3, 10),
                ("inner", 0, None),
            ]
            with unseen(True):
                assert under_way() == ()
            assert told == []
        assert told == ["idle"]
        with pytest.raises(KeyError), counting("broken", 1):
            raise KeyError
    assert under_way() == ()


def test_an_interrupt_that_a_library_swallows_ends_the_work_all_the_same() -> None:
    from pitboss.progress import counting, interrupted

    try:
        with pytest.raises(KeyboardInterrupt), counting("kernels"):
            interrupted(is_so=True)
    finally:
        interrupted(is_so=False)
    with counting("kernels"):
        pass


@pytest.mark.parametrize("count", ["advance", "reach"])
def test_an_interrupt_that_was_lost_is_felt_at_the_next_count(count: str) -> None:
    from pitboss.progress import counting, interrupted

    with contextlib.suppress(KeyboardInterrupt), counting("chunks", 10) as task:
        interrupted(is_so=True)
        try:
            with pytest.raises(KeyboardInterrupt):
                getattr(task, count)(5)
            with pytest.raises(KeyboardInterrupt), counting("another"):
                pytest.fail("work was begun after an interrupt")
        finally:
            interrupted(is_so=False)
        assert task.done == 5


def test_a_lost_interrupt_is_no_fault_and_other_faults_are_told() -> None:
    """What is raised while something is thrown away is lost; Python would show a traceback."""
    lost = (
        "import sys; from pitboss.cli import main\n"
        "class Lost:\n"
        "    def __del__(self):\n"
        "        raise {what}\n"
        "main.run = lambda arguments: (Lost(), 0)[1]\n"
        "main.main([])"
    )
    for what, told in (("KeyboardInterrupt", False), ("ValueError", True)):
        ran = subprocess.run(
            [sys.executable, "-c", lost.format(what=what)],
            env=surroundings(),
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=heed_ctrl_c,
        )
        assert (ran.returncode, "Traceback" in ran.stderr) == (0, told), ran.stderr


# --- output that cannot be written ----------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", ["rules list", "rules show mbs-thb-9", "--help", "rules list --json"])
def test_a_full_disk_is_said_in_one_line(arguments: str) -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [*COMMAND, *arguments.split()],
            env=surroundings(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    said = "pitboss: the output cannot be written: No space left on device\n"
    assert (ran.returncode, ran.stderr) == (2, said)


@pytest.mark.whole
def test_output_that_nobody_wants_or_that_cannot_be_spelt_is_no_fault(round_file: str) -> None:
    words = " ".join((*COMMAND, "settle", round_file))
    closed = subprocess.run(
        ["bash", "-c", f"{words} >&-"], env=surroundings(), capture_output=True, text=True, check=False
    )
    assert (closed.returncode, closed.stderr) == (0, "")
    plain = piped("settle", round_file, environment={"PYTHONIOENCODING": "ascii"})
    assert (plain.code, plain.err, "?" in plain.out) == (0, "", True)
    shown = piped("settle", round_file, "--json", environment={"PYTHONIOENCODING": "ascii"})
    assert json.loads(shown.out) == json.loads(piped("settle", round_file, "--json").out)


@pytest.mark.parametrize("arguments", ["rules show mbs-thb-9", "rules diff mbs-thb-9 rws-thp-2"])
def test_whoever_stops_reading_gets_no_complaint(arguments: str) -> None:
    words = " ".join((*COMMAND, *arguments.split()))
    ran = subprocess.run(
        ["bash", "-c", f"{words} | head -1; echo ${{PIPESTATUS[0]}}"],
        env=surroundings(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stdout.splitlines()[1:], ran.stderr) == (["0"], "")


# --- near-misses ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("rules", "show", "mbs-thb-8"), "no rulebook 'mbs-thb-8'; did you mean 'mbs-thb-9'?"),
        (("analyze", "mbs-thb-8"), "no rulebook 'mbs-thb-8'; did you mean 'mbs-thb-9'?"),
        (("verfy",), "no command 'verfy'; did you mean 'verify'?"),
        (("floor", "opn-table"), "no command 'floor opn-table'; did you mean 'open-table'?"),
        (("--colour", "never", "rules", "list"), "no option '--colour' for 'pitboss'; did you mean '--color'?"),
        (("--color", "nevr", "rules", "list"), "did you mean 'never'?"),
        (("par", "mbs-thb-9", "--outptu", "x.md"), "no option '--outptu' for 'pitboss par'; did you mean '--output'?"),
        (("rules", "show", "mbs-thb-9", "--reading", "R-BONUS-LOOSE=a"), "did you mean 'R-BONUS-LOSE'?"),
        (("rules", "show", "mbs-thb-9", "--reading", "R-BONUS-LOSE=c"), "it has a, b"),
        (("play", "mbs-stud-6", "--procedure", "automatd"), "did you mean 'automated'?"),
        (("analyze", "mbs-3cp-2023", "--set", "pair-pls.straight=6"), "has no wager 'pair-pls'; did you mean 'pair-plus'?"),
        (("analyze", "mbs-3cp-2023", "--set", "pair-plus.straigt=6"), "did you mean 'straight'?"),
        (("rules", "clause", "mbs-thb-9", "3.10.22"), "did you mean '3.10.2'?"),
        (("rules", "remedy", "mbs-thb-9", "misdeel"), "did you mean 'misdeal'?"),
        (("advise", "mbs-thb-9", "--hand", "sA Kd"), "'sA' is not a card; did you mean 'As'?"),
        (("advise", "mbs-thb-9", "--hand", "1Oh Kd"), "did you mean 'Th'?"),
        (("export", "event"), "did you mean 'events'?"),
        (("shuffle-test", "--planted", "modolo"), "did you mean 'modulo'?"),
        (("serve", "--log", "wrning"), "did you mean 'warning'?"),
        (("floor", "simulate", "--strategy", "optimum"), "did you mean 'optimal'?"),
        (("drill", "reprot"), "did you mean 'report'?"),
        (("serve", "--port", "abc"), "--port: 'abc' is no whole number; try 'pitboss serve --help'"),
        (("shuffle-test", "--decks", "1e6"), "--decks: '1e6' is no whole number"),
        (("simulate", "mbs-3cp-2023", "--seed", "9" * 29), "is no seed; write a whole number from 0 to 9223372036854775807"),
        (("simulate", "mbs-3cp-2023", "--seed", "-1"), "--seed: -1 is no seed"),
        (("simulate", "mbs-3cp-2023", "--rounds", "1e99"), "write a whole number from 1 to 1e13"),
        (("drill", "mbs-3cp-2023", "--seed", "-1"), "--seed: -1 is no seed"),
        (("floor", "simulate", "--seed", "-1"), "--seed: -1 is no seed"),
        (("jackpot", "mbs-3cp-2023", "--tables", "1" + "0" * 14), "write a whole number from 1 to 100000"),
        (("rules", "show", ""), "no rulebook is named; known: "),
        (("floor", "buy-in", "t01", "p1", "-50"), "'-50' is not an amount; try 'pitboss floor buy-in --help'"),
        (("floor", "buy-in", "t01", "p1", "-.5"), "'-.5' is not an amount"),
        (("floor", "take-seat", "t01", "-1", "p1"), "'-1' is not a number from 0"),
        (("floor", "buy-in", "t01", "p1", "25", "-x"), "no option '-x' for 'pitboss floor buy-in'"),
        (("play", "--as", "bob"), "--as: only with --server"),
        (("play", "--table", "main-1"), "--table: only with --server"),
        (("replay", "t01/x", "--data", "demo"), "ROUND: 'x' is no round number; write t01/12, or name a file"),
        (("jackpot", "mbs-3cp-2023", "--meter", "9" * 18), "'999999999999999999' is not an amount; write at most 15 digits before the point"),
    ],
)  # fmt: skip
def test_a_near_miss_is_suggested_in_one_line(arguments: tuple[str, ...], text: str) -> None:
    ran = pitboss(*arguments)
    assert (ran.code, ran.err.count("\n"), ran.out) == (2, 1, "")
    assert text in ran.err


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("analyze", "mbs-3cp-2023"), "--unit"),
        (("analyze", "rws-thp-2"), "--stake"),
        (("analyze", "mbs-3cp-2023", "--prices"), "--meter"),
        (("jackpot", "mbs-3cp-2023"), "--unit"),
        (("jackpot", "mbs-3cp-2023"), "--meter"),
        (("par", "mbs-3cp-2023", "--output", "par.md"), "--meter"),
    ],
)
def test_an_amount_is_read_before_anything_is_priced(
    words: tuple[str, ...], option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for verb in ("analyze", "jackpot", "par"):
        monkeypatch.setattr(f"pitboss.cli.{verb}.progress", lambda: pytest.fail("pricing began"))
    ran = pitboss(*words, option, "2x")
    assert (ran.code, ran.err.count("\n"), ran.out) == (2, 1, "")
    assert f"{option}: '2x' is not an amount" in ran.err


def test_a_missing_file_suggests_the_one_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "round.json").write_text("{}")
    (tmp_path / "monday.backup").write_text("")
    (tmp_path / "my-book.toml").write_text("")
    meant = tmp_path / "round.json"
    for words in (("settle",), ("run",), ("verify-round",), ("replay",), ("drill", "--set")):
        ran = pitboss(*words, str(tmp_path / "rond.json"))
        assert (ran.code, f"there is no such file; did you mean '{meant}'?" in ran.err) == (2, True), ran.err
    assert (
        f"did you mean '{tmp_path / 'monday.backup'}'?"
        in pitboss("restore", str(tmp_path / "monday.bakup")).err
    )
    assert (
        f"did you mean '{tmp_path / 'my-book.toml'}'?"
        in pitboss("rules", "show", str(tmp_path / "mybook.toml")).err
    )
    monkeypatch.chdir(tmp_path)
    assert "did you mean 'my-book.toml'?" in pitboss("rules", "show", "my-bok").err
    assert "this is a folder" in pitboss("restore", str(tmp_path)).err
    for other in ("nothing.json", "x.json", "tuesday.toml"):
        assert "did you mean" not in pitboss("settle", other).err
    ran = pitboss("restore", str(meant), "--data", str(tmp_path / "new"))
    assert (ran.code, f"{meant}: this is no backup of a floor" in ran.err) == (2, True)
    assert not (tmp_path / "new").exists()
    assert "there is no folder" in pitboss("settle", str(tmp_path / "none" / "round.json")).err
    kept = pitboss("verify", "--data", str(tmp_path), "--kept", str(tmp_path / "rond.json"))
    assert f"did you mean '{meant}'?" in kept.err


@pytest.mark.parametrize("hours", ["inf", "nan", "-1", "1e300"])
def test_a_day_of_no_length_is_refused_before_anything_is_made(tmp_path: Path, hours: str) -> None:
    ran = pitboss("floor", "simulate", f"--hours={hours}", "--data", str(tmp_path / "day"))
    assert (ran.code, ran.err.count("\n"), ran.out) == (2, 1, "")
    assert "is no length of a day; write 0 to 168, such as 0.5" in ran.err
    assert not (tmp_path / "day").exists()


def test_names_of_a_floor_are_suggested(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "floor"))
    for words in (
        ("create", "x"),
        ("add-table", "main-1"),
        ("add-person", "dora", "dealer"),
        ("add-player", "paula"),
    ):
        assert pitboss("floor", *words, *data).code == 0
    for arguments, text in (
        (("floor", "table", "main1"), "there is no table 'main1'; did you mean 'main-1'?"),
        (("floor", "remove-person", "doro"), "did you mean 'dora'?"),
        (("floor", "add-player", "p2", "--by", "dorra"), "did you mean 'dora'?"),
        (("floor", "limit-player", "paulla"), "did you mean 'paula'?"),
        (("floor", "add-person", "gus", "deeler"), "did you mean 'dealer'?"),
        (("users", "unlock", "dorra"), "did you mean 'dora'?"),
        (("replay", "main1/1"), "did you mean 'main-1'?"),
    ):
        ran = pitboss(*arguments, *data)
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert text in ran.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("",), "the floor has no name"),
        (("x", "--day-begins", "25:00"), "is no time of day"),
        (("x", "--by", "dora"), "--by: a floor is created at the console"),
    ],
)
def test_a_floor_that_cannot_be_created_leaves_nothing_behind(
    tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    ran = pitboss("floor", "create", *words, "--data", str(tmp_path / "fc"))
    assert (ran.code, says in ran.err) == (2, True), ran.err
    assert not (tmp_path / "fc").exists()


def test_amounts_above_what_is_meant_name_the_bound(tmp_path: Path) -> None:
    from pitboss.floor.chips import check_amount, check_count
    from pitboss.money import Cents

    for amount, says in ((10**15, "write at most 1000000000.00"), (0, "write more than nothing")):
        with pytest.raises(BadInput, match=says):
            check_amount("amount", Cents(amount))
    with pytest.raises(BadInput, match=r"9 chips of 1000000000.00; together they are at most 1000000000.00"):
        check_count("count", {10**11: 9}, (Cents(10**11),))


def test_a_folder_without_a_floor_suggests_the_one_beside_it(tmp_path: Path) -> None:
    assert pitboss("floor", "create", "x", "--data", str(tmp_path / "floor")).code == 0
    ran = pitboss("verify", "--data", str(tmp_path / "flor"))
    assert (ran.code, f"did you mean '{tmp_path / 'floor'}'?" in ran.err) == (2, True), ran.err
