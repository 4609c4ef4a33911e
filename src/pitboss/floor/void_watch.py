"""Voids of sealed rounds over time: what each cost or saved the house, and whose did so more than by chance.

What chance allows is taken from the record: the rounds of the same rulebook that came to the same stage, with
the same reckoning of what was still to be decided, whether they were settled or made void.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import NamedTuple

from pitboss.cards import DECK, Card, parse_card
from pitboss.floor import table_events as te
from pitboss.floor.codec import decode
from pitboss.floor.counterfactual import results, stage_of, staked
from pitboss.floor.desk import table_stream
from pitboss.floor.folding import folded
from pitboss.floor.gaming_table import VIRTUAL, GamingTable
from pitboss.floor.people import SYSTEM
from pitboss.floor.ports import BEGINNING, SECOND, Micros, Reader, Recorded, RoundRow
from pitboss.floor.second_signatures import last_outage
from pitboss.floor.service import Floor
from pitboss.play import events as e
from pitboss.play.dealing import has_hand
from pitboss.play.table import Fate, Stage, State
from pitboss.rulebooks.trouble import Irregularity

WINDOW = 31 * 24 * 3600 * SECOND
"""Who made rounds void is followed over so long a time at least."""
MOST_ROUNDS = 400
"""So many settled rounds of each table are reckoned with; what is known of more says little more."""
STANDS_OUT = 3.0
"""By so many standard deviations of chance a person's voids have saved or cost the house more than they
should."""
FEWEST = 5
"""Of fewer voids nothing is said."""
ENOUGH = 20
"""With so many rounds of a class they are compared with each other, otherwise with all of the same stage."""
AFTER_A_VOID = 20
"""The note of a void stands so many events after it at the most."""
CHUNK = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidLine:
    """One void, as it was noted, of a round or of hands in it. `opened` tells that its deck was opened to its
    players. What the floor has undone for a jackpot is the matter of the person who put that out of order."""

    at: Micros
    table: str
    rulebook: str
    game: str
    currency: str
    practice: bool
    note: te.VoidNoted
    opened: bool = False

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody who had a hand in it."""
        note = self.note
        signer = f"staff/{note.signed_by}" if note.signed_by else ""
        return tuple(dict.fromkeys(name for name in (note.reported_by, note.ruled_by, signer) if name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """A sealed deck that was not what was sealed. It stays."""

    at: Micros
    table: str
    round_number: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonsVoids:
    """The voids of one person: how many they reported, ruled and signed, and what these saved the house.

    `expected` is what chance gives on average, `deviation` its standard deviation, both in cents.
    """

    person: str
    reported: int
    ruled: int
    signed: int
    counted: int
    saved: int
    expected: float
    deviation: float

    @property
    def score(self) -> float | None:
        """By how many standard deviations their voids saved the house more than chance gives; it is below
        nothing where they cost it more."""
        return (self.saved - self.expected) / self.deviation if self.deviation else None

    @property
    def stands_out(self) -> bool:
        """Whether that is more than chance allows."""
        score = self.score
        return self.counted >= FEWEST and score is not None and abs(score) > STANDS_OUT


@dataclass(slots=True)
class VoidWatch:
    """Every void of a time, the alarms of all times, and who made rounds void."""

    voids: list[VoidLine] = field(default_factory=list)
    alarms: list[Alarm] = field(default_factory=list)
    staff: list[PersonsVoids] = field(default_factory=list)


def watch(
    floor: Floor, reader: Reader, *, since: Micros = BEGINNING, until: Micros | None = None
) -> VoidWatch:
    """The voids of a time. People are followed over a month at least."""
    end = floor.now() if until is None else until
    begin = Micros(max(BEGINNING, min(since, end - WINDOW)))
    found = VoidWatch()
    lines: list[VoidLine] = []
    for table in floor.registry.tables:
        lines += _voids_of(floor, reader, table, begin, end)
        found.alarms += _alarms_of(reader, table, end) if floor.table(table).broken_seals else []
    found.voids = sorted((line for line in lines if line.at >= since), key=lambda line: (line.at, line.table))
    found.alarms.sort(key=lambda alarm: (alarm.at, alarm.table))
    money = [line for line in lines if not line.practice]
    chances = _chances(floor, reader, money, begin, end)
    found.staff = sorted(_people(money, chances), key=lambda row: row.person)
    return found


def _voids_of(floor: Floor, reader: Reader, table: str, begin: Micros, end: Micros) -> list[VoidLine]:
    """The notes of a table's void rounds, and of hands that were taken out of others."""
    found = []
    now = floor.table(table)
    # a round may be made void long after its bets were opened
    for row in reader.rounds(table, since=Micros(max(BEGINNING, begin - WINDOW)), until=end):
        for recorded in _notes_of(reader, row, hands=row.number in now.hands_out):
            note: te.VoidNoted = decode(recorded)
            if note.round_number != row.number or not begin <= recorded.at < end:
                continue
            plan, opened = floor.desk.plan_of(row.rulebook), now.opened
            currency = plan.book.house.currency if opened is None else opened.currency
            found.append(
                VoidLine(
                    at=recorded.at,
                    table=table,
                    rulebook=row.rulebook,
                    game=plan.id,
                    currency=currency,
                    practice=opened is not None and opened.practice,
                    note=_of_a_person(reader, row, note, recorded.at),
                    opened=note.deck_kept and row.number not in now.kept_decks,
                )
            )
    return found


def _notes_of(reader: Reader, row: RoundRow, *, hands: bool) -> Iterator[Recorded]:
    """The notes of a round: that of its void stands right after it, those of hands anywhere in the round."""
    if hands:
        following = reader.round_at(row.table, row.number + 1)
        first, last = row.first_version - 1, None if following is None else following.first_version - 1
    elif row.status == Stage.VOID.value:
        first, last = row.last_version, row.last_version + AFTER_A_VOID
    else:
        return
    for recorded in reader.read(table_stream(row.table), after=first, until=last):
        if recorded.name.startswith("void-noted."):
            yield recorded


def _of_a_person(reader: Reader, row: RoundRow, note: te.VoidNoted, at: Micros) -> te.VoidNoted:
    """A note with who put a jackpot out of order and who signed, where the floor undid a round for it."""
    if note.reported_by != str(SYSTEM) or note.kind != Irregularity.JACKPOT_FAILURE or not row.link:
        return note
    failed = last_outage(reader, row.link, until=at)
    if failed is None:
        return note
    return replace(note, reported_by=failed.actor, signed_by=decode(failed).approved_by)


def _alarms_of(reader: Reader, table: str, end: Micros) -> list[Alarm]:
    found: list[Alarm] = []
    after = 0
    while True:
        chunk = reader.read(table_stream(table), after=after, until=after + CHUNK)
        if not chunk:
            return found
        for recorded in chunk:
            if recorded.name.startswith("seal-broken.") and recorded.at < end:
                event: te.SealBroken = decode(recorded)
                found.append(
                    Alarm(at=recorded.at, table=table, round_number=event.round_number, what=event.what)
                )
        after = chunk[-1].version


# --- what chance allows -------------------------------------------------------------------------------------


ONE_HAND = -1
"""In place of how many hands are in play: what is compared is each hand by itself."""


class _Class(NamedTuple):
    """Rounds that can be compared: one rulebook, equally far, with as many hands in play and given up.

    Players bet on what they hold: rounds in which many hands were given up are others than those with none.
    """

    rulebook: str
    stage: str
    hands: int = 0
    folded: int = 0


class _Sum(NamedTuple):
    """Results of the house per unit staked: how many, their sum, and that of their squares."""

    rounds: float = 0.0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float, weight: float) -> _Sum:
        """One more result, which stands for so many."""
        return _Sum(self.rounds + weight, self.total + weight * value, self.squares + weight * value**2)

    @property
    def mean(self) -> float:
        """The mean."""
        return self.total / self.rounds

    @property
    def variance(self) -> float:
        """The variance."""
        return max(0.0, self.squares / self.rounds - self.mean**2)


@dataclass(slots=True)
class _Chances:
    """What the house wins in rounds of each class, and of all classes of a stage together."""

    sums: dict[_Class, _Sum] = field(default_factory=dict)
    classes: dict[tuple[str, int], _Class] = field(default_factory=dict)
    """The class of each void round, by table and number."""

    def add(self, of: _Class, value: float, weight: float = 1.0) -> None:
        """A round, or a hand, of a class, with the result of the house per unit staked."""
        keys = (of,) if of.hands == ONE_HAND else (of, _Class(of.rulebook, of.stage))
        for key in keys:
            self.sums[key] = self.sums.get(key, _Sum()).add(value, weight)

    def of(self, line: VoidLine) -> _Sum | None:
        """What chance gives in rounds like that of a void, or for hands; of few such rounds, at the stage."""
        own = self.class_of(line)
        found = None if own is None else self.sums.get(own)
        if found is not None and (found.rounds >= ENOUGH or line.note.positions):
            return found
        return self.sums.get(_Class(line.rulebook, _compared(line.note.stage)))

    def class_of(self, line: VoidLine) -> _Class | None:
        """The class that a void is compared with."""
        if line.note.positions:
            return _Class(line.rulebook, _compared(line.note.stage), ONE_HAND)
        return self.classes.get((line.table, line.note.round_number))


def _compared(stage: str) -> str:
    """The stage that others are compared at: of a settled round everything was decided."""
    return "decided" if stage == Stage.SETTLED.value else stage


def _people(lines: Iterable[VoidLine], chances: _Chances) -> list[PersonsVoids]:
    mine: dict[str, list[VoidLine]] = {}
    for line in lines:
        for person in line.people:
            mine.setdefault(person, []).append(line)
    return [_person(person, found, chances) for person, found in mine.items()]


def _person(person: str, lines: list[VoidLine], chances: _Chances) -> PersonsVoids:
    saved, expected, variance, counted = 0, 0.0, 0.0, 0
    for line in lines:
        note = line.note
        chance = chances.of(line)
        if note.house is None or not note.staked or chance is None:
            continue
        counted += 1
        saved -= note.house
        expected -= note.staked * chance.mean
        variance += note.staked**2 * chance.variance
    return PersonsVoids(
        person=person,
        reported=sum(line.note.reported_by == person for line in lines),
        ruled=sum(line.note.ruled_by == person for line in lines),
        signed=sum(f"staff/{line.note.signed_by}" == person for line in lines),
        counted=counted,
        saved=saved,
        expected=expected,
        deviation=math.sqrt(variance),
    )


@dataclass(slots=True)
class _Wanted:
    """The stages of a rulebook at which rounds were made void, and those at which hands were taken out."""

    rounds: set[str] = field(default_factory=set)
    hands: set[str] = field(default_factory=set)


def _chances(floor: Floor, reader: Reader, lines: list[VoidLine], begin: Micros, end: Micros) -> _Chances:
    """What the house wins per unit staked in rounds that came to the stages in question, void or settled."""
    found = _Chances()
    figured = [line for line in lines if line.note.house is not None and line.note.staked]
    wanted: dict[str, _Wanted] = {}
    for line in figured:
        stages = wanted.setdefault(line.rulebook, _Wanted())
        (stages.hands if line.note.positions else stages.rounds).add(_compared(line.note.stage))
    for table in floor.registry.tables if wanted else ():
        _compare(floor, reader, table, wanted, found, begin, end)
    for line in figured:
        assert line.note.house is not None
        own = found.class_of(line)
        if own is not None:
            found.add(own, line.note.house / line.note.staked)
    return found


def _compare(
    floor: Floor,
    reader: Reader,
    table: str,
    wanted: Mapping[str, _Wanted],
    chances: _Chances,
    begin: Micros,
    end: Micros,
) -> None:
    """The rounds of a table: what each settled one came to, by the reckoning of a void at each stage wanted.

    A settled round that is looked at stands for as many as there were for each of them.
    """
    rows = reader.rounds(table, since=begin, until=end)
    settled = [row for row in rows if row.status == Stage.SETTLED.value]
    looked_at = {row.number for row in settled[-MOST_ROUNDS:]}
    void = {row.number for row in rows if row.status == Stage.VOID.value}
    if not looked_at | void:
        return
    weight = len(settled) / len(looked_at) if looked_at else 0.0
    numbers = looked_at | void
    first = min(row.first_version for row in rows if row.number in numbers)
    last = max(row.last_version for row in rows if row.number in numbers) + AFTER_A_VOID
    seen: dict[str, GamingTable] = {}
    before: GamingTable | None = None
    for _, event, after in folded(floor.desk, reader, table, first=first, until=last):
        opened = after.opened
        if opened is None or opened.cards != VIRTUAL or opened.practice or after.play is None:
            continue
        number = after.state.round_number
        stages = wanted.get(opened.rulebook)
        if stages is None or number not in numbers:
            continue
        if isinstance(event, e.BetsOpened):
            seen = {}
        elif isinstance(event, e.BetsClosed) and before is not None:
            seen["betting"] = before
        if isinstance(event, e.RoundVoided | e.SettlementReversed) and before is not None:
            if (table, number) not in chances.classes:
                stage = stage_of(before.state)
                chances.classes[(table, number)] = _class_of(opened.rulebook, stage, before.state)
        elif isinstance(event, e.RoundSettled) and number in looked_at:
            for of, value in _by_stage(opened.rulebook, seen, after, stages):
                chances.add(of, value, weight)
        stage = stage_of(after.state)
        if stage in stages.rounds | stages.hands and stage != "betting":
            seen.setdefault(stage, after)
        before = after


def _class_of(rulebook: str, stage: str, state: State) -> _Class:
    hands = [box for box in state.boxes.values() if has_hand(state.plan, box)]
    folded_hands = sum(box.fate is not Fate.IN_PLAY for box in hands)
    return _Class(rulebook, _compared(stage), len(hands), folded_hands)


def _by_stage(
    rulebook: str, seen: Mapping[str, GamingTable], settled: GamingTable, stages: _Wanted
) -> Iterator[tuple[_Class, float]]:
    """What a settled round, or each hand of it, would have been noted with at each of some stages."""
    for stage in stages.rounds | stages.hands:
        if stage != "decided" and stage not in seen:
            continue
        state = settled.state if stage == "decided" else seen[stage].state
        found = results(state, () if stage == "decided" else _rest(seen[stage], settled))
        if found is None:
            continue
        if stage in stages.rounds and staked(state):
            yield _class_of(rulebook, stage, state), sum(found.values()) / staked(state)
        for position in found if stage in stages.hands else ():
            if staked(state, [position]):
                yield _Class(rulebook, stage, ONE_HAND), found[position] / staked(state, [position])


def _rest(then: GamingTable, settled: GamingTable) -> list[Card]:
    """The cards that came next in a settled round. Those that were never drawn are as likely as any others.

    They are put in an order that the seal of the round fixes: the same record gives the same figures.
    """
    drawn = [parse_card(opening.card) for opening in settled.drawn]
    assert settled.sealed is not None
    root = settled.sealed.root
    left = sorted(set(DECK) - set(drawn), key=lambda card: sha256(f"{root}{card.code}".encode()).digest())
    return drawn[len(then.drawn) :] + left
