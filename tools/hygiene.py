"""What no commit should hold: big files and marks of a merge under way. `python tools/hygiene.py FILE...`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

MOST_BYTES = 500_000
BIGGER_BY_NATURE = ("package-lock.json",)
MARKS = re.compile(rb"^(<{7} |={7}$|>{7} |\|{7} )", re.M)
"""A line of seven equal signs alone counts only beside the others: it underlines headings too."""


def problems(files: Iterable[Path]) -> Iterator[str]:
    """What is wrong with these files, one line each."""
    for file in files:
        if not file.is_file():
            continue
        content = file.read_bytes()
        if len(content) > MOST_BYTES and file.name not in BIGGER_BY_NATURE:
            yield f"{file}: {len(content):,} bytes; at most {MOST_BYTES:,} belong in a commit"
        marks = {found.strip()[:1] for found in MARKS.findall(content)}
        if {b"<", b">"} <= marks:
            yield f"{file}: a merge is not finished"


if __name__ == "__main__":
    found = list(problems(Path(name) for name in sys.argv[1:]))
    sys.stdout.write("".join(f"{problem}\n" for problem in found))
    sys.exit(bool(found))
