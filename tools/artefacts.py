"""What is in the wheel and the source distribution, and what should be: `python tools/artefacts.py dist`."""

from __future__ import annotations

import re
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path

from pitboss.parts import PARTS

ROOT = Path(__file__).resolve().parent.parent
STATIC = "pitboss/server/static/"
BOOKS = "pitboss/rulebooks/books/"
STRAYS = re.compile(
    r"(^|/)(tests?|tools|docs|node_modules|__pycache__|\.venv|\.git|\.hypothesis|\.demo|build|dist)(/|$)"
    r"|\.(pyc|map|svelte|ts|sqlite)$"
)
"""What has no place in a wheel."""
SDIST_STRAYS = re.compile(r"(^|/)(node_modules|__pycache__|\.venv|\.git|\.\w+_cache|\.demo|dist)(/|$)|\.pyc$")
MACHINE = re.compile(rb"(?<![\w.~$-])/(?:tmp|root|home|Users|private)/\w")
"""The beginning of a path that only the machine has on which something was built."""
TO_BUILD_WITH = (
    "pyproject.toml",
    "hatch_build.py",
    "constraints.txt",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "web/build.py",
    "web/package.json",
    "web/package-lock.json",
    "web/vite.config.js",
    "web/page.html",
)
"""What building and installing needs, besides `src`."""

Files = Mapping[str, bytes]


def wheel_files(path: Path) -> dict[str, bytes]:
    """Every file of a wheel by its name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def sdist_files(path: Path) -> dict[str, bytes]:
    """Every file of a source distribution by its name inside the top folder."""
    found = {}
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None:
                found[member.name.partition("/")[2]] = content.read()
    return found


def wheel_problems(files: Files, version: str) -> Iterator[str]:
    """What is wrong with a wheel: files that miss, files that stray, words of its metadata."""
    about = f"pitboss-{version}.dist-info/"
    for name in files:
        if not name.startswith(("pitboss/", about)) or STRAYS.search(name):
            yield f"wheel: {name} does not belong there"
    for path in sorted((ROOT / "src").rglob("*")):
        name = path.relative_to(ROOT / "src").as_posix()
        if path.suffix in (".py", ".toml", ".html", ".typed") and name not in files:
            yield f"wheel: {name} is missing"
    if len({name.split("/")[3] for name in files if name.startswith(BOOKS)}) < 5:
        yield "wheel: it has not every rulebook"
    yield from _client_problems(files)
    yield from _metadata_problems(HeaderParser().parsestr(files[f"{about}METADATA"].decode()), version)
    if f"{about}licenses/LICENSE" not in files:
        yield "wheel: the license is missing"
    yield from path_problems("wheel", files)


def _client_problems(files: Files) -> Iterator[str]:
    """Every page of the client, and everything that the pages ask for."""
    pages = [name for name in files if name.startswith(STATIC) and name.endswith(".html")]
    wanted = re.findall(
        r'^  "\w+\.html": ', (ROOT / "web" / "vite.config.js").read_text("utf-8"), re.MULTILINE
    )
    if len(pages) != len(wanted):
        yield f"wheel: it has {len(pages)} pages of the web client"
    for page in pages:
        for target in re.findall(r'(?:src|href)="(/[^"]+)"', files[page].decode()):
            if "/assets/" in target and STATIC + target[target.index("assets/") :] not in files:
                yield f"wheel: {page} asks for {target}, which is missing"


def _metadata_problems(metadata: Message, version: str) -> Iterator[str]:
    wanted = {
        "Name": "pitboss",
        "Version": version,
        "License-Expression": "Apache-2.0",
        "Requires-Python": ">=3.11",
        "Description-Content-Type": "text/markdown",
    }
    for key, value in wanted.items():
        if metadata[key] != value:
            yield f"wheel: {key} is {metadata[key]}, not {value}"
    for extra in sorted({*PARTS, "all"} - {*(metadata.get_all("Provides-Extra") or ())}):
        yield f"wheel: the extra '{extra}' is missing"
    if not str(metadata.get_payload()).startswith("# Pitboss"):
        yield "wheel: the README is missing from the metadata"


def path_problems(what: str, files: Files) -> Iterator[str]:
    """Names that leave the archive, and contents that name a folder of the machine it was built on."""
    for name, content in files.items():
        if name.startswith("/") or ".." in name.split("/"):
            yield f"{what}: {name} leaves the archive"
        if MACHINE.search(content) or str(ROOT).encode() in content:
            yield f"{what}: {name} names a folder of this machine"


def sdist_problems(files: Files) -> Iterator[str]:
    """What is wrong with a source distribution."""
    for name in files:
        if SDIST_STRAYS.search(name):
            yield f"sdist: {name} does not belong there"
    web = [path.relative_to(ROOT).as_posix() for path in (ROOT / "web/src").rglob("*") if path.is_file()]
    for name in (*TO_BUILD_WITH, *web):
        if name not in files:
            yield f"sdist: {name} is missing"
    if not any(name.startswith(f"src/{STATIC}assets/") for name in files):
        yield "sdist: the built web client is missing"
    yield from path_problems("sdist", files)


def problems(folder: Path, version: str) -> list[str]:
    """Everything that is wrong with the two distributions in a folder."""
    wheel = folder / f"pitboss-{version}-py3-none-any.whl"
    sdist = folder / f"pitboss-{version}.tar.gz"
    missing = [f"{path.name} is missing" for path in (wheel, sdist) if not path.exists()]
    if missing:
        return missing
    return [*wheel_problems(wheel_files(wheel), version), *sdist_problems(sdist_files(sdist))]


if __name__ == "__main__":
    from pitboss.version import __version__

    found = problems(Path(sys.argv[1]), __version__)
    sys.stdout.write("".join(f"{problem}\n" for problem in found) or "both distributions are in order\n")
    sys.exit(bool(found))
