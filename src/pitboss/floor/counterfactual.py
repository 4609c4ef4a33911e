"""What a void round would have come to for the house, had it been played to its end.

The stakes count as they lay and the sealed cards are dealt in the order announced. Of decisions that were
outstanding, an optional bet is checked, and of all others each player makes the one that is best for them:
no void can be said to have cost the house what no player would have lost.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from pitboss.cards import Card
from pitboss.errors import InvariantError
from pitboss.floor.choices import DEALER, dealer_step
from pitboss.money import NOTHING, Cents
from pitboss.play import commands as c
from pitboss.play import events as e
from pitboss.play.dealing import outstanding, undecided
from pitboss.play.decide import decide
from pitboss.play.evolve import evolve_all
from pitboss.play.refusal import Refusal
from pitboss.play.settlement import SeatSettlement
from pitboss.play.table import NO_TROUBLE, Box, Stage, State

MOST_STEPS = 1000
Choices = Mapping[int, tuple[str, ...]]
"""What the hand of a position does at each decision that has no check, in their order."""


def house_result(state: State, rest: Sequence[Card] | None, positions: Collection[int] = ()) -> Cents | None:
    """The house's result in cents of a round played on with the rest of its deck, the jackpot left out.

    A round that was settled already is what it was. `rest` is None while the order of the deck has yet to be
    composed. With `positions` the result of their hands alone. None where the round cannot be played to its
    end.
    """
    if not staked(state, positions) and state.settlement is None:
        return Cents(0)
    found = results(state, rest)
    if found is None:
        return None
    return Cents(sum(house for position, house in found.items() if not positions or position in positions))


def results(state: State, rest: Sequence[Card] | None) -> Mapping[int, Cents] | None:
    """The house's result at each position, as `house_result` has it for all of them."""
    if state.stage is Stage.SETTLED and state.settlement is not None:
        return _by_position(state, state.settlement.seats)
    if state.stage.is_over or rest is None:
        return None
    state = _undisturbed(state)
    best: dict[int, tuple[str, ...]] = {}
    for position in sorted(state.boxes):
        found = _best(state, rest, position)
        if found is None:
            return None
        best[position] = found
    ended = _played_on(state, rest, best)
    if ended is None or ended.settlement is None:
        return None
    return _by_position(state, ended.settlement.seats)


def _by_position(state: State, seats: Sequence[SeatSettlement]) -> Mapping[int, Cents]:
    found: dict[int, Cents] = {}
    for seat in seats:
        found[seat.position] = Cents(found.get(seat.position, NOTHING) - net_of(state, seat))
    return found


def staked(state: State, positions: Collection[int] = ()) -> Cents:
    """All stakes of a round, or of some positions, besides the jackpot's: on the layout, or settled."""
    if state.settlement is not None:
        seats = state.settlement.seats
        lines = [line for seat in seats if not positions or seat.position in positions for line in seat.lines]
        return Cents(sum(line.stake for line in lines if line.wager != _jackpot(state)))
    boxes = [box for box in state.boxes.values() if not positions or box.position in positions]
    stakes = [stakes for box in boxes for stakes in (box.stakes, box.forfeited)]
    return Cents(
        sum(
            sum(owners.values())
            for found in stakes
            for wager, owners in found.items()
            if wager != _jackpot(state)
        )
    )


def stage_of(state: State) -> str:
    """How far a round has come, in a word: its stage, or the decision that is outstanding."""
    if state.stage is not Stage.PLAYING:
        return state.stage.value
    decision = outstanding(state)
    if decision is None or not undecided(state, decision):
        return "decided"
    return decision.name


def net_of(state: State, seat: SeatSettlement) -> int:
    """What a seat has won, the jackpot left out: that is between the players and the link."""
    return sum(line.net for line in seat.lines if line.wager != _jackpot(state))


def _jackpot(state: State) -> str | None:
    return None if state.plan.jackpot is None else state.plan.jackpot.wager


def _undisturbed(state: State) -> State:
    """The round as if nothing had been reported. Nothing is claimed from a link."""
    terms = state.terms
    if terms.jackpot is not None:
        terms = replace(terms, jackpot=replace(terms.jackpot, linked=False))
    return state._replace(terms=terms, trouble=NO_TROUBLE, claim=())


def _best(state: State, rest: Sequence[Card], position: int) -> tuple[str, ...] | None:
    """The choices that are best for the hand of a position, every way that it may go on tried."""
    best: tuple[int, tuple[str, ...]] | None = None
    paths: list[tuple[str, ...]] = [()]
    while paths:
        path = paths.pop()
        asked: list[tuple[str, ...]] = []
        ended = _played_on(state, rest, {position: path}, asks=(position, asked))
        if asked:
            paths += [(*path, choice) for choice in reversed(asked[0])]
            continue
        if ended is None or ended.settlement is None:
            return None
        seats = [seat for seat in ended.settlement.seats if seat.position == position]
        net = sum(net_of(state, seat) for seat in seats)
        if best is None or net > best[0]:
            best = (net, path)
    return None if best is None else best[1]


def _played_on(
    state: State,
    rest: Sequence[Card],
    choices: Choices,
    *,
    asks: tuple[int, list[tuple[str, ...]]] | None = None,
) -> State | None:
    """The round at its end, or None where it does not come to one.

    With `asks`, play stops where the hand of that position has a decision to make that no choice is named
    for, and the ways it may choose are added to the list.
    """
    taken: dict[int, int] = {}
    used = 0
    for _ in range(MOST_STEPS):
        if state.stage.is_over:
            return state
        command: c.Command | None = dealer_step(state)
        if command is None:
            box = _next_to_decide(state)
            if box is None:
                return None
            ways = _ways(state, box)
            if "check" in ways:
                way = "check"
            else:
                number = taken.get(box.position, 0)
                path = choices.get(box.position, ())
                if asks is not None and box.position == asks[0] and number >= len(path):
                    asks[1].append(tuple(ways))
                    return None
                way = path[number] if number < len(path) and path[number] in ways else next(reversed(ways))
                taken[box.position] = number + 1
            command = ways[way]
        if isinstance(command, c.Deal | c.Reveal):
            command = replace(command, cards=tuple(rest[used:]))
        outcome = decide(state, command)
        if isinstance(outcome, Refusal):
            return None
        used += sum(event.count for event in outcome if isinstance(event, e.CardsDealt | e.CardsBurned))
        state = evolve_all(state, outcome)
    raise InvariantError("a round comes to its end")


def _next_to_decide(state: State) -> Box | None:
    decision = outstanding(state)
    waiting = [] if decision is None else undecided(state, decision)
    return waiting[0] if waiting else None


def _ways(state: State, box: Box) -> dict[str, c.Command]:
    """The acts by which a hand may decide now, the one that gives it up last."""
    decision = outstanding(state)
    assert decision is not None
    by = c.Player(box.player)
    named: dict[str, c.Command] = {
        "bet": c.Bet(by=by, position=box.position, wager=decision.bet),
        "check": c.Check(by=by, position=box.position),
        "continue": c.Continue(by=by, position=box.position),
        "fold": c.Fold(by=by, position=box.position),
    }
    found = {
        way: command for way, command in named.items() if not isinstance(decide(state, command), Refusal)
    }
    return found or {"absent": c.MarkAbsent(by=DEALER, position=box.position)}
