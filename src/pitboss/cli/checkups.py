"""What can be wrong with an installation, one check each: what was found, and what would be right."""

from __future__ import annotations

import os
import re
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.bootstrap import CHECKPOINT_KEY, DECK_KEY, Settings
from pitboss.cli.files import cannot_be
from pitboss.errors import BadInput, MissingPart, StoreError
from pitboss.parts import PARTS, is_installed
from pitboss.progress import counting

if TYPE_CHECKING:
    from packaging.requirements import Requirement

OK, WARNING, WRONG = "ok", "warning", "wrong"
LEAST_PYTHON = (3, 11)
HIGHEST_WORTH = 7461
LEAST_ROOM = 200 * 2**20
EARLIEST = 1_767_225_600
"""The first second of 2026: no clock of today is before it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check has found; `remedy` says what would be right where it is not."""

    check: str
    verdict: str
    found: str
    remedy: str = ""


Check = Callable[[Settings], Iterator[Finding]]


def check_python(where: Settings) -> Iterator[Finding]:
    """The interpreter is one this version of Pitboss was made for."""
    found = sys.version.split()[0]
    if sys.version_info < LEAST_PYTHON:
        yield Finding("python", WRONG, found, "install Python 3.11 or newer")
    else:
        yield Finding("python", OK, found)


def check_dependencies(where: Settings) -> Iterator[Finding]:
    """Everything that Pitboss and its installed parts need is here, in a version they take.

    Where the pins are at hand, it is also the pinned version.
    """
    wrong, other, count = [], [], 0
    pins = _pins()
    installed = [part for part in PARTS if is_installed(part)]
    for needed in _requirements("", *installed):
        count += 1
        try:
            version = metadata.version(needed.name)
        except metadata.PackageNotFoundError:
            wrong.append(f"{needed.name} is missing")
            continue
        if not needed.specifier.contains(version, prereleases=True):
            wrong.append(f"{needed.name} is {version}, not {needed.specifier}")
        elif pins.get(_plain(needed.name), version) != version:
            other.append(f"{needed.name} is {version}, tested with {pins[_plain(needed.name)]}")
    if wrong:
        yield Finding("dependencies", WRONG, "; ".join(wrong), "install Pitboss again: pip install pitboss")
    elif other:
        yield Finding(
            "dependencies", WARNING, "; ".join(other), "install with: pip install -c constraints.txt"
        )
    else:
        yield Finding("dependencies", OK, f"{count} packages{', as pinned' if pins else ''}")


def _requirements(*extras: str) -> Iterator[Requirement]:
    """What Pitboss declares for some of its extras, the empty one being its base; each package once."""
    from packaging.requirements import Requirement

    seen = {"pitboss"}
    for text in metadata.requires("pitboss") or ():
        needed = Requirement(text)
        if needed.marker is not None and not any(needed.marker.evaluate({"extra": name}) for name in extras):
            continue
        if _plain(needed.name) not in seen:
            seen.add(_plain(needed.name))
            yield needed


def check_parts(where: Settings) -> Iterator[Finding]:
    """Which optional parts are installed, and the command for each that is not. None has to be."""
    for part in PARTS:
        missing = f"not installed, {MissingPart(part).command} adds it"
        yield Finding("parts", OK, f"{part}: {'installed' if is_installed(part) else missing}")


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _pins() -> dict[str, str]:
    """The versions Pitboss was tested with, where its sources are: an installed package has none."""
    file = Path(__file__).parents[3] / "constraints.txt"
    if not file.is_file():
        return {}
    pairs = (line.split("==", 1) for line in file.read_text().splitlines() if "==" in line)
    return {_plain(name): version.strip() for name, version in pairs}


def check_program_files(where: Settings) -> Iterator[Finding]:
    """The package's files are those that were installed, and those the data folder approves of."""
    from pitboss.program import APPROVED, check_program

    changed = _changed_files()
    if changed:
        text = f"{len(changed)} files are not as installed, the first is {changed[0]}"
        yield Finding("program", WRONG, text, "install Pitboss again: pip install --force-reinstall pitboss")
        return
    try:
        digest = check_program(where.data)
    except BadInput as bad:
        yield Finding("program", WRONG, bad.problem, bad.remedy)
        return
    approved = ", approved" if (where.data / APPROVED).is_file() else ""
    yield Finding("program", OK, f"digest {digest[:16]}{approved}")


