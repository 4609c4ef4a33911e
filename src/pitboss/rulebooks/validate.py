"""What is wrong with a rulebook: every defect at once, each with its place and what would be right."""

from __future__ import annotations

import types
import typing
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from pitboss.cards import HandOrder, HoleClass
from pitboss.errors import BadInput, near_miss
from pitboss.rulebooks.book import Book, HandRule, Layout, Procedure, Reading
from pitboss.rulebooks.check_remedies import remedy_problems
from pitboss.rulebooks.dealing import BURNED, cards_by_place, cards_used
from pitboss.rulebooks.document import Document
from pitboss.rulebooks.references import citations
from pitboss.rulebooks.vocabulary import (
    Absence,
    AbsentWithout,
    Duty,
    Order,
    Place,
    Placing,
    Position,
    Situation,
    Source,
)

Problems = Iterator[tuple[str, str, str]]
"""Path, problem, remedy."""

WHEEL = "wheel"


@dataclass(frozen=True, slots=True, order=True)
class Defect:
    """Something wrong in a book's data: where, what, and what would be right."""

    place: str
    problem: str
    remedy: str = ""

    def __str__(self) -> str:
        return str(BadInput(self.place, self.problem, self.remedy))


def parse_book(document: Document) -> tuple[Book | None, list[Defect]]:
    """The book of a document if it has no defect, else all defects. Readings stand at what the data say."""
    try:
        book = Book.model_validate(document.tables)
    except ValidationError as error:
        return None, [_shape_defect(document, problem) for problem in error.errors()]
    except (RecursionError, UnicodeEncodeError):
        return None, [
            Defect(document.name, "tables too deep, or half a character in a text", "write it anew")
        ]
    found = [Defect(document.place(path), problem, remedy) for path, problem, remedy in _problems(book)]
    return (book if not found else None), sorted(set(found))


def validate(document: Document) -> list[Defect]:
    """All defects of a rulebook, those that only a choice of readings brings out among them."""
    book, defects = parse_book(document)
    if book is None:
        return defects
    for label, reading in book.readings.items():
        for letter, option in reading.options.items():
            place = document.place(f"readings.{label}.options.{letter}")
            try:
                other = document.with_settings(option.set)
            except BadInput as bad:
                switched, found = None, [Defect(place, bad.problem)]
            else:
                switched, found = (book, []) if other == document else parse_book(other)
            if letter == reading.default and switched is not None and switched != book:
                defects.append(_default_changes(document, label, letter, option.set))
            defects += [
                Defect(place, f"brings a defect about: {d.place}: {d.problem}", d.remedy) for d in found
            ]
    return defects


def first_default_that_changes(document: Document, book: Book) -> Defect | None:
    """The first reading whose default would put other data in the place of what the book says."""
    for label, reading in book.readings.items():
        if reading.options and reading.default is not None:
            settings = reading.options[reading.default].set
            other = document.with_settings(settings)
            if other != document and parse_book(other)[0] != book:
                return _default_changes(document, label, reading.default, settings)
    return None


def _default_changes(document: Document, label: str, letter: str, settings: Mapping[str, object]) -> Defect:
    paths = ", ".join(settings)
    return Defect(
        document.place(next(iter(settings)).rsplit(".", 1)[0]),
        f"the default {letter} of {label} sets {paths} otherwise than the data",
        f"say the same in readings.{label}.options.{letter}.set",
    )


# --- the shape: each value by itself ------------------------------------------------------------------


def _shape_defect(document: Document, problem: Any) -> Defect:
    loc = [part for part in problem["loc"] if part != "[key]"]
    path = ""
    for part in loc:
        path += f"[{part}]" if isinstance(part, int) else (f".{part}" if path else str(part))
    kind, message = problem["type"], problem["msg"]
    if kind == "extra_forbidden":
        known = _known_keys(Book, loc[:-1])
        return Defect(document.place(path), f"unknown key '{loc[-1]}'", near_miss(str(loc[-1]), known))
    if kind == "missing":
        return Defect(document.place(path), "is missing", "write it")
    if kind == "value_error":
        return Defect(document.place(path), message.removeprefix("Value error, "))
    if kind == "enum" and isinstance(problem["input"], str):
        words = [word.strip(" '") for word in problem["ctx"]["expected"].replace(" or ", ", ").split(",")]
        return Defect(
            document.place(path), f"'{problem['input']}' is no word here", near_miss(problem["input"], words)
        )
    return Defect(document.place(path), message[:1].lower() + message[1:])


