"""Steps of play on the floor: the engine decides; the floor adds the day, the cards, the link and the limits.

What a step does to the linked meter is drafted with it, so that both are written or neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pitboss.cards import DECK
from pitboss.errors import BadInput, check
from pitboss.floor import entropy
from pitboss.floor import link as k
from pitboss.floor import requests as q
from pitboss.floor.allowances import kept_out, out_of_money, out_of_time
from pitboss.floor.desk import Draft, link_stream, table_stream
from pitboss.floor.gaming_table import PHYSICAL, GamingTable, must_be_open, order_of
from pitboss.floor.hits import do_link_work, fix_what_can_be, link_work
from pitboss.floor.house import find_player
from pitboss.floor.house_clock import silence_ends, silent
from pitboss.floor.people import SYSTEM, engine_actor, not_at_this_table, outranked, second_person
from pitboss.floor.ports import SECOND
from pitboss.floor.registry import STREAM, PlayerBarred, PlayerUnbarred
from pitboss.floor.sealing import SealedCard, commit, dealing_of, shuffle
from pitboss.floor.second_signatures import signed, takes_two, unsigned
from pitboss.floor.slips import papers
from pitboss.floor.table_events import (
    AnyTableEvent,
    CardsDrawn,
    DebtRecorded,
    DebtReduced,
    Interrupted,
    OrderComposed,
    SealBroken,
    TableEvent,
    VoidNoted,
)
from pitboss.floor.tables import linked_terms
from pitboss.floor.voids import held_against_seal, open_kept, void_notes
from pitboss.money import NOTHING, Cents, format_cents
from pitboss.play import commands as c
from pitboss.play import events as e
from pitboss.play.betting import excess_over_maximum, find_wager, jackpot_failed, power_clauses
from pitboss.play.decide import decide
from pitboss.play.evolve import evolve_all
from pitboss.play.irregularity import find_row
from pitboss.play.record import rejected_json
from pitboss.play.refusal import Refusal, refuse
from pitboss.play.table import Stage, State
from pitboss.play.unnoticed import AFTER_THE_DEAL, unnoticed_clauses
from pitboss.rulebooks.trouble import Irregularity, Ruling
from pitboss.rulebooks.vocabulary import FixedFund, Pooling, PoolOrder, Position, Power


def commands_of(request: object) -> tuple[c.Command, ...]:
    """The steps of play that a request asks for."""
    if isinstance(request, q.Act):
        return (request.command,)
    if isinstance(request, q.EnterUnnoticed):
        by = c.Staff(Position.DEALER, for_player=request.player)
        return (
            c.UnnoticedWager(by=by, position=request.position, wager=request.wager, amount=request.amount),
        )
    return request.commands if isinstance(request, q.Acts) else ()


def needs_link(draft: Draft, name: str, steps: Sequence[c.Command]) -> bool:
    """Whether steps will change the link, as far as can be told before it is locked."""
    table = draft.table(name)
    opened = table.opened
    if opened is None or not opened.link or not table.is_open:
        return False
    if any(isinstance(command, c.UnnoticedWager) for command in steps):
        return True
    moves = (c.CloseBets, c.Settle, c.Report, c.Rule, c.TakeOption, c.MarkAbsent)
    return any(isinstance(command, moves) for command in steps) and _has_stake(table.state)


def limited_players(draft: Draft, steps: Sequence[c.Command]) -> list[str]:
    """Players with limits of their own who wager: their wagers are decided one after the other."""
    found = set()
    for command in steps:
        if not isinstance(command, c.PlaceWager):
            continue
        by = command.by
        player = by.name if isinstance(by, c.Player) else by.for_player or ""
        patron = draft.registry.players.get(player)
        limits = patron.limits_on(draft.day()) if patron is not None else None
        if limits is not None and (limits.loss is not None or limits.minutes is not None):
            found.add(player)
    return sorted(found)


def withholding_players(draft: Draft, name: str, steps: Sequence[c.Command]) -> list[str]:
    """Players one of whose devices has not revealed, where a deal may write that it withheld."""
    if not any(isinstance(command, c.Deal) for command in steps):
        return []
    table = draft.table(name)
    if not entropy.is_due(table):
        return []
    return sorted(device.player for device in table.devices if not device.secret)


def _has_stake(state: State) -> bool:
    policy = state.plan.jackpot
    if policy is None:
        return False
    wager = policy.wager
    return any(
        box.stake(wager) or (box.removal is not None and wager in box.removal.stakes)
        for box in state.boxes.values()
    )


def enter_unnoticed(draft: Draft, request: q.EnterUnnoticed) -> Refusal | None:
    """A stake that lay there at the close; after the first card two persons answer for it."""
    table = draft.table(request.table)
    refusal = must_be_open(table)
    if refusal is None and _is_dealt(table):
        refusal = outranked(draft.registry, draft.asker, AFTER_THE_DEAL) or second_person(
            draft.registry, draft.asker, request.approved_by, AFTER_THE_DEAL
        )
    elif refusal is None and request.approved_by:
        refusal = second_person(draft.registry, draft.asker, request.approved_by, Position.DEALER)
    if refusal is not None:
        return refuse(refusal.code, refusal.message, unnoticed_clauses(table.state.plan))
    command = c.UnnoticedWager(
        by=c.Staff(Position.DEALER, for_player=request.player),
        position=request.position,
        wager=request.wager,
        amount=request.amount,
        approved_by=request.approved_by,
    )
    return _act(draft, q.Act(table=request.table, command=command))


def _is_dealt(table: GamingTable) -> bool:
    return table.play is not None and table.state.stage is Stage.PLAYING


def act(draft: Draft, request: q.Act) -> Refusal | None:
    """One step at a table. A stake found once cards are dealt takes a second person, by its own request."""
    if isinstance(request.command, c.UnnoticedWager):
        table = draft.table(request.table)
        if table.is_open and _is_dealt(table):
            text = "Cards are dealt: a second person signs for a stake that lay there (enter-unnoticed)."
            return refuse("second-person", text, unnoticed_clauses(table.state.plan))
        request = replace(request, command=replace(request.command, approved_by=""))
    return _act(draft, request)


def _act(draft: Draft, request: q.Act) -> Refusal | None:
    table = draft.table(request.table)
    refusal = must_be_open(table) or _seen_another(draft, request)
    if refusal is not None:
        return refusal
    actor = _actor(draft, table, request.command)
    if isinstance(actor, Refusal):
        return actor
    command = replace(request.command, by=actor)
    refusal = (
        _not_let(draft, table, command)
        or _order_is_sealed(table, command)
        or _has_time(draft, table, command)
    )
    if refusal is not None:
        return refusal
    held = held_against_seal(draft, table, command)
    if isinstance(held, Refusal):
        return held
    order = _order(draft, table, command)
    if isinstance(order, Refusal):
        return order
    deck = _deck(draft, table, command, order)
    told = _told(draft, table, command, deck)
    if isinstance(told, Refusal):
        return told
    outcome = decide(table.state, told)
    if isinstance(outcome, Refusal):
        return outcome
    refusal = (
        _for_the_pit(draft, table, command, outcome)
        or _second_signature(draft, table, command)
        or unsigned(draft, table, command, outcome)
    )
    if refusal is not None:
        return refusal
    if isinstance(command, c.Report | c.Rule) and takes_two(draft, table, command, outcome):
        outcome = signed(outcome, command.approved_by)
    notes = void_notes(draft, table, outcome, broken=held)
    _write(draft, table, outcome, deck, order=order, notes=notes)
    draft.answer.update(rejected_json(outcome))
    _keep_bars(draft, table, outcome)
    work = link_work(table.state, outcome)
    if work.is_any and table.opened is not None and table.opened.link:
        refusal = do_link_work(draft, table, work)
        if refusal is not None:
            return refusal
    return None


_TOGETHER = (
    c.PlaceWager,
    c.WithdrawWager,
    c.ViewHand,
    c.HandleHand,
    c.Fold,
    c.Bet,
    c.Check,
    c.Continue,
    c.Decline,
    c.TakeOption,
)
"""What players do; several such steps may be asked for at once."""

MOST_TOGETHER = 40


def acts(draft: Draft, request: q.Acts) -> Refusal | None:
    """Several steps of players, all or none. `act` in the answer tells which one was refused."""
    if not 1 <= len(request.commands) <= MOST_TOGETHER:
        raise BadInput("acts", f"{len(request.commands)} steps at once", f"ask for 1 to {MOST_TOGETHER}")
    table = draft.table(request.table)
    refusal = must_be_open(table) or _seen_another(draft, request)
    rejected: list[dict[str, Any]] = []
    for number, command in enumerate(request.commands):
        if not isinstance(command, _TOGETHER):
            raise BadInput(
                "acts",
                f"{type(command).__name__} is asked for alone",
                "only what players do is done together",
            )
        refusal = refusal or act(draft, q.Act(table=request.table, command=command))
        if refusal is not None:
            draft.answer["act"] = number
            return refusal
        if "rejected" in draft.answer:
            rejected.append({"act": number, **draft.answer.pop("rejected")})
    if rejected:
        draft.answer["rejected_of"] = rejected
    return None


def _keep_bars(draft: Draft, table: GamingTable, outcome: tuple[e.Event, ...]) -> None:
    """Who is barred at one table is barred at all of them."""
    for event in outcome:
        if not isinstance(event, e.StandingOrder | e.OrderLifted) or event.order is not Ruling.BAR:
            continue
        if event.argument in draft.registry.players:
            kind = PlayerBarred if isinstance(event, e.StandingOrder) else PlayerUnbarred
            draft.record(STREAM, [kind(player=event.argument, table=table.table)])


def _seen_another(draft: Draft, request: q.Act | q.Acts) -> Refusal | None:
    if request.expect is None:
        return None
    version = draft.find(table_stream(request.table)).head.version
    if version == request.expect:
        return None
    text = f"The table is at version {version}, you have seen {request.expect}: look again, then ask again."
    return Refusal("stale-version", text)


def interrupt(draft: Draft, request: q.Interrupt) -> Refusal | None:
    """A round that a crash interrupted: recorded always, and dealt with as its book says.

    A round that waits for a ruling anyway goes on waiting for it.
    """
    table = draft.table(request.table)
    if draft.asker != SYSTEM:
        return Refusal("not-yours", "The floor itself records that it stopped.")
    if not table.in_round:
        return Refusal("no-round", "No round is in play.")
    noted = Interrupted(round_number=table.state.round_number, reason=request.reason)
    draft.record(table_stream(request.table), [noted])
    by = c.Staff(Position.DEALER)
    report = c.Report(by=by, kind=Irregularity.POWER_FAILURE, what=request.reason)
    outcome = decide(table.state, report)
    if isinstance(outcome, Refusal):
        draft.answer["waits"] = outcome.message
        return None
    _write(draft, table, outcome, None, notes=void_notes(draft, table, outcome))
    work = link_work(table.state, outcome)
    if work.is_any and table.opened is not None and table.opened.link:
        return do_link_work(draft, table, work)
    return None


def _actor(draft: Draft, table: GamingTable, command: c.Command) -> c.Actor | Refusal:
    actor = engine_actor(draft.registry, draft.asker, command.by)
    if isinstance(actor, c.Staff) and draft.asker != SYSTEM:
        refusal = not_at_this_table(draft.registry, draft.asker, table.staff)
        if refusal is not None:
            return refusal
    return actor


# --- what the floor forbids ---------------------------------------------------------------------------


def _not_let(draft: Draft, table: GamingTable, command: c.Command) -> Refusal | None:
    """What the floor does not let a player do, before any rule of the game is asked."""
    if not isinstance(command, c.PlaceWager | c.UnnoticedWager):
        return None
    by = command.by
    player = by.name if isinstance(by, c.Player) else by.for_player
    if player is None:
        return None
    find_player(draft, player)
    opened = table.opened
    assert opened is not None
    refusal = (
        kept_out(draft, player) or _others_seat(table, command, player) or _contributes(draft, table, player)
    )
    if refusal is not None:
        return refusal
    if command.amount % opened.chip and command.amount > 0:
        text = f"Stakes are whole chips; the smallest is {format_cents(opened.chip)}."
        return Refusal("not-whole-chips", text)
    suspended = table.state.memory.jackpot_suspended  # which the book refuses by itself
    if table.jackpot_failed and not suspended and _is_jackpot(table.state, command):
        return jackpot_failed(table.state)
    if opened.link and _is_jackpot(table.state, command):
        link: k.Link = draft.find(link_stream(opened.link), fresh=True).state
        if link.out_of_order:
            text = f"The jackpot is out of order ({link.out_of_order}); no jackpot bets are taken."
            return refuse("jackpot-out-of-order", text, power_clauses(table.state, Power.JACKPOT_OUTAGE))
    if opened.practice or isinstance(command, c.UnnoticedWager):
        return None  # an unnoticed stake is down already: it counts from then on, and no limit undoes it
    taken = Cents(command.amount - excess_over_maximum(table.state, command))  # a rejected excess is no loss
    return out_of_time(draft, table, player) or out_of_money(draft, table, player, taken)


def _contributes(draft: Draft, table: GamingTable, player: str) -> Refusal | None:
    """Players whose stakes staff enter count as the house: they have no device in the order of the deck."""
    if draft.asker.kind == "player" or all(device.player != player for device in table.devices):
        return None
    text = f"A device of {player} contributes to this round: {player} places their own stakes."
    return Refusal("device-contributes", text)


def _has_time(draft: Draft, table: GamingTable, command: c.Command) -> Refusal | None:
    """At a virtual table no player is absent before their time to decide is over: stakes go back for it."""
    opened, ends = table.opened, silence_ends(table)
    assert opened is not None
    if not isinstance(command, c.MarkAbsent) or draft.asker == SYSTEM or opened.practice or ends is None:
        return None
    if command.position not in silent(table) or draft.at >= ends:
        return None
    left = -(-(ends - draft.at) // SECOND)
    text = f"Position {command.position} has {left} seconds more to decide; absence is entered after that."
    return Refusal("has-time", text)


def _for_the_pit(
    draft: Draft, table: GamingTable, command: c.Command, outcome: tuple[e.Event, ...]
) -> Refusal | None:
    """At a virtual table a report by staff below a supervisor ends no round or hand, lets none withdraw and
    shows none.

    The pack is sealed there: hardly anything can be wrong with it, and who deals knows how the round ends.
    """
    assert table.opened is not None
    if not isinstance(command, c.Report) or table.opened.cards == PHYSICAL or draft.asker == SYSTEM:
        return None
    ends = (
        *(e.RoundVoided, e.SettlementReversed, e.HandRemoved, e.OptionsOffered, e.WithdrawalPermitted),
        e.HandViewed,
    )
    if not any(isinstance(event, ends) for event in outcome):
        return None
    refusal = outranked(draft.registry, draft.asker, Position.PIT_SUPERVISOR)
    if refusal is None:
        return None
    text = (
        "That would end a round or a hand, let one withdraw, or show a further one: call the pit. "
        "At a virtual table a pit supervisor reports it."
    )
    return Refusal("for-the-pit", text)


def _second_signature(draft: Draft, table: GamingTable, command: c.Command) -> Refusal | None:
    """What touches a settled round again takes two persons, where the book's row says so."""
    if not isinstance(command, c.Report):
        return None
    row = find_row(table.state, command)
    if not row.second_signature or draft.asker == SYSTEM:
        return None
    wanted = row.finding or Position.PIT_SUPERVISOR
    return second_person(draft.registry, draft.asker, command.approved_by, wanted)


