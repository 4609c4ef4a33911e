"""Golden transcripts: codes and clauses step by step, and every role's view where it changed."""

from __future__ import annotations

import json

from pitboss.play.record import played_json
from pitboss.play.scenario import Played
from pitboss.play.views import Role, Viewer, view_for


def transcript(played: Played) -> str:
    """The script as it went. Sentences are left out on purpose: they may be polished, codes and clauses not."""
    players = list(played.scenario.players)
    viewers = [Viewer(role) for role in Role if role is not Role.PLAYER]
    viewers += [Viewer(Role.PLAYER, player) for player in players]
    lines: list[str] = []
    last: dict[str, str] = {}
    for number, result in enumerate(played.steps, 1):
        refusal = result.refusal
        verdict = "ok" if refusal is None else f"refused {refusal.code} [{', '.join(refusal.clauses)}]"
        lines.append(f"{number:>3}. {result.step} -> {verdict}")
        for viewer in viewers:
            name = viewer.player or viewer.role.value
            view = view_for(result.state, viewer)
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
