"""The answers that are kept for commands, held against the record: each speaks of the events it came with."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pitboss.floor.desk import digest_of
from pitboss.floor.ports import Micros

Wrong = tuple[str, int, str]
"""The stream or the answer, the version it is about (or 0), and what is wrong."""


class End(NamedTuple):
    """Where a request ends in a stream: the last event of its time, or one that speaks of a kept answer."""

    version: int
    at: Micros
    kept: str


class Ends:
    """The ends of requests in a stream, event by event."""

    def __init__(self) -> None:
        self.found: list[End] = []
        self._last: End | None = None

    def add(self, version: int, at: Micros, kept: str) -> None:
        """One event more."""
        last = self._last
        if last is not None and not last.kept and last.at != at:
            self.found.append(last)
        self._last = End(version, at, kept)
        if kept:
            self.found.append(self._last)

    def over(self) -> list[End]:
        """All of them, once the stream is read."""
        if self._last is not None and not self._last.kept:
            self.found.append(self._last)
        return self.found


def wrong_answers(
    rows: Iterable[tuple[str, Micros, str, str]],
    ends: Mapping[str, list[End]],
    *,
    binds: Callable[[Micros], bool],
) -> Iterator[Wrong]:
    """Kept answers that are not what was answered, and requests of which no answer is kept.

    `binds` tells whether the record of a time speaks of its answers; before, an answer is held against the
    versions and times of the events alone.
    """
    index = {stream: {end.version: end for end in found} for stream, found in ends.items()}
    claimed: dict[str, set[int]] = {stream: set() for stream in ends}
    for key, at, fingerprint, answer in rows:
        name = f"answer {key}"
        body = _body(answer)
        if body is None:
            yield name, 0, "is no answer that was ever given"
            continue
        versions = body["versions"] if body["ok"] else {}
        if not versions:
            problem = _own_seal(key, at, fingerprint, body, must=binds(at))
            if problem:
                yield name, 0, problem
            continue
        first = True
        for stream, version in versions.items():
            end = index.get(stream, {}).get(version)
            digest = digest_of(key, at, fingerprint, answer) if first else ""
            problem = _not_its_end(end, ends.get(stream, []), version, at, digest, must=binds(at))
            if not problem and version in claimed[stream]:
                problem = "speaks of events that another answer speaks of"
            if problem:
                yield name, 0, f"{problem}: {stream} event {version}"
            elif stream in claimed:
                claimed[stream].add(version)
            first = False
    for stream, found in ends.items():
        for end in found:
            if end.version not in claimed[stream]:
                yield stream, end.version, "no kept answer speaks of it"


def _body(answer: str) -> dict[str, Any] | None:
    """An answer as data, or None for text that is none, or is not written as answers are."""
    try:
        body = json.loads(answer)
        if json.dumps(body, separators=(",", ":"), ensure_ascii=False) != answer:
            return None
        if type(body) is not dict or type(body["ok"]) is not bool:
            return None
        if not body["ok"]:
            refusal = body["refusal"]
            return body if refusal.keys() == {"code", "message", "clauses"} else None
        return body if all(type(version) is int for version in body["versions"].values()) else None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _own_seal(key: str, at: Micros, fingerprint: str, body: dict[str, Any], *, must: bool) -> str:
    """What is wrong with an answer that no event speaks of."""
    seal = body.pop("kept", None)
    if seal is None:
        return "it has no seal, and no event speaks of it" if must else ""
    text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
    return "" if seal == digest_of(key, at, fingerprint, text) else "it is not what was answered"


def _not_its_end(
    end: End | None, ends: list[End], version: int, at: Micros, digest: str, *, must: bool
) -> str:
    """What is wrong with an event that an answer speaks of; `digest` is what its first stream has to say."""
    if end is None:
        following = bisect_left(ends, version, key=lambda other: other.version)
        inside = following < len(ends) and ends[following].at == at
        if not inside:
            return "speaks of an event that does not end a request"
    elif end.at != at:
        return "was given at another time than its event"
    said = "" if end is None else end.kept
    if digest and (said or must) and said != digest:
        return "is not what its event says was answered"
    return ""
