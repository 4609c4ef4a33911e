"""Four processes whose tables play for one jackpot, and claim it at the same time."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from pitboss.bootstrap import Settings, checkpoint_key, open_store
from pitboss.errors import check
from pitboss.store.keeping import export_all
from pitboss.verification import verify
from support.fault_drills import Figures
from support.kills import Nursery
from support.record import audited, lost
from verify_export import verify_export

PROCESSES = 4
LEAST_CLAIMS = 10
"""A race with fewer shows nothing."""


def race_for_a_jackpot(
    where: Settings, folder: Path, workers: Nursery, *, seed: int, tables: int, commands: int
) -> Figures:
    """A race on a new floor: every claim entered is ruled once, in one order, and nothing noted is lost.

    What the processes noted as they were answered is the clients' journal here.
    """
    more = ("--tables", str(tables), "--one-link", "--seed", str(seed))
    output, errors = workers.start(where, folder / "notes", "run-0", *more, "--commands", "0").ended()
    check("done" in output, f"the floor is set up: {errors[-2000:]}")
    racing = [
        workers.start(
            where, folder / f"notes-{n}", f"race-{n}", *more,
            "--only", ",".join(str(table) for table in range(n - 1, tables, PROCESSES)),
            "--commands", str(commands), "--hits", "500", "--finish",
        )
        for n in range(1, PROCESSES + 1)
    ]  # fmt: skip
    found = Figures(f"jackpot claims of {PROCESSES} processes")
    for worker in racing:
        output, errors = worker.ended()
        if "done" not in output:
            found.problems.append(errors[-2000:])
    _judge(where, folder, found)
    sys.stdout.write(f"{found}\n")
    return found


def _judge(where: Settings, folder: Path, found: Figures) -> None:
    store = open_store(where)
    try:
        for n in range(1, PROCESSES + 1):
            notes = folder / f"notes-{n}"
            found.lost += lost(store, notes)
            lines = notes.read_text(encoding="utf-8").splitlines()
            found.acknowledged += sum(bool(json.loads(line)[1]["ok"]) for line in lines)
        found.problems += audited(store)
        events = store.read("link/mega")
        export = folder / f"export-{time.monotonic_ns()}"
        export_all(store, export, checkpoint_key(where, create=False))
    finally:
        store.close()
    found.problems += [f"verify: {problem}" for problem in verify(where).problems]
    found.problems += [f"verify_export: {problem}" for problem in verify_export(export)]
    entered = [event.version for event in events if event.name == "claim-entered.v1"]
    fixed = [e.version for e in events if e.name == "claim-fixed.v1" and "entered first" in e.data]
    found.remark = f"{len(entered)} claims"
    if len(entered) < LEAST_CLAIMS:
        found.problems.append(f"there were only {len(entered)} claims")
    if [version + 1 for version in entered] != fixed:
        found.doubled.append("a claim is not followed by the one order that it has")
    if len({event.actor for event in events if event.name == "claim-entered.v1"}) <= PROCESSES:
        found.problems.append("the claims came from too few tables")
