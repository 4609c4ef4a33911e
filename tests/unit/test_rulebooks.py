"""The five books as data: complete, valid, and tied to their clauses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from pitboss.errors import BadInput
from pitboss.rulebooks import load_book, load_plan, read_document, validate
from pitboss.rulebooks.dealing import cards_used
from pitboss.rulebooks.document import Document, book_ids
from pitboss.rulebooks.plan import ToOne
from pitboss.rulebooks.references import citations
from pitboss.rulebooks.vocabulary import Place, Position, Word, meaning
from support import BOOKS, LIMITS

every_book = pytest.mark.parametrize("book", BOOKS)


def test_the_five_books_come_with_pitboss() -> None:
    assert book_ids() == BOOKS


@every_book
def test_the_book_has_no_defect(book: str) -> None:
    assert validate(read_document(book)) == []


@pytest.mark.parametrize(
    ("book", "clauses", "version", "applies_from"),
    [
        ("mbs-thb-9", 123, "9", "2023-07-04T07:00:00"),
        ("hoiana-thb-2025", 136, "01/01.05.2025", "2025-05-01"),
        ("mbs-3cp-2023", 135, "unnumbered", "2023-05-22T00:00:00"),
        ("mbs-stud-6", 113, "6", "2019-08-02"),
        ("rws-thp-2", 150, "2", "2020-06-28T08:00:00"),
    ],
)
def test_identity_and_the_complete_register(book: str, clauses: int, version: str, applies_from: str) -> None:
    plan = load_plan(book)
    assert len(plan.register) == clauses
    assert plan.book.identity.version == version
    assert plan.book.identity.applies_from.isoformat() == applies_from


def test_the_register_counts_its_kinds() -> None:
    kinds = Counter(str(clause.kind) for book in BOOKS for clause in load_plan(book).register.values())
    assert kinds == {
        "irregularity": 112, "definition": 95, "ranking": 55, "jackpot": 49, "settlement": 49, "meta": 45,
        "comparison": 43, "deal": 37, "layout": 34, "betting": 31, "decision": 28, "limits": 27, "authority": 25,
        "dispute": 14, "equipment": 8, "deck": 5,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("book", "procedure", "fixed", "per_position"),
    [
        ("mbs-thb-9", "method-a", 7, 2), ("mbs-thb-9", "method-b", 7, 2), ("mbs-thb-9", "method-c", 7, 2),
        ("mbs-thb-9", "manual", 7, 2), ("hoiana-thb-2025", "shoe", 11, 2), ("hoiana-thb-2025", "automated", 7, 2),
        ("mbs-3cp-2023", "method-a", 6, 3), ("mbs-3cp-2023", "method-b", 6, 3), ("mbs-3cp-2023", "method-c", 6, 3),
        ("mbs-3cp-2023", "manual", 5, 3), ("mbs-stud-6", "automated", 5, 5), ("mbs-stud-6", "manual", 5, 5),
        ("rws-thp-2", "shoe", 11, 2), ("rws-thp-2", "shuffler", 7, 2),
    ],
)  # fmt: skip
def test_fourteen_procedures_use_so_many_cards(
    book: str, procedure: str, fixed: int, per_position: int
) -> None:
    found = load_plan(book).procedure(procedure)
    assert [cards_used(found, positions=n) for n in (0, 1, 6)] == [
        fixed,
        fixed + per_position,
        fixed + 6 * per_position,
    ]


def test_there_are_fourteen_procedures_the_first_of_each_book_its_default() -> None:
    names = {book: [procedure.name for procedure in load_plan(book).procedures] for book in BOOKS}
    assert names == {
        "mbs-thb-9": ["method-a", "method-b", "method-c", "manual"],
        "mbs-3cp-2023": ["method-a", "method-b", "method-c", "manual"],
        "mbs-stud-6": ["automated", "manual"],
        "hoiana-thb-2025": ["shoe", "automated"],
        "rws-thp-2": ["shoe", "shuffler"],
    }


@every_book
def test_house_figures_are_the_working_values(book: str) -> None:
    house = load_plan(book).book.house
    assert {name: [f"{c // 100}" for c in limit] for name, limit in house.limits.items()} == LIMITS[book]
    assert house.currency == ("USD" if book == "hoiana-thb-2025" else "SGD")


@every_book
def test_every_citation_exists_and_there_are_many(book: str) -> None:
    loaded = load_book(read_document(book))
    cited = [clause for _, clause in citations(loaded)]
    assert set(cited) <= set(loaded.clauses)
    assert len(cited) > 150


@every_book
def test_every_place_that_names_a_clause_is_checked_against_the_register(book: str) -> None:
    """What letters of a reading set is checked with the letter; names and versions only look like clauses."""
    loaded = load_book(read_document(book))
    checked = {path for path, _ in citations(loaded)}
    unchecked = [
        path
        for path, text in texts(loaded)
        if text in loaded.clauses and path not in checked
        if not re.fullmatch(r"layouts\[\d+\]\.name|identity\..*|readings\..*\.options\..*\.set\..*", path)
    ]
    assert unchecked == []


def texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a book's data but its register, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, BaseModel):
        named = {
            field.alias or name: getattr(value, name) for name, field in type(value).model_fields.items()
        }
        for key, inner in named.items():
            if path or key != "clauses":
                yield from texts(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from texts(inner, f"{path}.{key}")
    elif isinstance(value, tuple | list):
        for index, inner in enumerate(value):
            yield from texts(inner, f"{path}[{index}]")


def test_every_word_of_the_vocabulary_has_a_meaning() -> None:
    words = [word for kind in Word.__subclasses__() for word in kind]
    assert len(words) > 150
    assert all(len(meaning(word)) > 5 for word in words)
    assert meaning(Position.DEALER) != meaning(Place.DEALER)  # the same letters, two words


@every_book
def test_a_reading_changes_the_plan_and_the_default_does_not(book: str) -> None:
    plain = load_plan(book)
    for label, reading in plain.book.readings.items():
        for letter in reading.options:
            chosen = load_plan(book, {label: letter})
            if letter == reading.default:
                assert chosen == plain
            assert chosen.readings[label] == letter
            assert chosen.digest == plain.digest


# --- defects --------------------------------------------------------------------------------------------


def changed(book: str, **settings: Any) -> Document:
    """A book with paths set: `changed("mbs-thb-9", **{"pays.bonus.hand": "hol"})`."""
    return read_document(book).with_settings(settings)


DEFECTS: list[tuple[str, dict[str, Any], str, str]] = [
    ("mbs-thb-9", {"pays.bonus.hand": "hol"}, "settlement.toml: pays.bonus.hand", "did you mean 'hole'?"),
    ("mbs-thb-9", {"pays.bonus.rows.a-b": "5 to 1"}, "pays.bonus.rows.a-b", "no hand in this table 'a-b'"),
    ("mbs-thb-9", {"pays.bonus.rows.a-a": "30:1"}, "pays.bonus.rows.a-a", "is not a pay; write odds"),
    ("mbs-thb-9", {"pays.bonus.rows.a-a": "10%"}, "pays.bonus.rows.a-a", "a jackpot's pay"),
    ("mbs-thb-9", {"pays.ante.pays-form": "flush"}, "pays.ante.pays-form", "did you mean 'pays-from'?"),
    ("mbs-thb-9", {"settlement.bonus.lower.then": "colect"}, "settlement.bonus.lower.then", "did you mean 'collect'?"),
    ("mbs-thb-9", {"settlement.bonus.lower.clauses": ["3.10.33"]}, "settlement.bonus.lower.clauses[0]", "no clause '3.10.33'"),
    ("hoiana-thb-2025", {"disputes.bases.game-rules": ["8.4", "8.44"]}, "disputes.bases.game-rules[1]", "did you mean '8.4.4'?"),
    ("rws-thp-2", {"readings.R-RWS-WALK.options.b.set": {"absence.clauses.turn": ["1.177"]}}, "readings.R-RWS-WALK.options.b", "no clause '1.177'"),
    ("mbs-thb-9", {"settlement.ante.dealer-not-qualified": {"then": "pay", "clauses": ["3.10"]}}, "settlement.ante.dealer-not-qualified", "can never happen"),
    ("mbs-thb-9", {"settlement.ante": {}}, "settlement.ante.higher", "is missing"),
    ("mbs-thb-9", {"wagers.flop.of": "anti"}, "wagers.flop", "did you mean 'ante'?"),
    ("mbs-thb-9", {"wagers.flop.placed": "flip"}, "wagers.flop.placed", "did you mean 'flop'?"),
    ("mbs-thb-9", {"cards.own": 3}, "procedures[0].steps", "deals 2 cards to a position"),
    ("mbs-thb-9", {"cards.parts.river": [4]}, "cards.parts", "each of 1 to 5 belongs to one part"),
    ("mbs-thb-9", {"deck.cards": 54}, "deck.cards", "one pack of 52"),
    ("mbs-thb-9", {"house.positions": 9}, "house.positions", "the widest layout has 7"),
    ("mbs-thb-9", {"house.limits.ante": ["100", "25"]}, "house.limits.ante", "the minimum is above the maximum"),
    ("mbs-thb-9", {"absence.decisions": {"flop": "invalid"}}, "absence.decisions.turn", "is missing"),
    ("mbs-thb-9", {"readings.R-FOR1.default": "z"}, "readings.R-FOR1.default", "no option 'z'"),
    ("mbs-thb-9", {"readings.R-FOR1.default": "b"}, "readings.R-FOR1.options.b", "otherwise than the data"),
    ("mbs-thb-9", {"readings.R-FOR1.options.b.set": {"jackpot.for-one": "x"}}, "readings.R-FOR1.options.b", "unknown key 'for-one'"),
    ("mbs-thb-9", {"readings.R-FOR1.options.b.set": {"jack.pot": "x"}}, "readings.R-FOR1.options.b", "no table 'jack'"),
    ("mbs-thb-9", {"jackpot.sharing.policy": "equal-share"}, "jackpot.sharing.policy", "did you mean 'equal-shares'?"),
    ("mbs-thb-9", {"identity.title": 7}, "book.toml: identity.title", "valid string"),
    ("mbs-3cp-2023", {"qualification.ranks": ["X"]}, "qualification.ranks[0]", "is not a rank"),
    ("mbs-3cp-2023", {"hands.jackpot.cards": ["own"]}, "hands.jackpot", "has 3 cards"),
    ("mbs-stud-6", {"comparison.within-class": ["pairs"]}, "comparison.within-class[0]", "no class of hands 'pairs'"),
    ("hoiana-thb-2025", {"house.jackpot": {"unit": "5", "reset": "1", "increment-bp": 1, "reserve-increment-bp": 1}}, "house.jackpot", "does not have"),
    ("hoiana-thb-2025", {"disputes.needs.game-rule": "evidence"}, "disputes.needs.game-rule", "did you mean 'game-rules'?"),
    ("hoiana-thb-2025", {"disputes.needs.other-evidence": "evidenc"}, "disputes.needs.other-evidence", "did you mean 'evidence'?"),
    ("rws-thp-2", {"pays.bonus.cap-clauses": []}, "pays.bonus.cap-clauses", "is missing"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("book", "settings", "place", "problem"),
    DEFECTS,
    ids=[f"{b} {next(iter(s))} {p[:20]}" for b, s, _, p in DEFECTS],
)
def test_a_defect_is_reported_with_its_place(
    book: str, settings: dict[str, Any], place: str, problem: str
) -> None:
    found = [str(defect) for defect in validate(changed(book, **settings))]
    assert any(place in text and problem in text for text in found), found


def test_all_defects_are_reported_at_once() -> None:
    document = changed(
        "mbs-thb-9",
        **{
            "pays.bonus.hand": "hol",
            "wagers.flop.of": "anti",
            "settlement.bonus.lower.clauses": ["9.9"],
            "deck.cards": 1,
        },
    )
    text = "\n".join(str(defect) for defect in validate(document))
    for part in ("'hol'", "'anti'", "'9.9'", "deck.cards"):
        assert part in text


@every_book
def test_no_key_of_the_data_is_idle(book: str) -> None:
    """Taking any table out of a book is a defect or changes what the book is: nothing is dead weight."""
    document = read_document(book)
    plain = load_book(document)
    for key in document.tables:
        tables = {name: table for name, table in document.tables.items() if name != key}
        without = Document(document.name, tables, document.files)
        assert validate(without) or load_book(without) != plain


def test_a_broken_book_is_one_line_where_it_is_used(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'extends = "mbs-3cp-2023"\n[pays.pair-plus.rows]\nstrait = "6 to 1"\n'
    )
    with pytest.raises(BadInput, match=r"strait.*did you mean 'straight'.*pitboss rules validate"):
        load_plan(str(tmp_path / "mine.toml"))


# --- a user's own ---------------------------------------------------------------------------------------


def test_a_file_that_extends_a_book_is_a_book(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'extends = "mbs-3cp-2023"\n[identity]\nid = "mine"\n[pays.pair-plus.rows]\nstraight = "6 to 1"\nflush = "3 to 1"\n'
    )
    assert validate(read_document(str(file))) == []
    plan, base = load_plan(str(file)), load_plan("mbs-3cp-2023")
    assert plan.id == "mine"
    assert plan.digest != base.digest
    rows, old = dict(plan.wager("pair-plus").pays.rows), dict(base.wager("pair-plus").pays.rows)
    assert rows == old | {"straight": ToOne(6), "flush": ToOne(3)} != old


def test_books_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text(f'extends = "{two}"\n')
    two.write_text(f'extends = "{one}"\n')
    with pytest.raises(BadInput, match="extends itself"):
        read_document(str(one))