def _order_is_sealed(table: GamingTable, command: c.Command) -> Refusal | None:
    """At a virtual table nobody rules on the order of cards: it was sealed before anybody had bet.

    Which cards are named makes no difference to the answer, so that it tells nothing about them.
    """
    assert table.opened is not None
    if table.opened.cards == PHYSICAL:
        return None
    if isinstance(command, c.Report) and command.kind is Irregularity.SIMULTANEOUS_DRAW:
        text = "Cards of a virtual table leave its sealed deck one by one: none are drawn together."
        return Refusal("order-sealed", text)
    if isinstance(command, c.Rule) and command.ruling is Ruling.ORDER:
        return Refusal("order-sealed", "The order of these cards was sealed before anybody had bet.")
    return None


def _others_seat(table: GamingTable, command: c.PlaceWager | c.UnnoticedWager, player: str) -> Refusal | None:
    """Others may join the player who sits at a position where the book lets them, in the order it lets them.

    The jackpot of a position is for the player who sits there alone.
    """
    holder = table.seats.get(command.position)
    if holder is None or holder == player:
        return None
    wager = find_wager(table.state, command.wager)
    pooling = table.state.plan.limits.pooling
    shared = wager is not None and wager.pooled and pooling.policy is not Pooling.ONE_OWNER
    box = table.state.boxes.get(command.position)
    if shared and (box is not None or pooling.order is PoolOrder.ANY):
        return None
    if box is not None and box.player != player:
        return None  # the engine says whose it is
    clauses = table.state.plan.book.refusals.others_box
    return refuse("others-seat", f"{holder} sits at position {command.position}.", clauses)


