"""A saved round checked from outside: by the command, and by the script that docs/fair-shuffle.md has."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from pitboss.cli.main import run

DOCS = Path(__file__).parent.parent.parent / "docs" / "fair-shuffle.md"


def by_command(file: Path) -> bool:
    return run(["verify-round", str(file)]) == 0


def by_the_page(file: Path) -> bool:
    code = re.search(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    assert len([line for line in code[1].splitlines() if line]) <= 30
    done = subprocess.run(
        [sys.executable, "-c", code[1], str(file)], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode == 0
