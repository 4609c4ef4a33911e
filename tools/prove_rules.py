"""The long proofs of the rules: mutants of the books, the evaluator, settlement, the round, the shuffle."""

from __future__ import annotations

import hashlib
import json
import math
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import count, zip_longest
from pathlib import Path

from prove_parts import BOOKS, ROOT, Proof, settled_as, spread

sys.path.insert(0, str(ROOT / "tests"))

from support.evaluators import FIVE_CARD_COUNTS, FIVE_CARD_DIGEST, agree, five_card_hands
from support.executed import Without, is_tried, withouts
from support.linked_floors import a_floor_on_one_link_is_right_for_both_verifiers
from support.mutants import is_sound, noticed_by, why_equivalent
from support.mutants import mutants as mutants_of
from support.properties import PROPERTIES
from support.rounds_played import ROUND_PROPERTIES, settling_the_round_equals_settling_its_facts
from support.same_money import a_script_moves_the_same_money_on_a_floor

MUTANT_SLICES = 8
ALL_HANDS = math.comb(52, 5)
HANDS_A_SLICE = 65_000
HANDS_A_CHUNK = 20_000
SETTLEMENTS_A_CHUNK = 100
TABLES_A_CHUNK = 25
ROUNDS_A_CHUNK = 1_000
SCRIPTS_A_CHUNK = 20
FLOORS_A_CHUNK = 10
SETS_OF_READINGS = 400
DECKS = 1_000_000

# --- mutants ----------------------------------------------------------------------------------------------


def _mutants(task: tuple[str, int]) -> tuple[int, int, list[str]]:
    """A slice of a book's mutants: how many were tried, how many are equivalent, and what nothing notices."""
    book, first = task
    survivors, tried, same, known = [], 0, 0, ""
    for mutant in list(mutants_of(book))[first::MUTANT_SLICES]:
        if not is_sound(mutant):
            continue
        if why_equivalent(mutant):
            same += 1
            continue
        tried += 1
        name = noticed_by(mutant, first=known)
        if name is None:
            survivors.append(str(mutant))
        known = name or known
    return tried, same, survivors


def mutants(proof: Proof) -> None:
    """Every mutant of a pay, condition, remedy or authority of the books is noticed by some test."""
    claim = "every mutant of the books is noticed"
    tasks = [(book, first) for first in range(MUTANT_SLICES) for book in BOOKS]
    left = tasks[len(proof.shown) :]
    for (book, _), (tried, same, survivors) in spread(_mutants, left, math.inf):
        assert not survivors, f"nothing notices {'; '.join(survivors)}"
        print(f"  {book}: {tried} mutants noticed, {same} equivalent", flush=True)
        proof.show(claim, tried)


CLAUSES_A_CHUNK = 10


@lru_cache(maxsize=1)
def _all_withouts() -> tuple[Without, ...]:
    """The mutants of every book that take a clause out, the books in turn."""
    rows = zip_longest(*(withouts(book) for book in BOOKS))
    return tuple(without for row in rows for without in row if without is not None)


def _clauses(first: int) -> list[str]:
    """A chunk of them: what nothing that cites the clause notices."""
    found = _all_withouts()
    survivors = []
    for number in range(first, first + CLAUSES_A_CHUNK):
        without = found[number % len(found)]
        if is_tried(without) and noticed_by(without.mutant, clauses=without.clauses) is None:
            survivors.append(f"{', '.join(sorted(without.clauses))}: {without.mutant}")
    return survivors


def clauses(proof: Proof) -> None:
    """Every citation, and everything that a clause stands behind, taken out in turn, run after run."""
    claim, total = "every clause taken out of its book is noticed", len(_all_withouts())
    for _, survivors in spread(_clauses, count(proof.before(claim), CLAUSES_A_CHUNK), proof.until):
        assert not survivors, f"nothing notices {'; '.join(survivors)}"
        proof.show(claim, CLAUSES_A_CHUNK, f"{total:,} make a whole turn of {len(BOOKS)} books")


# --- the evaluator ----------------------------------------------------------------------------------------


def _slice(first: int) -> tuple[bytes, Counter[str], dict[int, tuple[int, tuple[int, ...]]]]:
    return five_card_hands(first, min(first + HANDS_A_SLICE, ALL_HANDS))


def _agree(seed: int) -> None:
    agree(HANDS_A_CHUNK, seed=seed, size=5 + seed % 3)


def evaluator(proof: Proof) -> None:
    """All five-card hands once; then random hands against outside evaluators as long as there is time."""
    every, outside = (
        "all five-card hands: kernel, counts and digest",
        "hands rank as in treys and phevaluator",
    )
    if not proof.is_shown(every):
        digest, counts = hashlib.sha256(), Counter[str]()
        by_worth: dict[int, tuple[int, tuple[int, ...]]] = {}
        for _, (told, classes, worths) in spread(_slice, range(0, ALL_HANDS, HANDS_A_SLICE), math.inf):
            digest.update(told)
            counts += classes
            for worth, value in worths.items():
                assert by_worth.setdefault(worth, value) == value
        ordered = [by_worth[worth] for worth in sorted(by_worth)]
        assert len(ordered) == 7462
        assert ordered == sorted(set(ordered))
        assert counts == FIVE_CARD_COUNTS
        assert digest.hexdigest()[:16] == FIVE_CARD_DIGEST, digest.hexdigest()
        proof.show(every, ALL_HANDS)
    first = 10**6 + proof.before(outside) // HANDS_A_CHUNK
    for _ in spread(_agree, count(first), proof.until):
        proof.show(outside, HANDS_A_CHUNK)