def _known_keys(model: Any, loc: list[int | str]) -> list[str]:
    """The keys that may stand at a place, found by following the types of the models."""
    found = model
    for part in loc:
        candidates = _unwrapped(found)
        found = None
        for candidate in candidates:
            if isinstance(candidate, type) and issubclass(candidate, BaseModel):
                for name, field in candidate.model_fields.items():
                    if (field.alias or name) == part:
                        found = field.annotation
            elif typing.get_origin(candidate) in (dict, tuple):
                found = typing.get_args(candidate)[1 if typing.get_origin(candidate) is dict else 0]
    models = [c for c in _unwrapped(found) if isinstance(c, type) and issubclass(c, BaseModel)]
    return [field.alias or name for m in models for name, field in m.model_fields.items()]


def _unwrapped(annotation: Any) -> list[Any]:
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        return _unwrapped(typing.get_args(annotation)[0])
    if origin in (typing.Union, types.UnionType):
        return [inner for arg in typing.get_args(annotation) for inner in _unwrapped(arg)]
    return [annotation]


# --- the sense: what holds between values ---------------------------------------------------------------


def _problems(book: Book) -> Problems:
    yield from _citations(book)
    yield from _table(book)
    yield from _duties(book)
    yield from _placing(book)
    yield from _wagers(book)
    yield from _decisions(book)
    yield from _procedures(book)
    yield from _hands(book)
    yield from _pays(book)
    yield from _settlement(book)
    yield from _jackpot(book)
    yield from _readings(book)
    yield from _authorities(book)
    yield from _disputes(book)
    yield from remedy_problems(book)


def _known(path: str, what: str, name: str, known: Collection[str]) -> Problems:
    if name not in known:
        yield path, f"no {what} '{name}'", near_miss(name, known)


def _citations(book: Book) -> Problems:
    for path, clause in citations(book):
        yield from _known(path, "clause", clause, book.clauses)


def seat_range(book: Book, layout: Layout) -> tuple[int, int]:
    """The least and the most positions of a layout: the document's, or else the house's."""
    return layout.positions or book.house.layout_positions or (1, book.house.positions)


def _seats(book: Book) -> Problems:
    ranges = [(f"layouts[{index}].positions", layout.positions) for index, layout in enumerate(book.layouts)]
    for path, range_ in (*ranges, ("house.layout-positions", book.house.layout_positions)):
        if range_ is not None and not 1 <= range_[0] <= range_[1]:
            yield path, f"{range_[0]} to {range_[1]} positions", "write least and most, from 1"
    silent = [layout.name for layout in book.layouts if layout.positions is None]
    if silent and book.house.layout_positions is None:
        problem = f"layout {silent[0]} states no number of positions"
        yield "house.layout-positions", problem, "write the least and the most that the house allows"
    most, wanted = max(seat_range(book, layout)[1] for layout in book.layouts), book.house.positions
    if wanted > most:
        yield "house.positions", f"{wanted} positions", f"the widest layout has {most}"


def _duties(book: Book) -> Problems:
    seen: set[Duty] = set()
    for index, rule in enumerate(book.duties):
        path = f"duties[{index}]"
        if rule.duty in seen:
            yield f"{path}.duty", f"'{rule.duty}' stands there twice", "write it once"
        seen.add(rule.duty)
        if (rule.duty is Duty.NEW_PACK) != bool(rule.after_clauses):
            yield (
                f"{path}.after-clauses",
                "say after which void rounds a new pack is due, and nothing else",
                "cite the clauses of those rounds with new-pack, and none with another duty",
            )
        of_jackpot = rule.duty in (Duty.OFFER_JACKPOT, Duty.LEAVE_JACKPOT_HAND)
        if of_jackpot and book.jackpot is None:
            yield f"{path}.duty", "the book has no jackpot", "take it out"


def _placing(book: Book) -> Problems:
    limits = book.limits
    for name, placing in (
        ("under-minimum", limits.under_minimum.placing),
        ("wrong-size", limits.wrong_size.placing),
    ):
        if placing is Placing.CUT_TO_MAXIMUM:
            yield f"limits.{name}.placing", "only a stake over the maximum is cut", "write taken or refused"
    over = limits.over_maximum
    if over.placing is Placing.CUT_TO_MAXIMUM and not over.placing_clauses:
        yield "limits.over-maximum.placing-clauses", "is missing", "cite what rejects the excess"


