"""Pitboss for programs and notebooks: rulebooks, settlements, scripts, hands, prices, simulations.

Everything here is also `pitboss.NAME`. What comes back prints as text, shows as a table in a notebook, and
has `json()` for the same documents as the command line. Bad input raises `BadInput` with one line that says
where it is, what is wrong and what would be right. What needs an optional part raises `MissingPart` where
that is not installed: `analyse` and `simulate` need the part `maths`, drawings `reports`.
"""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.cards import Hand as Hand
from pitboss.cards import best_five, parse_cards, three_cards
from pitboss.cards import hand_in_words as words_of_hand
from pitboss.errors import BadInput as BadInput
from pitboss.errors import MissingPart as MissingPart
from pitboss.errors import check_seed, near_file, shortened
from pitboss.notebook import LINES, html_table, lies, settlement_rows, text_table
from pitboss.notebook import Plot as Plot
from pitboss.parts import require
from pitboss.play import read_facts, settlement_json
from pitboss.play import settle as settle_facts
from pitboss.play.record import played_json
from pitboss.play.scenario import play_scenario, read_scenario
from pitboss.rulebooks import book_ids, load_plan

if TYPE_CHECKING:
    from pitboss.maths.analysis import Analysis
    from pitboss.maths.main_game import Played as OptimalPlay
    from pitboss.maths.simulator import Totals
    from pitboss.play.facts import Facts
    from pitboss.play.scenario import Played
    from pitboss.play.settlement import Settlement
    from pitboss.rulebooks import Plan

MOST_ROUNDS = 10**13
"""More than a machine deals in a year."""

Document = Mapping[str, Any] | str | Path
"""A document as a mapping, as JSON text, or as the path of a file."""


@dataclass(frozen=True)
class Rulebook:
    """An approved rulebook under chosen readings.

    >>> book = load("mbs-3cp-2023")
    >>> book.title
    'Megalink Three Card Poker Xtreme'
    >>> book.clause("4.1")[:20] != ""
    True
    """

    plan: Plan

    @property
    def id(self) -> str:
        """Its id, such as `mbs-thb-9`."""
        return self.plan.id

    @property
    def title(self) -> str:
        """The game's name."""
        return self.plan.book.identity.title

    @property
    def readings(self) -> dict[str, str]:
        """Where the text admits several meanings: each reading with the letter in force."""
        return dict(self.plan.readings)

    @property
    def wagers(self) -> tuple[str, ...]:
        """The wagers in the order of the layout."""
        return tuple(wager.name for wager in self.plan.wagers)

    def clause(self, number: str) -> str:
        """The gist of a clause. Raises `BadInput` for one the book does not have."""
        found = {str(clause): entry.gist for clause, entry in self.plan.register.items()}
        if number not in found:
            raise BadInput("clause", f"{self.id} has no clause {number}", "'pitboss rules show' lists them")
        return found[number]

    def __repr__(self) -> str:
        return f"<Rulebook {self.id}: {self.title}, {len(self.plan.register)} clauses>"

    def _repr_html_(self) -> str:
        rows = [("wagers", ", ".join(self.wagers)), *sorted(self.readings.items())]
        return f"<b>{html.escape(self.title)}</b> ({html.escape(self.id)}){html_table((), rows)}"


@dataclass(frozen=True)
class Settled:
    """A round settled wager by wager; every line cites its clauses. In a notebook the cards lie beside it."""

    plan: Plan
    facts: Facts
    settlement: Settlement

    def json(self) -> dict[str, Any]:
        """The document of `pitboss settle --json`."""
        return settlement_json(self.plan, self.settlement)

    def net(self, position: int) -> str:
        """What a position won, or lost with a minus, as a decimal."""
        for seat in self.json()["seats"]:
            if seat["position"] == position:
                return str(seat["net"])
        raise BadInput("position", f"nobody played at {position}", "name a position of the facts")

    def __repr__(self) -> str:
        return text_table(LINES, settlement_rows(self.json()["seats"]))

    def _repr_html_(self) -> str:
        seats = self.json()["seats"]
        hands = {seat["position"]: seat["hand"] or "" for seat in seats}
        lying = [("community", self.facts.community, ""), ("dealer", self.facts.dealer, "")]
        lying += [
            (f"position {seat.position}", seat.cards, hands.get(seat.position, ""))
            for seat in self.facts.seats
        ]
        return html_table(LINES, settlement_rows(seats), caption=lies(lying))


