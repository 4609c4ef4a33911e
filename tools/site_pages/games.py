"""How each game is played, from its rulebook's data: what follows the introduction of its page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitboss.cards import HandClass, HandOrder
from pitboss.cards.hole import HoleClass
from pitboss.money import format_cents
from pitboss.rulebooks import Plan
from pitboss.rulebooks.book import Decision, Procedure, RemedyRule, Step
from pitboss.rulebooks.brief import brief, pay_in_words, spoken, step_in_words
from pitboss.rulebooks.conduct import CONDUCT, GLOSSES
from pitboss.rulebooks.dealing import cards_used
from pitboss.rulebooks.plan import Wager
from pitboss.rulebooks.trouble import Irregularity, Mode
from pitboss.rulebooks.vocabulary import Action, Order, Situation, Source, meaning
from site_pages.felt import areas, size_in_words
from site_pages.writing import capital, clause_links, hand_name, listed, plain, reading_link, table

COMMON = (
    Irregularity.MISDEAL,
    Irregularity.EXPOSED,
    Irregularity.WRONG_COUNT_POSITION,
    Irregularity.WRONG_COUNT_DEALER,
    Irregularity.WRONG_COUNT_COMMUNITY,
    Irregularity.FOREIGN_CARD,
    Irregularity.EXTRA_VIEW,
    Irregularity.POWER_FAILURE,
)
"""What a table sees most; every other kind is on the page of remedies."""

HOLE_LINES = {
    HoleClass.ACES_BOTH: "two aces, and the dealer has the other two",
    HoleClass.ACES: "two aces",
    HoleClass.ACE_KING_SUITED: "ace and king of one suit",
    HoleClass.ACE_QUEEN_JACK_SUITED: "ace and queen or jack of one suit",
    HoleClass.ACE_KING: "ace and king of two suits",
    HoleClass.HIGH_PAIRS: "a pair of kings, queens or jacks",
    HoleClass.ACE_QUEEN_JACK: "ace and queen or jack of two suits",
    HoleClass.LOW_PAIRS: "a pair of tens or lower",
}

SITUATIONS = {
    Situation.HIGHER: "player higher",
    Situation.LOWER: "player lower",
    Situation.EQUAL: "hands equal",
    Situation.DEALER_NOT_QUALIFIED: "dealer does not qualify",
    Situation.FOLDED: "folded",
    Situation.DECLINED: "not exposed",
    Situation.ABSENT: "invalid by absence",
}


def game_page(plan: Plan) -> str:
    """Everything about a game that its data tell."""
    parts: Iterable[str] = (
        _layout(plan),
        _table(plan),
        _wagers(plan),
        _round(plan),
        _comparison(plan),
        _settlement(plan),
        _pays(plan),
        _jackpot(plan),
        _conduct(plan),
        _trouble(plan),
        _questions(plan),
    )
    return "\n" + "\n".join(part for part in parts if part)


def _seats(plan: Plan, layout: str) -> str:
    low, high = plan.seat_ranges[layout]
    return f"{low} to {high} positions"


def _layout(plan: Plan) -> str:
    names = listed(
        f"{lay.name} ({_seats(plan, lay.name)}{'' if lay.positions else ', a figure of the house'})"
        for lay in plan.book.layouts
    )
    shows = f"The layout of {plan.id}: dealer, positions and playing areas"
    picture = f"{plan.id}-layout.svg"
    return (
        f"## The layout\n\n[![{shows}]({picture})]({picture})\n\n"
        f"Drawn from the rulebook's data with the most positions it permits, {plan.positions}; position 1 is "
        f"at the dealer's left. The document's own drawings are not copied here: {names}.\n"
    )


def _table(plan: Plan) -> str:
    book = plan.book
    rows = [
        ("pack", f"{book.deck.cards} cards", clause_links(plan, book.deck.clauses)),
        ("bets open", f"“{book.round.opens}”", clause_links(plan, book.round.opens_clauses)),
        ("bets close", f"“{book.round.closes}”", clause_links(plan, book.round.closes_clauses)),
        (
            "several hands",
            "one may be viewed, the others are played blind",
            clause_links(plan, book.round.several_hands_clauses),
        ),
    ]
    for thing in book.equipment:
        only = f" (for {listed(thing.procedures)})" if thing.procedures else ""
        rows.append(("must be there", spoken(thing.name) + only, clause_links(plan, thing.clauses)))
    return "## At the table\n\n" + table(("what", "how", "clauses"), rows)


def _wagers(plan: Plan) -> str:
    rows = [
        (
            f"**{spoken(wager.name)}**",
            wager.area,
            "before the deal" if wager.of is None else f"at the {wager.placed} decision",
            _size(plan, wager),
            listed((spoken(name) for name in wager.needs), "or"),
            clause_links(plan, wager.clauses),
        )
        for wager in areas(plan)
    ]
    entry = listed((spoken(wager.name) for wager in plan.wagers if wager.entitles_to_hand), "or")
    extra = [wager for wager in plan.wagers if wager.extra_on is not None]
    more = "".join(
        f" The {spoken(w.name)} is no wager of its own but a payment on the {w.extra_on}." for w in extra
    )
    return (
        "## What may be wagered\n\n"
        + table(("wager", "area", "when", "how much", "needs", "clauses"), rows)
        + f"\nA hand is dealt to who has placed {entry}.{more} Limits are working figures of "
        f"the data ({plan.book.house.currency}); a house sets its own.\n"
    )


def _size(plan: Plan, wager: Wager) -> str:
    limits = plan.book.house.limits.get(wager.name)
    if limits is not None:
        return f"{format_cents(limits[0])} to {format_cents(limits[1])}"
    jackpot = plan.book.house.jackpot
    unit = f" of {format_cents(jackpot.unit)}" if wager.units is not None and jackpot is not None else ""
    return size_in_words(wager) + unit


def _round(plan: Plan) -> str:
    first, *others = plan.procedures
    cited = clause_links(plan, first.clauses)
    text = f"## A round, step by step\n\nBy the procedure “{first.title}” ({cited}):\n\n"
    text += "\n".join(f"{at}. {words}" for at, words in enumerate(_steps(plan, first), 1)) + "\n"
    if others:
        rows = [_procedure_row(plan, procedure) for procedure in others]
        text += "\nOther ways of dealing that the book has:\n\n"
        text += table(("procedure", "in order", "cards", "clauses"), rows)
    return text


def _steps(plan: Plan, procedure: Procedure) -> Iterator[str]:
    """The round in plain words, from the first announcement to the settlement."""
    yield f"The dealer says “{plan.book.round.opens}”. Wagers go on their areas."
    yield f"The dealer says “{plan.book.round.closes}”. Nothing is added or taken back from here on."
    for step in procedure.steps:
        yield _step(plan, step)
    yield "Every wager is settled: losing ones are collected, winning ones paid, stand-offs go back."


def _step(plan: Plan, step: Step) -> str:
    cited = f" ({clause_links(plan, step.clauses)})" if step.clauses else ""
    if step.decide is None:
        return capital(step_in_words(step)) + cited + "."
    decision = next(found for found in plan.decisions if found.name == step.decide)
    return _decision(plan, decision)


def _decision(plan: Plan, decision: Decision) -> str:
    wager = plan.wager(decision.bet)
    text = (
        f"**Each player decides:** {wager.area} of {wager.times} x {wager.of} "
        f"({clause_links(plan, decision.clauses)}), or {decision.otherwise} "
        f"({clause_links(plan, decision.otherwise_clauses)})."
    )
    if decision.without is not None:
        cited = clause_links(plan, decision.without_clauses)
        text += f" A hand without {decision.needs} goes on without deciding ({cited})."
    return text


def _procedure_row(plan: Plan, procedure: Procedure) -> tuple[str, ...]:
    steps = "; ".join(step_in_words(step) for step in procedure.steps)
    used = cards_used(procedure, positions=0)
    each = cards_used(procedure, positions=1) - used
    return (
        procedure.title,
        steps,
        f"{used} + {each} a position",
        clause_links(plan, procedure.clauses),
    )


def _comparison(plan: Plan) -> str:
    spec = plan.comparison.hand
    classes = reversed(HandOrder(spec.order.value).classes)
    rows = [
        (str(at), hand_name(str(name)), clause_links(plan, _class_clauses(plan, str(name))))
        for at, name in enumerate(classes, 1)
    ]
    topics = [
        (topic.name, plain(topic.text), clause_links(plan, topic.clauses))
        for topic in brief(plan)
        if topic.chapter == "Comparison"
    ]
    return (
        "## How hands rank and are compared\n\n"
        + table(("", "hand, highest first", "clauses"), rows)
        + "\n"
        + table(("what", "how", "clauses"), topics)
    )


def _class_clauses(plan: Plan, name: str) -> tuple[str, ...]:
    found = {str(key): str(value) for key, value in plan.comparison.hand.class_clauses.items()}
    return (found[name],) if name in found else ()


def _settlement(plan: Plan) -> str:
    wagers = list(plan.wagers)
    rows = []
    for situation, name in SITUATIONS.items():
        cells = [_cell(plan, wager, situation) for wager in wagers]
        if any(cells):
            rows.append((name, *cells))
    return (
        "## What becomes of each wager\n\n"
        + table(("the hand", *(spoken(wager.name) for wager in wagers)), rows)
        + "\n“By its table” means that the wager's pay table decides; the tables follow.\n"
    )


_DONE = {Action.PAY: "by its table", Action.COLLECT: "lost", Action.RETURN: "goes back"}


def _cell(plan: Plan, wager: Wager, situation: Situation) -> str:
    found = wager.settlement.get(situation)
    if found is None or (wager.extra_on is not None and found.then is not Action.PAY):
        return ""
    return f"{_DONE[found.then]} ({clause_links(plan, found.clauses)})"


def _pays(plan: Plan) -> str:
    text = "## What each wager pays\n\n"
    flat = []
    for wager in plan.wagers:
        pays = wager.pays
        cited = clause_links(plan, (*pays.clauses, *pays.cap_clauses))
        same = len(set(pays.rows.values())) == 1 and len(pays.rows) > 1
        if same:
            flat.append((spoken(wager.name), _flat(plan, wager), cited))
            continue
        text += f"### {hand_name(wager.name)}\n\n"
        rows = [(_line(wager, str(row)), pay_in_words(pay)) for row, pay in pays.rows.items()]
        text += table(("hand", "pays"), reversed(rows) if _ascending(wager) else rows)
        text += f"\nJudged on {_hand(plan, wager)} ({cited}).{_cap(wager)}\n\n"
    return text + table(("wager", "pays a winning hand", "clauses"), flat)


def _line(wager: Wager, row: str) -> str:
    """A line of a pay table as people say it."""
    if wager.pays.hand.order is Order.HOLE_CARDS:
        return capital(HOLE_LINES[HoleClass(row)])
    return hand_name(row)


def _ascending(wager: Wager) -> bool:
    """Whether the table stands from the lowest hand up."""
    order = [str(name) for name in classes_of(wager)]
    found = [order.index(str(row)) for row in wager.pays.rows if str(row) in order]
    return len(found) > 1 and found == sorted(found)


def classes_of(wager: Wager) -> tuple[HandClass, ...]:
    """The classes of the hand a wager is judged on, the lowest first; none where it has lines of its own."""
    order = wager.pays.hand.order
    return () if order is Order.HOLE_CARDS else HandOrder(order.value).classes


_WHOSE = {word.value: meaning(word) for word in Source}


def _hand(plan: Plan, wager: Wager) -> str:
    spec = wager.pays.hand
    return f"{meaning(spec.order)}: {listed(_WHOSE.get(place, f'the {place}') for place in spec.places)}"


def _cap(wager: Wager) -> str:
    if wager.pays.cap is None:
        return ""
    stake = ", stake included" if wager.pays.cap_includes_stake else ""
    return f" At most {format_cents(wager.pays.cap)}{stake}."


def _flat(plan: Plan, wager: Wager) -> str:
    rows = list(wager.pays.rows.items())
    words = pay_in_words(rows[0][1])
    if len(rows) < len(classes_of(wager)):
        lowest = rows[0][0] if _ascending(wager) else rows[-1][0]
        words += f" from {spoken(str(lowest))} up"
    return words + ("; otherwise it goes back" if wager.pays.unlisted is Action.RETURN else "") + _cap(wager)


def _jackpot(plan: Plan) -> str:
    rows = [
        (topic.name, plain(topic.text), clause_links(plan, topic.clauses))
        for topic in brief(plan)
        if topic.chapter == "Jackpot"
    ]
    if plan.jackpot is None:
        return "## The jackpot\n\nThis game has none.\n"
    return "## The jackpot\n\n" + table(("what", "how", "clauses"), rows)


def _conduct(plan: Plan) -> str:
    rows = [
        (GLOSSES[kind], plain(found.when), plain(found.then), clause_links(plan, found.clauses))
        for kind, provisions in CONDUCT.items()
        for found in provisions(plan)
    ]
    return "## What players may do wrong\n\n" + table(("what", "when", "then", "clauses"), rows)


def remedy_rows(plan: Plan, kinds: Iterable[Irregularity]) -> Iterator[tuple[str, ...]]:
    """Each case of some irregularities: when, what is done, by which clauses."""
    for kind in kinds:
        for at, row in enumerate(plan.remedies.get(kind, ())):
            when = ", ".join(meaning(word) for word in row.when) or "at any time"
            name = f"**{spoken(kind)}**: {meaning(kind)}" if at == 0 else ""
            yield name, when, plain(_remedy(plan, row)), clause_links(plan, row.clauses)


def _remedy(plan: Plan, row: RemedyRule) -> str:
    if row.mode is not Mode.SUSPENDED or row.decides is None:
        return meaning(row.remedy)
    title = plan.book.authorities.titles[row.decides]
    return f"{title} or above rules: {listed((spoken(word) for word in row.rulings), 'or')}"


def _trouble(plan: Plan) -> str:
    rows = remedy_rows(plan, COMMON)
    return (
        "## When something goes wrong\n\n"
        + table(("what", "when", "then", "clauses"), rows)
        + f"\nEvery other kind is on [the page of remedies](../remedies/{plan.id}.md).\n"
    )


def _questions(plan: Plan) -> str:
    rows = [
        (reading_link(plan, label), plain(reading.question), clause_links(plan, reading.clauses))
        for label, reading in plan.book.readings.items()
        if reading.options
    ]
    return (
        "## Where the text can be read in several ways\n\n"
        + table(("reading", "question", "clauses"), rows)
        + f"\n[The readings of this book](../readings/{plan.id}.md) has the letters, the defaults and what "
        f"each costs.\n"
    )


def remedies_page(plan: Plan) -> str:
    """Every irregularity of a book, case by case."""
    rows = remedy_rows(plan, plan.remedies)
    powers = [
        (
            capital(meaning(rule.power)),
            f"{plan.book.authorities.titles[rule.position]} or above",
            clause_links(plan, rule.clauses),
        )
        for rule in plan.book.authorities.powers
    ]
    return (
        f"# Remedies: {plan.id}\n\n{plan.book.identity.title}. Exactly one row fits each case. "
        f"`pitboss rules remedy {plan.id} misdeal` tells one kind, `--at` a script also what it would do to "
        f"a table.\n\n"
        + table(("what", "when", "then", "clauses"), rows)
        + "\n## Who may decide\n\n"
        + table(("what", "who", "clauses"), powers)
    )
