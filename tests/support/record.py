"""What the record of a floor says, read from outside: the log for the auditor, the notes of a worker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pitboss.floor.ports import Reader, Store
from pitboss.floor.service import SEAL
from verify_export import Ledger, audit, reconcile


def log_of(store: Reader) -> Iterator[dict[str, Any]]:
    """Every event of a store, as it is exported."""
    for stream in store.heads():
        for recorded in store.read(stream):
            yield {**recorded._asdict(), "data": json.loads(recorded.data)}


def ledger_of(store: Reader) -> Ledger:
    """The postings of a store, by stream and version, in the order of their lines."""
    ledger: Ledger = {}
    for stream in store.heads():
        for posting in store.postings(stream):
            ledger.setdefault((stream, posting.version), []).append((posting.account, posting.amount))
    return ledger


def audited(store: Store) -> list[str]:
    """What the independent auditor finds wrong with a store: nothing, one hopes."""
    found = audit(log_of(store), ledger_of(store))
    return [*found.problems, *reconcile(found, store.balances_under(""))]


def _as_given(answer: str) -> Any:
    """A kept answer as it was given: without the seal of one that no event speaks of."""
    body = json.loads(answer)
    body.pop(SEAL, None)
    return body


def lost(store: Store, notes: Path, *, after: int = 0) -> list[str]:
    """Answers that were given and are not in the store as they were given; those after so many bytes of notes."""
    gone = []
    with notes.open("rb") as opened:
        opened.seek(after)
        lines = opened.read().decode().splitlines()
    heads = store.heads()
    for line in lines:
        try:
            key, body = json.loads(line)
        except ValueError:
            continue  # the worker was killed while it wrote this line
        kept = store.kept(key)
        if kept is None or _as_given(kept.answer) != body:
            gone.append(key)
            continue
        for stream, version in body.get("versions", {}).items():
            if stream not in heads or heads[stream].version < version:
                gone.append(f"{key}: {stream} {version}")
    return gone
