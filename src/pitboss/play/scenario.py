"""Scenarios: a script in plain steps, played against the real engine (`pitboss run`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pitboss.cards import Card
from pitboss.errors import BadInput, near_miss
from pitboss.money import NO_UNITS, Cents, LedgerUnits, to_units
from pitboss.play.commands import Deal, Reveal
from pitboss.play.decide import carry_out
from pitboss.play.events import CardsBurned, CardsDealt, Event
from pitboss.play.facts_file import Node, parse_json, read_limits
from pitboss.play.refusal import Refusal
from pitboss.play.settlement import Award, Settlement
from pitboss.play.steps import parse_step
from pitboss.play.table import JackpotTerms, Stage, State, Terms, open_table
from pitboss.rulebooks import ClauseRef, Plan, load_plan

POSITIONS = 6
"""How many positions the table of a script has if it does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A script, read: the table, the decks of its rounds, and the steps."""

    name: str
    reference: str
    terms: Terms
    players: Mapping[str, Cents]
    meter: LedgerUnits
    decks: tuple[tuple[Card, ...], ...]
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """A step of a script: refused, or the events it made, and the state after it."""

    step: str
    refusal: Refusal | None
    events: tuple[Event, ...]
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRecord:
    """How a round of the script ended, or stands."""

    status: str
    clauses: tuple[ClauseRef, ...]
    state: State

    @property
    def settlement(self) -> Settlement | None:
        """How it was settled; None if it was not."""
        return self.state.settlement


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A script after it was played."""

    scenario: Scenario
    steps: tuple[StepResult, ...]
    rounds: tuple[RoundRecord, ...]
    state: State
    awards: tuple[Award, ...] = field(default=())

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, in order."""
        return tuple(event for step in self.steps for event in step.events)


def read_scenario(text: str, *, name: str) -> Scenario:
    """A scenario file. Raises `BadInput` for what cannot be played."""
    root = Node(parse_json(text, name=name), name, "")
    root.keys("rulebook", "readings", "table", "players", "deck", "decks", "steps", "title", "clauses")
    unread: dict[str, str] = {}
    reference = root.get("rulebook", Node.text)
    readings = root.get("readings", lambda node: node.mapping(Node.text), default=unread)
    plan = load_plan(reference, readings, place=f"{name}: readings")
    table = root.get("table", lambda node: node, default=Node({}, name, "table"))
    decks = _decks(root)
    terms, meter = _terms(plan, table, physical=not decks)
    players = root.get("players", lambda node: node.mapping(Node.money))
    if not players:
        raise BadInput(f"{name}: players", "nobody is at the table", 'write {"p1": "10000"}')
    steps = tuple(root.get("steps", lambda node: node.listed(lambda step: step.value)))
    for index, step in enumerate(steps):
        if not isinstance(step, str):
            raise BadInput(f"{name}: step {index + 1}", f"{step!r} is no step", "write 'dealer: open bets'")
        parse_step(step, terms, players, place=f"{name}: step {index + 1}")
    return Scenario(
        name=name,
        reference=reference,
        terms=terms,
        players=players,
        meter=meter,
        decks=decks,
        steps=steps,
    )


def play_scenario(scenario: Scenario) -> Played:
    """Play every step. A refused step changes nothing, and the script goes on."""
    state = open_table(scenario.terms, scenario.players, meter=scenario.meter)
    deck: tuple[Card, ...] | None = None
    results: list[StepResult] = []
    rounds: list[RoundRecord] = []
    for index, step in enumerate(scenario.steps):
        place = f"{scenario.name}: step {index + 1}"
        command = parse_step(step, scenario.terms, scenario.players, place=place)
        if isinstance(command, Refusal):
            results.append(StepResult(step=step, refusal=command, events=(), state=state))
            continue
        if isinstance(command, Deal | Reveal):
            command = replace(command, cards=deck)
        played = carry_out(state, command)
        if isinstance(played, Refusal):
            if played.code == "insufficient-cards":
                number = state.round_number
                key = "deck" if number == 1 else f"decks[{number - 2}]"
                raise BadInput(
                    place, played.message.rstrip("."), f"lengthen '{key}', the deck of round {number}"
                )
            results.append(StepResult(step=step, refusal=played, events=(), state=state))
            continue
        outcome = tuple(step.event for step in played)
        before, state = state, played[-1].after
        if state.round_number != before.round_number:
            if before.stage is not Stage.IDLE:
                rounds.append(_record(before))
            number = state.round_number - 1
            deck = scenario.decks[number] if number < len(scenario.decks) else None
        elif deck is not None:
            deck = deck[_used(outcome) :]
        results.append(StepResult(step=step, refusal=None, events=outcome, state=state))
    rounds.append(_record(state))
    paid = [record.settlement.jackpot for record in rounds if record.settlement is not None]
    awards = tuple(award for jackpot in paid if jackpot is not None for award in jackpot.awards)
    return Played(scenario=scenario, steps=tuple(results), rounds=tuple(rounds), state=state, awards=awards)


def _record(state: State) -> RoundRecord:
    waits = state.suspension or state.trouble.options
    if waits is not None:
        return RoundRecord(status="suspended", clauses=waits.clauses, state=state)
    status = {Stage.SETTLED: "settled", Stage.VOID: "void"}.get(state.stage, "open")
    return RoundRecord(status=status, clauses=state.void_clauses, state=state)


def _used(events: tuple[Event, ...]) -> int:
    """How many cards left the device."""
    return sum(event.count for event in events if isinstance(event, CardsDealt | CardsBurned))


def _terms(plan: Plan, node: Node, *, physical: bool) -> tuple[Terms, LedgerUnits]:
    node.keys("positions", "procedure", "limits", "jackpot")
    usual = POSITIONS if plan.may_have(POSITIONS) else plan.book.house.positions
    positions = node.get("positions", Node.number, default=usual)
    if not plan.may_have(positions):
        by_house = any(layout.positions is None for layout in plan.book.layouts)
        said = "as the house has set" if by_house else "by its layouts"
        raise node.child("positions", None).bad(
            f"{positions} positions", f"this game has {plan.seat_counts}, {said}"
        )
    names = [procedure.name for procedure in plan.procedures]
    wanted = node.get("procedure", Node.text, default=names[0])
    if wanted not in names:
        problem = f"{plan.id} has no procedure '{wanted}'"
        raise node.child("procedure", None).bad(problem, near_miss(wanted, names))
    nothing: tuple[JackpotTerms | None, LedgerUnits] = (None, NO_UNITS)
    jackpot, meter = node.get("jackpot", lambda inner: _jackpot(plan, inner), default=nothing)
    terms = Terms(
        plan=plan,
        procedure=plan.procedure(wanted),
        positions=positions,
        limits=node.get("limits", lambda inner: read_limits(plan, inner), default={}),
        jackpot=jackpot,
        physical=physical,
    )
    return terms, meter


def _jackpot(plan: Plan, node: Node) -> tuple[JackpotTerms | None, LedgerUnits]:
    if plan.jackpot is None:
        raise node.bad(f"{plan.id} has no jackpot", "take it out")
    node.keys("unit", "meter", "reset", "increment_bp")
    unit = node.get("unit", Node.money)
    increment = node.get("increment_bp", Node.number, default=0)
    if unit <= 0:
        raise node.child("unit", None).bad("a unit of nothing", "write the price of one jackpot wager")
    if not 0 <= increment <= 10_000:
        raise node.child("increment_bp", None).bad(f"{increment} basis points", "write 0 to 10000")
    reset, meter = node.get("reset", Node.money), node.get("meter", Node.money)
    return JackpotTerms(unit=unit, reset=reset, increment_bp=increment), to_units(meter)


def _decks(root: Node) -> tuple[tuple[Card, ...], ...]:
    """The first round's deck and those of the rounds after it; a round without one is dealt by hand."""
    first = root.get("deck", _deck, default=None)
    nothing: list[tuple[Card, ...]] = []
    later = root.get("decks", lambda node: node.listed(_deck), default=nothing)
    if first is None:
        if later:
            raise root.child("decks", None).bad("the first round has no deck", 'write "deck" too')
        return ()
    return (first, *later)


def _deck(node: Node) -> tuple[Card, ...]:
    if isinstance(node.value, str):
        node = Node(node.value.split(), node.file, node.path)
    cards = tuple(node.listed(Node.card))
    for index, card in enumerate(cards):
        if card in cards[:index]:
            raise node.child(index, None).bad(f"{card} is in the deck twice", "one pack holds each card once")
    if not cards:
        raise node.bad("the deck is empty", "write its cards, or leave it out for a physical table")
    return cards