def _table(book: Book) -> Problems:
    if book.deck.cards != 52:
        yield "deck.cards", f"{book.deck.cards} cards in the pack", "the evaluators know one pack of 52"
    yield from _seats(book)
    numbers = [number for part in book.cards.parts.values() for number in part]
    if numbers and sorted(numbers) != list(range(1, book.cards.community + 1)):
        yield (
            "cards.parts",
            f"the parts hold the community cards {sorted(numbers)}",
            f"each of 1 to {book.cards.community} belongs to one part",
        )
    for wager, (least, most_cents) in book.house.limits.items():
        path = f"house.limits.{wager}"
        posted = [name for name, rule in book.wagers.items() if rule.posted_limits]
        yield from _known(path, "wager with posted limits", wager, posted)
        if least > most_cents:
            yield path, "the minimum is above the maximum", "write the minimum first"


def _wagers(book: Book) -> Problems:
    decisions = [decision.name for decision in book.decisions]
    for name, wager in book.wagers.items():
        path = f"wagers.{name}"
        yield from _known(
            f"{path}.placed", "moment to place a wager", wager.placed, ["before-deal", *decisions]
        )
        for other in (
            *wager.needs,
            *([wager.of] if wager.of else []),
            *([wager.extra_on] if wager.extra_on else []),
        ):
            yield from _known(path, "wager", other, book.wagers)
        if (wager.times is None) != (wager.of is None):
            yield path, "only one of 'times' and 'of' is given", "a size is so many times another wager"
        if wager.placed != "before-deal" and wager.of is None:
            yield path, "a wager placed at a decision has no size", "give 'times' and 'of'"
        for key in ("needs-clauses", "without-clauses"):
            if wager.needs and not getattr(wager, key.replace("-", "_")):
                yield f"{path}.{key}", "is missing", "cite what demands them, and what happens without them"
        if (wager.units is None) != (wager.odd_amount is None):
            yield (
                path,
                "only one of 'units' and 'odd-amount' is given",
                "a wager in units says what an odd amount is",
            )
    if not any(wager.entitles_to_hand for wager in book.wagers.values()):
        yield "wagers", "no wager entitles to a hand", "mark one with entitles-to-hand = true"


def _decisions(book: Book) -> Problems:
    names = [decision.name for decision in book.decisions]
    for index, decision in enumerate(book.decisions):
        path = f"decisions[{index}]"
        if names.count(decision.name) > 1:
            yield f"{path}.name", f"'{decision.name}' stands twice", "name each decision once"
        for key, wager in (("bet", decision.bet), ("needs", decision.needs)):
            yield from _known(f"{path}.{key}", "wager", wager, book.wagers)
        if decision.bet in book.wagers and book.wagers[decision.bet].placed != decision.name:
            yield f"{path}.bet", f"'{decision.bet}' is not placed at '{decision.name}'", "set its 'placed'"
    for key in ("decisions", "clauses"):
        given = getattr(book.absence, key)
        for name in names:
            if name not in given:
                yield f"absence.{key}.{name}", "is missing", "say what an absent player's decision becomes"
        for name in given:
            yield from _known(f"absence.{key}.{name}", "decision", name, names)


def _procedures(book: Book) -> Problems:
    names = [procedure.name for procedure in book.procedures]
    for index, procedure in enumerate(book.procedures):
        path = f"procedures[{index}]"
        if names.count(procedure.name) > 1:
            yield f"{path}.name", f"'{procedure.name}' stands twice", "name each procedure once"
        yield from _steps(book, procedure, path)


def _steps(book: Book, procedure: Procedure, path: str) -> Problems:
    places = [*Place, *book.cards.parts]
    down: set[str] = set()
    decided: list[str] = []
    for index, step in enumerate(procedure.steps):
        at = f"{path}.steps[{index}]"
        verbs = [
            v
            for v in ("deal", "burn", "discard", "turn_up", "decide", "reveal")
            if getattr(step, v) is not None
        ]
        if len(verbs) != 1:
            yield at, f"has {len(verbs)} verbs", "write one of deal, burn, discard, turn-up, decide, reveal"
            continue
        if step.deal is not None:
            yield from _known(f"{at}.deal", "place to deal to", step.deal, places)
            if step.cards is None:
                yield f"{at}.cards", "is missing", "say how many cards"
            down |= {
                step.deal,
                *(_both(step.deal)),
                *(book.cards.parts if step.deal == Place.COMMUNITY else ()),
            }
        for verb in ("reveal", "discard", "turn_up"):
            place = getattr(step, verb)
            if place is not None and place not in down:
                yield f"{at}.{verb.replace('_', '-')}", f"'{place}' has no cards yet", "deal there first"
        if (step.discard or step.turn_up) and step.card is None:
            yield f"{at}.card", "is missing", "say which card, counted from 1"
        if step.decide is not None:
            decided.append(step.decide)
    expected = [decision.name for decision in book.decisions]
    if decided != expected:
        yield f"{path}.steps", f"decides {decided}", f"the decisions are {expected}, in this order"
    counts = cards_by_place(procedure)
    community = sum(counts[place] for place in (Place.COMMUNITY, *book.cards.parts))
    for what, have, want in (
        ("to a position", counts[Place.POSITIONS], book.cards.own),
        ("to the dealer", counts[Place.DEALER], book.cards.dealer),
        ("to the community", community, book.cards.community),
    ):
        if have != want:
            yield f"{path}.steps", f"deals {have} cards {what}", f"a hand there has {want}"
    for part, numbers in book.cards.parts.items():
        if counts[part] not in (0, len(numbers)):
            yield f"{path}.steps", f"deals {counts[part]} cards to the {part}", f"it has {len(numbers)}"
    most = max(seat_range(book, layout)[1] for layout in book.layouts)
    if cards_used(procedure, positions=most) > book.deck.cards:
        yield f"{path}.steps", f"needs more than {book.deck.cards} cards at {most} positions", "deal fewer"
    if counts[BURNED] < 0:
        yield f"{path}.steps", "discards more than it deals", "deal first"


