"""Betting before the deal: bets opened, wagers placed, added to and withdrawn, bets closed."""

from __future__ import annotations

from pitboss.money import NO_UNITS, NOTHING, Cents, format_cents
from pitboss.play.acceptance import stands_alone
from pitboss.play.commands import CloseBets, OpenBets, PlaceWager, WithdrawWager
from pitboss.play.events import (
    BetsClosed,
    BetsOpened,
    Event,
    GamingDayBegun,
    JackpotTermsSet,
    WagerPlaced,
    WagerWithdrawn,
)
from pitboss.play.refusal import Outcome, Refusal, refuse
from pitboss.play.table import Box, Stage, State, may_take_over
from pitboss.rulebooks.plan import Wager, WagerName
from pitboss.rulebooks.sharing import contribution
from pitboss.rulebooks.vocabulary import OddAmount, Placing, Pooling, PoolOrder, Power


def open_bets(state: State, command: OpenBets) -> Outcome:
    """A new round, once the one before is concluded and the table is not closed."""
    rules = state.plan.book.round
    if not state.stage.is_over:
        return refuse("round-open", "The round in play is not concluded.", rules.opens_clauses)
    if state.memory.closed:
        return refuse("table-closed", "The table is closed.", power_clauses(state, Power.JACKPOT_OUTAGE))
    events: list[Event] = []
    if command.gaming_day and command.gaming_day != state.memory.gaming_day:
        events.append(GamingDayBegun(day=command.gaming_day))
    terms = command.jackpot
    if terms is not None and state.terms.jackpot is not None and terms != state.terms.jackpot:
        events.append(JackpotTermsSet(unit=terms.unit, reset=terms.reset, increment_bp=terms.increment_bp))
    return (*events, BetsOpened(round_number=state.round_number + 1))


def close_bets(state: State, command: CloseBets) -> Outcome:
    """Bets close, and the share of every jackpot stake goes to the meter."""
    if state.stage is not Stage.BETTING:
        return refuse("bets-not-open", "There are no bets to close.", state.plan.book.round.closes_clauses)
    booked = NO_UNITS
    if state.terms.jackpot is not None:
        booked = contribution(jackpot_stakes(state), increment_bp=state.terms.jackpot.increment_bp)
    return (BetsClosed(contribution=booked),)


def jackpot_stakes(state: State) -> Cents:
    """The jackpot stakes that are accepted when bets close; one that stands alone goes back."""
    if state.plan.jackpot is None or state.terms.jackpot is None:
        return NOTHING
    wager = state.plan.wager(state.plan.jackpot.wager)
    accepted = [box for box in state.boxes.values() if not stands_alone(wager, box.stake)]
    return Cents(sum(box.stake(wager.name) for box in accepted))


def place_wager(state: State, command: PlaceWager, player: str) -> Outcome:
    """Chips on an area while bets are open. The same owner adds to what lies there."""
    wager = find_wager(state, command.wager)
    if wager is None:
        areas = ", ".join(w.area for w in state.plan.wagers)
        return refuse("no-such-area", f"This layout has no {command.wager} area, only {areas}.")
    refusal = (
        _closed(state, wager)
        or _not_welcome(state, command, player)
        or _not_his_area(state, command, wager, player)
        or _wrong_amount(state, command, wager)
        or lacks_chips(state, player, command.amount)
    )
    if refusal is not None:
        return refusal
    return (
        WagerPlaced(
            position=command.position,
            player=player,
            wager=wager.name,
            amount=command.amount,
            seated=_comes_to_own_seat(state, command, player),
        ),
    )


def _comes_to_own_seat(state: State, command: PlaceWager, player: str) -> bool:
    """Whether the player who sits at a position wagers there after others have: the hand is theirs now."""
    box = state.boxes.get(command.position)
    if box is None or box.player == player or command.seated != player:
        return False
    return may_take_over(state.plan, box, player)


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
        return Refusal("not-enough-chips", f"The rack of {player} holds {have}, not {format_cents(amount)}.")
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
        return refuse("early", f"The {wager.area} is wagered after the cards are dealt.", wager.clauses)
    return None


def _not_welcome(state: State, command: PlaceWager, player: str) -> Refusal | None:
    memory = state.memory
    if not 1 <= command.position <= state.terms.positions:
        return refuse(
            "no-such-position",
            f"This table has positions 1 to {state.terms.positions}.",
            state.plan.book.layouts[0].clauses,
        )
    if player in memory.barred:
        return refuse(
            "barred", f"{player} is barred from further play.", power_clauses(state, Power.BAR_PLAYER)
        )
    if command.position in memory.blocked:
        return refuse(
            "blocked",
            f"Position {command.position} takes no bets.",
            power_clauses(state, Power.JACKPOT_OUTAGE),
        )
    elsewhere = any(box.player == player and n != command.position for n, box in state.boxes.items())
    if player in memory.restricted and elsewhere:
        return refuse(
            "restricted",
            f"{player} may wager on one position only.",
            power_clauses(state, Power.RESTRICT_TO_ONE_POSITION),
        )
    jackpot = state.plan.jackpot
    if memory.jackpot_suspended and jackpot is not None and command.wager == jackpot.wager:
        return refuse(
            "jackpot-suspended", "No jackpot bets are taken now.", power_clauses(state, Power.JACKPOT_OUTAGE)
        )
    return None


def _not_his_area(state: State, command: PlaceWager, wager: Wager, player: str) -> Refusal | None:
    """Whose area it is, and whether the wagers it needs are down."""
    refusals, pooling = state.plan.book.refusals, state.plan.limits.pooling
    box = state.boxes.get(command.position)
    if box is not None and box.player != player:
        if wager.units is not None:
            return refuse(
                "others-jackpot", "The jackpot of a position is its player's own.", refusals.others_jackpot
            )
        if not wager.pooled or pooling.policy is Pooling.ONE_OWNER:
            return refuse(
                "others-box", f"Position {command.position} is {box.player}'s.", refusals.others_box
            )
    if wager.needs and not _any_down(box, wager):
        needed = " or ".join(wager.needs)
        return refuse("no-ante", f"The {wager.area} wager needs {needed} first.", wager.needs_clauses)
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
        return _wrong_units(state, wager, total)
    limit = state.terms.limits.get(wager.name)
    limits = state.plan.limits
    if limit is None:
        return None
    strict = state.terms.strict_limits
    under, over = limits.under_minimum, limits.over_maximum
    if total < limit.minimum and (strict or under.placing is Placing.REFUSED):
        text = f"The minimum is {format_cents(limit.minimum)}: increase or withdraw."
        return refuse("under-minimum", text, under.placing_clauses or under.clauses)
    if total > limit.maximum and (strict or over.placing is Placing.REFUSED):
        text = f"The maximum is {format_cents(limit.maximum)}; the excess is not taken."
        return refuse("over-maximum", text, over.placing_clauses or over.clauses)
    return None


def _wrong_units(state: State, wager: Wager, total: Cents) -> Refusal | None:
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
    return refuse("wrong-multiple", f"The jackpot takes {sizes} of {format_cents(unit)}.", clauses)
