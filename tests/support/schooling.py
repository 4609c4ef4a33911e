"""The dealer school over HTTP, as a trainee uses it who knows everything."""

from __future__ import annotations

from typing import Any

from pitboss.client import SyncClient
from pitboss.money import format_cents
from pitboss.school.exercises import Exercise
from pitboss.school.problems import SettlementProblem


def ask(client: SyncClient, method: str, path: str, body: Any = None) -> dict[str, Any]:
    return client(client.client.call(method, f"/api/drill{path}", body))


def right_answer(exercise: Exercise) -> dict[str, Any]:
    """What the engine would answer."""
    problem = exercise.problem
    if not isinstance(problem, SettlementProblem):
        return {"remedy": problem.right.name}
    wagers = []
    for asked, line in problem.lines.items():
        done: dict[str, Any] = {"position": asked.position, "wager": asked.wager}
        if line.paid:
            done |= {"do": "pay", "amount": format_cents(line.paid)}
        elif asked.stake:
            done |= {"do": "take", "amount": format_cents(line.collected)}
        else:
            done |= {"do": "none"}
        wagers.append(done)
    return {"wagers": wagers}


def keys_of(document: Any) -> set[str]:
    """Every key of a document, however deep."""
    if isinstance(document, dict):
        return set(document).union(*(keys_of(value) for value in document.values()))
    return set().union(*(keys_of(value) for value in document)) if isinstance(document, list) else set()
