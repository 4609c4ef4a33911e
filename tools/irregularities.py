"""Write `tests/scenarios/irregularities/`: every row of every book's remedies, every boundary of authority.

One script a book and kind, one round a case. `pytest --update` writes the goldens beside them; read those.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from pitboss.cards import DECK
from pitboss.play.scenario import play_scenario, read_scenario
from pitboss.rulebooks import Plan, book_ids, load_plan
from pitboss.rulebooks.book import Procedure, RemedyRule
from pitboss.rulebooks.trouble import Condition, Irregularity, LateRepair, Mode, Ruling
from pitboss.rulebooks.vocabulary import Placing, Position, Power

FOLDER = Path(__file__).parent.parent / "tests/scenarios/irregularities"
STAFF = tuple(Position)
PLAYERS = {"p1": "100000", "p2": "100000", "p3": "100000"}

MOMENTS = {
    Condition.ROUND_IN_PROGRESS: ("betting", "dealt", "decided"),
    Condition.NO_ROUND_IN_PROGRESS: ("settled",),
    Condition.DEALT_NOT_SETTLED: ("dealt",),
    Condition.NOT_DEALT_OR_SETTLED: ("betting", "settled"),
    Condition.SETTLED_NEXT_NOT_COMMENCED: ("settled",),
    Condition.BEFORE_NEXT_COMMENCEMENT: ("dealt", "settled"),
    Condition.AFTER_NEXT_COMMENCEMENT: ("betting",),
}


def below(position: Position) -> Position:
    """The position just under one."""
    return STAFF[STAFF.index(position) - 1]


@dataclass
class Script:
    """Steps of a script, and the deck of its procedure."""

    plan: Plan
    procedure: Procedure
    several_hands: bool
    steps: list[str] = field(default_factory=list)
    rounds: int = 0

    @property
    def hands(self) -> dict[int, str]:
        return {1: "p1", 2: "p2", 3: "p2" if self.several_hands else "p3"}

    def say(self, *steps: str) -> None:
        self.steps += steps

    def play(self, *names: str, hands: dict[int, str] | None = None) -> None:
        """Parts of a round by name: bets, close, deal, decide, finish."""
        for name in names:
            getattr(self, f"_{name}")(self.hands if hands is None else hands)

    def _bets(self, hands: dict[int, str]) -> None:
        self.rounds += 1
        self.say("dealer: open bets")
        for n, player in hands.items():
            for wager in self.plan.wagers:
                if wager.placed != "before-deal" or wager.extra_on is not None:
                    continue
                if wager.units is not None:
                    self.say(f"{player}@{n}: wager {wager.name} 5")
                elif wager.entitles_to_hand or n == 1:
                    self.say(f"{player}@{n}: wager {wager.name} {25 * n}")

    def _close(self, hands: dict[int, str]) -> None:
        self.say("dealer: close bets")

    def _deal(self, hands: dict[int, str]) -> None:
        self.say("dealer: deal")

    def _decide(self, hands: dict[int, str]) -> None:
        for n, player in hands.items():
            self.say(f"{player}@{n}: bet {self.plan.decisions[0].bet}")

    def _finish(self, hands: dict[int, str]) -> None:
        """From where the first decision is due, or was made, to the settlement."""
        said = next(i for i in range(len(self.steps) - 1, -1, -1) if self.steps[i] == "dealer: open bets")
        done = set(self.steps[said:])
        for step in self.procedure.steps:
            if step.decide is not None and hands:
                decision = next(d for d in self.plan.decisions if d.name == step.decide)
                for n, player in hands.items():
                    choice = f"bet {decision.bet}" if decision.otherwise == "fold" else "check"
                    if not {f"{player}@{n}: {choice}", f"{player}@{n}: fold"} & done:
                        self.say(f"{player}@{n}: {choice}")
            elif step.reveal is not None and hands and f"dealer: reveal {step.reveal}" not in done:
                self.say(f"dealer: reveal {step.reveal}")
        self.say("dealer: settle")

    def reach(self, moment: str) -> None:
        """A round as far as a moment."""
        parts = {
            "betting": ("bets",),
            "dealt": ("bets", "close", "deal"),
            "decided": ("bets", "close", "deal", "decide"),
            "settled": ("bets", "close", "deal", "decide", "finish"),
        }[moment]
        self.play(*parts)

    def end(self, moment: str, hands: dict[int, str]) -> None:
        """Bring a round to its end from a moment, with the hands that are left."""
        if moment == "settled":
            return
        if moment == "betting":
            self.play("close")
            if hands:
                self.play("deal")
        self.play("finish", hands=hands)


def report(kind: Irregularity, conditions: tuple[Condition, ...]) -> list[str]:
    """The reports that meet the conditions; several incidents where they add up."""
    written = kind.value
    if kind is Irregularity.WRONG_COUNT_COMMUNITY:
        written = "wrong-count community"
    elif kind is Irregularity.WRONG_COUNT_DEALER:
        written = "wrong-count dealer"
    elif kind is Irregularity.WRONG_COUNT_POSITION:
        written = "wrong-count 1"
    elif kind is Irregularity.CONFIDENTIALITY:
        written = "confidentiality 2"
    elif kind is Irregularity.MULTIPLE_HANDS:
        written = "multiple-hands 2,3"
    elif kind is Irregularity.EXTRA_VIEW:
        purpose = "yes" if Condition.INTENTIONAL in conditions else "no"
        written = f"extra-view 3 intentional={purpose}"
    elif kind is Irregularity.COUNT_DOUBT:
        written = f"count-doubt {52 if Condition.COUNT_IS_RIGHT in conditions else 51}"
    elif kind is Irregularity.UNCOVERED:
        written = "uncovered a bird on the layout"
    elif kind is Irregularity.EXPOSED:
        written = "exposed 1"
        if Condition.EXPOSED_BY_PLAYER in conditions:
            written += " by=player"
        if Condition.EXPOSED_LATER in conditions:
            written += " at=later"
    for condition, finding in ((Condition.RECONSTRUCTABLE, "yes"), (Condition.NOT_RECONSTRUCTABLE, "no")):
        if condition in conditions:
            written += f" reconstructable={finding}"
    return [written]


def prepare(script: Script, row: RemedyRule) -> None:
    """What players did before the report."""
    if Condition.SOMEBODY_HANDLED in row.when:
        script.say("p1@1: handle")
    if Condition.SOMEBODY_SAW in row.when:
        script.say("p1@1: view")
    if Condition.SOME_VIEWED in row.when or row.kind is Irregularity.EXTRA_VIEW:
        script.say("p2@2: view")
    if Condition.OUTCOME in row.when:
        script.say("p3@3: fold")


def cases(plan: Plan, row: RemedyRule) -> Iterator[tuple[str, Ruling | None]]:
    """The moments of a row, and of a suspended round every ruling."""
    for moment in next((MOMENTS[word] for word in row.when if word in MOMENTS), ("dealt",)):
        if moment == "betting" and row.kind in _ABOUT_HANDS and row.mode is not Mode.RECORDED:
            continue
        if moment == "decided" and (row.mode is Mode.OPTION or Condition.OUTCOME in row.when):
            continue
        if moment == "betting" and Condition.OUTCOME in row.when:
            continue
        if moment == "betting" and Condition.SOMEBODY_SAW in row.when:
            continue
        if row.mode is not Mode.SUSPENDED:
            yield moment, None
            continue
        for ruling in row.rulings:
            dealt_only = (Ruling.INVALIDATE, Ruling.PERMIT_WITHDRAWAL, Ruling.ORDER)
            if moment == "betting" and ruling in dealt_only:
                continue
            yield moment, ruling


_ABOUT_HANDS = (
    Irregularity.MULTIPLE_HANDS,
    Irregularity.EXTRA_VIEW,
    Irregularity.WRONG_COUNT_POSITION,
    Irregularity.CONFIDENTIALITY,
)


def one_case(
    script: Script, row: RemedyRule, moment: str, ruling: Ruling | None, deck: str, *, affected: int = 0
) -> None:
    """A round in which a row applies; of one about the players affected, to one seat only."""
    script.reach(moment)
    if moment in ("dealt", "decided"):
        prepare(script, row)
    texts = report(row.kind, row.when)
    if row.kind is Irregularity.FACE_UP and Condition.SEVERAL_CARDS_EXPOSED in row.when:
        script.say("dealer: report face-up")
    if row.kind is Irregularity.EXPOSED and Condition.SEVERAL_CARDS_EXPOSED in row.when:
        script.say("dealer: report exposed 1")
        if any(r.kind is row.kind and r.mode is Mode.OPTION for r in script.plan.remedies[row.kind]):
            script.say(*(f"{player}@{n}: option continue" for n, player in script.hands.items()))
    hands = dict(script.hands)
    if Condition.OUTCOME in row.when and moment != "settled":
        del hands[3]
    for text in texts:
        if row.finding is not None:
            script.say(f"{below(row.finding)}: report {text}")
        seats = f" seats={affected}" if affected else ""
        script.say(f"{row.finding or 'dealer'}: report {text}{seats}")
    if affected:
        _one_chooses(script, row, moment, ruling, hands, affected)
        return
    if row.mode is Mode.OPTION:
        first, *others = _asked(row, hands)
        script.say("dealer: settle", f"{hands[first]}@{first}: option withdraw")
        script.say(*(f"{hands[n]}@{n}: option continue" for n in others))
        hands.pop(first)
        if row.remedy.settles_again:
            script.say("dealer: settle")
    elif ruling is not None:
        if not _rule(script, row, ruling, hands, moment, deck):
            return
    elif row.remedy == "void":
        return
    elif row.remedy == "remove-hand":
        n = 3 if row.kind is Irregularity.EXTRA_VIEW else 1
        hands.pop(n)
        _withdrawals(script, row, hands)
    elif row.remedy in ("keep-viewed-hands", "keep-first-dealt-hand"):
        hands.pop(3)
    script.end(moment, hands)


def _one_chooses(
    script: Script, row: RemedyRule, moment: str, ruling: Ruling | None, hands: dict[int, str], affected: int
) -> None:
    """The seat that is affected leaves; nobody else is asked."""
    if ruling is not None:
        script.say(f"{row.decides}: rule {ruling}")
    script.say(*(f"{player}@{n}: option withdraw" for n, player in hands.items()))
    hands.pop(affected)
    if moment == "settled":
        script.say("dealer: settle")
    script.end(moment, hands)


def _asked(row: RemedyRule, hands: dict[int, str]) -> list[int]:
    """The hands that choose: the one that the report is about where those affected do, else all."""
    about_one = row.affected and row.kind is Irregularity.WRONG_COUNT_POSITION
    return [1] if about_one else list(hands)


def _withdrawals(script: Script, row: RemedyRule, hands: dict[int, str]) -> None:
    if row.withdrawal is None:
        return
    permits = row.withdrawal.position
    script.say(
        "p2@2: option withdraw",
        f"{below(permits)}: rule permit-withdrawal 2",
        f"{permits}: rule permit-withdrawal 2",
        "p3@2: option withdraw",
        "p2@2: option withdraw",
    )
    hands.pop(2)


def _rule(
    script: Script, row: RemedyRule, ruling: Ruling, hands: dict[int, str], moment: str, deck: str
) -> bool:
    """Everybody below is refused, and whoever may decides; whether the round goes on."""
    assert row.decides is not None
    cards = deck.split()[:2]
    argument = {
        Ruling.INVALIDATE: " 1" if row.kind is Irregularity.WRONG_COUNT_POSITION else " 3",
        Ruling.PERMIT_WITHDRAWAL: " 2",
        Ruling.BAR: " p2",
        Ruling.ORDER: f" {cards[1]},{cards[0]}",
    }.get(ruling, "")
    script.say("p1@1: view", f"{below(row.decides)}: rule {ruling}{argument}")
    closed = next((r for r in (Ruling.VOID, Ruling.RECONSTRUCT, Ruling.ORDER) if r not in row.rulings), None)
    if closed is not None:
        script.say(
            f"{row.decides}: rule {closed}{f' {cards[1]},{cards[0]}' if closed is Ruling.ORDER else ''}"
        )
    script.say(f"{row.decides}: rule {ruling}{argument}")
    if ruling is Ruling.VOID:
        return False
    if ruling is Ruling.INVALIDATE:
        hands.pop(int(argument))
        if moment != "settled":
            _withdrawals(script, row, hands)
    if ruling is Ruling.PERMIT_WITHDRAWAL:
        script.say("p2@2: option continue")
    if ruling is Ruling.BAR:
        bars = script.plan.power(Power.BAR_PLAYER)
        if bars is not None and bars.returns_stakes:
            hands = {n: player for n, player in hands.items() if player != "p2"}
        script.end(moment, hands)
        script.say("dealer: open bets", "p2@2: wager ante 25", "dealer: close bets", "dealer: settle")
        script.rounds += 1
        return False
    again = script.plan.book.late.repair is LateRepair.SETTLES_AGAIN
    if ruling in row.choice_after and (moment != "settled" or again):
        *others, last = _asked(row, hands)
        script.say(*(f"{hands[n]}@{n}: option continue" for n in others))
        script.say(f"{hands[last]}@{last}: option withdraw")
        hands.pop(last)
        if moment == "settled":
            script.say("dealer: settle")
    return True


def winning_deck(book: str, procedure: Procedure) -> str:
    """A deck that gives the first position a jackpot award, where there is a jackpot; else any."""
    plan = load_plan(book)
    for seed in range(10_000):
        deck = " ".join(card.code for card in Random(seed).sample(DECK, 52))
        if plan.jackpot is None:
            return deck
        script = Script(plan, procedure, several_hands=False)
        script.reach("settled")
        played = play_scenario(read_scenario(json.dumps(_document(book, script, deck, "")), name="x"))
        if any(award.position == 1 for award in played.awards):
            return deck
    raise AssertionError("no such deck")


def _document(
    book: str, script: Script, deck: str, title: str, readings: dict[str, str] | None = None
) -> dict[str, object]:
    table: dict[str, object] = {"procedure": script.procedure.name}
    if script.plan.jackpot is not None:
        table["jackpot"] = {"unit": "5", "meter": "250000", "reset": "100000", "increment_bp": 2000}
    return {
        "title": title,
        "rulebook": book,
        **({"readings": readings} if readings else {}),
        "table": table,
        "players": PLAYERS,
        "deck": deck,
        "decks": [deck] * (script.rounds - 1),
        "steps": script.steps,
    }


def burns(procedure: Procedure) -> bool:
    return any(step.burn or step.discard for step in procedure.steps)


LATE = ("R-LATE-COUNT", "R-LATE-REBUILD")


def late_readings(book: str) -> dict[str, str]:
    """The letters by which a settled round is touched again."""
    return {label: "a" for label in LATE if label in load_plan(book).readings}


def scripts(
    book: str, readings: dict[str, str] | None = None
) -> Iterator[tuple[str, Irregularity, dict[str, object]]]:
    """Every script of a book: its name, kind and document."""
    plan = load_plan(book, readings)
    by_burning = {burns(procedure): procedure for procedure in reversed(plan.procedures)}
    decks = {procedure.name: winning_deck(book, procedure) for procedure in by_burning.values()}
    for kind, rows in plan.remedies.items():
        for burning, procedure in by_burning.items():
            here = [
                row
                for row in rows
                if (Condition.NO_CARD_IS_BURNED if burning else Condition.CARD_IS_BURNED) not in row.when
            ]
            told = any(
                {Condition.CARD_IS_BURNED, Condition.NO_CARD_IS_BURNED} & set(row.when) for row in rows
            )
            if not told and procedure is not plan.procedures[0]:
                continue
            several = kind in (Irregularity.MULTIPLE_HANDS, Irregularity.EXTRA_VIEW)
            deck = decks[procedure.name]
            script = Script(plan, procedure, several)
            todo = [(row, *case) for row in here for case in cases(plan, row)]
            for row, moment, ruling in sorted(todo, key=lambda case: case[2] is Ruling.BAR):
                one_case(script, row, moment, ruling, deck)
                late = plan.book.late.repair is LateRepair.SETTLES_AGAIN
                chooses = ruling in row.choice_after if ruling is not None else row.mode is Mode.OPTION
                if row.affected and chooses and (moment != "settled" or late):
                    one_case(script, row, moment, ruling, deck, affected=2)
            name = f"{book}-{kind}" + (f"-{procedure.name}" if told and len(by_burning) > 1 else "")
            title = f"{kind.replace('-', ' ')}: every case of the book"
            if readings:
                name, title = f"{name}-late", f"{title}, and a settled round touched again"
            yield name, kind, _document(book, script, deck, title, readings)


def late(book: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The scripts of the kinds whose rows are others under the letters for settled rounds."""
    readings = late_readings(book)
    usual, read = load_plan(book).remedies, load_plan(book, readings).remedies
    for name, kind, document in scripts(book, readings):
        if usual[kind] != read[kind]:
            yield name, document


