"""From a book's data to the plan: nothing is decided here, only written out and tied together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pitboss.cards import HandClass, HandOrder, HoleClass
from pitboss.money import parse_cents
from pitboss.rulebooks.book import Book, Cell, HandRule, PayTableRule, RemedyRule, WagerRule
from pitboss.rulebooks.plan import (
    AbsencePolicy,
    ClauseRef,
    Clauses,
    Comparison,
    FixedAward,
    ForOne,
    HandSpec,
    JackpotPolicy,
    MeterShare,
    Pay,
    PayTable,
    Plan,
    Qualification,
    ToOne,
    Wager,
    WagerName,
)
from pitboss.rulebooks.trouble import (
    DIMENSIONS,
    Condition,
    Irregularity,
    LateCount,
    LateRepair,
    Mode,
    Remedy,
    Ruling,
)
from pitboss.rulebooks.validate import WHEEL, seat_range
from pitboss.rulebooks.vocabulary import Order, Power, Situation


def compile_plan(book: Book, *, readings: Mapping[str, str], digest: str) -> Plan:
    """The plan of a valid book whose readings have been applied to its data already."""
    hands = {name: _hand(name, rule) for name, rule in book.hands.items()}
    ranges = {layout.name: seat_range(book, layout) for layout in book.layouts}
    return Plan(
        book=book,
        digest=digest,
        readings=MappingProxyType(dict(readings)),
        positions=max(high for _, high in ranges.values()),
        seat_ranges=MappingProxyType(ranges),
        own_cards=book.cards.own,
        dealer_cards=book.cards.dealer,
        community_cards=book.cards.community,
        parts=MappingProxyType(dict(book.cards.parts)),
        wagers=tuple(_wager(book, name, rule, hands) for name, rule in book.wagers.items()),
        hand_wagers=tuple(WagerName(n) for n, rule in book.wagers.items() if rule.entitles_to_hand),
        decisions=book.decisions,
        procedures=book.procedures,
        hands=MappingProxyType(hands),
        comparison=_comparison(book, hands),
        qualification=_qualification(book),
        limits=book.limits,
        removed_clauses=_refs(book.removed.clauses),
        void_clauses=_refs(book.round.void_clauses),
        absence=AbsencePolicy(
            consequences=MappingProxyType(dict(book.absence.decisions)),
            clauses=MappingProxyType({name: _refs(c) for name, c in book.absence.clauses.items()}),
            settled_clauses=_refs(book.absence.settled_clauses),
            without=book.absence.without,
        ),
        jackpot=_jackpot(book),
        interruption=book.interruption,
        remedies=MappingProxyType(_remedies(book)),
        register=MappingProxyType({ClauseRef(number): clause for number, clause in book.clauses.items()}),
    )


def parse_pay(text: str) -> Pay:
    """`5 to 1`, `40 for 1`, `10%` or `200.00`."""
    if text.endswith(" to 1"):
        return ToOne(int(text.split()[0]))
    if text.endswith(" for 1"):
        return ForOne(int(text.split()[0]))
    if text.endswith("%"):
        return MeterShare(int(text[:-1]))
    return FixedAward(parse_cents(text))


def _refs(clauses: tuple[str, ...]) -> Clauses:
    return tuple(ClauseRef(number) for number in clauses)


def _hand(name: str, rule: HandRule) -> HandSpec:
    return HandSpec(
        name=name,
        places=rule.cards,
        order=rule.order,
        suited_wheel=rule.suited_wheel,
        class_clauses=MappingProxyType({c: ClauseRef(ref) for c, ref in rule.class_clauses.items()}),
    )


def _classes(hand: HandSpec) -> tuple[str, ...]:
    """The rows a pay table on this hand can have, lowest first."""
    if hand.order is Order.HOLE_CARDS:
        return tuple(c.value for c in reversed(HoleClass) if c is not HoleClass.UNLISTED)
    return tuple(c.value for c in HandOrder(hand.order.value).classes)


def _pay_table(rule: PayTableRule, hands: Mapping[str, HandSpec]) -> PayTable:
    hand = hands[rule.hand]
    rows = {row: parse_pay(text) for row, text in rule.rows.items()}
    if rule.any is not None:
        classes = _classes(hand)
        first = classes.index(rule.pays_from.value) if rule.pays_from is not None else 0
        rows = {row: parse_pay(rule.any) for row in classes[first:]}
    return PayTable(
        hand=hand,
        rows=MappingProxyType(rows),
        flat=parse_pay(rule.any) if rule.any is not None and rule.pays_from is None else None,
        unlisted=rule.unlisted,
        cap=rule.cap,
        cap_includes_stake=rule.cap_includes_stake,
        cap_clauses=_refs(rule.cap_clauses),
        clauses=_refs(rule.clauses),
    )


def _wager(book: Book, name: str, rule: WagerRule, hands: Mapping[str, HandSpec]) -> Wager:
    return Wager(
        name=WagerName(name),
        area=rule.area,
        placed=rule.placed,
        entitles_to_hand=rule.entitles_to_hand,
        against_dealer=rule.against_dealer,
        times=rule.times or 1,
        of=None if rule.of is None else WagerName(rule.of),
        needs=tuple(WagerName(other) for other in rule.needs),
        needs_clauses=_refs(rule.needs_clauses),
        without_clauses=_refs(rule.without_clauses),
        pooled=rule.pooled if rule.of is None else book.wagers[rule.of].pooled,
        units=rule.units,
        odd_amount=rule.odd_amount,
        odd_clauses=_refs(rule.odd_clauses),
        short_clauses=_refs(rule.short_clauses),
        extra_on=None if rule.extra_on is None else WagerName(rule.extra_on),
        posted_limits=rule.posted_limits,
        clauses=_refs(rule.clauses),
        pays=_pay_table(book.pays[name], hands),
        settlement=MappingProxyType(_cells(book.settlement[name])),
    )


def _cells(given: Mapping[Situation, Cell]) -> dict[Situation, Cell]:
    cells = dict(given)
    declined = given[Situation.DECLINED]
    cells.setdefault(Situation.DECLINED_DEALER_NOT_QUALIFIED, declined)
    cells.setdefault(Situation.ESTABLISHED, declined)
    return cells


def _comparison(book: Book, hands: Mapping[str, HandSpec]) -> Comparison:
    rules = book.comparison
    hand = hands[rules.hand]
    every = HandOrder(hand.order.value).classes
    listed = rules.within_class
    decided = every if listed is None else [HandClass(name) for name in listed if name != WHEEL]
    return Comparison(
        hand=hand,
        decided_by_cards=frozenset(decided),
        wheel_ranks_below=listed is None or WHEEL in listed,
        full_houses=rules.full_houses,
        clauses=_refs(rules.clauses),
        equal_clauses=_refs(rules.equal_clauses),
        within_clauses=_refs(rules.within_clauses),
        class_clauses=MappingProxyType({c: _refs(refs) for c, refs in rules.class_clauses.items()}),
        wheel_clauses=_refs(rules.wheel_clauses),
    )


def _qualification(book: Book) -> Qualification | None:
    rule = book.qualification
    if rule is None:
        return None
    return Qualification(
        rule=rule.rule,
        at_least=(rule.hand, rule.ranks),
        ranks=frozenset(rule.ranks),
        wheel_ace_is_low=rule.wheel_ace_is_low,
        clauses=_refs(rule.clauses),
        failed_clauses=_refs(rule.failed_clauses),
    )


def _jackpot(book: Book) -> JackpotPolicy | None:
    rules = book.jackpot
    if rules is None:
        return None
    return JackpotPolicy(
        wager=WagerName(rules.wager),
        for_one_stake=rules.for_one_stake,
        multiple=rules.multiple,
        multiple_clauses=_refs(rules.multiple_clauses),
        fixed_awards=rules.fixed_awards,
        contributes=rules.contributes,
        measured=rules.measured,
        sharing=rules.sharing,
    )


def _remedies(book: Book) -> dict[Irregularity, tuple[RemedyRule, ...]]:
    """The rows of every kind as the book is read; a kind without any is one the book does not cover."""
    return {
        kind: tuple(_as_read(book, [row for row in book.remedies if row.kind is kind]))
        or _not_covered(book, kind)
        for kind in Irregularity
    }


_LATE = frozenset().union(*DIMENSIONS["late-count"], *DIMENSIONS["late-repair"])


def _as_read(book: Book, rows: list[RemedyRule]) -> Iterator[RemedyRule]:
    """The rows that `[late]` leaves in force. What it says is no circumstance of a round, and goes."""
    voids = book.late.count is LateCount.VOIDS
    again = book.late.repair is LateRepair.SETTLES_AGAIN
    holds = {
        Condition.LATE_COUNT_VOIDS if voids else Condition.LATE_COUNT_STANDS,
        Condition.LATE_REPAIR_SETTLES if again else Condition.LATE_REPAIR_STANDS,
    }
    for row in rows:
        late = _LATE & set(row.when)
        if late <= holds:
            when = tuple(word for word in row.when if word not in late)
            yield row.model_copy(update={"when": when}) if late else row


def _not_covered(book: Book, kind: Irregularity) -> tuple[RemedyRule, ...]:
    catch_all = next(rule for rule in book.authorities.powers if rule.power is Power.DECIDE_UNCOVERED)
    live = RemedyRule(
        kind=kind,
        when=(Condition.ROUND_IN_PROGRESS,),
        mode=Mode.SUSPENDED,
        remedy=Remedy.AS_RULED,
        decides=catch_all.position,
        rulings=tuple(ruling for ruling in Ruling if not ruling.lasts),
        clauses=catch_all.clauses,
    )
    over = RemedyRule(
        kind=kind,
        when=(Condition.NO_ROUND_IN_PROGRESS,),
        mode=Mode.RECORDED,
        remedy=Remedy.NOTHING,
        clauses=catch_all.clauses,
    )
    return live, over
