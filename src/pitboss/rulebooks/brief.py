"""A rulebook in brief, in terms of play and money, written from the plan (`rules show`, `rules diff`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time

from pitboss.money import format_cents
from pitboss.rulebooks.book import Procedure, RemedyRule, Step
from pitboss.rulebooks.dealing import cards_used
from pitboss.rulebooks.plan import FixedAward, ForOne, MeterShare, Pay, Plan, ToOne, Wager
from pitboss.rulebooks.trouble import Mode
from pitboss.rulebooks.vocabulary import Absence, Action, Place, Qualifying, Sharing, Situation, Word, meaning

LAYOUTS = "layouts"
"""The topic of the layouts that do not say how many positions they have."""
POSITIONS = "positions"
"""The topic of how many positions a table may have."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing a rulebook says: where it belongs, what it is about, what holds, by which clauses.

    `first` are the topics that a player should know before anything else. `about` and `says` are codes for
    the name and the text, with `blanks` for both, so that a screen can say them in any language; `says` is
    empty where the text has no code.
    """

    chapter: str
    name: str
    text: str
    clauses: tuple[str, ...] = ()
    first: bool = False
    about: str = ""
    says: str = ""
    blanks: tuple[tuple[str, str], ...] = ()


def brief(plan: Plan) -> tuple[Topic, ...]:
    """Everything two rulebooks may differ in, in a fixed order."""
    return tuple(
        topic
        for chapter in (_table, _betting, _dealing, _comparing, _settling, _paying, _jackpot, _trouble)
        for topic in chapter(plan)
    )


def pay_in_words(pay: Pay) -> str:
    """A pay as it stands in a table: `5 to 1`, `10% of the meter`."""
    match pay:
        case ToOne(odds=odds):
            return f"{odds} to 1"
        case ForOne(odds=odds):
            return f"{odds} for 1"
        case FixedAward(amount=amount):
            return format_cents(amount)
        case MeterShare(percent=percent):
            return f"{percent}% of the meter"


def step_in_words(step: Step) -> str:
    """A deal step as a dealer would say it."""
    if step.deal is not None:
        count = step.cards or 0
        cards = f"{count} card" + ("s" if count != 1 else "")
        times = f", {step.rounds} times round" if step.rounds > 1 else ""
        security = ", a security card beneath" if step.security else ""
        where = {
            Place.POSITIONS.value: "to each position",
            Place.POSITIONS_AND_DEALER.value: "to each position and the dealer",
            Place.DEALER.value: "to the dealer",
            Place.COMMUNITY.value: "to the community",
        }.get(step.deal, f"as the {step.deal}")
        return f"deal {cards} {where}{times}{security}"
    if step.burn is not None:
        return "burn a card" if step.burn == 1 else f"burn {step.burn} cards"
    if step.discard is not None:
        return f"burn card {step.card} of the {step.discard}"
    if step.turn_up is not None:
        return f"turn up card {step.card} of the {step.turn_up}"
    if step.decide is not None:
        return f"decide: {step.decide}"
    return f"reveal the {step.reveal}"


def procedure_in_words(procedure: Procedure) -> str:
    """A dealing procedure, step by step."""
    return "; ".join(step_in_words(step) for step in procedure.steps)


def _names(wagers: Iterable[Wager]) -> str:
    return ", ".join(spoken(wager.name) for wager in wagers) or "nothing"


def _clauses(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(number for group in groups for number in group))


def _from(moment: date) -> str:
    """A day, and the hour where a book begins in the middle of it."""
    if isinstance(moment, datetime):
        return f"{moment:%Y-%m-%d}" if moment.time() == time() else f"{moment:%Y-%m-%d %H:%M}"
    return moment.isoformat()


def spoken(name: str) -> str:
    """A hand or a wager by its name, as one says it: a royal flush, not a royal-flush; A-K stays A-K."""
    if name.startswith("a-"):
        cards = name.removesuffix("-suited").removesuffix("-both")
        return cards.upper() + name.removeprefix(cards).replace("-", " ")
    return name.replace("-", " ")


def _table(plan: Plan) -> Iterator[Topic]:
    chapter, book = "Table", plan.book
    identity = book.identity
    edition = f"version {identity.version}, from {_from(identity.applies_from)}"
    yield Topic(chapter, "edition", edition, about="edition")
    yield from _seats(plan)
    areas = ", ".join(dict.fromkeys(wager.area for wager in plan.wagers))
    yield Topic(chapter, "areas", areas, () if book.areas is None else book.areas.clauses, about="areas")
    yield Topic(chapter, "bets open", f"“{book.round.opens}”", book.round.opens_clauses, about="opens")
    yield Topic(chapter, "bets close", f"“{book.round.closes}”", book.round.closes_clauses, about="closes")


def _seats(plan: Plan) -> Iterator[Topic]:
    """The layouts, and how many positions each may have. A number that the house has set cites no clause."""
    stated = [layout for layout in plan.book.layouts if layout.positions is not None]
    drawn = [layout for layout in plan.book.layouts if layout.positions is None]
    counts = {name: f"{low}-{high}" for name, (low, high) in plan.seat_ranges.items()}
    if drawn:
        names = ", ".join(layout.name for layout in drawn)
        yield Topic("Table", LAYOUTS, names, _clauses(*(lay.clauses for lay in drawn)), about="layouts")
    if stated:
        text = ", ".join(f"{layout.name}: {counts[layout.name]}" for layout in stated)
        clauses = _clauses(*(layout.clauses for layout in stated))
        yield Topic("Table", POSITIONS, text, clauses, about="positions")
    if drawn:
        number = counts[drawn[0].name]
        yield Topic(
            "Table",
            POSITIONS if not stated else "other positions",
            f"{number}, set by the house",
            about="positions",
            says="house",
            blanks=(("n", number),),
        )


def _betting(plan: Plan) -> Iterator[Topic]:
    chapter = "Betting"
    entry = [wager for wager in plan.wagers if wager.entitles_to_hand]
    how = "" if len(entry) == 1 else "any of "
    yield Topic(
        chapter,
        "to take part",
        how + _names(entry),
        _clauses(*(w.clauses for w in entry)),
        about="entry",
        says="any",
        blanks=(("areas", _codes(wager.name for wager in entry)),),
    )
    for wager in plan.wagers:
        if wager.of is not None:
            yield Topic(
                chapter,
                f"{wager.name} size",
                f"{wager.times} x {wager.of}",
                wager.clauses,
                about="size",
                says="times",
                blanks=(("wager", wager.name), ("n", str(wager.times)), ("of", wager.of)),
            )
        elif wager.needs:
            yield Topic(
                chapter,
                f"{wager.name} needs",
                _either(wager.needs),
                wager.without_clauses,
                about="needs",
                says="with",
                blanks=(("wager", wager.name), ("areas", _codes(wager.needs))),
            )
        if wager.units is not None:
            least, most = wager.units
            text = "one unit" if least == most else f"{least} to {most} units"
            yield Topic(
                chapter,
                f"{wager.name} size",
                text,
                wager.clauses,
                about="size",
                says="unit" if least == most else "units",
                blanks=(("wager", wager.name), ("least", str(least)), ("most", str(most))),
            )
    limits = plan.limits
    pooled = _names(wager for wager in plan.wagers if wager.pooled)
    text = meaning(limits.pooling.policy) + ("" if pooled == "nothing" else f" ({pooled})")
    yield Topic(
        chapter,
        "several players at one area",
        text,
        limits.pooling.clauses,
        about="pooling",
        says=limits.pooling.policy.value,
    )
    several = plan.book.round.several_hands_clauses
    yield Topic(
        chapter,
        "several hands",
        "allowed; one may be viewed, the others are played blind",
        several,
        about="several-hands",
        says="blind",
    )
    yield Topic(
        chapter,
        "under the minimum",
        _limit(limits.under_minimum.policy, limits.under_minimum.placing),
        _clauses(limits.under_minimum.clauses, limits.under_minimum.placing_clauses),
        about="under-minimum",
        says=limits.under_minimum.policy.value,
        blanks=_placing(limits.under_minimum.placing),
    )
    yield Topic(
        chapter,
        "over the maximum",
        "settled to the maximum, the excess returned" + _before_close(limits.over_maximum.placing),
        _clauses(limits.over_maximum.clauses, limits.over_maximum.placing_clauses),
        about="over-maximum",
        says="excess",
        blanks=_placing(limits.over_maximum.placing),
    )
    yield Topic(
        chapter,
        "wrong size of a later wager",
        "excess returned, a short stake settled as it lies" + _before_close(limits.wrong_size.placing),
        _clauses(limits.wrong_size.too_large, limits.wrong_size.too_small),
        about="wrong-size",
        says="excess",
        blanks=_placing(limits.wrong_size.placing),
    )


def _placing(placing: str) -> tuple[tuple[str, str], ...]:
    return (("placing", str(placing)),)


def _codes(names: Iterable[str]) -> str:
    return ",".join(names)


def _limit(policy: Word, placing: str) -> str:
    return meaning(policy) + _before_close(placing)


def _before_close(placing: str) -> str:
    return "; put right at the table when noticed" if placing == "refused" else ""


def _either(names: Iterable[str]) -> str:
    return " or ".join(spoken(name) for name in names)


def _dealing(plan: Plan) -> Iterator[Topic]:
    chapter = "Deal"
    for procedure in plan.procedures:
        used = cards_used(procedure, positions=0)
        per_position = cards_used(procedure, positions=1) - used
        text = f"{procedure_in_words(procedure)} ({used} + {per_position} per position)"
        steps = (step.clauses for step in procedure.steps)
        clauses = _clauses(procedure.clauses, *steps, plan.book.deck.clauses)
        yield Topic(
            chapter, procedure.name, text, clauses, about="method", blanks=(("method", procedure.name),)
        )
    for decision in plan.decisions:
        text = f"{decision.otherwise}, or {decision.bet} of {plan.wager(decision.bet).times} x ante"
        if decision.without is not None:
            text += f"; without {decision.needs}: {decision.without}"
        clauses = _clauses(decision.clauses, decision.otherwise_clauses, decision.without_clauses)
        yield Topic(
            chapter,
            f"{decision.name} decision",
            text,
            clauses,
            about="decision",
            says="choose",
            blanks=(
                ("decision", decision.name),
                ("otherwise", str(decision.otherwise)),
                ("wager", decision.bet),
                ("n", str(plan.wager(decision.bet).times)),
                *((("without", str(decision.needs)),) if decision.without is not None else ()),
            ),
        )


def _comparing(plan: Plan) -> Iterator[Topic]:
    chapter, rules = "Comparison", plan.comparison
    hand = plan.book.hands[rules.hand.name]
    cited = _clauses(rules.clauses, hand.clauses, hand.class_clauses.values())
    yield Topic(chapter, "hands compared", _hand(plan, rules.hand.name), cited, about="compared")
    rule = plan.qualification
    if rule is None:
        yield Topic(chapter, "dealer qualifies", "always", about="qualifies", says="always")
    else:
        hand_class, least = rule.at_least
        named = "-".join(
            rank.word
            for rank in (least if rule.rule is Qualifying.HAND_AT_LEAST else sorted(rule.ranks, reverse=True))
        )
        text = {
            Qualifying.HAND_AT_LEAST: f"with {hand_class} {named} or better",
            Qualifying.HOLDS_ANY: f"holding any of {named}",
            Qualifying.HOLDS_ALL: f"holding {named}",
        }[rule.rule]
        text += ", the ace of the lowest straight counting as one" if rule.wheel_ace_is_low else ""
        yield Topic(
            chapter,
            "dealer qualifies",
            text,
            _clauses(rule.clauses, rule.failed_clauses),
            about="qualifies",
        )
    classes = len(rules.decided_by_cards)
    every = classes == len(set(rules.decided_by_cards) | set(_all_classes(plan)))
    text = (
        "card ranks decide in every class"
        if every
        else (
            "card ranks decide in " + ", ".join(sorted(rules.decided_by_cards)) + "; other classes stand off"
        )
    )
    yield Topic(
        chapter,
        "same class",
        text,
        _clauses(rules.within_clauses, *rules.class_clauses.values()),
        about="same-class",
    )


def _all_classes(plan: Plan) -> tuple[str, ...]:
    from pitboss.cards import HandOrder

    return HandOrder(plan.comparison.hand.order.value).classes


def _hand(plan: Plan, name: str) -> str:
    spec = plan.hands[name]
    return f"{meaning(spec.order)}: {' + '.join(spec.places)}"


_SITUATIONS = {
    Situation.HIGHER: "player higher",
    Situation.LOWER: "player lower",
    Situation.EQUAL: "hands equal",
    Situation.DEALER_NOT_QUALIFIED: "dealer does not qualify",
    Situation.FOLDED: "player folds",
    Situation.DECLINED: "player does not expose",
    Situation.DECLINED_DEALER_NOT_QUALIFIED: "does not expose, dealer does not qualify",
    Situation.ESTABLISHED: "does not expose, hand established",
    Situation.ABSENT: "hand invalid through absence",
}


def _settling(plan: Plan) -> Iterator[Topic]:
    chapter = "Settlement"
    for situation, name in _SITUATIONS.items():
        if situation is Situation.DECLINED_DEALER_NOT_QUALIFIED and plan.qualification is None:
            continue
        cells = [
            (wager, wager.settlement[situation]) for wager in plan.wagers if situation in wager.settlement
        ]
        if situation is Situation.ESTABLISHED and all(
            cell == wager.settlement[Situation.DECLINED] for wager, cell in cells
        ):
            continue
        # A payment without a stake, such as the Ante Bonus, can be won but not lost or returned.
        cells = [(w, cell) for w, cell in cells if w.extra_on is None or cell.then is Action.PAY]
        if cells:
            parts = [
                f"{verb} {_names(wager for wager, cell in cells if cell.then is action)}"
                for action, verb in (
                    (Action.COLLECT, "loses"),
                    (Action.RETURN, "gets back"),
                    (Action.PAY, "by its table:"),
                )
                if any(cell.then is action for _, cell in cells)
            ]
            yield Topic(
                chapter,
                name,
                "; ".join(parts),
                _clauses(*(cell.clauses for _, cell in cells)),
                about=f"if-{situation.value}",
            )
    for decision in plan.decisions:
        consequence = plan.absence.consequences[decision.name]
        text = {
            Absence.INVALID: "the hand becomes invalid",
            Absence.CHECK: "deemed to have checked",
            Absence.FOLD: "deemed to have folded",
        }[consequence]
        yield Topic(
            chapter,
            f"absent for the {decision.name} decision",
            text,
            plan.absence.clauses[decision.name],
            first=True,
            about="absent",
            says=consequence.value,
            blanks=(("decision", decision.name),),
        )
    yield Topic(
        chapter,
        "hand removed from play",
        "every stake back",
        plan.removed_clauses,
        about="removed",
        says="back",
    )


def _paying(plan: Plan) -> Iterator[Topic]:
    chapter = "Pays"
    for wager in plan.wagers:
        table = wager.pays
        pays = list(dict.fromkeys(table.rows.values()))
        if len(pays) == 1 and len(table.rows) > 1:
            lowest = next(iter(table.rows))
            whole = len(table.rows) == len(_rows_of(plan, wager))
            text = pay_in_words(pays[0]) + ("" if whole else f" from {spoken(lowest)} up")
        else:
            text = ", ".join(f"{spoken(str(row))} {pay_in_words(pay)}" for row, pay in table.rows.items())
        if table.unlisted is Action.RETURN:
            text += "; otherwise returned"
        if table.cap is not None:
            stake = ", stake included" if table.cap_includes_stake else ""
            text += f"; at most {format_cents(table.cap)}{stake}"
        hand = plan.book.hands[table.hand.name].clauses if table.hand != plan.comparison.hand else ()
        yield Topic(
            chapter,
            wager.name,
            text,
            _clauses(table.clauses, table.cap_clauses, hand, wager.clauses if wager.extra_on else ()),
            about="pays",
            blanks=(("wager", wager.name),),
        )


def _rows_of(plan: Plan, wager: Wager) -> tuple[str, ...]:
    return _all_classes(plan) if wager.pays.hand == plan.comparison.hand else tuple(wager.pays.rows)


def _jackpot(plan: Plan) -> Iterator[Topic]:
    chapter, policy, rules = "Jackpot", plan.jackpot, plan.book.jackpot
    if policy is None or rules is None:
        yield Topic(chapter, "jackpot", "none", about="jackpot", says="none")
        return
    wager, sharing = plan.wager(policy.wager), policy.sharing
    yield Topic(chapter, "jackpot", "linked", wager.clauses, about="jackpot", says="linked")
    hand = _hand(plan, wager.pays.hand.name)
    yield Topic(chapter, "jackpot hand", hand, wager.pays.clauses, about="jackpot-hand")
    if any(isinstance(pay, ForOne) for pay in wager.pays.rows.values()):
        yield Topic(
            chapter,
            "stake of an award for 1",
            meaning(policy.for_one_stake),
            wager.pays.clauses,
            about="for-one",
        )
        yield Topic(
            chapter,
            "multiple wagers",
            meaning(policy.multiple),
            policy.multiple_clauses,
            about="multiple",
        )
    shares = [key for key, pay in wager.pays.rows.items() if isinstance(pay, MeterShare)]
    if shares and wager.units is not None and wager.units[1] > wager.units[0]:
        hands = ", ".join(spoken(str(key)) for key in shares)
        text = f"{hands}: the same share of the meter however many units are staked"
        yield Topic(
            chapter,
            "prize not in proportion",
            text,
            policy.multiple_clauses,
            first=True,
            about="share",
            says="same",
            blanks=(("hands", _codes(str(key) for key in shares)),),
        )
    yield Topic(
        chapter,
        "several winners at one table",
        meaning(sharing.policy),
        sharing.several_clauses,
        about="winners",
    )
    if sharing.policy is Sharing.EQUAL_SHARES:
        yield Topic(
            chapter,
            "further equal shares",
            meaning(sharing.repeated),
            sharing.several_clauses,
            about="further-shares",
        )
        yield Topic(
            chapter,
            "whole award after lower ones",
            meaning(sharing.after_lower),
            sharing.after_lower_clauses,
            about="after-lower",
        )
    yield Topic(chapter, "resets the meter", meaning(sharing.resets), sharing.whole_clauses, about="resets")
    yield Topic(
        chapter,
        "winners at separate tables",
        meaning(rules.separate_tables),
        rules.separate_tables_clauses,
        about="separate-tables",
    )


def _trouble(plan: Plan) -> Iterator[Topic]:
    chapter, book = "When things go wrong", plan.book
    for kind, rows in plan.remedies.items():
        text = " ".join(f"{_when(row)}: {_remedy(plan, row)}." for row in rows)
        cited = tuple(dict.fromkeys(number for row in rows for number in row.clauses))
        yield Topic(
            chapter, kind.replace("-", " "), text, cited, about="trouble", blanks=(("kind", str(kind)),)
        )
    yield Topic(chapter, "void round", "every stake back", plan.void_clauses, about="void-round", says="back")
    titles = book.authorities.titles
    for power in book.authorities.powers:
        yield Topic(
            chapter,
            f"who may {meaning(power.power)}",
            f"{titles[power.position]} or above",
            power.clauses,
            about="power",
        )


def _when(row: RemedyRule) -> str:
    words = ", ".join(word.replace("-", " ") for word in row.when) or "at any time"
    return words[:1].upper() + words[1:]


def _remedy(plan: Plan, row: RemedyRule) -> str:
    """What is done, and by whom."""
    if row.mode is not Mode.SUSPENDED:
        return meaning(row.remedy)
    assert row.decides is not None
    title = plan.book.authorities.titles[row.decides]
    return f"{title} or above rules: {', '.join(row.rulings)}"