def _is_jackpot(state: State, command: c.PlaceWager | c.UnnoticedWager) -> bool:
    return state.plan.jackpot is not None and command.wager == state.plan.jackpot.wager


# --- what the floor adds ------------------------------------------------------------------------------


def _order(draft: Draft, table: GamingTable, command: c.Command) -> OrderComposed | Refusal | None:
    """The order of the deck that a deal composes, where something was committed or announced."""
    if not isinstance(command, c.Deal) or not entropy.is_due(table):
        return None
    waits = entropy.awaited(table, draft.at, draft.desk.beacon)
    return entropy.compose(table, draft.desk.beacon) if waits is None else entropy.refusal_of(waits)


def _deck(
    draft: Draft, table: GamingTable, command: c.Command, composed: OrderComposed | None
) -> tuple[SealedCard, ...] | None:
    """The rest of a virtual table's deck as it is dealt, for a step that may take cards from it."""
    opened = table.opened
    assert opened is not None
    if opened.cards == PHYSICAL or not isinstance(command, c.Deal | c.Reveal):
        return None
    number = table.state.round_number
    locked = draft.reader.deck(table.table, number)
    if locked is None:
        return ()
    deck = draft.desk.decks.unlock(locked, table=table.table, number=number)
    order = table.order if composed is None else order_of(table, composed)
    return tuple(deck[place] for place in order[len(table.drawn) :])


