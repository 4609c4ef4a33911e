"""What every reading costs: each letter against the one in force, on every wager it touches.

A reading that only says what becomes of a player's conduct (who walks off, refuses to show) has no
probability and is not priced. Readings about winners who share a meter are priced for a full table. What a
letter cannot move in the situation that is priced is said in words, not left to look like the default.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from pitboss.maths.analysis import Analysis, analyse, house_unit
from pitboss.maths.compiling import tell
from pitboss.maths.winners import expected_awards, expected_fixed_awards
from pitboss.money import Cents, to_units
from pitboss.progress import counting
from pitboss.rulebooks import Plan, load_plan
from pitboss.rulebooks.book import Reading

_CONDUCT = ("absence.", "limits.", "interruption.", "exposure.", "choices.", "late.", "jackpot.measured")
_CONDUCT_CELLS = ("declined", "declined-dealer-not-qualified", "established", "absent", "folded")
_ROUNDS = ("jackpot.sharing.", "jackpot.contributes", "jackpot.fixed-awards")

CONDUCT = "not priced: it concerns conduct, which has no probability"
STAKES = (
    "not priced: it concerns stakes outside the limits or of the wrong size; those priced are within them"
)
RETURNED = "not priced: it needs a jackpot stake that goes back, which is conduct and has no probability"
A_ROUND = "one wager on a given meter wins the same; what a round awards more is in --prices"
SAME_HERE = "the same money on the meter that is priced, and with the winners a round can have"


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """One letter of a reading. `changes` are in the player's favour: net per unit staked, by wager.

    `round_award` is what a round of a full table is awarded more in shares of the meter, in cents, and
    `round_house` what the house pays less for fixed awards, since the meter pays them. Where the letter is
    not priced, `why` says so.
    """

    label: str
    letter: str
    says: str
    in_force: bool
    changes: dict[str, Fraction]
    round_award: Fraction
    why: str = ""
    round_house: Fraction = Fraction(0)

    def of_a_round(self, seats: int) -> list[str]:
        """What the letter moves in a round of a full table, in words and money."""
        words = []
        if self.round_award:
            words.append(f"{float(self.round_award / 100):+.8f} a round of {seats} seats")
        if self.round_house:
            words.append(f"the house {float(self.round_house / 100):+.8f} a round, which the meter pays")
        return words


def price_readings(
    reference: str,
    plan: Plan,
    changes: list[str],
    *,
    meter: Cents | None = None,
    stake: Cents | None = None,
) -> Iterator[Price]:
    """Price every letter of every reading of a book, the others standing as in `plan`.

    The meter is at its reset value and a capped wager at the house's maximum unless given.
    """
    with counting("pricing readings", sum(len(r.options) for r in plan.book.readings.values())) as task:
        for price in _prices(reference, plan, changes, meter=meter, stake=stake):
            task.advance()
            yield price


def _prices(
    reference: str, plan: Plan, changes: list[str], *, meter: Cents | None, stake: Cents | None
) -> Iterator[Price]:
    for label, reading in plan.book.readings.items():
        letters = _letters(reading)
        for letter, says in letters.items():
            in_force = plan.readings[label] == letter
            why = not_priced(plan, reading)
            if why:
                yield Price(
                    label=label,
                    letter=letter,
                    says=says,
                    in_force=in_force,
                    changes={},
                    round_award=Fraction(0),
                    why=why,
                )
                continue
            tell(f"pricing {label}={letter}")
            other = load_plan(reference, dict(plan.readings) | {label: letter}, changes=changes)
            yield _price(plan, other, label, letter, says, meter=meter, stake=stake)


def _letters(reading: Reading) -> dict[str, str]:
    return {letter: option.says for letter, option in reading.options.items()}


def not_priced(plan: Plan, reading: Reading) -> str:
    """Why a reading has no price, or nothing where it has one."""
    paths = {path for option in reading.options.values() for path in option.set}
    if not all(path.startswith(_CONDUCT) or _is_conduct_cell(plan, path) for path in paths):
        return ""
    if any(path.startswith("jackpot.") for path in paths):
        return RETURNED
    sizes = paths and all(path.startswith("limits.") and not path.startswith(_POOLING) for path in paths)
    return STAKES if sizes else CONDUCT


_POOLING = "limits.pooling."


def _is_conduct_cell(plan: Plan, path: str) -> bool:
    """Whether a cell is about conduct. A fold at the first decision is a choice of the game."""
    _, wager, *cell = path.split(".")
    if not cell or cell[-1] not in _CONDUCT_CELLS:
        return False
    return cell[-1] != "folded" or plan.wager(wager).placed != "before-deal"


def note_on(plan: Plan, label: str) -> str:
    """Why the figures of one wager are not moved by the letter of a reading; nothing where they may be."""
    reading = plan.book.readings[label]
    paths = {path for option in reading.options.values() for path in option.set}
    if paths and all(path.startswith(_ROUNDS) for path in paths):
        return A_ROUND
    return not_priced(plan, reading)


def _price(
    plan: Plan,
    other: Plan,
    label: str,
    letter: str,
    says: str,
    *,
    meter: Cents | None,
    stake: Cents | None,
) -> Price:
    here, there = _values(plan, meter, stake), _values(other, meter, stake)
    moved = {name: there[name] - here[name] for name in here if there[name] != here[name]}
    award = house = Fraction(0)
    rounds = _of_a_round(plan) != _of_a_round(other)
    if rounds:
        award = _round_awards(other, meter) - _round_awards(plan, meter)
        house = _round_house(other, meter) - _round_house(plan, meter)
    return Price(
        label=label,
        letter=letter,
        says=says,
        in_force=plan.readings[label] == letter,
        changes=moved,
        round_award=award,
        why=SAME_HERE if rounds and not award and not house and not moved else "",
        round_house=house,
    )


def _of_a_round(plan: Plan) -> tuple[object, ...]:
    """What of the jackpot's rules shows only in whole rounds."""
    rules = plan.jackpot
    return () if rules is None else (rules.sharing, rules.contributes, rules.fixed_awards)


