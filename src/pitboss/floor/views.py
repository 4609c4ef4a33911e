"""What a viewer sees of a table on the floor: the engine's view, with what the floor adds and nothing hidden.

At a table whose meter is linked, the meter is the link's; the openings shown are those of the cards seen.
"""

from __future__ import annotations

from dataclasses import asdict

from msgspec import UNSET

from pitboss.cards import Card
from pitboss.errors import is_number
from pitboss.floor import table_events as te
from pitboss.floor.choices import choices_of, claim_payable, dealer_choices
from pitboss.floor.gaming_table import PHYSICAL, VIRTUAL, GamingTable, OpenTable, contributions_of, ever_open
from pitboss.floor.link import Link
from pitboss.floor.ports import SECOND
from pitboss.floor.sealing import dealing_of, rule_of
from pitboss.floor.shapes import (
    Beacon,
    BeaconValue,
    Called,
    Composed,
    Composition,
    Contribution,
    DealtTo,
    Device,
    Opening,
    Pending,
    Sealed,
    TableView,
    ToEnter,
    Withheld,
)
from pitboss.floor.table_events import CommitmentsSealed, DeckSealed
from pitboss.money import floor_to_cents, format_cents
from pitboss.play.betting import power_clauses
from pitboss.play.concluding import folded_to_read
from pitboss.play.dealing import room
from pitboss.play.shapes import Notice, parts_of
from pitboss.play.table import Fate, Stage, State
from pitboss.play.views import FACE_DOWN, NO_JACKPOT, Role, Viewer, view_for
from pitboss.rulebooks.dealing import BURNED
from pitboss.rulebooks.trouble import Ruling
from pitboss.rulebooks.vocabulary import Place, Power


def floor_view(found: GamingTable, link: Link | None, viewer: Viewer) -> TableView:
    """The table as one viewer sees it, ready to be sent: a closed one as it closed.

    Raises `BadInput` for one that was never opened.
    """
    is_open, table = isinstance(found, OpenTable), ever_open(found)
    state, opened = table.state, table.opened
    view = TableView(
        **parts_of(view_for(state, viewer)),
        table=table.table,
        open=is_open,
        game=state.plan.id,
        rulebook=opened.rulebook,
        practice=opened.practice,
        cards=opened.cards,
        link=opened.link,
        currency=opened.currency,
        seats={str(position): player for position, player in sorted(table.seats.items())},
    )
    if viewer.role is Role.PLAYER and is_open:
        view.choices = choices_of(state, viewer.player)
    if viewer.role in (Role.DEALER, Role.PIT) and is_open:
        view.choices = dealer_choices(table, link)
        if opened.cards == PHYSICAL and table.in_round:
            view.to_enter = _to_enter(state)
    if viewer.role not in (Role.PUBLIC, Role.PLAYER):
        view.called = called(table)
    if table.in_round:
        _show_times(table, view)
    if state.claim:
        view.claim_payable = claim_payable(table, link)
    if link is not None:
        view.meter = format_cents(floor_to_cents(link.meter))
        if link.claims:  # while a claim is pending other tables deal on, and the display says so
            view.claims_pending = pending_claims(link)
        _show_outage(table, link, view)
    if opened.cards == VIRTUAL and view.matter:
        view.matter.rulings = [ruling for ruling in view.matter.rulings if ruling != Ruling.ORDER]
    if table.sealed is not None:
        view.sealed = _sealed_view(table, table.sealed, view)
    return view


def _sealed_view(table: OpenTable, sealed: CommitmentsSealed | DeckSealed, view: TableView) -> Sealed:
    """The seal, where each card that lies came from, and openings of those that the view shows.

    The places of cards face down are told too: they follow from the dealing order, which everybody knows.
    """
    seen, places = _cards_seen(view), places_of(table)
    dealing, hands = dealing_of(table.state)
    if isinstance(sealed, DeckSealed):
        dealing, hands = sealed.dealing, sealed.hands
    view_of_it = Sealed(
        seal=rule_of(sealed),
        root=sealed.root,
        commitments=sealed.commitments,
        dealing=[DealtTo(part.to, part.cards) for part in dealing],
        hands=hands,
        drawn=sum(len(row) for row in places.values()),
        places=places,
        openings=[
            Opening(opening.index, opening.salt, opening.card)
            for opening in table.drawn
            if opening.card in seen
        ],
    )
    if table.composition is not None:
        _show_composition(table, table.composition, view_of_it)
    return view_of_it


