"""`pitboss drill`: the dealer school in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pitboss.cli import INTERRUPTED, completing
from pitboss.cli.output import console, print_json
from pitboss.errors import BadInput, check_seed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from pitboss.cli.drilling import Course
    from pitboss.cli.score_file import ScoreFile
    from pitboss.rulebooks import Plan
    from pitboss.school.examination import Paper
    from pitboss.school.exercises import Exercise

TRAINEE = "trainee"
PROBLEMS = 10
MOST_PROBLEMS = 1000
REPORT = "report"


def register(app: typer.Typer) -> None:
    app.command("drill")(drill_command)


def drill_command(
    rulebook: Annotated[
        str,
        typer.Argument(
            metavar="RULEBOOK",
            help="An id, or a path to your own; 'report' for the report.",
            autocompletion=completing.rulebooks,
        ),
    ] = "",
    trainee: Annotated[
        str | None,
        typer.Option(
            "--trainee",
            metavar="NAME",
            help=f"Whose scores; else '{TRAINEE}'.",
            autocompletion=completing.trainees,
        ),
    ] = None,
    problems: Annotated[
        int | None, typer.Option("--problems", help=f"How many; else {PROBLEMS}, or the whole set.")
    ] = None,
    own_set: Annotated[
        str | None, typer.Option("--set", metavar="FILE", help="A school's own: a scenario, a set, a folder.")
    ] = None,
    only: Annotated[
        str,
        typer.Option(
            "--only",
            metavar="KIND",
            help="Only 'settlement' or only 'irregularity'.",
            autocompletion=completing.problem_kinds,
        ),
    ] = "",
    level: Annotated[int | None, typer.Option("--level", help="Begin at this difficulty, 1 to 6.")] = None,
    reading: Annotated[
        list[str] | None,
        typer.Option(
            "--reading", metavar="R-X=a", help="Choose a reading.", autocompletion=completing.readings
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="The same problems again; an examination's number.")
    ] = None,
    exam: Annotated[
        bool, typer.Option("--exam", help="An examination: the same for everybody, marked at the end.")
    ] = False,
    scores: Annotated[
        str | None, typer.Option("--scores", metavar="FILE", help="Where scores are kept.")
    ] = None,
    answers: Annotated[
        str | None,
        typer.Option("--answers", metavar="FILE", help="Answers, one a line; - is standard input."),
    ] = None,
    report: Annotated[bool, typer.Option("--report", help="Report on the trainee instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Deal settlement and irregularity problems, mark each at once with its clauses, repeat what was missed.

    A drill begins with the errors that dealers are known to make. Exits with 1 if something was wrong.

    Examples: pitboss drill mbs-3cp-2023 --problems 5; pitboss drill rws-thp-2 --trainee "Table 4" --only
    irregularity; pitboss drill mbs-3cp-2023 --exam --seed 2026 --problems 20; pitboss drill report --trainee
    "Table 4"
    """
    from pitboss.cli.score_file import ScoreFile, scores_file

    kept = ScoreFile(scores_file(scores))
    if report or rulebook == REPORT:
        _report(kept, "" if rulebook == REPORT else rulebook, reading or [], trainee, as_json=as_json)
        return
    name = trainee_name(trainee)
    _check(problems, only, level)
    if exam:
        _examine(
            kept,
            name,
            _Asked(rulebook, reading or [], own_set, only, problems, level, seed),
            answers,
            as_json=as_json,
        )
        return
    course = _course(rulebook, reading or [], own_set, only, _chance(seed))
    kept.check_writable()
    from pitboss.cli.drilling import Drill, answers_from, beside_a_document

    out = beside_a_document() if as_json else console()
    lines = answers_from(answers, out)
    drill = Drill(out, lines, kept, name, course, level=level)
    most = problems or (PROBLEMS if own_set is None else MOST_PROBLEMS)
    drill.run(most)
    if as_json:
        print_json(drill.document())
    if drill.interrupted:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(1 if drill.wrong else 0)


class _Asked(NamedTuple):
    """What an examination is to ask about."""

    rulebook: str
    readings: list[str]
    own_set: str | None
    only: str
    problems: int | None
    level: int | None
    seed: int | None


def _examine(kept: ScoreFile, name: str, asked: _Asked, answers: str | None, *, as_json: bool) -> None:
    from pitboss.cli.drilling import answers_from, beside_a_document
    from pitboss.cli.examining import Examination

    paper, exercises = _paper(asked)
    kept.check_writable()
    out = beside_a_document() if as_json else console()
    examination = Examination(out, answers_from(answers, out), kept, name, paper)
    examination.run(exercises)
    if as_json:
        print_json(examination.document())
    if examination.interrupted:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(0 if examination.right == paper.problems else 1)


