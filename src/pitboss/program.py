"""The program's own check (A7): a digest over every file of the package, to hold against an approved one."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pitboss.errors import BadInput

APPROVED = "program.sha256"
"""A file of the data folder: where it is, only the program with that digest serves the floor."""


def program_digest() -> str:
    """A hash over the names and bytes of all files of the package, built web client included."""
    root = Path(__file__).parent
    whole = hashlib.sha256()
    for file in sorted(root.rglob("*")):
        name = file.relative_to(root).as_posix()
        if file.is_file() and "__pycache__" not in name and file.name != ".built":
            whole.update(f"{name}\n".encode() + hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def check_program(data: Path) -> str:
    """The digest of the program. Raises `BadInput` if the data folder approves of another one."""
    found, file = program_digest(), data / APPROVED
    if file.is_file():
        approved = file.read_text(encoding="utf-8").strip()
        if approved != found:
            remedy = "install the approved version, or approve this one with 'pitboss verify --program'"
            raise BadInput(str(file), f"approves of {approved[:16]}, this program is {found[:16]}", remedy)
    return found