def _show_composition(table: OpenTable, composed_by: te.Composition, view: Sealed) -> None:
    """How the order of the deck is composed, by the rule that has it: all of it is for everybody."""
    done, beacon = table.composed, composed_by.beacon
    open_for_reveals = table.state.stage is Stage.CLOSED and done is None
    view.composition = Composition(
        composed_by.reveal_seconds, None if beacon is None else Beacon(**asdict(beacon))
    )
    view.devices = [Device(**device._asdict()) for device in table.devices]
    view.reveal_by = table.reveal_by if open_for_reveals else None
    view.composed = None
    if done is not None:
        view.composed = Composed(
            contributions=[Contribution(**found._asdict()) for found in contributions_of(table, done)],
            withheld=[Withheld(**asdict(left)) for left in done.withheld],
            beacon=None if done.beacon is None else BeaconValue(**asdict(done.beacon)),
            independent=len(done.contributions),
        )


def places_of(table: OpenTable) -> dict[str, list[int]]:
    """Which places of the sealed deck lie where: row by row as a view has them, and those burned."""
    state = table.state
    came_from = {opening.card: opening.index for opening in table.drawn}
    rows: dict[str, list[Card]] = {}
    community = state.plan.parts or {Place.COMMUNITY.value: ()}
    lying = {place: cards for place, cards in state.known.items() if place not in community}
    for place in sorted(lying, key=lambda name: (not is_number(name), int(name) if is_number(name) else 0)):
        rows[place] = list(lying[place])
    rows[Place.COMMUNITY.value] = [card for part in community for card in state.known.get(part, ())]
    rows[BURNED] = [card for card in state.burned if card is not None]
    found = {
        row: [came_from[card.code] for card in cards if card.code in came_from] for row, cards in rows.items()
    }
    return {row: places for row, places in found.items() if places}


def pending_claims(link: Link) -> list[Pending]:
    """Claims on a jackpot that wait, how far each is, and whether its table may pay it now."""
    return [
        Pending(claim.table, claim.status.value, claim.payable and not link.ahead(claim))
        for claim in link.claims.values()
    ]


def called(table: OpenTable) -> Called | None:
    """Who wants somebody of the pit at a table, since when and what for."""
    call = table.call
    return None if call is None else Called(call.person, call.since, call.reason)


_GIVEN_UP = (Fate.FOLDED, Fate.FOLDED_BY_ABSENCE, Fate.INVALID_BY_ABSENCE)


def _to_enter(state: State) -> list[ToEnter]:
    """Places where cards lie that nobody has entered: those that lie open first, then as they were dealt.

    A hand that was given up is entered only if a wager of it is still settled on its cards.
    """
    read = folded_to_read(state)
    given_up = {str(n) for n, box in state.boxes.items() if box.fate in _GIVEN_UP and n not in read}
    found = []
    for place, dealt in sorted(state.dealt.items(), key=lambda item: item[0] not in state.revealed):
        box = state.boxes.get(int(place)) if place.isdigit() else None
        missing = min(dealt, room(state.plan, place)) - len(state.known.get(place, ()))
        if missing > 0 and place not in given_up and (box is None or box.removal is None):
            found.append(ToEnter(place, missing))
    return found


def _show_times(table: OpenTable, view: TableView) -> None:
    """At a virtual table, until when bets are open, or until when a decision is waited for."""
    if table.opened.cards != VIRTUAL:
        return
    if table.state.stage is Stage.BETTING:
        view.bets_close_at = UNSET if table.bets_end_at is None else table.bets_end_at
    elif table.decision or table.state.trouble.options is not None:
        view.decide_by = table.decision_since + table.opened.decision_seconds * SECOND


def _show_outage(table: OpenTable, link: Link, view: TableView) -> None:
    """While the jackpot is offline the table says so."""
    notices = view.notices or []
    if not (link.out_of_order or table.jackpot_failed) or any(
        notice.notice == "no-jackpot" for notice in notices
    ):
        return
    clauses = power_clauses(table.state, Power.JACKPOT_OUTAGE)
    view.notices = [*notices, Notice("no-jackpot", NO_JACKPOT, clauses)]


def _cards_seen(view: TableView) -> set[str]:
    rows = [view.community, view.dealer, *(box.cards for box in view.positions.values())]
    return {card for row in rows for card in row} - {FACE_DOWN}