def _paper(asked: _Asked) -> tuple[Paper, list[Exercise]]:
    """The paper and its problems. Raises `BadInput` that names the option."""
    from secrets import randbelow

    from pitboss.cli.examining import problems_of_book, problems_of_set
    from pitboss.school.examination import DRAWN_BELOW, DRAWN_FROM, MOST_PROBLEMS, USUAL_PROBLEMS, Paper

    number = DRAWN_FROM + randbelow(DRAWN_BELOW - DRAWN_FROM) if asked.seed is None else asked.seed
    own = None
    if asked.own_set is not None:
        own = _own_problems(asked.rulebook, asked.readings, asked.own_set, asked.only)
    count = asked.problems
    if count is None:
        count = USUAL_PROBLEMS if own is None else min(len(own), MOST_PROBLEMS)
    paper = Paper(number=number, problems=count, only=asked.only, level=asked.level)
    try:
        if own is not None:
            return paper, problems_of_set(own, paper)
        return paper, problems_of_book(_named_plan(asked.rulebook, asked.readings), paper)
    except BadInput as bad:
        option = {"number": "--seed", "problems": "--problems", "level": "--level"}.get(bad.place, bad.place)
        raise BadInput(option, bad.problem, bad.remedy) from bad


def trainee_name(given: str | None) -> str:
    """A name as it is kept. Raises `BadInput` for one that cannot be."""
    from pitboss.school.scores import LONGEST_NAME

    name = TRAINEE if given is None else " ".join(given.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise BadInput("--trainee", "is no name", f"write 1 to {LONGEST_NAME} printable characters")
    return name


def _check(problems: int | None, only: str, level: int | None) -> None:
    from pitboss.errors import near_miss
    from pitboss.school.course import KINDS
    from pitboss.school.topics import LEAST_LEVEL, MOST_LEVEL

    if problems is not None and not 1 <= problems <= MOST_PROBLEMS:
        raise BadInput("--problems", f"{problems} problems", f"write 1 to {MOST_PROBLEMS}")
    if only and only not in KINDS:
        raise BadInput("--only", f"no kind '{only}'", near_miss(only, KINDS))
    if level is not None and not LEAST_LEVEL <= level <= MOST_LEVEL:
        raise BadInput("--level", f"no level {level}", f"write {LEAST_LEVEL} to {MOST_LEVEL}")


def _chance(seed: int | None) -> Random:
    from random import Random
    from secrets import SystemRandom

    return SystemRandom() if seed is None else Random(check_seed(seed, "--seed"))


def _course(rulebook: str, readings: list[str], own_set: str | None, only: str, rng: Random) -> Course:
    from pitboss.cli.drilling import BookCourse, SetCourse

    if own_set is not None:
        return SetCourse(_own_problems(rulebook, readings, own_set, only))
    return BookCourse(_named_plan(rulebook, readings), rng, only)


def _own_problems(rulebook: str, readings: list[str], own_set: str, only: str) -> list[Exercise]:
    from pathlib import Path

    from pitboss.school.set_files import read_own

    plan = _plan(rulebook, readings) if rulebook else None
    return _of_book(read_own(Path(own_set)).exercises, plan, only, own_set)


def _named_plan(rulebook: str, readings: list[str]) -> Plan:
    if not rulebook:
        raise BadInput("RULEBOOK", "is missing", "name one, such as mbs-3cp-2023, or a set with --set")
    return _plan(rulebook, readings)


def _plan(rulebook: str, readings: list[str]) -> Plan:
    from pitboss.errors import near_miss
    from pitboss.rulebooks import load_plan
    from pitboss.rulebooks.load import parse_choices

    if near_miss(rulebook, (REPORT,)).startswith("did you"):
        raise BadInput("", f"no rulebook '{rulebook}'", f"did you mean '{REPORT}'?")
    return load_plan(rulebook, parse_choices(readings), place="--reading")


def _of_book(exercises: Sequence[Exercise], plan: Plan | None, only: str, place: str) -> list[Exercise]:
    """The problems of a set that are of the book and the kind named, or all of it."""
    from pitboss.school.showing import kind_of

    found = [one for one in exercises if plan is None or one.problem.plan.id == plan.id]
    found = [one for one in found if not only or kind_of(one.problem) == only]
    if not found:
        books = ", ".join(sorted({one.problem.plan.id for one in exercises}))
        raise BadInput(place, "no problem of this book and kind is in it", f"it has problems of {books}")
    return found


def _report(
    kept: ScoreFile, rulebook: str, readings: list[str], trainee: str | None, *, as_json: bool
) -> None:
    from pitboss.cli.drill_report import print_report
    from pitboss.rulebooks import book_ids, load_plan
    from pitboss.school.report import trainee_report

    own = _plan(rulebook, readings) if rulebook else None
    found = kept.all()
    names = [trainee_name(trainee)] if trainee is not None else sorted(found)
    if trainee is not None and names[0] not in found:
        from pitboss.errors import near_miss

        raise BadInput("--trainee", f"nothing is kept of '{names[0]}'", near_miss(names[0], found))
    reports = []
    for name in names:
        books = {book: score for book, score in found[name].items() if own is None or book == own.id}
        reports.append(
            trainee_report(
                name,
                books,
                lambda book: own if own is not None else load_plan(book) if book in book_ids() else None,
            )
        )
    if as_json:
        print_json({"trainees": reports})
    else:
        print_report(console(), reports)
