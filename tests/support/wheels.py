"""Distributions for tests: built from what the working tree would commit, installed where nothing else is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

from pitboss.version import __version__

ROOT = Path(__file__).parent.parent.parent
STATIC = Path("src/pitboss/server/static")


@dataclass(frozen=True)
class Built:
    """The two distributions in their folder."""

    folder: Path

    @property
    def wheel(self) -> Path:
        return self.folder / f"pitboss-{__version__}-py3-none-any.whl"

    @property
    def sdist(self) -> Path:
        return self.folder / f"pitboss-{__version__}.tar.gz"


def build(source: Path, out: Path, *which: str) -> Built:
    """Build in a folder: without words the source distribution, and the wheel from it."""
    command = [sys.executable, "-m", "build", "--no-isolation", *which, "--outdir", str(out), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return Built(out)


def copy_of_the_tree(to: Path) -> Path:
    """The files that git knows or would know, as they are now, and the web client as it is built now."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    for name in listed:
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    shutil.copytree(ROOT / STATIC, to / STATIC)
    return to


def needed(name: str = "pitboss", extras: frozenset[str] = frozenset()) -> dict[str, Distribution]:
    """What a distribution declares that it needs, and what that needs, as installed here."""
    found: dict[str, Distribution] = {}
    waiting = [(name, extras)]
    done = set()
    while waiting:
        current, wanted = waiting.pop()
        key = re.sub(r"[-_.]+", "-", current).lower()
        if (key, wanted) in done:
            continue
        done.add((key, wanted))
        found[key] = distribution(current)
        for text in found[key].requires or ():
            requirement = Requirement(text)
            environments = [{"extra": extra} for extra in wanted or {""}]
            if requirement.marker is None or any(map(requirement.marker.evaluate, environments)):
                waiting.append((requirement.name, frozenset(requirement.extras)))
    del found[re.sub(r"[-_.]+", "-", name).lower()]
    return found


def empty_environment(folder: Path, *, pip: bool) -> Path:
    """A virtual environment with nothing in it; the path of its Python."""
    command = [sys.executable, "-m", "venv", *([] if pip else ["--without-pip"]), str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "bin" / "python"


def site_packages(python: Path) -> Path:
    (found,) = (python.parent.parent / "lib").glob("python3.*/site-packages")
    return found


def install_downloaded(python: Path, wheel: Path) -> None:
    """Install a wheel with everything it declares, from the index, in the pinned versions."""
    command = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "-c",
        str(ROOT / "constraints.txt"),
        str(wheel),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def install_lent(python: Path, wheel: Path) -> None:
    """Install a wheel alone, and lend it what it declares that it needs, and nothing that it does not.

    The packages are links to those of this environment; a dependency that is not declared is not there.
    """
    into = site_packages(python)
    command = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--quiet",
        "--no-deps",
        str(wheel),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for package in needed().values():
        for entry in _top_level(package):
            target = into / entry.name
            if not target.exists():
                target.symlink_to(entry)


def _top_level(package: Distribution) -> Iterator[Path]:
    """The files and folders that a package has put side by side into site-packages."""
    base = Path(str(package.locate_file("")))
    names = {file.parts[0] for file in package.files or () if file.parts[0] not in ("..", "__pycache__")}
    for name in sorted(names):
        yield base / name


def bare_surroundings(home: Path) -> dict[str, str]:
    """Variables of a process that knows nothing of this folder, nor of this environment."""
    return {"HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8", "COLUMNS": "120"}