def _changed_files() -> list[str]:
    """Files of the package whose bytes are not those the installer has noted."""
    import base64
    import hashlib

    changed = []
    for file in metadata.distribution("pitboss").files or ():
        if file.hash is None or not str(file).startswith("pitboss/"):
            continue
        path = Path(str(file.locate()))
        digest = hashlib.new(file.hash.mode, path.read_bytes()).digest() if path.is_file() else b""
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != file.hash.value:
            changed.append(str(file))
    return changed


def check_web_client(where: Settings) -> Iterator[Finding]:
    """The screens are built in."""
    import pitboss

    static = Path(pitboss.__file__).parent / "server" / "static"
    missing = [name for name in ("index.html", "player.html", "dealer.html") if not (static / name).is_file()]
    if missing:
        yield Finding(
            "screens", WARNING, f"not built: {', '.join(missing)}", "run 'make run', or install a wheel"
        )
    else:
        yield Finding("screens", OK, "built in")


def check_kernels(where: Settings) -> Iterator[Finding]:
    """The mathematics compile here, and what was compiled is kept. Without the mathematics nothing does."""
    if not is_installed("maths"):
        return
    try:
        with counting("compiling a kernel"):
            from pitboss.maths.compiling import cache_folder, cache_home

            _count_a_hand()
    except Exception as error:
        yield Finding("kernels", WRONG, f"do not compile: {error}", "install numba for this Python again")
        return
    home = os.environ.get("PITBOSS_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    if not cache_home().is_relative_to(home):
        text = f"compile; {home} cannot be written, {cache_home()} is used"
        yield Finding("kernels", WARNING, text, "set PITBOSS_CACHE to a folder that can be written")
    else:
        yield Finding("kernels", OK, f"compile, kept in {cache_folder()}")


def _count_a_hand() -> None:
    """A kernel, compiled, gives the best hand there is its worth."""
    from pitboss.cards import parse_cards
    from pitboss.errors import check
    from pitboss.maths.evaluators import encode, evaluate5

    royal = encode(parse_cards(("As", "Ks", "Qs", "Js", "Ts")))
    check(int(evaluate5([royal])[0]) == HIGHEST_WORTH, "a royal flush is not the highest hand")


def check_rulebooks(where: Settings) -> Iterator[Finding]:
    """Every rulebook that comes with Pitboss is without defects."""
    from pitboss.rulebooks import book_ids, read_document, validate

    for book in book_ids():
        defects = validate(read_document(book))
        if defects:
            yield Finding("rulebooks", WRONG, f"{book}: {defects[0]}", "install Pitboss again")
            return
    yield Finding("rulebooks", OK, f"{len(book_ids())} without defects")


def check_data_folder(where: Settings) -> Iterator[Finding]:
    """The data folder can be written, is nobody else's to read, and has room."""
    folder = where.data
    there = next((path for path in (folder, *folder.absolute().parents) if path.exists()), Path("/"))
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        text = f"{there} cannot be written ({error.strerror})"
        yield Finding("data folder", WRONG, text, "name another with --data, or give this user the right")
        return
    room = shutil.disk_usage(there).free
    if room < LEAST_ROOM:
        yield Finding("data folder", WARNING, f"{folder}: {room // 2**20} MB are free", "make room")
    elif folder.exists() and folder.stat().st_mode & 0o007 and (folder / "floor.db").exists():
        text = f"{folder} can be read by everybody on this machine"
        yield Finding("data folder", WARNING, text, f"run: chmod 700 {folder}")
    else:
        yield Finding("data folder", OK, f"{folder}{'' if folder.exists() else ' (will be made)'}")


def check_port(where: Settings, host: str = "127.0.0.1", port: int = 8000) -> Iterator[Finding]:
    """The port to serve on is free."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((host, port))
        except (OSError, OverflowError) as error:
            text = f"{host}:{port} cannot be used ({getattr(error, 'strerror', None) or error})"
            yield Finding(
                "port", WARNING, text, "stop what uses it, or 'pitboss serve --port 0' takes a free one"
            )
            return
    yield Finding("port", OK, f"{host}:{port} is free")


def check_terminal(where: Settings) -> Iterator[Finding]:
    """What is printed can be printed: suits, dashes."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        "♣♦♥♠ — ✓ ✗".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        text = f"{encoding} has no signs for the suits"
        yield Finding("terminal", WARNING, text, "set PYTHONUTF8=1, or a locale of UTF-8 such as C.UTF-8")
        return
    yield Finding("terminal", OK, encoding.lower())


def check_database(where: Settings) -> Iterator[Finding]:
    """The database answers, and what is kept there is of this version."""
    from pitboss.store.engine import REVISION, in_words, open_engine, revision_of

    name = "database"
    if not where.database and not (where.data / "floor.db").is_file():
        yield Finding(name, OK, "no floor yet: 'pitboss floor create' makes one")
        return
    try:
        engine = open_engine(where.url)
        with in_words(), engine.connect() as connection:
            found = revision_of(connection)
        engine.dispose()
    except (BadInput, StoreError) as broken:
        what = broken.problem if isinstance(broken, BadInput) else broken.what
        yield Finding(name, WRONG, what, broken.remedy)
        return
    kind = engine.dialect.name
    if found is None:
        yield Finding(name, WARNING, f"{kind} answers, no floor in it", "'pitboss floor create' makes one")
    elif found != REVISION and found < REVISION:
        text = f"{kind} answers, store {found}, this version knows {REVISION}"
        yield Finding(name, WARNING, text, "make a backup; the next command upgrades it")
    elif found != REVISION:
        text = f"{kind} answers, store {found}, this version knows {REVISION}"
        yield Finding(name, WRONG, text, "use the newer Pitboss that kept it")
    else:
        yield Finding(name, OK, f"{kind} answers, store {found}")


def check_patience(where: Settings) -> Iterator[Finding]:
    """How long a connection waits, as the database itself has it, and that it does not wait for ever."""
    from pitboss.store.connections import SERVING, patience_in_force
    from pitboss.store.engine import in_words, open_engine

    name = "patience"
    if not where.database and not (where.data / "floor.db").is_file():
        yield Finding(name, OK, "no floor yet")
        return
    try:
        engine = open_engine(where.url, usual=SERVING)
        with in_words(), engine.connect() as connection:
            found = patience_in_force(connection)
        engine.dispose()
    except (BadInput, StoreError) as broken:
        what = broken.problem if isinstance(broken, BadInput) else broken.what
        yield Finding(name, WRONG, what, broken.remedy)
        return
    text = ", ".join(f"{what} {wait}" for what, wait in found.items())
    endless = [what for what, wait in found.items() if wait == "for ever"]
    if endless:
        remedy = "give it a number of seconds: one process that stands still stops the others"
        yield Finding(name, WARNING, text, remedy)
    else:
        yield Finding(name, OK, text)


def check_deck_key(where: Settings) -> Iterator[Finding]:
    """The key of the sealed decks is at hand, outside the database, and nobody else's to read."""
    from pitboss.bootstrap import deck_key

    file = where.data / DECK_KEY
    floor = bool(where.database) or (where.data / "floor.db").is_file()
    if not os.environ.get("PITBOSS_DECK_KEY") and not file.exists():
        verdict = WRONG if floor else OK
        text = f"{file} is missing" if floor else "made with the floor"
        remedy = "put it back, or set PITBOSS_DECK_KEY on every machine" if floor else ""
        yield Finding("deck key", verdict, text, remedy)
        return
    try:
        deck_key(where, create=False)
    except (BadInput, StoreError) as bad:
        yield Finding("deck key", WRONG, str(bad), "put the right key back")
        return
    if os.environ.get("PITBOSS_DECK_KEY"):
        yield Finding("deck key", OK, "in the environment, outside the database")
    elif file.stat().st_mode & 0o077:
        yield Finding("deck key", WRONG, f"{file} can be read by others", f"run: chmod 600 {file}")
    else:
        yield Finding("deck key", OK, f"{file}, outside the database")


def check_checkpoint_key(where: Settings) -> Iterator[Finding]:
    """The key that the record is signed with is at hand, and nobody else's to read."""
    from pitboss.bootstrap import checkpoint_key

    file = where.data / CHECKPOINT_KEY
    floor = bool(where.database) or (where.data / "floor.db").is_file()
    try:
        found = checkpoint_key(where, create=False)
    except (BadInput, StoreError) as bad:
        yield Finding("checkpoint key", WRONG, str(bad), "put the right key back")
        return
    if found is None and floor:
        remedy = "put it back; where another machine signs, serve with --unsigned"
        yield Finding("checkpoint key", WRONG, f"{file} is missing: nothing is signed", remedy)
    elif found is None:
        yield Finding("checkpoint key", OK, "made with the floor")
    elif file.stat().st_mode & 0o077:
        yield Finding("checkpoint key", WRONG, f"{file} can be read by others", f"run: chmod 600 {file}")
    else:
        yield Finding("checkpoint key", OK, str(file))


def check_beacon(where: Settings) -> Iterator[Finding]:
    """The public beacon of the settings can be read, answers, and signs what it answers."""
    from pitboss.beacons import configured_beacon, latest_value

    try:
        configured = configured_beacon()
        if configured is None:
            text = "none: the order of sealed decks is composed with devices of players alone"
            yield Finding("beacon", OK, text)
            return
        terms = configured.terms
        text = f"{terms.name}, a round every {terms.period} s, missing: {terms.missing}"
        problem = latest_value(configured, time.time())
    except BadInput as bad:
        yield Finding("beacon", WRONG, f"{bad.place} {bad.problem}", bad.remedy)
        return
    if not problem:
        yield Finding("beacon", OK, text)
    else:
        waits = "rounds wait for it" if terms.missing == "wait" else "rounds are dealt without it"
        yield Finding("beacon", WARNING, f"{text}; {problem}", f"check the network and the url: {waits}")


def check_file_limit(where: Settings) -> Iterator[Finding]:
    """A server may open a file for each of its sockets; it raises its own limit as far as it may."""
    from pitboss.server.file_limit import file_limits, files_needed
    from pitboss.server.settings import ServerSettings

    needed = files_needed(ServerSettings().most_connections_needed)
    highest = file_limits()[1]
    text = f"{highest} files may be open, {needed} are needed for all the sockets of a server"
    if highest < needed:
        remedy = f"raise it: LimitNOFILE={needed} in the service's unit, or 'ulimit -Hn {needed}'"
        yield Finding("file limit", WARNING, text, remedy)
    else:
        yield Finding("file limit", OK, text)


def check_clock(where: Settings) -> Iterator[Finding]:
    """The clock is of today and runs with the steady one."""
    wall, steady = time.time(), time.monotonic()
    time.sleep(0.05)
    drift = abs((time.time() - wall) - (time.monotonic() - steady))
    if wall < EARLIEST:
        text = time.strftime("%Y-%m-%d", time.gmtime(wall))
        yield Finding("clock", WRONG, f"it says {text}", "set the clock; NTP keeps it right")
    elif drift > 0.5:
        yield Finding("clock", WARNING, f"it jumped by {drift:.1f} s while it was looked at", "see to NTP")
    else:
        yield Finding("clock", OK, time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(wall)))


