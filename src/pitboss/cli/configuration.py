"""Settings from files: the user's, then the project's, which is stronger. Stronger still are the environment
and the command line.

A file has the general settings at its top and a table for each command: `[serve]`, `[floor.simulate]`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pitboss.errors import BadInput, near_file, near_miss

PROJECT_FILE = "pitboss.toml"
GENERAL: Mapping[str, str] = {
    "data": "PITBOSS_DATA",
    "database": "PITBOSS_DATABASE",
    "color": "PITBOSS_COLOR",
    "cache": "PITBOSS_CACHE",
    "threads": "PITBOSS_THREADS",
    "lock-seconds": "PITBOSS_LOCK_SECONDS",
    "statement-seconds": "PITBOSS_STATEMENT_SECONDS",
    "transaction-seconds": "PITBOSS_TRANSACTION_SECONDS",
    "connect-seconds": "PITBOSS_CONNECT_SECONDS",
    "silence-seconds": "PITBOSS_SILENCE_SECONDS",
    "beacon": "PITBOSS_BEACON",
}
"""Settings at the top of a file, and the variable of the environment that is stronger than each."""

MOST_SECONDS = 86_400
SECRETS = ("PITBOSS_DECK_KEY", "PITBOSS_PASSWORD")
"""Variables that no file may hold and nobody prints."""

OTHER_VARIABLES = ("PITBOSS_CONFIG", *SECRETS)
_PATHS = ("data", "cache", "beacon")
_PASSWORD = re.compile(r"(?<=://)([^/@\s:]*):([^@\s]*)@")


@dataclass(frozen=True, slots=True)
class Setting:
    """A value of a file, and which file."""

    value: Any
    origin: str


@dataclass(slots=True)
class Configuration:
    """What the files say. `tables` has the settings of each command by its words; `()` are the general ones.

    A file that cannot be read is a problem; whoever needs a setting hears of the first one.
    """

    files: list[str] = field(default_factory=list)
    tables: dict[tuple[str, ...], dict[str, Setting]] = field(default_factory=dict)
    problems: list[BadInput] = field(default_factory=list)
    given: Mapping[str, str] = field(default_factory=dict)

    def defaults(
        self, path: tuple[str, ...], options: list[Any], name_of: Callable[[Any], str]
    ) -> dict[str, Any]:
        """The defaults of a command by the names of its parameters. Raises `BadInput` for what is none."""
        if self.problems:
            raise self.problems[0]
        known = {name_of(option): option for option in options}
        found: dict[str, Any] = {}
        for key, setting in self.tables.get(path, {}).items() if path else ():
            place = f"{setting.origin}: {'.'.join((*path, key))}"
            if key not in known:
                raise BadInput(
                    place, f"'pitboss {' '.join(path)}' has no option '{key}'", near_miss(key, known)
                )
            found[known[key].name] = fitted(known[key], setting.value, place)
        return found

    def check_tables(self, path: tuple[str, ...], commands: list[str]) -> None:
        """Raise `BadInput` for a table of a command that there is not."""
        for found, settings in self.tables.items():
            if found[: len(path)] == path and len(found) > len(path) and found[len(path)] not in commands:
                origin, name = next(iter(settings.values())).origin, found[len(path)]
                remedy = near_miss(name, commands)
                raise BadInput(f"{origin}: {'.'.join(found)}", f"no command '{' '.join(found)}'", remedy)


def fitted(option: Any, value: Any, place: str) -> Any:
    """A value of a file as an option takes it. Raises `BadInput` for one of another kind."""
    hint = str(option.type_descriptor.annotation)
    if option.is_flag:
        if not isinstance(value, bool):
            raise BadInput(place, f"{_shown(value)} is neither true nor false", "write true or false")
        return value
    if option.multiple:
        values = value if isinstance(value, list) else [value]
        if any(isinstance(each, bool | dict | list) for each in values):
            raise BadInput(place, f"{_shown(value)} is no list of texts", 'write ["…", "…"]')
        return [str(each) for each in values]
    if "int" in hint and (isinstance(value, bool) or not isinstance(value, int)):
        raise BadInput(place, f"{_shown(value)} is no whole number", "write a number without quotes")
    if "float" in hint and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise BadInput(place, f"{_shown(value)} is no number", "write a number without quotes")
    if isinstance(value, bool | dict | list):
        raise BadInput(place, f"{_shown(value)} is no text", 'write it as "…"')
    return str(value)


def _shown(value: Any) -> str:
    return f"'{hidden(value)}'" if isinstance(value, str) else hidden(str(value))


def hidden(text: str) -> str:
    """A text without the password of an address in it."""
    return _PASSWORD.sub(r"\1:***@", text)


def user_file() -> Path:
    """The user's own file: PITBOSS_CONFIG, or `pitboss/config.toml` where the user's settings are."""
    named = os.environ.get("PITBOSS_CONFIG")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "pitboss" / "config.toml"


def read_configuration(verbs: tuple[str, ...]) -> Configuration:
    """What the user's file and the project's file say together. `verbs` are the tables they may have."""
    found = Configuration(given=dict(os.environ))
    if os.environ.get("PITBOSS_CONFIG") and not user_file().exists():
        name = os.environ["PITBOSS_CONFIG"]
        found.problems.append(
            BadInput("PITBOSS_CONFIG", f"there is no file '{name}'", near_file(name) or "name one that is")
        )
    for file in (user_file(), Path(PROJECT_FILE)):
        try:
            if file.is_file() or file.is_char_device():
                found.files.append(str(file))
                _take(found, _read(file), str(file), verbs)
        except BadInput as bad:
            found.problems.append(bad)
    return found


def _read(file: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(str(file), f"not TOML: {error}", "mend that line") from error
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(str(file), "cannot be read", "see to its rights; it is UTF-8 text") from error


def _take(found: Configuration, document: dict[str, Any], origin: str, verbs: tuple[str, ...]) -> None:
    for key, value in document.items():
        place = f"{origin}: {key}"
        if key in verbs:
            if not isinstance(value, dict):
                raise BadInput(place, f"{_shown(value)} is no table", f"write [{key}] and its options below")
            _take_table(found, (key,), value, origin)
        elif key in GENERAL:
            found.tables.setdefault((), {})[key] = Setting(_general(key, value, place), origin)
        else:
            raise BadInput(place, f"no setting or command '{key}'", near_miss(key, (*GENERAL, *verbs)))


def _take_table(found: Configuration, path: tuple[str, ...], table: Mapping[str, Any], origin: str) -> None:
    for key, value in table.items():
        if isinstance(value, dict):
            _take_table(found, (*path, key), value, origin)
        else:
            found.tables.setdefault(path, {})[key.replace("_", "-")] = Setting(value, origin)


def _general(key: str, value: Any, place: str) -> str:
    if key == "threads":
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise BadInput(place, f"{_shown(value)} is no number of threads", "write a whole number from 1")
        return str(value)
    if key.endswith("-seconds"):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_SECONDS:
            remedy = f"write a number from 0, which waits for ever, to {MOST_SECONDS}"
            raise BadInput(place, f"{_shown(value)} is not a number of seconds", remedy)
        return str(value)
    if not isinstance(value, str) or not value:
        raise BadInput(place, f"{_shown(value)} is no text", 'write it as "…"')
    return str(Path(value).expanduser()) if key in _PATHS else value


_current = Configuration()


def current() -> Configuration:
    """The configuration of the command that runs."""
    return _current


@contextmanager
def in_force(found: Configuration) -> Iterator[None]:
    """Let what the files say in general hold where the environment says nothing, while a command runs."""
    global _current
    before, _current = _current, found
    added = {
        GENERAL[key]: setting.value
        for key, setting in found.tables.get((), {}).items()
        if not os.environ.get(GENERAL[key])
    }
    os.environ.update(added)
    try:
        yield
    finally:
        _current = before
        for name, value in added.items():
            if os.environ.get(name) == value:
                del os.environ[name]