def _disputes(book: Book) -> Problems:
    rules = book.disputes
    for basis in () if rules is None else rules.needs:
        yield from _known(f"disputes.needs.{basis}", "basis", basis, rules.bases if rules else ())


def _both(place: str) -> tuple[str, ...]:
    return (Place.POSITIONS, Place.DEALER) if place == Place.POSITIONS_AND_DEALER else ()


def _hands(book: Book) -> Problems:
    sizes = {
        Source.OWN: book.cards.own,
        Source.DEALER: book.cards.dealer,
        Source.COMMUNITY: book.cards.community,
        **{part: len(numbers) for part, numbers in book.cards.parts.items()},
    }
    needed = {Order.FIVE_CARD: range(5, 8), Order.THREE_CARD: range(3, 4), Order.HOLE_CARDS: range(4, 5)}
    for name, hand in book.hands.items():
        for index, place in enumerate(hand.cards):
            yield from _known(f"hands.{name}.cards[{index}]", "place of cards", place, sizes)
        count = sum(sizes.get(place, 0) for place in hand.cards)
        if count not in needed[hand.order]:
            yield f"hands.{name}", f"has {count} cards", f"read as {hand.order}, it cannot"
    yield from _known("comparison.hand", "hand", book.comparison.hand, book.hands)
    compared = book.hands.get(book.comparison.hand)
    if compared is None:
        return
    if compared.order is Order.HOLE_CARDS:
        yield "comparison.hand", "hole cards are no hand to compare", "name a three-card or five-card hand"
        return
    if Source.OWN not in compared.cards or Source.DEALER in compared.cards:
        yield (
            "comparison.hand",
            "the compared hand is the player's own",
            "its cards hold 'own' and not 'dealer'",
        )
    if book.cards.own != book.cards.dealer:
        yield "cards.dealer", "player and dealer have unlike numbers of cards", "compared hands are alike"
    classes = [*_classes(compared), WHEEL]
    for index, name in enumerate(book.comparison.within_class or ()):
        yield from _known(f"comparison.within-class[{index}]", "class of hands", name, classes)


def _classes(hand: HandRule) -> list[str]:
    if hand.order is Order.HOLE_CARDS:
        return [c for c in HoleClass if c is not HoleClass.UNLISTED]
    return list(HandOrder(hand.order.value).classes)


def _pays(book: Book) -> Problems:
    for wager in book.wagers:
        if wager not in book.pays:
            yield f"pays.{wager}", "is missing", "every wager has a pay table"
    for name, table in book.pays.items():
        path = f"pays.{name}"
        yield from _known(path, "wager", name, book.wagers)
        yield from _known(f"{path}.hand", "hand", table.hand, book.hands)
        if table.hand not in book.hands:
            continue
        classes = _classes(book.hands[table.hand])
        for row, pay in table.rows.items():
            yield from _known(f"{path}.rows.{row}", "hand in this table", row, classes)
            in_jackpot = book.jackpot is not None and name == book.jackpot.wager
            if not in_jackpot and not pay.endswith(" to 1"):
                yield f"{path}.rows.{row}", f"'{pay}' is a jackpot's pay", "write odds 'to 1'"
            if pay.endswith("%") and not 1 <= int(pay[:-1]) <= 100:
                yield f"{path}.rows.{row}", f"'{pay}' of the meter", "from 1% to 100%"
        if table.any is None and not table.rows:
            yield path, "pays nothing", "give 'rows' or 'any'"
        if table.any is not None and (table.rows or not table.any.endswith(" to 1")):
            yield path, "'any' stands beside rows or is not odds 'to 1'", "give one of 'any' and 'rows'"
        if table.pays_from is not None and (table.any is None or table.pays_from not in classes):
            yield f"{path}.pays-from", f"'{table.pays_from}' bounds nothing here", "it goes with 'any'"
        if table.cap is not None and not table.cap_clauses:
            yield f"{path}.cap-clauses", "is missing", "cite the clause that caps"
        if table.unlisted.value == "pay":
            yield f"{path}.unlisted", "an unlisted hand cannot be paid", "write collect or return"