def _told(
    draft: Draft, table: GamingTable, command: c.Command, deck: Sequence[SealedCard] | None
) -> c.Command | Refusal:
    """The command with what only the floor knows: the day, the link's terms, the cards, the meter fixed."""
    opened = table.opened
    assert opened is not None
    if isinstance(command, c.OpenBets):
        terms = None
        if opened.link:
            link: k.Link = draft.find(link_stream(opened.link), fresh=True).state
            terms = linked_terms(link)
        return replace(command, gaming_day=draft.day(), jackpot=terms)
    if isinstance(command, c.PlaceWager):
        return replace(command, seated=table.seats.get(command.position, ""))
    if isinstance(command, c.Deal | c.Reveal):
        cards = None if deck is None else tuple(sealed.card for sealed in deck)
        return replace(command, cards=cards)
    if isinstance(command, c.Settle):
        return _settling(draft, table, command)
    return command


def _settling(draft: Draft, table: GamingTable, command: c.Settle) -> c.Command | Refusal:
    opened = table.opened
    assert opened is not None
    command = replace(command, fixed=None)
    if not table.state.claim:
        policy = table.state.plan.jackpot
        if not opened.link or policy is None or policy.fixed_awards is not FixedFund.METER:
            return command
        link = draft.link(opened.link)
        return replace(command, fixed=e.MeterRead(meter=link.meter, reset=link.terms.reset))
    claim = draft.link(opened.link).claim_of(table.table)
    check(claim is not None, "a round that waits for a claim has one on its link")
    assert claim is not None
    if claim.fixed is None and fix_what_can_be(draft, opened.link):
        claim = draft.link(opened.link).claim_of(table.table)
        assert claim is not None
    if claim.fixed is None:
        rules = table.state.plan.book.jackpot
        clauses = () if rules is None else rules.separate_tables_clauses
        text = "A hand dealt earlier on the link may still be paid first; the amount is not fixed yet."
        return refuse("claim-not-fixed", text, clauses)
    if not claim.payable:
        return command  # the engine says that it waits to be verified
    first = draft.link(opened.link).ahead(claim)
    if first:
        rules = table.state.plan.book.jackpot
        clauses = () if rules is None else rules.separate_tables_clauses
        tables = ", ".join(other.table for other in first)
        return refuse("not-first", f"The hit at {tables} is paid first.", clauses)
    fixed = claim.fixed
    read = e.MeterRead(meter=fixed.displayed, reset=fixed.reset, unmeasured=fixed.unmeasured)
    return replace(command, fixed=read)