def orders(book: str) -> dict[str, object]:
    """Measures that last beyond the round: who may order them, who may not, and what they do."""
    plan = load_plan(book)
    script = Script(plan, plan.procedures[0], several_hands=False)
    catch_all = plan.power(Power.DECIDE_UNCOVERED)
    assert catch_all is not None
    for ruling, power, argument in (
        (Ruling.RESTRICT, Power.RESTRICT_TO_ONE_POSITION, " p1"),
        (Ruling.BAR, Power.BAR_PLAYER, " p3"),
        (Ruling.BLOCK, Power.JACKPOT_OUTAGE, " 4"),
        (Ruling.SUSPEND_JACKPOT, Power.JACKPOT_OUTAGE, ""),
        (Ruling.CLOSE_TABLE, Power.JACKPOT_OUTAGE, ""),
    ):
        script.play("bets", hands={1: "p1", 2: "p2", 3: "p3"} if script.rounds < 2 else {1: "p1", 2: "p2"})
        position = (plan.power(power) or catch_all).position
        script.say(f"{below(position)}: rule {ruling}{argument}", f"{position}: rule {ruling}{argument}")
        script.say(
            "p1@5: wager ante 25", "p3@6: wager ante 25", "p2@4: wager ante 25", "p2@2: wager jackpot 5"
        )
        script.say("dealer: close bets", "dealer: report missing-card")
    script.say("dealer: open bets")
    return _document(
        book, script, winning_deck(book, plan.procedures[0]), "orders that last beyond the round"
    )


