"""A script's outcome, and the record of its rounds to save and replay, as other programs read them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pitboss.errors import BadInput, InvariantError, near_miss
from pitboss.money import LedgerUnits, floor_to_cents, format_cents
from pitboss.play.codec import decode_event, encode_event
from pitboss.play.events import Event, ExcessRejected
from pitboss.play.evolve import evolve
from pitboss.play.facts_file import Node, parse_json, read_limits
from pitboss.play.scenario import Played, RoundRecord, StepResult
from pitboss.play.sheet import award_json, seat_json
from pitboss.play.table import JackpotTerms, State, Terms, open_table
from pitboss.rulebooks import Plan, load_plan

FORMAT = "pitboss-record/1"


def played_json(played: Played) -> dict[str, Any]:
    """The answer of `pitboss run` in the form of CONTRACTS."""
    last = played.rounds[-1]
    document: dict[str, Any] = {
        "steps": [_step(result) for result in played.steps],
        "round": {"status": last.status, "clauses": list(last.clauses)},
        "seats": _seats(last),
        "rounds": [
            {"status": record.status, "clauses": list(record.clauses), "seats": _seats(record)}
            for record in played.rounds
        ],
        "balances": {player: format_cents(rack) for player, rack in played.state.racks.items()},
    }
    if played.state.terms.jackpot is not None:
        document["jackpot"] = {
            "before": format_cents(floor_to_cents(played.scenario.meter)),
            "after": format_cents(floor_to_cents(played.state.meter)),
            "awards": [award_json(award) for award in played.awards],
        }
    return document


def _step(result: StepResult) -> dict[str, Any]:
    step, refusal = result.step, result.refusal
    if refusal is None:
        return {"step": step, "ok": True, **rejected_json(result.events)}
    reason = {"code": refusal.code, "message": refusal.message, "clauses": list(refusal.clauses)}
    return {"step": step, "ok": False, "refusal": reason}


def rejected_json(events: Iterable[Event]) -> dict[str, Any]:
    """What of a wager was not taken, in the form of CONTRACTS; nothing where all of it was."""
    for event in events:
        if isinstance(event, ExcessRejected):
            return {"rejected": {"amount": format_cents(event.amount), "clauses": list(event.clauses)}}
    return {}


def _seats(record: RoundRecord) -> list[dict[str, Any]]:
    """The seats of a round as `settle` has them; of one not concluded, who sits there and nothing settled."""
    if record.settlement is not None:
        return [seat_json(seat) for seat in record.settlement.seats]
    return [
        {"position": n, "player": box.player, "hand": None, "net": "0.00", "lines": []}
        for n, box in sorted(record.state.boxes.items())
    ]


def save_record(played: Played) -> dict[str, Any]:
    """Everything that is needed to replay a script's rounds: the table as opened, and its events."""
    scenario, terms = played.scenario, played.scenario.terms
    return {
        "format": FORMAT,
        "rulebook": scenario.reference,
        "digest": terms.plan.digest,
        "readings": dict(terms.plan.readings),
        "table": {
            "positions": terms.positions,
            "procedure": terms.procedure.name,
            "physical": terms.physical,
            "limits": {name: [format_cents(a) for a in limit] for name, limit in terms.limits.items()},
            "jackpot": None
            if terms.jackpot is None
            else {
                "unit": format_cents(terms.jackpot.unit),
                "reset": format_cents(terms.jackpot.reset),
                "increment_bp": terms.jackpot.increment_bp,
            },
        },
        "meter": scenario.meter,
        "players": {player: format_cents(rack) for player, rack in scenario.players.items()},
        "events": [encode_event(event) for event in played.events],
    }


def replay_record(text: str, *, name: str) -> tuple[State, list[Event], list[State]]:
    """The final state of a saved record, its events, and the state after each of them."""
    root = Node(parse_json(text, name=name), name, "")
    root.keys("format", "rulebook", "digest", "readings", "table", "meter", "players", "events")
    if root.get("format", Node.text) != FORMAT:
        raise BadInput(f"{name}: format", "not a record of this version", f"it should say {FORMAT}")
    plan = load_plan(root.get("rulebook", Node.text), root.get("readings", lambda n: n.mapping(Node.text)))
    if plan.digest != root.get("digest", Node.text):
        raise BadInput(
            f"{name}: digest", "the rulebook is not the one that was played", "replay with that one"
        )
    table = root.get("table", lambda node: node)
    jackpot = table.get("jackpot", _jackpot_terms, default=None)
    terms = Terms(
        plan=plan,
        procedure=plan.procedure(table.get("procedure", lambda node: _procedure(plan, node))),
        positions=table.get("positions", Node.number),
        physical=table.get("physical", Node.flag),
        limits=table.get("limits", lambda node: read_limits(plan, node)),
        jackpot=jackpot,
    )
    meter = LedgerUnits(root.get("meter", Node.number))
    state = open_table(terms, root.get("players", lambda n: n.mapping(Node.money)), meter=meter)
    events = root.get("events", lambda node: node.listed(lambda n: decode_event(n.object(), n.place)))
    states: list[State] = []
    for number, event in enumerate(events):
        try:
            state = evolve(state, event)
        except (InvariantError, AssertionError, LookupError, TypeError, ValueError) as error:
            place = f"{name}: events[{number}]"
            raise BadInput(place, "does not follow from those before it", "the record was changed") from error
        states.append(state)
    return state, events, states


def _procedure(plan: Plan, node: Node) -> str:
    name, known = node.text(), [procedure.name for procedure in plan.procedures]
    if name not in known:
        raise node.bad(f"no procedure '{name}'", near_miss(name, known))
    return name


def _jackpot_terms(node: Node) -> JackpotTerms | None:
    return JackpotTerms(
        unit=node.get("unit", Node.money),
        reset=node.get("reset", Node.money),
        increment_bp=node.get("increment_bp", Node.number),
    )
