"""Betting before the deal: bets opened, wagers placed, added to and withdrawn, bets closed."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from pitboss.money import NO_UNITS, NOTHING, Cents, format_cents
from pitboss.play.acceptance import stands_alone
from pitboss.play.commands import CloseBets, OpenBets, PlaceWager, UnnoticedWager, WithdrawWager
from pitboss.play.events import (
    BetsClosed,
    BetsOpened,
    Event,
    ExcessRejected,
    GamingDayBegun,
    JackpotTermsSet,
    WagerPlaced,
    WagerWithdrawn,
)
from pitboss.play.refusal import Outcome, Refusal, or_above, refuse
from pitboss.play.table import Box, Stage, State, may_take_over
from pitboss.rulebooks.plan import ClauseRef, Wager, WagerName
from pitboss.rulebooks.sharing import contribution
from pitboss.rulebooks.vocabulary import Duty, OddAmount, Placing, Pooling, PoolOrder, Power


def open_bets(state: State, command: OpenBets) -> Outcome:
    """A new round, once the one before is concluded and the table is not closed."""
    rules = state.plan.book.round
    if not state.stage.is_over:
        return refuse("round-open", "The round in play is not concluded.", rules.opens_clauses)
    if state.memory.closed:
        return refuse("table-closed", "The table is closed.", power_clauses(state, Power.JACKPOT_OUTAGE))
    first = new_pack_first(state)
    if first is not None:
        return first
    events: list[Event] = []
    if command.gaming_day and command.gaming_day != state.memory.gaming_day:
        events.append(GamingDayBegun(day=command.gaming_day))
    terms = command.jackpot
    if terms is not None and state.terms.jackpot is not None and terms != state.terms.jackpot:
        events.append(JackpotTermsSet(unit=terms.unit, reset=terms.reset, increment_bp=terms.increment_bp))
    return (*events, BetsOpened(round_number=state.round_number + 1))


def new_pack_first(state: State) -> Refusal | None:
    """The refusal to open bets while a new pack is due."""
    rule = state.plan.duty(Duty.NEW_PACK)
    if rule is None or not state.memory.new_pack_due:
        return None
    text = "The last round was void because of its cards: put a new pack into play first ('new pack')."
    return refuse("new-pack-due", text, rule.clauses)


def close_bets(state: State, command: CloseBets) -> Outcome:
    """Bets close, and the share of every jackpot stake goes to the meter."""
    if state.stage is not Stage.BETTING:
        return refuse("bets-not-open", "There are no bets to close.", state.plan.book.round.closes_clauses)
    booked = NO_UNITS
    if state.terms.jackpot is not None:
        booked = contribution(jackpot_stakes(state), increment_bp=state.terms.jackpot.increment_bp)
    return (BetsClosed(contribution=booked),)


class Stake(NamedTuple):
    """So much on a wager of a position."""

    position: int
    wager: WagerName
    amount: Cents


def jackpot_stakes(state: State, *, more: Stake | None = None) -> Cents:
    """The jackpot stakes that are accepted when bets close; one that stands alone goes back.

    `more` is counted as if it lay there, too.
    """
    if state.plan.jackpot is None or state.terms.jackpot is None:
        return NOTHING
    wager = state.plan.wager(state.plan.jackpot.wager)
    if more is None:
        accepted = [box for box in state.boxes.values() if not stands_alone(wager, box.stake)]
        return Cents(sum(box.stake(wager.name) for box in accepted))
    total = 0
    for position in {*state.boxes, more.position}:
        box = state.boxes.get(position)

        def stake(name: WagerName, position: int = position, box: Box | None = box) -> Cents:
            lies = NOTHING if box is None else box.stake(name)
            return Cents(lies + more.amount) if (position, name) == more[:2] else lies

        total += NOTHING if stands_alone(wager, stake) else stake(wager.name)
    return Cents(total)


def place_wager(state: State, command: PlaceWager, player: str) -> Outcome:
    """Chips on an area while bets are open. The same owner adds to what lies there."""
    wager = find_wager(state, command.wager)
    if wager is None:
        return no_such_area(state, command.wager)
    excess = excess_over_maximum(state, command)
    placed = replace(command, amount=Cents(command.amount - excess))
    refusal = (
        _closed(state, wager)
        or not_welcome(state, command, player)
        or _not_his_area(state, command, wager, player)
        or _wrong_amount(state, placed if excess else command, wager)
        or lacks_chips(state, player, command.amount)
    )
    if refusal is not None:
        return refusal
    event = WagerPlaced(
        position=command.position,
        player=player,
        wager=wager.name,
        amount=placed.amount,
        seated=_comes_to_own_seat(state, command, player),
    )
    return (event, *_rejected(state, event, excess))


def _comes_to_own_seat(state: State, command: PlaceWager, player: str) -> bool:
    """Whether the player who sits at a position wagers there after others have: the hand is theirs now."""
    box = state.boxes.get(command.position)
    if box is None or box.player == player or command.seated != player:
        return False
    return may_take_over(state.plan, box, player)


def excess_over_maximum(state: State, command: PlaceWager) -> Cents:
    """What of a wager is over the most that its area takes, where the book has the excess alone rejected.

    Where nothing of it fits there is no excess: the wager is refused whole.
    """
    wager = find_wager(state, command.wager)
    if wager is None:
        return NOTHING
    if state.plan.limits.over_maximum.placing is not Placing.CUT_TO_MAXIMUM or state.terms.strict_limits:
        return NOTHING
    most = _most(state, command, wager)
    box = state.boxes.get(command.position)
    room = None if most is None else most - (box.stake(wager.name) if box is not None else 0)
    if room is None or not 0 < room < command.amount:
        return NOTHING
    return Cents(command.amount - room)


def _most(state: State, command: PlaceWager, wager: Wager) -> Cents | None:
    """The most that an area takes of this wager: its maximum, or so many whole units; None without either."""
    jackpot = state.terms.jackpot
    if wager.units is None:
        limit = state.terms.limits.get(wager.name)
        return None if limit is None else limit.maximum
    if jackpot is None or wager.odd_amount is not OddAmount.EXCESS_RETURNED:
        return None
    box = state.boxes.get(command.position)
    total = command.amount + (box.stake(wager.name) if box is not None else 0)
    units = min(total // jackpot.unit, wager.units[1])
    return Cents(units * jackpot.unit) if units >= wager.units[0] else None


def _rejected(state: State, placed: WagerPlaced, excess: Cents) -> tuple[Event, ...]:
    if not excess:
        return ()
    clauses = tuple(ClauseRef(number) for number in state.plan.limits.over_maximum.placing_clauses)
    return (
        ExcessRejected(
            position=placed.position, player=placed.player, wager=placed.wager, amount=excess, clauses=clauses
        ),
    )


def withdraw_wager(state: State, command: WithdrawWager, player: str) -> Outcome:
    """A player takes his own chips off an area while bets are open."""
    book = state.plan.book
    if state.stage is Stage.IDLE or state.stage.is_over:
        return refuse("early", "Bets are not open.", book.round.opens_clauses)
    if state.stage is not Stage.BETTING:
        return refuse("late", "Bets are closed; the wager stays in the round.", book.refusals.late_withdrawal)
    box = state.boxes.get(command.position)
    wager = find_wager(state, command.wager)
    owners = {} if box is None or wager is None else box.stakes.get(wager.name, {})
    if player not in owners or box is None or wager is None:
        return refuse("nothing-there", "He has no chips on that area.", book.refusals.others_box)
    seated_last = state.plan.limits.pooling.order is PoolOrder.SEATED_FIRST
    if seated_last and player == box.player and len(owners) > 1:
        return refuse(
            "pooled",
            "Others have a share in this wager; they withdraw first.",
            state.plan.limits.pooling.clauses,
        )
    names = [wager.name] if seated_last else [wager.name, *_going_along(state, box, wager, player)]
    return tuple(
        WagerWithdrawn(position=box.position, player=player, wager=name, amount=box.stakes[name][player])
        for name in names
    )


def _going_along(state: State, box: Box, wager: Wager, player: str) -> list[WagerName]:
    """Wagers that a player may not keep once theirs is off an area that others stay on.

    Where nobody stays they have the choice to wager anew before the close.
    """
    own = {name for name, owners in box.stakes.items() if player in owners and name != wager.name}
    left = {name for name, owners in box.stakes.items() if owners.keys() - {player}}
    hanging = [w for w in state.plan.wagers if w.name in own and wager.name in w.needs]
    return [w.name for w in hanging if own.isdisjoint(w.needs) and not left.isdisjoint(w.needs)]


def no_such_area(state: State, name: str) -> Refusal:
    """The refusal of a wager that the layout has no area for."""
    areas = ", ".join(wager.area for wager in state.plan.wagers)
    return refuse("no-such-area", "This layout has no {area} area, only {areas}.", area=name, areas=areas)


def unknown_player(state: State, name: str) -> Refusal:
    """The refusal of a player who has no chips at this table, with those who have."""
    known = ", ".join(sorted(state.racks))
    there = f"the players here are {known}" if known else "no player has bought in"
    return refuse(
        "unknown-player", "'{player}' does not play at this table; {there}.", player=name, there=there
    )


def no_such_position(state: State) -> Refusal:
    """The refusal of a position that the table has not; only a layout that states its number is cited."""
    seats = state.terms.positions
    fits = [row for row in state.plan.book.layouts if row.positions and _between(seats, *row.positions)]
    cited = fits[0].clauses if fits else ()
    return refuse("no-such-position", "This table has positions 1 to {seats}.", cited, seats=seats)


def _between(number: int, low: int, high: int) -> bool:
    return low <= number <= high


def find_wager(state: State, name: str) -> Wager | None:
    """A wager with an area of its own; a payment without a stake has none."""
    for wager in state.plan.wagers:
        if wager.name == name and wager.extra_on is None:
            return wager
    return None


def lacks_chips(state: State, player: str, amount: Cents) -> Refusal | None:
    """The refusal of a wager that its owner cannot pay from his rack."""
    if state.racks[player] < amount:
        have = format_cents(state.racks[player])
        return refuse(
            "not-enough-chips",
            "The rack of {player} holds {have}, not {amount}.",
            player=player,
            have=have,
            amount=format_cents(amount),
        )
    return None


def power_clauses(state: State, power: Power) -> tuple[str, ...]:
    """The clauses that give staff a power, or those of the catch-all where the book names none."""
    powers = {rule.power: rule.clauses for rule in state.plan.book.authorities.powers}
    return powers.get(power, powers.get(Power.DECIDE_UNCOVERED, ()))


def _closed(state: State, wager: Wager) -> Refusal | None:
    rules = state.plan.book
    if state.stage.is_over:
        return refuse("early", "Bets are not open yet.", rules.round.opens_clauses)
    if state.stage is not Stage.BETTING:
        return refuse(
            "late", "No more bets are taken.", rules.refusals.late_wager, rules.round.closes_clauses
        )
    if wager.of is not None:
        return refuse(
            "early", "The {area} is wagered after the cards are dealt.", wager.clauses, area=wager.area
        )
    return None


def not_welcome(state: State, command: PlaceWager | UnnoticedWager, player: str) -> Refusal | None:
    """The refusal of a player, a position or a jackpot wager that the House keeps out."""
    memory = state.memory
    if not 1 <= command.position <= state.terms.positions:
        return no_such_position(state)
    if player in memory.barred:
        return refuse(
            "barred",
            "{player} is barred from further play.",
            power_clauses(state, Power.BAR_PLAYER),
            player=player,
        )
    if command.position in memory.blocked:
        return refuse(
            "blocked",
            "Position {position} takes no bets.",
            power_clauses(state, Power.JACKPOT_OUTAGE),
            position=command.position,
        )
    elsewhere = any(box.player == player and n != command.position for n, box in state.boxes.items())
    if player in memory.restricted and elsewhere:
        return refuse(
            "restricted",
            "{player} may wager on one position only.",
            power_clauses(state, Power.RESTRICT_TO_ONE_POSITION),
            player=player,
        )
    jackpot = state.plan.jackpot
    if memory.jackpot_suspended and jackpot is not None and command.wager == jackpot.wager:
        return refuse(
            "jackpot-suspended", "No jackpot bets are taken now.", power_clauses(state, Power.JACKPOT_OUTAGE)
        )
    if memory.jackpot_stopped and jackpot is not None and command.wager == jackpot.wager:
        return jackpot_failed(state)
    return None


def jackpot_failed(state: State) -> Refusal:
    """The refusal of a jackpot bet after a failure on which the House has not ruled yet."""
    plan = state.plan
    power = plan.power(Power.JACKPOT_OUTAGE) or plan.power(Power.DECIDE_UNCOVERED)
    assert power is not None  # the validator asks for the catch-all
    who = or_above(plan, power.position)
    return refuse(
        "jackpot-out-of-order",
        "The jackpot failed: {who} rules first, suspend-jackpot, block, close-table, or continue.",
        power.clauses,
        who=who,
    )


def _not_his_area(state: State, command: PlaceWager, wager: Wager, player: str) -> Refusal | None:
    """Whose area it is, and whether the wagers it needs are down."""
    refusal = others_area(state, command, wager, player)
    if refusal is not None:
        return refusal
    if wager.needs and not _any_down(state.boxes.get(command.position), wager):
        needed = " or ".join(wager.needs)
        return refuse(
            "no-ante",
            "The {area} wager needs {needed} first.",
            wager.needs_clauses,
            area=wager.area,
            needed=needed,
        )
    return None


def others_area(
    state: State, command: PlaceWager | UnnoticedWager, wager: Wager, player: str
) -> Refusal | None:
    """The refusal of a wager at another player's position, where the book does not let them share it."""
    refusals, pooling = state.plan.book.refusals, state.plan.limits.pooling
    box = state.boxes.get(command.position)
    if box is not None and box.player != player:
        if wager.units is not None:
            return refuse(
                "others-jackpot", "The jackpot of a position is its player's own.", refusals.others_jackpot
            )
        if not wager.pooled or pooling.policy is Pooling.ONE_OWNER:
            return refuse(
                "others-box",
                "Position {position} is {player}'s.",
                refusals.others_box,
                position=command.position,
                player=box.player,
            )
    return None


