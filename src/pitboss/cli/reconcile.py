"""`pitboss floor reconcile`: what a failover has lost, named by command, and named in the record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.cli import completing
from pitboss.cli.output import console, print_json, say_error, say_warning
from pitboss.cli.place import AsJson, Data, Database, where

if TYPE_CHECKING:
    from pitboss.reconciliation import Comparison, Gone, Recorded

LOST = 1
SHOWN_AT_MOST = 50


def reconcile_command(
    journal: Annotated[
        list[Path] | None,
        typer.Option(
            "--journal",
            metavar="FILE|DIR",
            help="A journal of another server, or its data folder's 'journal'; repeat it for more.",
        ),
    ] = None,
    kept: Annotated[
        list[Path] | None,
        typer.Option("--kept", metavar="FILE", help="Checkpoints kept elsewhere; repeat it for more."),
    ] = None,
    confirm: Annotated[
        bool, typer.Option("--confirm", help="Name in the record what is lost; the servers go on.")
    ] = False,
    by: Annotated[
        str,
        typer.Option(
            "--by", help="The shift manager, or above, who confirms it.", autocompletion=completing.people
        ),
    ] = "console",
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Compare what the servers acknowledged with the record, after a failover or a restore.

    Reads the journals of this data folder and those named, and kept checkpoints. Leaves with 1 where
    something is lost, or a journal is damaged. With --confirm the record names what is lost, and the
    servers that had stopped go on.

    Examples: pitboss floor reconcile --data floor;
    pitboss floor reconcile --journal other/journal --kept kept.jsonl --confirm --by gina --data floor
    """
    from pitboss.cli.floor import asker_of, known_asker
    from pitboss.reconciliation import compare, opened, record_loss

    place = where(data, database)
    store, floor = opened(place)
    try:
        found = compare(store, floor, place, journals=journal or (), kept=kept or ())
        recorded = None
        if confirm and not found.is_whole:
            known_asker(floor, by)
            recorded = record_loss(store, floor, place, found, asker_of(by))
    finally:
        store.close()
    if as_json:
        print_json(_document(found, recorded))
    else:
        _print(found, recorded)
    if recorded is not None and not recorded.answer.ok:
        say_error(f"refused ({recorded.answer.code}): {recorded.answer.message}")
    if found.damaged or (not found.is_whole and (recorded is None or not recorded.answer.ok)):
        raise typer.Exit(LOST)


def _print(found: Comparison, recorded: Recorded | None) -> None:
    say = console().print
    commands, checkpoints = _count(found.commands, "acknowledged command"), found.checkpoints_read
    say(f"compared: {commands}, {_count(checkpoints, 'checkpoint')}", markup=False, highlight=False)
    if found.before != found.after:
        say(f"the database was {found.before}, it is {found.after}", markup=False, highlight=False)
    if found.torn:
        cut = _count(found.torn, "line")
        say_warning(f"{cut} of the journals cut off: what they speak of was not answered")
    for folder in found.empty:
        say_warning(f"--journal {folder}: there is no journal in this folder")
    for damage in found.damaged:
        say_warning(str(damage))
    for one in found.gone[:SHOWN_AT_MOST]:
        say(_line(one), markup=False, highlight=False, soft_wrap=True)
    if len(found.gone) > SHOWN_AT_MOST:
        say(f"… {len(found.gone) - SHOWN_AT_MOST} more, all of them with --json", markup=False)
    for row in found.checkpoints:
        text = f"lost: checkpoint {row.number} of {_time(row.at)}"
        say(text, markup=False, highlight=False)
    if found.is_whole:
        named = f", {found.named_before} that the record names apart" if found.named_before else ""
        readable = " of what could be read" if found.damaged else ""
        say(f"nothing{readable} is lost{named}", markup=False, highlight=False)
    elif recorded is None:
        say_warning("'pitboss floor reconcile --confirm --by NAME' names this in the record")
    elif recorded.answer.ok:
        signed = (
            "no key here to sign it" if recorded.checkpoint is None else f"checkpoint {recorded.checkpoint}"
        )
        say(f"recorded: {_count(len(found.gone), 'loss', 'losses')}, {signed}", markup=False, highlight=False)
        if recorded.file is not None:
            text = f"the whole list is {recorded.file}: copy it to every data folder, and keep it"
            say(text, markup=False, highlight=False, soft_wrap=True)


def _line(one: Gone) -> str:
    lost = one.lost
    what = f"{lost.stream} event {lost.version} {lost.hash[:16]}…" if lost.stream else "a refusal"
    who = f"command {lost.key}" if lost.key else "of no command in these journals"
    instead = f"; in its place {one.instead[:16]}…" if one.instead else "; in its place nothing"
    return f"lost: {_time(lost.at)} {who}, {what}{instead if lost.stream else ''}"


def _count(number: int, what: str, several: str = "") -> str:
    return f"{number} {what if number == 1 else several or what + 's'}"


def _time(at: int) -> str:
    from datetime import UTC, datetime, timedelta

    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at)
    except (OverflowError, TypeError):
        return f"microsecond {at}"  # of a checkpoint that nothing here can check the signature of
    return moment.strftime("%Y-%m-%d %H:%M:%S.%f UTC")


def _document(found: Comparison, recorded: Recorded | None) -> dict[str, Any]:
    from dataclasses import asdict

    answer = None
    if recorded is not None:
        answer = {
            **recorded.answer.body,
            "checkpoint": recorded.checkpoint,
            "file": None if recorded.file is None else str(recorded.file),
        }
    return {
        "whole": found.is_whole,
        "before": found.before,
        "after": found.after,
        "commands": found.commands,
        "checkpoints": found.checkpoints_read,
        "torn_lines": found.torn,
        "damaged": [{"file": str(row.file), "line": row.line, "lines": row.lines} for row in found.damaged],
        "folders_without_journals": [str(folder) for folder in found.empty],
        "named_before": found.named_before,
        "lost": [{**asdict(one.lost), "instead": one.instead or None} for one in found.gone],
        "lost_checkpoints": [asdict(row) for row in found.checkpoints],
        "recorded": answer,
    }