def _round_house(plan: Plan, meter: Cents | None) -> Fraction:
    house = plan.book.house.jackpot
    assert house is not None
    stands = house.reset if meter is None else meter
    return expected_fixed_awards(plan, plan.book.house.positions, meter=to_units(stands))


def _round_awards(plan: Plan, meter: Cents | None) -> Fraction:
    house = plan.book.house.jackpot
    assert house is not None
    stands = house.reset if meter is None else meter
    return expected_awards(plan, plan.book.house.positions, meter=to_units(stands), reset=house.reset)


def values_of_wagers(plan: Plan) -> dict[str, Fraction]:
    """Net per unit staked of every wager of a plan, as the prices are measured against."""
    return dict(_values(plan, None, None))


_values_of: dict[tuple[object, ...], dict[str, Fraction]] = {}


def _values(plan: Plan, meter: Cents | None, stake: Cents | None) -> dict[str, Fraction]:
    """Net per unit staked of every wager: capped ones at the house's maximum, the jackpot at either end."""
    key = (plan.digest, tuple(sorted(plan.readings.items())), meter, stake)
    if key not in _values_of:
        _values_of[key] = _computed(plan, meter, stake)
    return _values_of[key]


def _computed(plan: Plan, meter: Cents | None, stake: Cents | None) -> dict[str, Fraction]:
    stake = capped_stake(plan) if stake is None else stake
    analysis = analyse(plan, stake=stake, strategies=())
    found: dict[str, Fraction] = {analysis.solution.game.base.name: analysis.played.ev}
    for side in analysis.sides:
        found[side.wager] = side.ev
    if plan.jackpot is not None:
        found |= _jackpot_values(plan, analysis, meter)
    return found


def capped_stake(plan: Plan) -> Cents | None:
    """The stake at which capped wagers are priced: the house's maximum; None where nothing is capped."""
    limits = plan.book.house.limits
    capped = [wager.name for wager in plan.wagers if wager.pays.cap is not None and wager.name in limits]
    return max((limits[name][1] for name in capped), default=None)


def _jackpot_values(plan: Plan, analysis: Analysis, meter: Cents | None) -> dict[str, Fraction]:
    from pitboss.maths.jackpot import price_jackpot

    assert plan.jackpot is not None
    house = plan.book.house.jackpot
    assert house is not None
    wager = plan.wager(plan.jackpot.wager)
    least, most = wager.units or (1, 1)
    values = {}
    for multiple in {least, most}:
        result = price_jackpot(analysis.solution, wager, unit=house_unit(plan), multiple=multiple)
        name = wager.name if multiple == 1 else f"{wager.name} at {multiple} units"
        values[name] = result.return_at(Fraction(house.reset if meter is None else meter)) - 1
    return values