def _any_down(box: Box | None, wager: Wager) -> bool:
    return box is not None and any(box.stake(name) for name in wager.needs)


def _wrong_amount(state: State, command: PlaceWager, wager: Wager) -> Refusal | None:
    """Sizes that the table does not take; what it takes and settles by its own clause is not among them."""
    if command.amount <= 0:
        return refuse("no-amount", "A wager is more than nothing.", wager.clauses)
    box = state.boxes.get(command.position)
    total = Cents(command.amount + (box.stake(wager.name) if box is not None else 0))
    if wager.units is not None:
        return wrong_units(state, command, wager)
    limit = state.terms.limits.get(wager.name)
    limits = state.plan.limits
    if limit is None:
        return None
    strict = state.terms.strict_limits
    under, over = limits.under_minimum, limits.over_maximum
    if total < limit.minimum and (strict or under.placing is Placing.REFUSED):
        return refuse(
            "under-minimum",
            "The minimum is {minimum}: increase or withdraw.",
            under.placing_clauses or under.clauses,
            minimum=format_cents(limit.minimum),
        )
    if total > limit.maximum and (strict or over.placing is not Placing.TAKEN):
        return refuse(
            "over-maximum",
            "The maximum is {maximum}; the excess is not taken.",
            over.placing_clauses or over.clauses,
            maximum=format_cents(limit.maximum),
        )
    return None


def wrong_units(state: State, command: PlaceWager | UnnoticedWager, wager: Wager) -> Refusal | None:
    """The refusal of a jackpot stake that is not so many whole units."""
    box = state.boxes.get(command.position)
    total = Cents(command.amount + (box.stake(wager.name) if box is not None else 0))
    if state.terms.jackpot is None:
        return refuse("no-jackpot", "This table has no jackpot.", wager.clauses)
    assert wager.units is not None
    unit = state.terms.jackpot.unit
    least, most = wager.units
    if total % unit == 0 and least <= total // unit <= most:
        return None
    sizes = "one unit" if least == most else f"{least} to {most} units"
    clauses: tuple[str, ...] = wager.odd_clauses
    if wager.odd_amount is OddAmount.EXCESS_RETURNED:
        limits = state.plan.limits
        short = total < least * unit
        clauses = (limits.under_minimum if short else limits.over_maximum).placing_clauses
    return refuse(
        "wrong-multiple",
        "The jackpot takes {sizes} of {unit}.",
        clauses,
        sizes=sizes,
        unit=format_cents(unit),
    )
