"""What a table offers to whoever sits down: wagers, limits, decisions, chips, its rulebook and readings."""

from __future__ import annotations

from pitboss.floor.gaming_table import OpenTable
from pitboss.floor.shapes import Announces, DecisionTerms, StepTerms, Terms, WagerTerms
from pitboss.money import format_cents
from pitboss.rulebooks.book import Step
from pitboss.rulebooks.brief import step_in_words


def terms_view(table: OpenTable) -> Terms:
    """The terms a table plays by, ready to be sent. They change between rounds only."""
    opened, state = table.opened, table.state
    plan, terms = state.plan, state.terms
    house = plan.book.house
    return Terms(
        table=table.table,
        game=plan.id,
        title=plan.book.identity.title,
        rulebook=opened.rulebook,
        readings={name: str(letter) for name, letter in sorted(plan.readings.items())},
        layout=opened.layout,
        procedure=opened.procedure,
        positions=opened.positions,
        own_cards=plan.own_cards,
        dealer_cards=plan.dealer_cards,
        community_cards=plan.community_cards,
        parts={str(part): numbers for part, numbers in plan.parts.items()},
        cards=opened.cards,
        practice=opened.practice,
        currency=opened.currency,
        chip=format_cents(opened.chip),
        denominations=[format_cents(chip) for chip in house.denominations],
        link=opened.link,
        jackpot_unit=None if terms.jackpot is None else format_cents(terms.jackpot.unit),
        decision_seconds=opened.decision_seconds,
        dealt_by="house" if table.dealing is not None else "person",
        betting_seconds=None if table.dealing is None else table.dealing.betting_seconds,
        wagers=[
            WagerTerms(
                wager=wager.name,
                area=wager.area,
                placed=str(wager.placed),
                needs=wager.needs,
                units=wager.units,
                limits=_limits(table, wager.name),
                clauses=wager.clauses,
            )
            for wager in plan.wagers
            if wager.extra_on is None  # nobody places those
        ],
        announces=Announces(open=plan.book.round.opens, close=plan.book.round.closes),
        steps=[_step(step) for step in terms.procedure.steps],
        decisions=[
            DecisionTerms(
                decision=decision.name,
                bet=decision.bet,
                times=plan.wager(decision.bet).times,
                of=str(plan.wager(decision.bet).of),
                otherwise=str(decision.otherwise),
                clauses=decision.clauses,
                otherwise_clauses=decision.otherwise_clauses,
            )
            for decision in plan.decisions
        ],
    )


def _step(step: Step) -> StepTerms:
    """A step of the procedure: what is done, where, with how many cards, how often round; and in words."""
    kinds = {
        "deal": step.deal,
        "burn": None if step.burn is None else "",
        "discard": step.discard,
        "turn-up": step.turn_up,
        "decide": step.decide,
        "reveal": step.reveal,
    }
    kind, place = next((kind, place) for kind, place in kinds.items() if place is not None)
    cards = step.cards or step.burn or step.card or 0
    return StepTerms(
        do=kind,
        place=str(place),
        cards=cards,
        rounds=step.rounds,
        words=step_in_words(step),
        clauses=step.clauses,
    )


def _limits(table: OpenTable, wager: str) -> list[str] | None:
    limit = {str(name): limit for name, limit in table.state.terms.limits.items()}.get(wager)
    return None if limit is None else [format_cents(limit.minimum), format_cents(limit.maximum)]
