"""The answers that are kept for commands, held against the record: each speaks of the events it came with."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from pitboss.floor.desk import digest_of
from pitboss.floor.ports import BEGINNING, Micros, OldAnswer
from pitboss.floor.registry import STREAM, AnswersForgotten

Wrong = tuple[str, int, str]
"""The stream or the answer, the version it is about (or 0), and what is wrong."""


class End(NamedTuple):
    """Where a request ends in a stream: the last event of its time, or one that speaks of a kept answer."""

    version: int
    at: Micros
    kept: str


class Tally(NamedTuple):
    """Answers that are forgotten: those that the record speaks of, and others, each with their digest."""

    done: int
    digest: str
    others: int
    others_digest: str


def tally_of(rows: Iterable[OldAnswer], *, binds: Callable[[Micros], bool]) -> Tally:
    """What the record says of answers that are erased with it. `binds` is as for `wrong_answers`."""
    done: list[str] = []
    others: list[str] = []
    for row in rows:
        body = _body(row.answer)
        spoken_of = body is not None and body["ok"] and body["versions"] and binds(row.at)
        (done if spoken_of else others).append(digest_of(*row))
    return Tally(len(done), digest_of_all(done), len(others), digest_of_all(others))


def digest_of_all(digests: Iterable[str]) -> str:
    """One digest of the digests of answers, in whatever order they come."""
    return hashlib.sha256("\n".join(sorted(digests)).encode()).hexdigest()


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
    forgotten: Sequence[tuple[int, AnswersForgotten]] = (),
) -> Iterator[Wrong]:
    """Kept answers that are not what was answered, and requests of which no answer is kept.

    `binds` tells whether the record of a time speaks of its answers; before, an answer is held against the
    versions and times of the events alone. `forgotten` are the marks of answers that were erased, with their
    versions: what they say was erased is gone, nothing else, and it is as many as the record speaks of.
    """
    since = forgotten[-1][1].before if forgotten else BEGINNING
    yield from _wrong_marks(forgotten, ends, binds)
    index = {stream: {end.version: end for end in found} for stream, found in ends.items()}
    claimed: dict[str, set[int]] = {stream: set() for stream in ends}
    for key, at, fingerprint, answer in rows:
        name = f"answer {key}"
        if at < since:
            yield name, 0, "is of a time of which the record says that its answers are forgotten"
            continue
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
            if end.version not in claimed[stream] and end.at >= since:
                yield stream, end.version, "no kept answer speaks of it"


def _wrong_marks(
    forgotten: Sequence[tuple[int, AnswersForgotten]],
    ends: Mapping[str, list[End]],
    binds: Callable[[Micros], bool],
) -> Iterator[Wrong]:
    """Marks that do not say how many of the answers that the record speaks of were erased, and which."""
    if not forgotten:
        return
    spoken_of = sorted((end.at, end.kept) for found in ends.values() for end in found if end.kept)
    times = [BEGINNING, *(mark.before for _, mark in forgotten)]
    for (version, mark), (first, last) in zip(forgotten, pairwise(times), strict=True):
        part = spoken_of[bisect_left(spoken_of, (first, "")) : bisect_left(spoken_of, (last, ""))]
        erased = [kept for at, kept in part if binds(at)]
        if (mark.done, mark.digest) != (len(erased), digest_of_all(erased)):
            text = f"says that {mark.done} answers are forgotten; the record speaks of {len(erased)}"
            yield STREAM, version, text + (", others" if mark.done == len(erased) else "")


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
            return body if refusal.keys() - {"params"} == {"code", "message", "clauses"} else None
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
