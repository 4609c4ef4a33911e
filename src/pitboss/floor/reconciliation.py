"""A record that lost its end says so: an event of the floor's own stream names the commands that are gone.

What it names explains a checkpoint or a journal that was kept elsewhere; nothing else does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from pitboss.errors import BadInput
from pitboss.floor import requests as q
from pitboss.floor.desk import Draft
from pitboss.floor.people import at_least
from pitboss.floor.registry import STREAM, Lost, RecordReconciled
from pitboss.play.refusal import Refusal
from pitboss.rulebooks.vocabulary import Position

NAMED_AT_MOST = 1000
"""So many of what was lost stand in the event; the rest is in a file that the event has the digest of."""


def digest_of_loss(loss: RecordReconciled | q.ReconcileRecord, lost: Sequence[Lost]) -> str:
    """The digest of everything that was lost, which binds a list that is too long for the event."""
    body = [
        loss.before,
        loss.after,
        [[row.number, row.at, row.signature] for row in loss.checkpoints],
        [[row.key, row.stream, row.version, row.hash, row.at] for row in lost],
    ]
    text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def reconcile_record(draft: Draft, request: q.ReconcileRecord) -> Refusal | None:
    """Name what was lost, once. A person of the house decides; the console only where none is left."""
    people = draft.registry.people.values()
    if draft.asker.kind != "staff" and any(at_least(rank, Position.SHIFT_MANAGER) for rank in people):
        return Refusal("by-name", "A shift manager or above says by name what was lost.")
    if not request.lost and not request.checkpoints:
        return Refusal("nothing-lost", "Everything that was acknowledged is in the record.")
    if len(request.lost) > NAMED_AT_MOST or request.count < len(request.lost):
        raise BadInput("lost", "this is not how a loss is named", f"name the first {NAMED_AT_MOST}")
    event = RecordReconciled(
        before=request.before,
        after=request.after,
        checkpoints=request.checkpoints,
        lost=request.lost,
        count=request.count,
        digest=request.digest,
    )
    if wrong_loss(event):
        raise BadInput("digest", wrong_loss(event), "'pitboss floor reconcile' makes it")
    for row in request.lost:
        if row.stream and draft.reader.hash_of(row.stream, row.version) == row.hash:
            problem = f"{row.stream} event {row.version} is in the record"
            raise BadInput("lost", problem, "'pitboss floor reconcile' compares them")
    if any(known.digest == request.digest for known in draft.registry.reconciled):
        return Refusal("reconciled-already", "The record names this loss already.")
    draft.record(STREAM, [event])
    draft.answer["lost"] = request.count
    return None


def wrong_loss(event: RecordReconciled) -> str:
    """What is wrong with an event that names a loss, in words, or empty."""
    if event.count < len(event.lost) or (event.count > len(event.lost) < NAMED_AT_MOST):
        return f"it names {len(event.lost)} of {event.count} commands"
    if not event.lost and not event.checkpoints:
        return "it names nothing that was lost"
    if event.count == len(event.lost) and digest_of_loss(event, event.lost) != event.digest:
        return "its digest is not that of what it names"
    return ""