_TWO_HANDS = (
    "dealer: open bets",
    "p1@1: wager ante 25",
    "p2@2: wager ante 25",
    "dealer: close bets",
    "dealer: deal",
)


def conduct(book: str) -> dict[str, object]:
    """What players do: stakes outside the limits and shared, sizes, cards moved, absence, hands not shown."""
    plan = load_plan(book)
    script = Script(plan, plan.procedures[0], several_hands=False)
    first, two = plan.decisions[0], {1: "p1", 2: "p2"}
    for _ in range(2):  # under the minimum and over the maximum, twice
        script.rounds += 1
        script.say("dealer: open bets", "p1@1: wager ante 10", "p2@2: wager ante 1500", "p3@3: wager ante 50")
        script.play("close", "deal", "finish", hands=_dealt(plan, {1: "p1", 2: "p2", 3: "p3"}))
    script.rounds += 1
    script.say("dealer: open bets", "p2@2: wager ante 25")
    for wager in plan.wagers:  # each area of a position by two players
        if wager.placed == "before-deal" and wager.extra_on is None:
            amount = 25 if wager.units is None else 5
            if wager.units is not None:
                script.say(f"p2@2: wager {wager.name} {amount * (wager.units[1] + 1)}")
            script.say(*(f"{player}@1: wager {wager.name} {amount}" for player in ("p1", "p2")))
    script.play("close", "deal", "finish", hands=two)
    script.rounds += 1  # a hand bet on unseen, then a misdeal
    script.say(*_TWO_HANDS)
    script.say(f"p1@1: bet {first.bet}", "dealer: report misdeal reconstructable=yes")
    script.say("assistant-director: rule continue", *(f"{p}@{n}: option continue" for n, p in two.items()))
    script.play("finish", hands=two)
    script.rounds += 1  # not shown, looked at, established
    script.say(*_TWO_HANDS)
    script.play("finish", hands=two)
    script.steps.pop()
    script.say("p1@1: decline", "dealer-inspector: look 1", "pit-supervisor: look 1", "p1@1: establish")
    script.say("dealer: settle")
    for decision in plan.decisions:  # away for each decision in turn
        script.rounds += 1
        script.say(*_TWO_HANDS, *_away_for(script, decision.name), "dealer: settle")
    script.rounds += 1  # a wager of the wrong size
    script.say(*_TWO_HANDS)
    script.say(f"p1@1: bet {first.bet} 60", "dealer: for p2@2 fold")
    script.play("finish", hands={1: "p1"})
    document = _document(book, script, winning_deck(book, plan.procedures[0]), "conduct of players")
    assert isinstance(document["table"], dict)
    document["table"]["limits"] = {"ante": ["25", "1000"]}
    return document