# --- what is written ----------------------------------------------------------------------------------


def _write(
    draft: Draft,
    table: GamingTable,
    outcome: tuple[e.Event, ...],
    deck: tuple[SealedCard, ...] | None,
    *,
    order: OrderComposed | None = None,
    notes: Sequence[TableEvent] = (),
) -> None:
    opened = table.opened
    assert opened is not None
    events: list[AnyTableEvent] = list(outcome)
    after = evolve_all(table.state, outcome)
    place = (table.table, after.round_number)
    if isinstance(outcome[-1], e.BetsOpened) and opened.cards != PHYSICAL:
        whole = shuffle(draft.desk.cards, DECK)
        dealing, hands = dealing_of(after)
        number = after.round_number
        sealed = commit(
            whole,
            table=table.table,
            number=number,
            dealing=dealing,
            hands=hands,
            composition=entropy.composition_for(draft, table),
        )
        events.append(sealed)
        draft.decks[place] = _locked(draft, table, after.round_number, whole)
    if isinstance(outcome[-1], e.BetsOpened):
        events += open_kept(draft, table.table, current=after.round_number)
    if deck:
        used = sum(event.count for event in outcome if isinstance(event, e.CardsDealt | e.CardsBurned))
        if used:
            events.insert(0, CardsDrawn(openings=tuple(card.opening for card in deck[:used])))
    if order is not None:
        events.insert(0, order)
    kept = table.state.round_number in table.kept_decks
    kept = kept or any(isinstance(note, VoidNoted) and note.deck_kept for note in notes)
    broken = any(isinstance(note, SealBroken) for note in notes)
    if after.stage.is_over and (broken or (not table.state.stage.is_over and not kept)):
        draft.decks[place] = None
    events += _debts(table, after)
    confirmed_by = ""
    if opened.link and table.state.claim:
        claim = draft.link(opened.link).claim_of(table.table)
        confirmed_by = claim.verified_by if claim is not None else ""
    events += papers(draft, table, outcome, confirmed_by=confirmed_by)
    events += notes
    draft.record(table_stream(table.table), events)
    if order is not None:
        entropy.withhold(draft, table, order)


def _debts(table: GamingTable, after: State) -> list[AnyTableEvent]:
    """What players took away of a settlement that is undone is a debt, as far as their chips fall short.

    What the round gives them when it is settled anew comes off it first: what stays owed is the overpayment.
    """
    events: list[AnyTableEvent] = []
    for player, rack in after.racks.items():
        gained = rack - table.state.racks.get(player, NOTHING)
        back = min(table.debts.get(player, NOTHING), gained)
        if rack < 0:
            events.append(DebtRecorded(player=player, amount=Cents(-rack)))
            events.append(e.RackChanged(player=player, amount=Cents(-rack)))
        elif back > 0:
            events.append(DebtReduced(player=player, amount=Cents(back)))
            events.append(e.RackChanged(player=player, amount=Cents(-back)))
    return events


def _locked(draft: Draft, table: GamingTable, number: int, deck: Sequence[SealedCard]) -> bytes:
    return draft.desk.decks.lock(deck, table=table.table, number=number, nonce=draft.desk.cards.salt())
