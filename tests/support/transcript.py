"""Golden transcripts: codes and clauses step by step, and every role's view where it changed."""

from __future__ import annotations

import json
from typing import Any

from pitboss.money import floor_to_cents, format_cents
from pitboss.play.narrate import cited, narrate_citing
from pitboss.play.record import played_json
from pitboss.play.scenario import Played, StepResult
from pitboss.play.table import NO_TROUBLE
from pitboss.play.views import Role, Viewer, view_for
from support.sent import as_sent


def transcript(played: Played) -> str:
    """The script as it went. Sentences are left out on purpose: they may be polished, codes and clauses not."""
    players = list(played.scenario.players)
    viewers = [Viewer(role) for role in Role if role is not Role.PLAYER]
    viewers += [Viewer(Role.PLAYER, player) for player in players]
    lines: list[str] = []
    last: dict[str, str] = {}
    for number, result in enumerate(played.steps, 1):
        lines.append(_verdict(number, result))
        for viewer in viewers:
            name = viewer.player or viewer.role.value
            view = _in_words(as_sent(view_for(result.state, viewer)))
            for key, value in view.items():
                text = json.dumps(value, sort_keys=True, ensure_ascii=False)
                if last.get(f"{name}.{key}") != text:
                    last[f"{name}.{key}"] = text
                    lines.append(f"       {name}.{key} {text}")
    answer = played_json(played)
    for key in ("round", "seats", "balances", "jackpot"):
        if key in answer:
            lines.append(f"{key} {json.dumps(answer[key], sort_keys=True)}")
    return "\n".join(lines) + "\n"


AS_DATA = ("ranked", "dealer_ranked", "note")
"""What a view says a second time as data; `test_judged.py` and `test_shapes.py` hold it against the words."""


def _in_words(view: Any) -> Any:
    if isinstance(view, dict):
        return {key: _in_words(value) for key, value in view.items() if key not in AS_DATA}
    return [_in_words(value) for value in view] if isinstance(view, list) else view


def _verdict(number: int, result: StepResult) -> str:
    refusal = result.refusal
    verdict = "ok" if refusal is None else f"refused {refusal.code} [{', '.join(refusal.clauses)}]"
    return f"{number:>3}. {result.step} -> {verdict}"


def account(played: Played) -> str:
    """The script without the views: what was answered, what happened, and the money at every turn."""
    lines: list[str] = []
    racks: dict[str, str] = {}
    for number, result in enumerate(played.steps, 1):
        lines.append(_verdict(number, result))
        for event in result.events:
            if cited(event):
                lines.append(f"       {narrate_citing(result.state, event)}")
        now = {player: format_cents(rack) for player, rack in result.state.racks.items()}
        now |= {"meter": format_cents(floor_to_cents(result.state.meter))}
        changed = {name: text for name, text in now.items() if racks.get(name) != text}
        if changed and (result.state.trouble is not NO_TROUBLE or result.state.stage.is_over):
            lines.append("       " + ", ".join(f"{name} {text}" for name, text in changed.items()))
        racks = now
        if result.state.settlement is not None and result.refusal is None:
            lines += [f"       {line}" for line in _seats(result)]
    for number, record in enumerate(played.rounds, 1):
        lines.append(f"round {number}: {record.status} [{', '.join(record.clauses)}]")
    lines.append(f"balances {json.dumps(played_json(played)['balances'])}")
    return "\n".join(lines) + "\n"


def _seats(result: StepResult) -> list[str]:
    assert result.state.settlement is not None
    return [
        f"{seat.position} {seat.player} {line.wager} {format_cents(line.stake)}: "
        f"{format_cents(line.net)} [{', '.join(line.clauses)}]"
        for seat in result.state.settlement.seats
        for line in seat.lines
    ]