# --- settlement and the round -----------------------------------------------------------------------------


def _settlements(task: tuple[int, str, int]) -> None:
    index, book, first = task
    for seed in range(first, first + SETTLEMENTS_A_CHUNK):
        PROPERTIES[index](book, 10**9 + seed)


def _tables(task: tuple[int, str, int]) -> None:
    index, book, first = task
    for seed in range(first, first + TABLES_A_CHUNK):
        ROUND_PROPERTIES[index](book, 10**9 + seed)


def _in_turn(properties: int, first: int, chunk: int) -> Iterator[tuple[int, str, int]]:
    """Every property of every book in turn, always on seeds that no run has used."""
    for turn in count():
        for index in range(properties):
            for book in BOOKS:
                yield index, book, first + turn * chunk


def properties(proof: Proof) -> None:
    """Properties of settlement and of a table under way, half of the time each."""
    claim = "properties of settlement"
    tasks = _in_turn(len(PROPERTIES), proof.before(claim), SETTLEMENTS_A_CHUNK)
    for _ in spread(_settlements, tasks, proof.share(0.5)):
        proof.show(claim, SETTLEMENTS_A_CHUNK, f"{len(PROPERTIES)} properties of {len(BOOKS)} books")
    claim = "properties of a table under way"
    tasks = _in_turn(len(ROUND_PROPERTIES), proof.before(claim), TABLES_A_CHUNK)
    for _ in spread(_tables, tasks, proof.until):
        proof.show(claim, TABLES_A_CHUNK, f"{len(ROUND_PROPERTIES)} properties of {len(BOOKS)} books")


def _rounds(task: tuple[str, int]) -> None:
    book, first = task
    for seed in range(first, first + ROUNDS_A_CHUNK):
        settling_the_round_equals_settling_its_facts(book, 10**10 + seed)


def settle(proof: Proof) -> None:
    """Whole rounds pay what `pitboss settle` pays; each book goes on where its recorded sum ends."""
    first = {book: proof.before(settled_as(book)) for book in BOOKS}
    tasks = ((book, first[book] + turn * ROUNDS_A_CHUNK) for turn in count() for book in BOOKS)
    for (book, _), _ in spread(_rounds, tasks, proof.until):
        proof.show(settled_as(book), ROUNDS_A_CHUNK)


def _scripts(task: tuple[str, int]) -> None:
    book, first = task
    for seed in range(first, first + SCRIPTS_A_CHUNK):
        with tempfile.TemporaryDirectory(prefix="pitboss-prove-") as folder:
            a_script_moves_the_same_money_on_a_floor(
                book, 10**9 + seed, sets=SETS_OF_READINGS, more=True, folder=Path(folder) / "floor"
            )


def _floors(first: int) -> None:
    for seed in range(first, first + FLOORS_A_CHUNK):
        a_floor_on_one_link_is_right_for_both_verifiers(10**9 + seed)


def same_money(proof: Proof) -> None:
    """Random scripts through `pitboss run` and a floor, then floors of several tables, for both verifiers."""
    claim = "scripts move the same money through run and a floor"
    first = proof.before(claim)
    tasks = ((book, first + turn * SCRIPTS_A_CHUNK) for turn in count() for book in BOOKS)
    for _ in spread(_scripts, tasks, proof.share(0.5)):
        proof.show(claim, SCRIPTS_A_CHUNK, f"{len(BOOKS)} books, readings at random")
    claim = "floors of several tables on one link are right for both verifiers"
    for _ in spread(_floors, count(proof.before(claim), FLOORS_A_CHUNK), proof.until):
        proof.show(claim, FLOORS_A_CHUNK, "readings at random")


# --- the shuffle ------------------------------------------------------------------------------------------


def shuffle(proof: Proof) -> None:
    """A million decks of the secure source; once more if called unfair, as one fair shuffle in 100 is."""
    report = ROOT / "build" / "shuffle.html"
    report.parent.mkdir(exist_ok=True)
    for attempt in (1, 2):
        if _fair(report):
            again = "; a first million was called unfair" if attempt > 1 else ""
            proof.show("the floor's shuffle fits every test", DECKS, f"99 % level{again}")
            return
    raise AssertionError(f"the shuffle was called unfair twice: {report}")


def _fair(report: Path) -> bool:
    command = [sys.executable, "-m", "pitboss.cli.main", "shuffle-test", "--decks", str(DECKS), "--json"]
    done = subprocess.run(
        [*command, "--report", str(report)], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode in (0, 1), f"shuffle-test ended with {done.returncode}"
    document = json.loads(done.stdout)
    assert document["decks"] == DECKS
    assert document["fair"] is (done.returncode == 0)
    return done.returncode == 0