def _dealt(plan: Plan, hands: dict[int, str]) -> dict[int, str]:
    """The hands that are dealt in: not the first where less than the minimum is refused, nor the second
    where more than the maximum is.
    """
    out = {1} if plan.limits.under_minimum.placing is Placing.REFUSED else set()
    out |= {2} if plan.limits.over_maximum.placing is Placing.REFUSED else set()
    return {position: player for position, player in hands.items() if position not in out}


def _away_for(script: Script, decision: str) -> list[str]:
    """A round of two hands in which nobody is at position 1 for one decision."""
    steps: list[str] = []
    for step in script.procedure.steps:
        if step.decide is not None:
            found = next(d for d in script.plan.decisions if d.name == step.decide)
            act = f"bet {found.bet}" if found.otherwise == "fold" else "check"
            steps.append("dealer: absent 1" if step.decide == decision else f"p1@1: {act}")
            steps.append(f"p2@2: {act}")
        elif step.reveal is not None:
            steps.append(f"dealer: reveal {step.reveal}")
    return steps


def with_duties(document: dict[str, object]) -> dict[str, object]:
    """A script in which the House does what bets wait for: a new pack, a ruling after a jackpot failure."""
    steps = list(document["steps"])  # type: ignore[call-overload]
    while True:
        played = play_scenario(read_scenario(json.dumps(document | {"steps": steps}), name="script")).steps
        codes = [done.refusal.code if done.refusal else "" for done in played]
        if "new-pack-due" in codes:
            steps.insert(codes.index("new-pack-due"), "dealer: new pack")
        elif "jackpot-out-of-order" in codes:
            opened = codes.index("jackpot-out-of-order")
            while steps[opened] != "dealer: open bets":
                opened -= 1
            steps[opened:opened] = ["dealer: rule continue", "shift-manager: rule continue"]
        else:
            return document | {"steps": steps}


def main() -> None:
    """Write all scripts; a script that is no longer written goes, with its golden."""
    FOLDER.mkdir(exist_ok=True)
    names = set()
    for book in book_ids():
        extra = ((f"{book}-orders", orders(book)), (f"{book}-conduct", conduct(book)))
        usual = ((name, document) for name, _, document in scripts(book))
        for name, document in (*usual, *late(book), *extra):
            names.add(name)
            (FOLDER / f"{name}.json").write_text(json.dumps(with_duties(document), indent=1) + "\n")
    for path in FOLDER.iterdir():
        if path.stem not in names:
            path.unlink()
    sys.stdout.write(f"wrote {len(names)} scripts\n")


if __name__ == "__main__":
    main()
