"""What a player may do now, with what it costs, and what the dealer does next.

The engine itself is asked what a player may do, so that no rule is said twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pitboss.floor.gaming_table import OpenTable
from pitboss.floor.link import Link
from pitboss.floor.shapes import Choice
from pitboss.money import Cents, format_cents
from pitboss.play import commands as c
from pitboss.play.act_forms import write_act
from pitboss.play.betting import new_pack_first
from pitboss.play.dealing import has_hand, next_place, outstanding, room, undecided
from pitboss.play.decide import carry_out
from pitboss.play.duties import duties_due
from pitboss.play.refusal import Refusal
from pitboss.play.table import Box, Stage, State
from pitboss.rulebooks.vocabulary import Position

DEALER = c.Staff(Position.DEALER)


def choices_of(state: State, player: str) -> list[Choice]:
    """The acts a player may do now at their positions, each as it is sent and with its cost."""
    found = []
    for _, box in sorted(state.boxes.items()):
        if box.player != player:
            continue
        for command in _candidates(state, box, c.Player(player)):
            played = carry_out(state, command)
            if isinstance(played, Refusal):
                continue
            rack = played[-1].after.racks.get(player, Cents(0))
            cost = Cents(max(0, state.racks.get(player, Cents(0)) - rack))
            found.append(Choice(write_act(command), format_cents(cost)))
    return found


def _candidates(state: State, box: Box, by: c.Player) -> Iterator[c.Command]:
    at: dict[str, Any] = {"by": by, "position": box.position}
    if state.trouble.options is not None or state.trouble.permitted:
        for stay in (True, False):
            yield c.TakeOption(**at, stay=stay)
    if state.suspension is not None or state.stage.is_over:
        return
    if not box.viewed and state.dealt:
        yield c.ViewHand(**at)
    decision = outstanding(state)
    if decision is not None:
        if decision.name in box.choices:
            return
        yield c.Bet(**at, wager=decision.bet)
        yield c.Check(**at)
        yield c.Continue(**at)
        yield c.Fold(**at)
        return
    if next_place(state) is not None:
        return
    yield c.Decline(**at)
    yield c.Establish(**at)


def dealer_step(state: State) -> c.Command | None:
    """What the dealer does next, or None while others decide and until it is time to close bets.

    Of what is owed, only a new pack holds the next step up; `duties_now` has the rest.
    """
    if state.suspension is not None or state.trouble.options is not None or state.claim:
        return None
    if state.stage.is_over:
        if state.memory.closed:
            return None
        return c.OpenBets(by=DEALER) if new_pack_first(state) is None else c.NewPack(by=DEALER)
    if state.stage is Stage.BETTING:
        placed = any(box.stakes for box in state.boxes.values())
        return c.CloseBets(by=DEALER) if placed else None
    if state.stage is Stage.CLOSED:
        hands = any(has_hand(state.plan, box) for box in state.boxes.values())
        return c.Deal(by=DEALER) if hands else c.Settle(by=DEALER)
    decision = outstanding(state)
    if decision is not None and undecided(state, decision):
        return None
    place = next_place(state)
    return c.Settle(by=DEALER) if place is None else c.Reveal(by=DEALER, place=place)


def duties_now(state: State, link: Link | None) -> list[c.Command]:
    """What is owed to players now besides the next step; nothing of a jackpot while its link is offline."""
    if state.suspension is not None or state.trouble.options is not None or state.claim:
        return []
    offline = link is not None and link.out_of_order
    return [
        duty
        for duty in duties_due(state)
        if not isinstance(duty, c.NewPack) and not (offline and isinstance(duty, c.OfferJackpot))
    ]


def claim_payable(table: OpenTable, link: Link | None) -> bool:
    """Whether the jackpot claim of a round is verified and fixed, and nobody is paid before it."""
    claim = None if link is None else link.claim_of(table.table)
    return link is not None and claim is not None and claim.payable and not link.ahead(claim)


def lies_open_unentered(state: State) -> bool:
    """Whether cards of a physical table lie open that nobody has entered: they come before the next step."""
    if not state.terms.physical:
        return False
    return any(
        len(state.known.get(place, ())) < min(state.dealt.get(place, 0), room(state.plan, place))
        for place in state.revealed
    )


def dealer_choices(table: OpenTable, link: Link | None) -> list[Choice]:
    """The dealer's next step as it is sent, and after it what is owed to players now."""
    state = table.state
    if lies_open_unentered(state):
        return []
    payable = state.claim and claim_payable(table, link)
    step = c.Settle(by=DEALER) if payable else dealer_step(state)
    steps = [*([] if step is None else [step]), *duties_now(state, link)]
    return [Choice(write_act(_of_the_player(state, command)), format_cents(Cents(0))) for command in steps]


def _of_the_player(state: State, command: c.Command) -> c.Command:
    """A duty that is done for a player says for whom."""
    if not isinstance(command, c.NotifyJackpot):
        return command
    player = state.boxes[command.position].player
    return replace(command, by=replace(DEALER, for_player=player))