def check_random(where: Settings) -> Iterator[Finding]:
    """The system has a secure source of random numbers, and it does not repeat itself."""
    import secrets

    try:
        first, second = secrets.token_bytes(32), secrets.token_bytes(32)
    except NotImplementedError:
        yield Finding("random source", WRONG, "there is none", "use a system with getrandom or /dev/urandom")
        return
    if first == second or len(set(first)) == 1:
        yield Finding("random source", WRONG, "it repeats itself", "do not deal with this machine")
    else:
        yield Finding("random source", OK, "the operating system's")


def tried(name: str, findings: Iterator[Finding]) -> Iterator[Finding]:
    """What a check finds; a file that cannot be read on the way is a finding, not the end of the others."""
    try:
        yield from findings
    except OSError as error:
        bad = cannot_be(error) if error.filename is not None else BadInput("", str(error))
        yield Finding(name, WRONG, f"{bad.place}: {bad.problem}".removeprefix(": "), bad.remedy)


CHECKS: dict[str, Check] = {
    "python": check_python,
    "dependencies": check_dependencies,
    "parts": check_parts,
    "program": check_program_files,
    "screens": check_web_client,
    "kernels": check_kernels,
    "rulebooks": check_rulebooks,
    "data folder": check_data_folder,
    "database": check_database,
    "patience": check_patience,
    "deck key": check_deck_key,
    "checkpoint key": check_checkpoint_key,
    "beacon": check_beacon,
    "file limit": check_file_limit,
    "terminal": check_terminal,
    "clock": check_clock,
    "random source": check_random,
}
