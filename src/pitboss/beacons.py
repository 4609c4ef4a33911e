"""The public beacon that a house has configured: a TOML file that the setting `beacon` names.

name = "city-beacon"
key = "…64 hexadecimal digits of its Ed25519 key…"
genesis = 1767225600          # when its round 1 was published, in seconds since 1970
period = 3                    # a round every so many seconds
wait_seconds = 10
missing = "wait"              # or "without": dealt without it once the seconds are over
url = "https://beacon.example/public/{round}"
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pitboss.errors import BadInput, near_file, near_miss
from pitboss.floor.composition import BeaconValue, first_round_after, is_signed
from pitboss.floor.entropy import WAIT, WITHOUT
from pitboss.floor.ports import BeaconTerms

VARIABLE = "PITBOSS_BEACON"
MOST_SECONDS = 3600
"""The longest period of a beacon, and the longest time that a table waits for one."""
LARGEST_ANSWER = 4096
PATIENCE_SECONDS = 3
_LATEST = 2**33
_NAME = re.compile(r"[A-Za-z0-9._-]{1,60}")
_KEY = re.compile(r"[0-9a-f]{64}")
_FIELDS = (*BeaconTerms._fields, "url")


@dataclass(frozen=True, slots=True)
class ConfiguredBeacon:
    """A beacon as its file describes it: what is announced of it, and where its values are published."""

    terms: BeaconTerms
    url: str

    def address_of(self, round_number: int) -> str:
        """Where the value of a round is."""
        return self.url.replace("{round}", str(round_number))


@dataclass(frozen=True, slots=True)
class AnnouncedBeacon:
    """A beacon that is announced here; its values come to the server alone."""

    terms: BeaconTerms

    def published(self, round_number: int) -> BeaconValue | None:
        """Nothing is fetched here."""
        return None


def configured_beacon() -> ConfiguredBeacon | None:
    """The beacon that the environment or a file of settings names. Raises `BadInput` for a bad file."""
    named = os.environ.get(VARIABLE, "")
    return read_beacon(Path(named)) if named else None


def read_beacon(file: Path) -> ConfiguredBeacon:
    """The beacon of a file. Raises `BadInput` with the place of the first thing that cannot be used."""
    try:
        said = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BadInput(VARIABLE, f"there is no file '{file}'", near_file(str(file)) or "name one") from error
    except OSError as error:
        raise BadInput(VARIABLE, f"{file} cannot be read ({error.strerror})", "check its rights") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(str(file), f"is not TOML: {error}", "correct it there") from error
    for name in said:
        if name not in _FIELDS:
            raise BadInput(f"{file}: {name}", f"unknown key '{name}'", near_miss(name, _FIELDS))
    for name in _FIELDS:
        if name not in said:
            raise BadInput(f"{file}: {name}", "is missing", "write it")
        problem, remedy = _wrong(name, said[name])
        if problem:
            raise BadInput(f"{file}: {name}", problem, remedy)
    url = said.pop("url")
    return ConfiguredBeacon(BeaconTerms(**said), url)


def _wrong(name: str, value: Any) -> tuple[str, str]:
    """What is wrong with a field, and what would be right; nothing where it can be used."""
    match name:
        case "genesis":
            fits, remedy = _is_count(value, _LATEST), "write whole seconds since 1970"
        case "period":
            fits, remedy = _is_count(value, MOST_SECONDS), f"write 1 to {MOST_SECONDS} seconds"
        case "wait_seconds":
            fits, remedy = _is_count(value, MOST_SECONDS), f"write 1 to {MOST_SECONDS} seconds"
        case "missing":
            fits, remedy = value in (WAIT, WITHOUT), f'write "{WAIT}" or "{WITHOUT}"'
        case "key":
            fits = isinstance(value, str) and bool(_KEY.fullmatch(value))
            remedy = "write the 64 hexadecimal digits of its Ed25519 key"
        case "name":
            fits = isinstance(value, str) and bool(_NAME.fullmatch(value))
            remedy = "write 1 to 60 letters, digits, points, hyphens and underscores"
        case _:
            fits = isinstance(value, str) and _is_address(value)
            remedy = "write an address with http or https and {round} in it"
    return ("", "") if fits else (f"{value!r} cannot be used", remedy)


def _is_count(value: Any, most: int) -> bool:
    return type(value) is int and 1 <= value <= most


def _is_address(value: str) -> bool:
    try:
        found = urlsplit(value)
    except ValueError:
        return False
    return found.scheme in ("http", "https") and bool(found.hostname) and "{round}" in value


def value_of(body: bytes) -> BeaconValue:
    """The value in what a beacon answers. Raises `ValueError` for anything else."""
    said = json.loads(body)
    if (
        not isinstance(said, dict)
        or type(said.get("round")) is not int
        or not isinstance(said.get("signature"), str)
    ):
        raise ValueError("no round and signature in it")
    return BeaconValue(said["round"], said["signature"].lower())


def latest_value(configured: ConfiguredBeacon, now: float) -> str:
    """What is wrong with the latest value that a beacon has published, or nothing. This one waits for it."""
    from urllib.error import URLError
    from urllib.request import urlopen

    terms = configured.terms
    number = first_round_after(now, genesis=terms.genesis, period=terms.period) - 1
    if number < 1:
        return "its first round is not published yet"
    try:
        with urlopen(configured.address_of(number), timeout=PATIENCE_SECONDS) as answer:
            value = value_of(answer.read(LARGEST_ANSWER))
    except (URLError, OSError, ValueError) as error:
        return f"round {number} cannot be fetched ({error})"
    signed = value.round == number and is_signed(terms.name, terms.key, value)
    return "" if signed else f"round {number} is not signed with its key"