def reachable_situations(book: Book, wager: str) -> set[Situation]:
    """The situations in which this wager can lie on the layout at settlement and must be provided for."""
    rule = book.wagers[wager]
    names = [decision.name for decision in book.decisions]
    placed_at = names.index(rule.placed) if rule.placed in names else -1
    found = {Situation.HIGHER, Situation.LOWER, Situation.EQUAL, Situation.DECLINED}
    if book.qualification is not None:
        found.add(Situation.DEALER_NOT_QUALIFIED)
    for index, decision in enumerate(book.decisions):
        if index > placed_at:
            absent = book.absence.decisions.get(decision.name)
            if decision.otherwise == "fold" or absent is Absence.FOLD:
                found.add(Situation.FOLDED)
            if absent is Absence.INVALID:
                found.add(Situation.ABSENT)
            if decision.without is not None and book.absence.without is AbsentWithout.INVALID:
                found.add(Situation.ABSENT)
    return found


def _settlement(book: Book) -> Problems:
    by_reading = _by_reading(book)
    for name in book.settlement:
        yield from _known(f"settlement.{name}", "wager", name, book.wagers)
    for wager in book.wagers:
        given = book.settlement.get(wager, {})
        needed = reachable_situations(book, wager)
        optional = {Situation.ESTABLISHED}
        if book.qualification is not None:
            optional.add(Situation.DECLINED_DEALER_NOT_QUALIFIED)
        for situation in Situation:
            path = f"settlement.{wager}.{situation}"
            if situation in needed and situation not in given:
                yield path, "is missing", "say what becomes of the wager"
            # An absent player's hand that may play on by another reading keeps its cell.
            if situation in given and situation not in needed | optional | by_reading:
                yield path, "can never happen", "take it out"


def _by_reading(book: Book) -> set[Situation]:
    """Situations that only some choice of readings brings about; their cells may wait for it."""
    settings = [key for r in book.readings.values() for option in r.options.values() for key in option.set]
    switched = any(key.startswith("absence.decisions") for key in settings)
    return {Situation.FOLDED, Situation.ABSENT} if switched else set()


def _jackpot(book: Book) -> Problems:
    in_units = [name for name, wager in book.wagers.items() if wager.units is not None]
    if book.jackpot is None:
        for name in in_units:
            yield f"wagers.{name}.units", "units are a jackpot's", "write the [jackpot] table"
        if book.house.jackpot is not None:
            yield "house.jackpot", "figures for a jackpot the book does not have", "take them out"
        return
    yield from _known("jackpot.wager", "wager", book.jackpot.wager, book.wagers)
    if in_units != [book.jackpot.wager]:
        yield "jackpot.wager", "the jackpot wager has no units", "give it 'units' and 'odd-amount'"
    if book.house.jackpot is None:
        yield "house.jackpot", "is missing", "give unit, reset and increments"


def _readings(book: Book) -> Problems:
    for label, reading in book.readings.items():
        yield from _reading(f"readings.{label}", label, reading)


def _reading(path: str, label: str, reading: Reading) -> Problems:
    if not label.startswith("R-"):
        yield path, f"'{label}' is no label", "labels begin with R-"
    if bool(reading.options) == bool(reading.holds):
        yield path, "has both or neither of 'options' and 'holds'", "letters, or the one way it is read"
    if reading.options and reading.default not in reading.options:
        yield (
            f"{path}.default",
            f"no option '{reading.default}'",
            near_miss(str(reading.default), reading.options),
        )
    touched = [set(option.set) for option in reading.options.values()]
    if len(touched) > 1 and not any(touched):
        yield f"{path}.options", "no letter sets anything", "a switch moves something"


def _authorities(book: Book) -> Problems:
    for position in Position:
        if position not in book.authorities.titles:
            yield f"authorities.titles.{position}", "is missing", "give this book's title of the position"