@dataclass(frozen=True)
class RoundsPlayed:
    """A script played against the engine: what was done, what was refused and why, and how it ended."""

    played: Played

    def json(self) -> dict[str, Any]:
        """The document of `pitboss run --json`."""
        return played_json(self.played)

    @property
    def refusals(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """Each refused step with the code and the clauses that refuse it."""
        return [
            (result.step, result.refusal.code, tuple(result.refusal.clauses))
            for result in self.played.steps
            if result.refusal is not None
        ]

    @property
    def balances(self) -> dict[str, str]:
        """What each player has at the end."""
        return dict(self.json()["balances"])

    def __repr__(self) -> str:
        marks = [("no" if result.refusal else "ok", result.step) for result in self.played.steps]
        return "\n".join(f"{mark}  {step}" for mark, step in marks)

    def _repr_html_(self) -> str:
        rows = [
            ("refused: " + step.refusal.code if step.refusal else "done", step.step)
            for step in self.played.steps
        ]
        rounds = [
            html_table(LINES, settlement_rows(each["seats"]), caption=f"round {number}: {each['status']}")
            for number, each in enumerate(self.json()["rounds"], 1)
            if any(seat["lines"] for seat in each["seats"])
        ]
        racks = html_table(("player", "rack"), list(self.balances.items()))
        return html_table(("", "step"), rows) + "".join(rounds) + racks


@dataclass(frozen=True)
class Priced:
    """A rulebook priced exactly: house edge, strategy, volatility, jackpot."""

    analysis: Analysis

    def json(self) -> dict[str, Any]:
        """The document of `pitboss analyze --json`."""
        from pitboss.maths.analysis import analysis_json

        return analysis_json(self.analysis)

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of an Ante under optimal play, exactly."""
        return -self.analysis.played.ev

    def _rows(self) -> list[tuple[str, ...]]:
        found: list[tuple[str, ...]] = []
        for name, wager in self.json()["wagers"].items():
            edge, deviation = wager.get("house_edge"), wager.get("standard_deviation")
            told = "" if edge is None else f"{edge:.4%}"
            found.append((str(name), told, f"{deviation:.4f}" if deviation else ""))
        return found

    def plot(self) -> Plot:
        """How often a round under optimal play ends with which net result, in antes."""
        require("reports")
        from pitboss.maths.plots import outcomes

        title = f"{self.analysis.plan.id}: net results in antes"
        return Plot(outcomes(self.analysis.played.distribution, title=title), title)

    def __repr__(self) -> str:
        return text_table(_EDGES, self._rows())

    def _repr_html_(self) -> str:
        return html_table(_EDGES, self._rows())


_EDGES = ("wager", "house edge", "standard deviation")


@dataclass(frozen=True)
class Simulated:
    """Rounds simulated from a seed, beside the exact value."""

    totals: Totals
    optimal: OptimalPlay

    @property
    def exact(self) -> Fraction:
        """Net antes of a seat and round, exactly."""
        return self.optimal.ev

    @property
    def rounds(self) -> int:
        """How many rounds were dealt."""
        return self.totals.rounds

    @property
    def mean(self) -> float:
        """Net antes of a seat and round."""
        return self.totals.mean

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return self.totals.standard_error

    @property
    def errors_from_exact(self) -> float:
        """How many standard errors the mean is from the exact value."""
        return (self.mean - float(self.exact)) / self.standard_error

    def plot(self, file: str | Path | None = None) -> Plot:
        """Draw the way of the mean to its value; with a file (.png, .svg, .pdf) it is written there too."""
        require("reports")
        from pitboss.maths.plots import run

        title = f"{self.rounds:,} rounds"
        drawn = Plot(run(self.totals, self.optimal, title=title), title)
        if file is not None:
            drawn.save(file)
        return drawn

    def _repr_html_(self) -> str:
        rows = [
            ("rounds", f"{self.rounds:,}"),
            ("mean", f"{self.mean:+.6f} ± {1.96 * self.standard_error:.6f}"),
            ("exactly", f"{float(self.exact):+.6f}"),
            ("standard errors between", f"{self.errors_from_exact:+.2f}"),
        ]
        return html_table(("net antes of a seat and round", ""), rows)

    def __repr__(self) -> str:
        return (
            f"<Simulated {self.rounds:,} rounds: mean {self.mean:+.6f} ± {1.96 * self.standard_error:.6f}, "
            f"exactly {float(self.exact):+.6f}>"
        )


def books() -> tuple[str, ...]:
    """The ids of the rulebooks that come with Pitboss.

    >>> books()
    ('hoiana-thb-2025', 'mbs-3cp-2023', 'mbs-stud-6', 'mbs-thb-9', 'rws-thp-2')
    """
    return tuple(sorted(book_ids()))


def load(reference: str | Path, readings: Mapping[str, str] | None = None) -> Rulebook:
    """A rulebook by its id, or by the path of one of your own.

    >>> load("mbs-stud-6")
    <Rulebook mbs-stud-6: Megalink Singapore Stud Poker, 113 clauses>
    >>> load("mbs-thb-8")
    Traceback (most recent call last):
    pitboss.errors.BadInput: no rulebook 'mbs-thb-8'; did you mean 'mbs-thb-9'?
    """
    if not isinstance(reference, str | Path):
        raise BadInput("reference", f"{_shown(reference)} names no rulebook", "write an id or a path")
    chosen = {} if readings is None else readings
    if not isinstance(chosen, Mapping) or not all(
        isinstance(word, str) for pair in chosen.items() for word in pair
    ):
        raise BadInput("readings", f"{_shown(readings)} is no choice of readings", "write {'R-X': 'a'}")
    return Rulebook(load_plan(str(reference), dict(chosen)))


def settle(facts: Document) -> Settled:
    """Settle one finished round: every wager to the cent, with the clauses that say so.

    >>> settle({
    ...     "rulebook": "mbs-stud-6",
    ...     "dealer": ["As", "Kd", "8d", "4c", "2h"],
    ...     "seats": [{"position": 1, "player": "ann", "cards": ["9s", "9d", "5c", "3h", "Jc"],
    ...                "status": "played", "wagers": {"ante": "25", "bet": "50"}}],
    ... }).net(1)
    '75.00'
    """
    plan, found = read_facts(_text_of(facts, "facts"), name="facts")
    return Settled(plan, found, settle_facts(plan, found))


def run(script: Document) -> RoundsPlayed:
    """Play a script of a table against the real engine, refusals and all.

    >>> evening = run({
    ...     "rulebook": "mbs-stud-6", "players": {"ann": "1000"},
    ...     "steps": ["ann@1: wager ante 25", "dealer: open bets", "ann@1: wager ante 25"],
    ... })
    >>> evening
    no  ann@1: wager ante 25
    ok  dealer: open bets
    ok  ann@1: wager ante 25
    >>> evening.balances
    {'ann': '975.00'}
    """
    return RoundsPlayed(play_scenario(read_scenario(_text_of(script, "script"), name="script")))


def evaluate(cards: str | Sequence[str]) -> Hand:
    """The hand that three, or the best five of five to seven, cards make.

    Hands compare by rank alone; their cards stay in `cards`.

    >>> evaluate("As Ks Qs Js Ts 2c 2d")
    <Hand royal flush: A♠ K♠ Q♠ J♠ 10♠>
    >>> evaluate("As Ks Qs Js Ts") == evaluate("Ah Kh Qh Jh Th")
    True
    >>> max(evaluate("9c 9d 9h"), evaluate("Ac Kc Qd"))
    <Hand three of a kind, nines: 9♣ 9♦ 9♥>
    >>> evaluate("9c 9d 9h") < evaluate("As Ks Qs Js Ts")
    Traceback (most recent call last):
    TypeError: '<' compares hands of one order, not a three-card hand with a five-card hand
    """
    if not isinstance(cards, Sequence):
        raise BadInput("cards", f"{_shown(cards)} are no cards", "write them as 'As Ks Qs'")
    found = parse_cards(cards.split() if isinstance(cards, str) else list(cards), "cards")
    if len(set(found)) != len(found):
        raise BadInput("cards", "a card stands twice", "write each once")
    if len(found) == 3:
        return three_cards(found)
    if not 5 <= len(found) <= 7:
        raise BadInput("cards", f"{len(found)} cards make no hand", "write three, or five to seven")
    return best_five(found)


def hand_in_words(hand: Hand) -> str:
    """The class of a hand and the cards that decide.

    >>> hand_in_words(evaluate("Qs Qd 6c 6h 3s"))
    'two pairs, queens and sixes, three high'
    """
    if not isinstance(hand, Hand):
        raise BadInput("hand", f"{_shown(hand)} is no hand", "make one of cards with evaluate")
    return words_of_hand(hand)


def analyse(reference: str | Path | Rulebook, readings: Mapping[str, str] | None = None) -> Priced:
    """Price a rulebook exactly, over every deal of the game.

    >>> priced = analyse("mbs-3cp-2023")
    >>> priced.house_edge
    Fraction(686689, 20358520)
    >>> priced.json()["wagers"]["ante"]["cycle"]
    407170400
    >>> priced.plot()
    <Plot mbs-3cp-2023: net results in antes>
    """
    require("maths")
    from pitboss.maths.analysis import analyse as analyse_plan

    book = reference if isinstance(reference, Rulebook) else load(reference, readings)
    return Priced(analyse_plan(book.plan))


def simulate(
    reference: str | Path | Rulebook, *, rounds: int = 1_000_000, seats: int = 1, seed: int = 1
) -> Simulated:
    """Deal rounds from a seed, every seat playing optimally; the same seed deals the same rounds.

    >>> simulate("mbs-3cp-2023", rounds=100_000, seed=7).rounds
    100000
    """
    require("maths")
    from pitboss.maths.analysis import solved
    from pitboss.maths.lowering import lower_main_game
    from pitboss.maths.main_game import play
    from pitboss.maths.rounds import table_for
    from pitboss.maths.simulator import Run, workers_for
    from pitboss.maths.simulator import simulate as deal
    from pitboss.maths.strategies import parse_strategy

    book = reference if isinstance(reference, Rulebook) else load(reference)
    if not _is_count(seats, book.plan.positions):
        raise BadInput("seats", _shown(seats), f"{book.id} has 1 to {book.plan.positions} positions")
    if not _is_count(rounds, MOST_ROUNDS):
        problem = f"{_shown(rounds)} is no number of rounds"
        raise BadInput("rounds", problem, f"write a whole number from 1 to {MOST_ROUNDS}")
    check_seed(seed, "seed")
    game = lower_main_game(book.plan)
    solution, chosen = solved(game), parse_strategy("optimal", game)
    table = table_for(solution, chosen)
    run_of = Run(key=f"library-{book.plan.digest[:16]}", seed=seed, seats=seats)
    with workers_for(table) as workers:
        totals, _ = deal(table, run_of, rounds, workers)
    return Simulated(totals, play(solution, chosen))


def _is_count(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def _shown(value: object) -> str:
    return shortened(repr(value))


def _text_of(document: Document, place: str) -> str:
    if isinstance(document, str):
        return document
    try:
        if isinstance(document, Path):
            return document.read_text(encoding="utf-8")
        if isinstance(document, Mapping):
            return json.dumps(dict(document))
    except FileNotFoundError as error:
        raise BadInput(str(document), "there is no such file", near_file(str(document))) from error
    except OSError as error:
        raise BadInput(str(document), f"cannot be read: {error.strerror}", "see to its rights") from error
    except UnicodeDecodeError as error:
        raise BadInput(str(document), "not UTF-8 text", "save it as UTF-8") from error
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(place, f"{error}", "write texts, numbers, lists and mappings") from error
    raise BadInput(
        place, f"{_shown(document)} is no document", "write a mapping, JSON text, or the path of a file"
    )
