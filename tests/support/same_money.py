"""One engine, one answer: the same random scripts through `pitboss run` and through a floor with one table.

A script is written step by step as a table would be played, with hands planted that win the jackpot. Both then
play it from its text, and have the same money after every step: stacks, settlements, awards and meter. Both
verifiers find nothing wrong with the record of such a floor, and compute all of it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from sqlalchemy import delete, insert

from pitboss.bootstrap import CHECKPOINT_KEY, DATABASE_FILE, Settings
from pitboss.bootstrap import DECK_KEY as DECK_KEY_FILE
from pitboss.cards import DECK, Card, parse_cards
from pitboss.floor import requests as q
from pitboss.floor.kept_answers import wrong_answers
from pitboss.floor.ports import Micros
from pitboss.floor.said import Known
from pitboss.floor.verifying import check_streams, check_whole
from pitboss.money import NO_UNITS, Cents, format_cents, to_units
from pitboss.play import commands as c
from pitboss.play.dealing import dealt_from, has_hand, in_order_drawn, outstanding, room, undecided
from pitboss.play.decide import decide
from pitboss.play.events import CardsBurned, CardsDealt
from pitboss.play.evolve import evolve_all
from pitboss.play.facts import Limit
from pitboss.play.refusal import Refusal
from pitboss.play.scenario import Played, play_scenario, read_scenario
from pitboss.play.steps import parse_step
from pitboss.play.table import Box, JackpotTerms, Stage, State, Terms, open_table
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.trouble import Ruling
from pitboss.store.engine import open_engine, sqlite_url
from pitboss.store.keeping import export_all, make_checkpoint
from pitboss.store.memory import MemoryStore
from pitboss.store.schema import commands
from pitboss.store.sql import SqlStore
from pitboss.verification import verify
from support.floor import House
from support.freezing import DECK_KEY, SIGNING_KEY
from support.record import ledger_of, log_of
from support.unsealed_reports import taken_unheld
from verify_export import audit, reconcile, verify_export

PLAYERS = ("p1", "p2", "p3")
STACK, UNIT, POSITIONS = 500_000, 500, 6
METER, RESET, INCREMENT = 30_000_037, 10_000_000, 2_000
LINK = "mega"
STAFF = "assistant-director"
SHARED = {2: "Ts Js Qs", 3: "Ts Js", 5: ""}
"""By the number of own cards, what the planted hands have in common."""
PLANTED = {
    2: ("As Ks", "8s 9s", "2s 3s", "Th Td", "9s Ks"),
    3: ("As Ks Qs", "7s 8s 9s", "2s 3s 5s", "Tc Th Td", "Qs 8s 9s"),
    5: (
        "As Ks Qs Js Ts",
        "Ah Kh Qh Jh Th",
        "5c 6c 7c 8c 9c",
        "4d 5d 6d 7d 8d",
        "3c 3d 3h 3s 2c",
        "2h 4h 6h 8h 9h",
    ),
}
"""Hands that win a share of the meter or a fixed award with those cards."""


@dataclass
class Script:
    """A script under way: its table, the steps so far, and the decks of its rounds."""

    book: str
    readings: dict[str, str]
    rng: Random
    state: State
    steps: list[str] = field(default_factory=list)
    decks: list[tuple[Card, ...]] = field(default_factory=list)
    left: tuple[Card, ...] = ()
    lying: dict[str, list[Card]] = field(default_factory=dict)
    reserve_bp: int = 0
    """What the link of a floor puts aside of every stake; a script has no reserve."""
    meter: int = METER
    more: bool = False
    """Whether physical tables also rule on orders, mend entries, bet other sizes and enter stakes after the deal."""
    reopened: bool = False
    """A sealed round that is settled again: its deck is erased, and a report at a virtual table ends it no more."""

    @property
    def physical(self) -> bool:
        return self.state.terms.physical

    def do(self, text: str) -> bool:
        """Add a step and carry it out as far as the book lets it."""
        self.steps.append(text)
        command = parse_step(text, self.state.terms, PLAYERS, place="step")
        if isinstance(command, Refusal):
            return False
        if isinstance(command, c.Deal | c.Reveal):
            command = replace(command, cards=None if self.physical else self.left)
        outcome = decide(self.state, command)
        if isinstance(outcome, Refusal):
            return False
        self.state = evolve_all(self.state, outcome)
        used = sum(event.count for event in outcome if isinstance(event, CardsDealt | CardsBurned))
        self.left = self.left[used:]
        return True

    # --- a round -------------------------------------------------------------------------------------

    def round(self) -> None:
        """One round, to its end."""
        for step in (f"{STAFF}: rule continue", "dealer: new pack"):
            if self.rng.random() < 0.4:
                self.do(step)
        self.do("dealer: new pack")
        self.do("dealer: open bets")
        if self.rng.random() < 0.3:
            self.do("dealer: offer jackpot")
        self._wagers()
        self.do("dealer: close bets")
        self._plant()
        for _ in range(200):
            if self._waits() is None and self.state.stage.is_over:
                break
            step = self._next()
            if self.do(step) and step.endswith(" unnoticed") and self.state.stage is Stage.CLOSED:
                self.decks.pop()
                self._plant()  # there may be one hand more to deal to
        assert self.state.stage.is_over, self.steps
        if self.rng.random() < 0.4 and self.state.stage is Stage.SETTLED:
            self.do(self._report(late=True))
            self.reopened = not self.physical
            while self._waits() is not None or not self.state.stage.is_over:
                self.do(self._next())
            self.reopened = False

    def _waits(self) -> str | None:
        """The step that a suspended round, or players with an option, wait for."""
        rng, state = self.rng, self.state
        if state.suspension is not None:
            ordered = self._order(state.suspension.rulings)
            if ordered is not None:
                return ordered
            rulings = [ruling for ruling in state.suspension.rulings if ruling is not Ruling.ORDER]
            ruling = rng.choice(rulings)
            hands = [n for n, box in state.boxes.items() if has_hand(state.plan, box)] or [1]
            about = {
                Ruling.INVALIDATE: f" {rng.choice(state.suspension.positions or tuple(hands))}",
                Ruling.PERMIT_WITHDRAWAL: f" {rng.choice(hands)}",
                Ruling.BAR: f" {rng.choice(PLAYERS)}",
            }
            return f"{STAFF}: rule {ruling.value}{about.get(ruling, '')}"
        if state.trouble.options is not None:
            n = rng.choice(sorted(state.trouble.options.waiting))
            return f"{state.boxes[n].player}@{n}: option {rng.choice(('withdraw', 'continue'))}"
        return None

    def _order(self, rulings: tuple[Ruling, ...]) -> str | None:
        """A ruling on an order, mostly of cards that were drawn together; those entered first that lie there."""
        rng, several = self.rng, len(rulings) > 1
        if (
            not (self.more and self.physical)
            or Ruling.ORDER not in rulings
            or (several and rng.random() < 0.4)
        ):
            return None
        missing = self._card()
        if missing is not None:
            return missing
        drawn = [slot.card for slot in in_order_drawn(self.state)]
        first = rng.randrange(max(1, len(drawn) - 1))
        cards = [card for card in drawn[first : first + 2] if card is not None]
        if len(cards) < 2 or rng.random() < 0.2:
            cards = rng.sample(DECK, 2)
        return f"{STAFF}: rule order {','.join(card.code for card in rng.sample(cards, 2))}"

    def _wagers(self) -> None:
        rng, plan = self.rng, self.state.plan
        before = [w for w in plan.wagers if w.placed == "before-deal" and w.extra_on is None]
        jackpot = plan.jackpot.wager if plan.jackpot is not None else ""
        for _ in range(rng.randint(2, 4)):
            player, n = rng.choice(PLAYERS), rng.randint(1, POSITIONS)
            for wager in before:
                if wager is before[0] or rng.random() < (0.8 if wager.name == jackpot else 0.4):
                    stake = UNIT * rng.randint(*wager.units) if wager.units else rng.choice(self._sizes())
                    self.do(f"{player}@{n}: wager {wager.name} {format_cents(Cents(stake))}")
            if rng.random() < 0.3:
                other = rng.choice(PLAYERS)
                self.do(
                    f"{other}@{n}: wager {before[0].name} {format_cents(Cents(rng.choice(self._sizes())))}"
                )
            if rng.random() < 0.2:
                self.do(f"{player}@{n}: withdraw {rng.choice(before).name}")

    def _sizes(self) -> tuple[int, ...]:
        return (1_000, 2_500, 5_000, 120_000) if self.physical else (2_500, 5_000, 10_000)

    def _plant(self) -> None:
        """The deck of the round: some seats get hands that win the jackpot, in half of the rounds."""
        rng, state = self.rng, self.state
        deck = rng.sample(DECK, len(DECK))
        places: dict[str, list[int]] = {}
        at = 0
        for event in dealt_from(state, tuple(deck)):
            if isinstance(event, CardsDealt | CardsBurned):
                if isinstance(event, CardsDealt):
                    places.setdefault(event.place, []).extend(range(at, at + event.count))
                at += event.count
        own = state.plan.own_cards
        hands = [
            n for n, box in sorted(state.boxes.items()) if has_hand(state.plan, box) and str(n) in places
        ]
        if hands and rng.random() < 0.6:
            common = places.get("flop") or places.get("community") or []
            wanted = list(zip(common, parse_cards(SHARED[own].split()), strict=False))
            planted = rng.sample(PLANTED[own], rng.randint(1, 2))
            for n, cards in zip(rng.sample(hands, min(2, len(hands))), planted, strict=False):
                wanted += list(zip(places[str(n)], parse_cards(cards.split()), strict=True))
            put(deck, dict(wanted))
        self.decks.append(tuple(deck))
        self.left = tuple(deck)
        self.lying = {place: [deck[index] for index in indexes] for place, indexes in places.items()}

    def _next(self) -> str:
        """What a table would do now; now and then something goes wrong."""
        rng, state = self.rng, self.state
        waits = self._waits()
        if waits is not None:
            return waits
        if self.more and self.physical and state.boxes and rng.random() < 0.12:
            return self._mending(rng.choice(list(state.boxes)))
        missing = self._card()
        if missing is not None:
            return missing
        roll = rng.random()
        if roll < 0.05 and not self.reopened:
            return self._report()
        if roll < 0.13 and state.boxes:
            return self._aside(rng.choice(list(state.boxes.values())))
        if roll < 0.16 and self.physical and state.stage is Stage.CLOSED and state.boxes:
            return self._unnoticed()
        if state.stage is Stage.CLOSED:
            hands = any(has_hand(state.plan, box) for box in state.boxes.values())
            return "dealer: deal" if hands else "dealer: settle"
        decision = outstanding(state)
        if decision is not None:
            waiting = undecided(state, decision)
            if waiting:
                return self._decision(rng.choice(waiting), decision.bet, decision.otherwise)
        left = [step.reveal for step in state.terms.procedure.steps[state.step :] if step.reveal is not None]
        return f"dealer: reveal {left[0]}" if left else "dealer: settle"

    def _aside(self, box: Box) -> str:
        """What is done beside the play of a hand; mostly it is not the time for it."""
        who, n = f"{box.player}@{box.position}", box.position
        return self.rng.choice(
            (
                f"{who}: handle", f"{who}: view", f"{who}: notify", f"{who}: decline", f"{who}: establish",
                f"{STAFF}: look {n}", f"dealer: inform {n}", f"dealer: absent {n}",
            )
        )  # fmt: skip

    def _mending(self, n: int) -> str:
        """What is only done at physical tables; mostly there is nothing to mend."""
        rng = self.rng
        place = rng.choice((str(n), "dealer", "community"))
        return rng.choice(
            (
                f"dealer: correct {place} {rng.randint(1, 3)}",
                f"dealer: correct {place} {rng.randint(1, 3)} {rng.choice(DECK).code}",
                f"dealer: take back {n}",
                f"{STAFF}: report simultaneous-draw",
                self._unnoticed().replace("dealer:", "pit-supervisor:", 1),
            )
        )

    def _unnoticed(self) -> str:
        """A stake that lay there when bets closed, by the player of a hand or by another."""
        rng = self.rng
        box = rng.choice(list(self.state.boxes.values()))
        before = [w for w in self.state.plan.wagers if w.placed == "before-deal" and w.extra_on is None]
        amount = rng.choice(("10.00", "25.00", "5.00", "1200.00"))
        player = box.player if rng.random() < 0.8 else rng.choice(PLAYERS)
        n = box.position if rng.random() < 0.8 else rng.randint(1, POSITIONS)
        return f"dealer: for {player}@{n} wager {rng.choice(before).name} {amount} unnoticed"

    def _decision(self, box: Box, bet: str, otherwise: str) -> str:
        who, n = f"{box.player}@{box.position}", box.position
        wager = self.state.plan.wager(bet)
        chips = self.state.racks[box.player]
        enough = wager.of is not None and chips >= wager.times * box.stakes[wager.of].get(box.player, 0)
        roll = self.rng.random()
        if roll < 0.1:
            return f"dealer: absent {n}"
        if roll < 0.2 and not box.viewed:
            return f"{who}: view"
        size = ""
        if self.more and self.physical and self.rng.random() < 0.3:
            size = self.rng.choice((" 10", " 25", " 50", " 55", " 3000"))
        return f"{who}: bet {bet}{size}" if enough and roll < 0.75 else f"{who}: {otherwise}"

    def _report(self, *, late: bool = False) -> str:
        """Anything that goes wrong; `late` what is mostly found after the settlement."""
        rng = self.rng
        n, other = rng.sample(range(1, POSITIONS + 1), 2)
        yes = rng.choice(("yes", "no"))
        judged = rng.choice(("", f" reconstructable={yes}"))
        seats = rng.choice(("", f" seats={n}"))
        kind = rng.choice(
            (
                f"wrong-count {n}{judged}", f"wrong-count dealer{judged}", f"wrong-count community{judged}",
                f"wrong-count {n} reconstructable={yes}", f"wrong-count dealer reconstructable={yes}",
                f"misdeal{judged}{seats}", f"missed-burn{judged}", "foreign-card", "extra-card", "exposed 2",
                f"exposed 1{seats}", "exposed 1 by=player", "exposed 1 at=later", "exposed 1 at=deal",
                "face-up", "shuffler-jam", "disruption", "insufficient-cards", "unshuffled",
                "count-doubt 51", f"confidentiality {n}", f"multiple-hands {min(n, other)},{max(n, other)}",
                f"extra-view {n} intentional={yes}", "power-failure", "uncovered anything",
                "jackpot-failure", "jackpot-failure",
            )
        )  # fmt: skip
        if rng.random() < 0.15:
            order = rng.choice(("suspend-jackpot", f"block {n}", f"restrict {rng.choice(PLAYERS)}"))
            return f"{STAFF}: {rng.choice(('rule', 'lift'))} {order}"
        if late and rng.random() < 0.8:
            where = rng.choice((*map(str, self.state.boxes), "dealer", "community"))
            kind = f"wrong-count {where} reconstructable=no"
        return f"{STAFF}: report {kind}"

    def _card(self) -> str | None:
        """A card that a physical table has still to enter."""
        state = self.state
        if not self.physical or state.stage is not Stage.PLAYING:
            return None
        for place, dealt in state.dealt.items():
            known = len(state.known.get(place, ()))
            out = place.isdigit() and state.boxes[int(place)].removal is not None
            if not out and known < min(dealt, room(state.plan, place)):
                return f"dealer: card {place} {self.lying[place][known].code}"
        return None


def put(deck: list[Card], wanted: dict[int, Card]) -> None:
    """Put cards at places of a deck, each for the one that lay there."""
    for index, card in wanted.items():
        other = deck.index(card)
        deck[index], deck[other] = deck[other], deck[index]


def random_readings(book: str, choice: Random) -> dict[str, str]:
    """Letters at random for half of the readings of a book."""
    lettered = {label: r for label, r in load_plan(book).book.readings.items() if r.options}
    return {
        label: choice.choice(list(reading.options))
        for label, reading in lettered.items()
        if choice.random() < 0.5
    }


def written_script(
    book: str,
    steps: Iterable[str],
    decks: Iterable[str] = (),
    *,
    readings: Mapping[str, str] = MappingProxyType({}),
    meter: int = METER,
    physical: bool = False,
    procedure: str = "",
) -> Script:
    """A script of these steps; a deck goes on with the cards that are not named."""
    procedure = procedure or load_plan(book).procedures[0].name
    script = _at_table(book, dict(readings), Random(0), meter=meter, physical=physical, procedure=procedure)
    for cards in decks:
        first = parse_cards(cards.split())
        script.decks.append((*first, *(card for card in DECK if card not in first)))
    script.steps += steps
    return script


def random_script(book: str, seed: int, *, sets: int = 40, more: bool = False) -> Script:
    """A script of two or three rounds, virtual or physical, under one of so many sets of readings at random."""
    rng = Random(seed)
    choice = Random(rng.randrange(sets))
    chosen = random_readings(book, choice)
    script = _at_table(book, chosen, rng)
    script.more = more
    for _ in range(rng.randint(2, 3)):
        script.round()
    script.reserve_bp = choice.choice((0, 500))
    return script


def _at_table(
    book: str,
    readings: dict[str, str],
    rng: Random,
    *,
    meter: int = METER,
    physical: bool | None = None,
    procedure: str = "",
) -> Script:
    """A script before its first step; its procedure, and who has the cards, are drawn where they are not given."""
    plan = load_plan(book, readings)
    posted = {w.name: Limit(Cents(2_500), Cents(100_000)) for w in plan.wagers if w.posted_limits}
    named = next((way for way in plan.procedures if way.name == procedure), None)
    terms = Terms(
        plan=plan,
        procedure=named or rng.choice(plan.procedures),
        positions=POSITIONS,
        limits=posted,
        jackpot=None
        if plan.jackpot is None
        else JackpotTerms(unit=Cents(UNIT), reset=Cents(RESET), increment_bp=INCREMENT),
        physical=rng.random() < 0.4 if physical is None else physical,
    )
    held = to_units(Cents(meter)) if plan.jackpot is not None else NO_UNITS
    state = open_table(terms, dict.fromkeys(PLAYERS, Cents(STACK)), meter=held)
    return Script(book=book, readings=readings, rng=rng, state=state, meter=meter)


def by_run(script: Script) -> Played:
    """The script through `pitboss run`."""
    terms = script.state.terms
    table: dict[str, Any] = {
        "positions": terms.positions,
        "procedure": terms.procedure.name,
        "limits": {name: [format_cents(amount) for amount in limit] for name, limit in terms.limits.items()},
    }
    if terms.jackpot is not None:
        table["jackpot"] = {
            "unit": format_cents(Cents(UNIT)),
            "meter": format_cents(Cents(script.meter)),
            "reset": format_cents(Cents(RESET)),
            "increment_bp": INCREMENT,
        }
    document: dict[str, Any] = {
        "rulebook": script.book,
        "readings": script.readings,
        "table": table,
        "players": dict.fromkeys(PLAYERS, format_cents(Cents(STACK))),
        "steps": script.steps,
    }
    if not script.physical:
        first, *later = [" ".join(card.code for card in deck) for deck in script.decks]
        document |= {"deck": first, "decks": later}
    return play_scenario(read_scenario(json.dumps(document), name="script"))


def floor_for(script: Script) -> House:
    """A floor with the table of a script, and its link."""
    house, terms = House(), script.state.terms
    plan, jackpot = terms.plan, terms.jackpot
    if jackpot is not None:
        currency = plan.book.house.currency
        house.ok(
            "gina",
            q.OpenLink(
                link=LINK,
                currency=currency,
                unit=Cents(UNIT),
                reset=Cents(RESET),
                startup=Cents(script.meter),
                increment_bp=INCREMENT,
                reserve_bp=script.reserve_bp,
                approved_by="gus",
            ),
        )
    house.table(
        script.book,
        players=PLAYERS,
        rulebook=house.book(script.book, **script.readings),
        procedure=terms.procedure.name,
        positions=terms.positions,
        limits={name: tuple(limit) for name, limit in terms.limits.items()},
        cards="physical" if script.physical else "virtual",
        link=LINK if jackpot is not None else "",
        checklist=tuple(thing.name for thing in plan.book.equipment),
    )
    return house


def a_script_moves_the_same_money_on_a_floor(
    book: str, seed: int, *, sets: int = 40, more: bool = False, folder: Path | None = None
) -> House:
    """Every step is done or refused by both, and leaves the same stacks, settlement, awards and meter.

    The record of the floor is then held against both verifiers; with a `folder` it is written there, and
    verified and exported as any floor is.
    """
    script = random_script(book, seed, sets=sets, more=more)
    return script_moves_the_same_money(script, f"{book} {seed}", folder=folder)


def script_moves_the_same_money(script: Script, name: str, *, folder: Path | None = None) -> House:
    """The same of a script that is written down."""
    run, house = by_run(script), floor_for(script)
    decks = iter(script.decks)
    for result in run.steps:
        if result.step == "dealer: open bets" and not script.physical:
            house.cards.next_pack = next(decks, None)
        with pytest.MonkeyPatch.context() as patch:
            taken_unheld(patch)  # a script knows no seal: what it says of cards is taken on the floor too
            answer = house.step(result.step, approved_by="gus")
        assert answer.ok == (result.refusal is None), (result.step, answer.body, result.refusal)
        if answer.ok and house.floor.table("t1").state.claim:
            house.ok("mara", q.VerifyClaim(link=LINK, claim=max(house.floor.link(LINK).claims)))
            house.steps(result.step)
        for what, ours, theirs in _compared(result.state, house):
            assert ours == theirs, f"{name}: {what} after '{result.step}': run {ours}, floor {theirs}"
    house.everything_adds_up()
    with pytest.MonkeyPatch.context() as patch:
        taken_unheld(patch)
        problems, left = by_both_verifiers(house) if folder is None else on_disk(house, folder)
    left.pop("what void rounds would have come to", None)
    assert (problems, left) == ([], {}), f"{name} {script.readings}: {problems[:3]} {left}"
    return house


def by_both_verifiers(house: House) -> tuple[list[str], dict[str, list[str]]]:
    """What both verifiers find wrong with a floor in memory, and what one of them does not compute again."""
    desk, store = house.opened().desk, house.store
    checked = check_streams(desk, store, store.heads(), wanted={})
    check_whole(desk, store, checked)
    found = audit(log_of(store), ledger_of(store))
    answers = store.answers_before(Micros(2**62))
    problems = [
        *map(str, checked.problems),
        *map(str, wrong_answers(answers, checked.ends, binds=Known.of(store).binds)),
        *found.problems,
        *reconcile(found, store.balances_under("")),
    ]
    return problems, found.left


def on_disk(house: House, folder: Path) -> tuple[list[str], dict[str, list[str]]]:
    """The same of a floor that is written to a folder, by `pitboss verify` and by the verifier of its export."""
    assert isinstance(house.store, MemoryStore)
    folder.mkdir(parents=True)
    (folder / DECK_KEY_FILE).write_text(DECK_KEY.hex())
    (folder / CHECKPOINT_KEY).write_bytes(
        SIGNING_KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    store = SqlStore(open_engine(sqlite_url(folder / DATABASE_FILE)))
    house.store.copy_to(store)
    answers = [answer._asdict() for answer in house.store.answers_before(Micros(2**62))]
    with store.engine.connect().execution_options(writing=True) as connection, connection.begin():
        connection.execute(delete(commands))
        connection.execute(insert(commands), answers)
    make_checkpoint(store, SIGNING_KEY, Micros(house.clock.at))
    export_all(store, folder / "export", SIGNING_KEY)
    store.close()
    left: dict[str, list[str]] = {}
    inside = verify(Settings(folder), processes=1)
    problems = [*map(str, inside.problems), *verify_export(folder / "export", left=left)]
    return [*problems, *filter(None, (inside.not_signed, inside.not_opened))], left


def _compared(state: State, house: House) -> Iterator[tuple[str, Any, Any]]:
    there = house.floor.table("t1").state
    yield "stacks", dict(state.racks), {player: there.racks.get(player, 0) for player in PLAYERS}
    yield "stage", state.stage, there.stage
    if state.settlement is not None:
        assert there.settlement is not None
        yield "seats", state.settlement.seats, there.settlement.seats
        ours, theirs = state.settlement.jackpot, there.settlement.jackpot
        if ours is not None:
            assert theirs is not None
            yield "awards", ours.awards, theirs.awards
            if ours.awards or ours.reversed_contributions:  # a table reads the meter when it has to
                yield "jackpot", ours, theirs
    if state.terms.jackpot is not None:
        yield "meter", state.meter, house.floor.link(LINK).meter
    yield "warned", state.memory, replace(there.memory, gaming_day=state.memory.gaming_day)
