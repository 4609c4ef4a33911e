"""Distributions for tests: built from what the working tree would commit, installed where nothing else is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.parser import HeaderParser
from importlib.metadata import Distribution, distribution
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement

from pitboss.version import __version__

ROOT = Path(__file__).parent.parent.parent
STATIC = Path("src/pitboss/server/static")
FOR_A_WHEEL = ("src", "pyproject.toml", "README.md", "LICENSE", "hatch_build.py")
"""What a wheel is built from where the web client is built already."""


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


def build_wheel(source: Path, out: Path) -> Path:
    """Build only the wheel, in this process."""
    (built,) = WheelBuilder(str(source)).build(directory=str(out), versions=["standard"])
    return Path(built)


def copy_of_the_tree(to: Path, *only: str) -> Path:
    """The files that git knows or would know, as they are now, and the web client as it is built now."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *only],
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


def needed(wheel: Path, extras: Iterable[str]) -> dict[str, Distribution]:
    """What a wheel declares that it needs with some extras, and what that needs, as installed here."""
    about = f"pitboss-{__version__}.dist-info/METADATA"
    with zipfile.ZipFile(wheel) as archive:
        declared = HeaderParser().parsestr(archive.read(about).decode()).get_all("Requires-Dist") or []
    found: dict[str, Distribution] = {}
    waiting = [("pitboss", frozenset(extras))]
    done = set()
    while waiting:
        current, wanted = waiting.pop()
        key = re.sub(r"[-_.]+", "-", current).lower()
        if (key, wanted) in done:
            continue
        done.add((key, wanted))
        if key != "pitboss":
            found[key] = distribution(current)
        for text in declared if key == "pitboss" else found[key].requires or ():
            requirement = Requirement(text)
            environments = [{"extra": extra} for extra in wanted or {""}]
            if requirement.marker is None or any(map(requirement.marker.evaluate, environments)):
                waiting.append((requirement.name, frozenset(requirement.extras)))
    return found


def empty_environment(folder: Path, *, pip: bool) -> Path:
    """A virtual environment with nothing in it; the path of its Python."""
    venv.create(folder, with_pip=pip, symlinks=True)
    return folder / "bin" / "python"


def site_packages(python: Path) -> Path:
    (found,) = (python.parent.parent / "lib").glob("python3.*/site-packages")
    return found


def install_downloaded(python: Path, wheel: Path, extras: Iterable[str]) -> None:
    """Install a wheel with everything that it declares for some extras, from the index, as pinned."""
    chosen = ",".join(extras)
    command = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "-c",
        str(ROOT / "constraints.txt"),
        f"{wheel}[{chosen}]" if chosen else str(wheel),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def install_lent(python: Path, wheel: Path, extras: Iterable[str]) -> None:
    """Unpack a wheel, and lend it what it declares that it needs, and nothing that it does not.

    The packages are links to those of this environment; a dependency that is not declared is not there. The
    wheel is unpacked once, beside itself, for all environments: its modules are compiled once.
    """
    into, unpacked = site_packages(python), wheel.parent / "unpacked"
    if not unpacked.exists():
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(unpacked)
    lent = [entry for package in needed(wheel, extras).values() for entry in _top_level(package)]
    for entry in (*unpacked.iterdir(), *lent):
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
