"""A lossy failover, made with a SQLite file: a copy is taken, the floor goes on, the copy is put back."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path


def standby_of(file: Path) -> Path:
    """A copy of the database as it is now, whole, as a standby that stays behind has it."""
    target = file.with_name("standby")
    target.unlink(missing_ok=True)
    here, there = sqlite3.connect(file), sqlite3.connect(target)
    here.backup(there)
    here.close()
    there.close()
    return target


def promote(standby: Path, file: Path) -> None:
    """From now on the standby is the database."""
    for leftover in file.parent.glob(f"{file.name}-*"):
        leftover.unlink()
    shutil.copy(standby, file.with_suffix(".new"))
    os.replace(file.with_suffix(".new"), file)
