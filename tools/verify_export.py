"""An independent verifier of a casino floor's record: one file, Python's standard library, nothing else.

    pitboss export all -o DIR --data floor
    python3 verify_export.py DIR [--kept CHECKPOINTS] [--journal JOURNAL] [--lost LIST] [--key PUBLIC-KEY]
        [--unsigned]

It shares no code with the program that wrote the record. It folds the events again from their data alone,
keeps books of its own, recomputes contributions and jackpot shares, and lists whatever does not agree:
events, postings, balances, ends of streams, the index of rounds, which sealed decks are kept, payout slips,
signed checkpoints. Snapshots are not in an export: they are folded from the events, and nothing rests on them
that the events do not show. Stakes are cents, the books are kept in ledger units of 1/10,000 cent. It leaves
with 0 if the record holds, 1 if not, 2 if it cannot be read.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

UNITS = 10_000
NEVER_NEGATIVE = frozenset({"rack", "layout", "reserve", "overflow", "meter"})
WHOLE = 100
"""The percentage that takes all of the meter, and so resets it."""
KNOWN_POLICIES: dict[str, tuple[str, ...]] = {
    "policy": ("equal-shares", "clockwise"),
    "repeated": ("running-meter", "reset-value", "displayed-once", "displayed-each"),
    "after-lower": ("remaining-meter", "displayed-meter"),
    "resets": ("whole-award", "any-award"),
    "rounding": ("cent-down", "cent-nearest", "chip-down"),
    "meter-floor": ("none", "reset-value"),
}
"""What a book may say of sharing a meter. The first word holds where it says nothing."""
KNOWN_FUNDING: dict[str, tuple[str, ...]] = {
    "separate-tables": ("entered-first", "dealt-first"),
    "for-one-stake": ("collected", "returned"),
    "multiple": ("in-stake", "again"),
    "fixed-awards": ("house", "meter"),
    "contributes": ("every-round", "unless-won-whole"),
    "measured": ("as-it-stands", "without-returned"),
}
"""What a book may say of its jackpot besides; other words change what this verifier computes."""
FIRST_BEFORE = "0" * 64
BACK_TO_RACKS = ("rack", "layout", "float")
CONCLUDING = (*BACK_TO_RACKS, "house", "claims")
LINES = {
    "table-opened.v1": ("cage", "float"),
    "table-closed.v1": ("float", "drop", "cage", "over-short"),
    "filled.v1": ("cage", "float"),
    "credited.v1": ("cage", "float"),
    "bought-in.v1": ("patrons", "drop", "float", "rack"),
    "cashed-out.v1": ("rack", "patrons"),
    "debt-recorded.v1": ("owed", "rack"),
    "debt-reduced.v1": ("owed", "rack"),
    "wager-placed.v1": ("rack", "layout"),
    "unnoticed-wager-entered.v1": ("rack", "layout"),
    "wager-withdrawn.v1": ("rack", "layout"),
    "share-folded.v1": ("layout", "float"),
    "decision-taken-back.v1": BACK_TO_RACKS,
    "share-returned.v1": BACK_TO_RACKS,
    "hand-removed.v1": BACK_TO_RACKS,
    "round-settled.v1": CONCLUDING,
    "round-voided.v1": CONCLUDING,
    "settlement-reversed.v1": CONCLUDING,
    "link-opened.v1": ("link-house", "meter"),
    "contributed.v1": ("link-house", "meter", "overflow", "reserve"),
    "contribution-returned.v1": ("link-house", "meter", "overflow", "reserve"),
    "claim-fixed.v1": ("meter", "reserve", "link-house", "claims"),
    "claim-unfixed.v1": ("meter", "reserve", "link-house", "claims"),
    "claim-ended.v1": ("meter", "reserve", "link-house", "claims"),
    "award-corrected.v1": ("meter", "reserve", "claims", "link-house"),
    "fixed-awards-paid.v1": ("meter", "link-house"),
}
"""In which order the ledger has the accounts of an event; racks come in the order of the players' chips."""
# fmt: off
KNOWN = frozenset((
    "absence-recorded.v1", "account-noted.v1", "award-corrected.v1", "bets-closed.v1", "bets-opened.v1",
    "bought-in.v1", "call-answered.v1", "card-corrected.v1", "card-discarded.v1", "card-entered.v1",
    "card-turned-up.v1", "cards-burned.v1", "cards-dealt.v1", "cards-drawn.v1", "cards-ordered.v1",
    "cards-reconstructed.v1", "cashed-out.v1", "claim-ended.v1", "claim-entered.v1", "claim-fixed.v1",
    "claim-paid.v1", "claim-unfixed.v1", "claim-verified.v1", "comparison-declined.v1",
    "complaint-answered.v1", "complaint-filed.v1", "contributed.v1", "contribution-returned.v1",
    "credited.v1", "dealing-set.v1", "debt-recorded.v1", "decision-made.v1", "decision-taken-back.v1",
    "deck-sealed.v1", "deck-sealed.v2", "dispute-decided.v1", "dispute-escalated.v1", "dispute-noted.v1",
    "dispute-opened.v1", "entries-cleared.v1", "entry-corrected.v1", "filled.v1", "floor-created.v1",
    "gaming-day-begun.v1", "hand-established.v1", "hand-handled.v1", "hand-looked-at.v1", "hand-removed.v1",
    "hand-viewed.v1", "interrupted.v1", "irregularity-reported.v1", "jackpot-claim-dropped.v1",
    "jackpot-claimed.v1", "jackpot-terms-set.v1", "limits-set.v1", "link-added.v1", "link-failed.v1",
    "link-opened.v1", "link-restored.v1", "member-joined.v1", "member-left.v1", "meter-read.v1",
    "opening-approved.v1", "option-taken.v1", "options-offered.v1", "order-lifted.v1",
    "parameters-planned.v1", "parameters-restored.v1", "parameters-taken.v1", "payout-slip.v1",
    "permissions-set.v1", "record-reconciled.v1",
    "person-added.v1", "person-moved.v1", "person-removed.v1", "place-revealed.v1", "player-absent.v1",
    "player-added.v1", "player-barred.v1", "player-excluded.v1", "player-limited.v1", "player-unbarred.v1",
    "rack-changed.v1", "round-settled.v1", "round-suspended.v1", "round-voided.v1", "rulebook-approved.v1",
    "rulebook-proposed.v1", "rulebook-withdrawn.v1", "ruling-given.v1", "seat-left.v1", "seat-taken.v1",
    "settlement-reversed.v1", "share-folded.v1", "share-returned.v1", "staff-assigned.v1",
    "staff-relieved.v1", "standing-order.v1", "stay-ended.v1", "step-done.v1", "supervisor-called.v1",
    "table-added.v1", "table-closed.v1", "table-opened.v1", "time-frame-given.v1", "transferred.v1",
    "wager-placed.v1", "wager-withdrawn.v1", "withdrawal-permitted.v1",
    # entered or noted at a table since; a record without them is as it was
    "debt-reduced.v1", "duty-done.v1", "excess-rejected.v1", "fixed-awards-paid.v1",
    "jackpot-bets-stopped.v1", "jackpot-hand-left.v1",
    "unnoticed-wager-entered.v1",
    "answers-forgotten.v1",
    # what devices of players contribute to the order of a sealed deck
    "device-counted.v1", "device-withheld.v1", "entropy-committed.v1", "entropy-revealed.v1",
    "order-composed.v1",
    "deck-opened.v1", "seal-broken.v1", "void-noted.v1",
))
"""Every kind of event that is computed again here; others are counted, and believed."""
HAND_CLASSES = (
    "odd-cards", "one-pair", "two-pairs", "three-of-a-kind", "straight", "flush", "full-house",
    "four-of-a-kind", "straight-flush", "royal-flush",
)
"""Lowest first: in this order a meter is shared class by class."""
# fmt: on
BESIDE_PLAY = ("bought-in.v1", "cashed-out.v1", "debt-recorded.v1", "debt-reduced.v1")
"""What moves money of a rack and is told to play by a `rack-changed.v1` of its own."""

Data = Mapping[str, Any]
Key = tuple[int, str, str]
"""Position, owner and wager of a stake."""
LARGE_WIN = 1_000_000
"""Cents from which on what a player is paid in a round has payout slips; a jackpot award always has one."""
Paper = tuple[int, str, bool]
"""A slip that is due: its first position, its player, whether it is for a jackpot award."""
PRACTICE = "XTS"
SECOND = 1_000_000
MOST_DEVICES = 3
"""Devices of one player that count on a gaming day."""
DIGITS = frozenset("0123456789abcdef")
UNSIGNED_AT_MOST = 600_000_000
"""Microseconds; a floor at work signs every five minutes, and leaves nothing unsigned for twice as long."""
Hand = tuple[int, str, str]
"""Position, player and class of a hand that claims a share."""
Share = tuple[int, str, str, int]
RoundKey = tuple[str, int]
Ledger = dict[tuple[str, int], list[tuple[str, int]]]
"""The accounts and amounts of each event, by its stream and version, in the order of their lines."""


@dataclass(frozen=True, slots=True)
class Event:
    """One record of the log."""

    stream: str
    version: int
    at: int
    actor: str
    name: str
    data: Data

    @property
    def where(self) -> str:
        """The stream and version for the text of a problem."""
        return f"{self.stream} version {self.version} ({self.name})"


@dataclass(slots=True)
class LinkTotals:
    """The meters of a jackpot besides its accounts: cents wagered, claims paid, cents won, the last hit."""

    wagers_in: int = 0
    hits: int = 0
    total_won: int = 0
    slips: int = 0


@dataclass(slots=True)
class Audit:
    """What the auditor found: every account it touched, every problem, and the totals of each link.

    `rounds` is the index of rounds as it should be, `decks` are the rounds whose sealed deck is kept. `left`
    is what was not computed again, with the events it is about: no problem, and not silence either.
    `forgotten` are the events that say of what time kept answers are gone.
    """

    balances: dict[str, int]
    problems: list[str]
    links: dict[str, LinkTotals] = field(default_factory=dict)
    rounds: dict[RoundKey, dict[str, Any]] = field(default_factory=dict)
    decks: set[RoundKey] = field(default_factory=set)
    left: dict[str, list[str]] = field(default_factory=dict)
    binds: Callable[[int], bool] = lambda at: False
    forgotten: list[Event] = field(default_factory=list)


@dataclass(slots=True)
class _Books:
    balances: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    claim_moves: dict[str, list[tuple[int, int, str]]] = field(default_factory=lambda: defaultdict(list))
    ledger: Ledger | None = None
    racks: dict[str, int] = field(default_factory=dict)
    left: dict[str, list[str]] = field(default_factory=dict)
    _moved: dict[str, int] = field(default_factory=dict)
    _touched: set[str] = field(default_factory=set)
    _below: set[str] = field(default_factory=set)
    _falls: dict[str, tuple[str, int]] = field(default_factory=dict)

    def say(self, where: str, text: str) -> None:
        self.problems.append(f"{where}: {text}")

    def leave(self, what: str, event: Event) -> None:
        """Something honest that this verifier cannot compute again: it is counted, and is no problem."""
        self.left.setdefault(what, []).append(event.where)

    def post(self, account: str, units: int) -> None:
        self.balances[account] = self.balances.get(account, 0) + units
        self._moved[account] = self._moved.get(account, 0) + units
        self._touched.add(account)

    def move(self, source: str, target: str, units: int) -> None:
        self.post(source, -units)
        self.post(target, units)

    def post_claims(self, account: str, units: int, event: Event) -> None:
        """Post to an account that two streams share, whose order in time is checked at the end."""
        if units:
            self.post(account, units)
            self.claim_moves[account].append((event.at, units, event.where))

    def after_event(self, event: Event) -> None:
        """Check what an event moved against the postings of it, and note which pool fell below nothing."""
        moved, self._moved = _without_zeros(self._moved), {}
        self._follow_racks(event, moved)
        if self.ledger is not None:
            posted = self.ledger.pop((event.stream, event.version), [])
            lines = self._in_order(event, moved)
            if lines != posted:
                self.say(
                    event.where, f"the ledger has {posted or 'nothing'}, the event moves {lines or 'nothing'}"
                )
        for account in sorted(self._touched):
            if account.split("/")[1] not in NEVER_NEGATIVE:
                continue
            if self.balances[account] >= 0:
                self._below.discard(account)
                self._falls.pop(account, None)
            elif account not in self._below:
                self._falls.setdefault(account, (event.where, self.balances[account]))
        self._touched.clear()

    def believe(self, event: Event) -> None:
        """An event of a kind that is not known here: its postings are taken as they are, if they balance."""
        self.leave(f"events of the kind {event.name}", event)
        totals: dict[str, int] = defaultdict(int)
        for account, units in (self.ledger or {}).pop((event.stream, event.version), []):
            self.balances[account] = self.balances.get(account, 0) + units
            totals[account.split("/")[0]] += units
        if any(totals.values()):
            self.say(event.where, f"its postings add up to {dict(totals)}")

    def check_falls(self) -> None:
        """Nothing is left below nothing by a request: what is undone and was taken away is owed."""
        for account, (where, units) in self._falls.items():
            self._below.add(account)
            self.say(where, f"{account} falls to {units}")
        self._falls.clear()

    def _follow_racks(self, event: Event, moved: Mapping[str, int]) -> None:
        """Keep the chips of a table's players as play has them, in the order in which they came."""
        if event.name == "table-opened.v1":
            self.racks.clear()
        elif event.name == "rack-changed.v1":
            player = event.data["player"]
            self.racks[player] = self.racks.get(player, 0) + event.data["amount"]
            if not self.racks[player]:
                del self.racks[player]
        elif event.name not in BESIDE_PLAY:
            for player in event.data.get("payouts") or ():
                self.racks.setdefault(player, 0)
            for account, units in moved.items():
                _, kind, *names = account.split("/", 3)
                if kind == "rack":
                    self.racks[names[-1]] = self.racks.get(names[-1], 0) + units // UNITS

    def _in_order(self, event: Event, moved: Mapping[str, int]) -> list[tuple[str, int]]:
        """What an event moves, line by line as the ledger has it."""
        kinds, players = LINES.get(event.name, ()), list(self.racks)

        def place(line: tuple[str, int]) -> tuple[int, int]:
            _, kind, *names = line[0].split("/", 3)
            if kind not in kinds:
                return (0 if line[1] < 0 else 1), 0  # a transfer: from, then to
            player = names[-1] if kind == "rack" else ""
            return kinds.index(kind), players.index(player) if player in players else 0

        return sorted(moved.items(), key=place)

    def check_claims(self) -> None:
        for account, moves in self.claim_moves.items():
            balance = 0
            for _, units, where in sorted(moves, key=lambda move: (move[0], -move[1])):
                if balance >= 0 > balance + units:
                    self.say(where, f"{account} falls to {balance + units}")
                balance += units

    def check_zero_sum(self) -> None:
        totals: dict[str, int] = defaultdict(int)
        for account, units in self.balances.items():
            totals[account.split("/")[0]] += units
        for currency, units in sorted(totals.items()):
            if units:
                self.say(f"all streams, {currency}", f"the accounts add up to {units} instead of nothing")


@lru_cache(maxsize=64)
def _resolved(document: str, chosen: tuple[tuple[str, str], ...]) -> Data:
    """A rulebook's text as data, each reading set as it was chosen, or else by its default."""
    rules: dict[str, Any] = json.loads(document)
    letters = dict(chosen)
    for label, reading in (rules.get("readings") or {}).items():
        options = reading.get("options") or {}
        option = options.get(letters.get(label, reading.get("default", ""))) or {}
        for path, value in (option.get("set") or {}).items():
            *parents, last = path.split(".")
            table: Any = rules
            for key in parents:
                table = table[key]
            table[last] = value
    return rules


@dataclass(slots=True)
class _Book:
    """A rulebook as it was proposed: everything that this file knows of a game, it reads here."""

    id: str
    readings: Mapping[str, str]
    document: str = "{}"

    @property
    def rules(self) -> Data:
        """What the book says, its readings applied; nothing, of a book that nobody has proposed."""
        return _resolved(self.document, tuple(sorted(self.readings.items())))

    @property
    def procedures(self) -> dict[str, list[Data]]:
        """The steps of each procedure."""
        return {way["name"]: way["steps"] for way in self.rules.get("procedures", ())}

    def dealing(self, name: str) -> list[tuple[str, int]]:
        """Where a procedure puts the cards of the pack, in order: places (`burned` is one), and how many."""
        steps = self.procedures[name]
        order: list[tuple[str, int]] = []
        for step in steps:
            if "burn" in step:
                order += [("burned", 1)] * step["burn"]
            elif "discard" in step:
                lying = [at for at, (place, _) in enumerate(order) if place == step["discard"]]
                order[lying[step["card"] - 1]] = ("burned", 1)
            elif "deal" in step:
                places = step["deal"].split("-and-")
                for _ in range(step.get("rounds", 1)):
                    for place in places:
                        one_by_one = place != "positions"
                        order += [(place, 1)] * step["cards"] if one_by_one else [(place, step["cards"])]
        return order

    @property
    def wagers(self) -> Mapping[str, Data]:
        """The wagers of the layout."""
        found: Mapping[str, Data] = self.rules.get("wagers", {})
        return found

    @property
    def hands(self) -> list[str]:
        """The wagers that a position is dealt a hand for."""
        return sorted(name for name, rule in self.wagers.items() if rule.get("entitles-to-hand"))

    @property
    def community(self) -> frozenset[str]:
        """The names of the community cards and of their parts."""
        return frozenset({"community", *self.rules["cards"].get("parts", {})})

    @property
    def progressive(self) -> Data:
        """What the book says of its jackpot; nothing where it has none."""
        found: Data = self.rules.get("jackpot") or {}
        return found

    @property
    def plays_for_meter(self) -> str:
        """The wager that plays for the jackpot, by whatever name; empty where there is none."""
        return str(self.progressive.get("wager", ""))

    def entitles_to_hand(self, wager: str) -> bool:
        """Whether a position with a stake on this wager is dealt a hand."""
        return bool(self.wagers.get(wager, {}).get("entitles-to-hand"))

    def is_pooled(self, wager: str) -> bool:
        """Whether several players may share one area of a wager."""
        rule = self.wagers.get(wager, {})
        return bool(self.wagers.get(rule.get("of", ""), rule).get("pooled"))

    @property
    def pools_in_any_order(self) -> bool:
        """Whether others may wager before the player who sits at a position, and stay after them."""
        return bool(self.rules.get("limits", {}).get("pooling", {}).get("order") == "any")

    def entitles(self, wagers: Iterable[str]) -> bool:
        """Whether a stake on the jackpot beside these wagers is accepted: it needs any one of some."""
        needs = self.wagers.get(self.plays_for_meter, {}).get("needs", ())
        return not needs or any(name in needs for name in wagers)

    @property
    def awards(self) -> dict[str, str]:
        """What each class of hand is awarded on the jackpot's wager, as the book writes it."""
        found: dict[str, str] = self.rules.get("pays", {}).get(self.plays_for_meter, {}).get("rows", {})
        return found

    def share(self, hand_class: str) -> Fraction:
        """The percentage of the meter that a class of hand wins; nothing for one that wins no share."""
        text = self.awards.get(hand_class, "")
        return Fraction(text.removesuffix("%")) if text.endswith("%") else Fraction(0)

    def power(self, name: str) -> str:
        """The least rank that the book gives a power to; empty where it gives it to nobody."""
        powers = self.rules.get("authorities", {}).get("powers", ())
        return next((str(row["position"]) for row in powers if row["power"] == name), "")

    def collects_from_folded(self, wager: str) -> bool:
        """Whether a hand that folds loses a wager."""
        cell = self.rules.get("settlement", {}).get(wager, {}).get("folded") or {}
        return cell.get("then") == "collect"

    def could_pay(
        self, wager: str, paid: int, stake: int, hand_class: str | None, *, whole: bool
    ) -> bool | None:
        """Whether a pay table can pay so many cents on such a stake, or a part of it unless it is `whole`.

        None of a table that is written in words that are not known here.
        """
        table = self.rules.get("pays", {}).get(wager)
        if table is None:
            return None
        rows = dict(table.get("rows") or {})
        texts = [table["any"]] if "any" in table else list(rows.values())
        if hand_class is not None and rows:
            texts = [rows[hand_class]] if hand_class in rows else []
        fits = False
        for text in texts:
            odds, _, per = text.replace(" for ", " to ").partition(" to ")
            try:
                amount = Fraction(odds.removesuffix("%")) / Fraction(per or 1)
            except (ValueError, ZeroDivisionError):
                return None
            if odds.endswith("%"):
                continue
            if not per:
                fits = fits or amount * 100 == paid
                continue
            if amount <= 0:
                continue
            part = paid / amount
            fits = fits or (part == stake if whole else part <= stake and not part % 1)
            if self.progressive.get("multiple", "in-stake") != "in-stake" and wager == self.plays_for_meter:
                fits = fits or (part >= stake and part % stake == 0)
        most = Fraction(table["cap"]) * 100 if "cap" in table else None
        return fits or (most is not None and paid <= most)

    def funding(self, name: str) -> str:
        """How the book's jackpot is fed and measured, by one of the questions that it may answer."""
        return str(self.progressive.get(name, KNOWN_FUNDING[name][0]))

    def policy(self, name: str) -> str:
        """How the book shares a meter, by one of the questions that it may answer."""
        return str(self.progressive.get("sharing", {}).get(name, KNOWN_POLICIES[name][0]))

    @property
    def unknown(self) -> list[str]:
        """What the book says of its jackpot in words that this verifier does not know."""
        tables = ((self.progressive, KNOWN_FUNDING), (self.progressive.get("sharing", {}), KNOWN_POLICIES))
        return [
            f"{name} = {value!r}"
            for table, known in tables
            for name, value in table.items()
            if not name.endswith("clauses") and name not in ("wager", "sharing")
            if value not in known.get(name, ())
        ]

    def takes_contributions_back(self, awards: Iterable[Data]) -> bool:
        """Whether the stakes of a round with these awards do not feed the meter: it is won whole."""
        whole = any(award["from_meter"] and self.share(award["hand_class"]) == WHOLE for award in awards)
        return whole and self.funding("contributes") == "unless-won-whole"

    @property
    def changes_contributions(self) -> bool:
        """Whether what goes to the meter and comes back is counted in a way that is not known here."""
        return any(word.partition(" ")[0] not in KNOWN_POLICIES for word in self.unknown)

    @property
    def chip(self) -> int:
        """The smallest chip, in cents."""
        return int(Fraction(self.rules["house"].get("chip", "1.00")) * 100)


@dataclass(slots=True)
class _Undo:
    postings: list[tuple[str, int]]
    claims: int
    laid: dict[Key, int]
    folded: dict[Key, int]
    jackpot_back: int
    payouts: dict[str, int]


@dataclass(slots=True)
class _Round:
    """One round. `back_later` are jackpot stakes that went back after a settlement was undone.

    `settlements` are those that were made, and whether the same request undid the one before.
    `row` is the round in the index; `slips` are the papers that stand or stood, with whether the settlement
    paid a claim that somebody had to verify; `claimed` are positions whose claim is on its way.
    """

    number: int
    opened: Event
    link: str
    bp: int | None
    closed: Event | None = None
    counted: dict[int, int] = field(default_factory=dict)
    entered_later: list[int] = field(default_factory=list)
    jackpot_back: int = 0
    claims: list[tuple[Event, tuple[Hand, ...]]] = field(default_factory=list)
    dropped: list[Event] = field(default_factory=list)
    fixed: list[Event] = field(default_factory=list)
    awards: list[Share] = field(default_factory=list)
    slips: list[tuple[Event, bool]] = field(default_factory=list)
    row: dict[str, Any] = field(default_factory=dict)
    settled: Event | None = None
    voided: Event | None = None
    undo: _Undo | None = None
    undone_at: int = 0
    settlements: list[tuple[Event, bool]] = field(default_factory=list)
    back_later: int = 0
    claimed: tuple[int, ...] = ()
    confirms: bool = False

    @property
    def ended(self) -> bool:
        return self.settled is not None or self.voided is not None

    def drop_claim(self, event: Event) -> None:
        """A claim is not upheld, or its hand or the whole round is out."""
        self.dropped.append(event)
        self.claimed = ()


def _hands(data: Iterable[Data]) -> tuple[Hand, ...]:
    return tuple((hand["position"], hand["player"], hand["hand_class"]) for hand in data)


def _worth(count: Mapping[str, int]) -> int:
    return sum(int(chip) * number for chip, number in count.items())


def _without_zeros(amounts: Mapping[str, int]) -> dict[str, int]:
    return {name: amount for name, amount in amounts.items() if amount}


def _canonical(said: Data) -> bytes:
    return json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _shuffled(seed: bytes) -> list[int]:
    """The order of 52 places that a seed makes: Fisher and Yates, with words of SHA-256 that favour none."""
    words: list[int] = []
    order, block = list(range(52)), 0
    for last in range(51, 0, -1):
        usable = 2**32 - 2**32 % (last + 1)
        while True:
            if not words:
                made = hashlib.sha256(seed + block.to_bytes(4, "big")).digest()
                words = [int.from_bytes(made[at : at + 4], "big") for at in range(0, 32, 4)]
                block += 1
            word = words.pop(0)
            if word < usable:
                break
        other = word % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def _digits(text: Any) -> bool:
    return isinstance(text, str) and len(text) == 64 and set(text) <= DIGITS


class _Order:
    """The order of one round's sealed deck: what devices have committed to and revealed, and what it made."""

    def __init__(self, table: str, number: int = 0, root: str = "", composition: Data | None = None) -> None:
        self.seal = {"root": root, "round": number, "table": table}
        self.composition = composition
        self.commitments: dict[tuple[str, str], str] = {}
        self.secrets: dict[tuple[str, str], str] = {}
        self.composed_at: int | None = None
        self.places = list(range(52))

    def commit(self, event: Event, *, is_open: bool) -> str:
        """Note a commitment; says why it is none, or nothing."""
        player, device = event.data["player"], event.data["device"]
        if self.composition is None:
            return "in this round nothing is contributed"
        if not is_open:
            return "a device committed when bets were closed"
        if event.actor != f"player/{player}":
            return f"committed by {player}, written by {event.actor}"
        if any(player == other for other, _ in self.commitments):
            return f"{player} has committed in this round before"
        if not (0 < len(device) <= 40 and device.replace("-", "a").isalnum() and device.isascii()):
            return f"{device!r} names no device"
        if not _digits(event.data["commitment"]):
            return "this is no commitment"
        self.commitments[player, device] = event.data["commitment"]
        return ""

    def deadline(self, closed: Event) -> int:
        """Until when devices reveal."""
        seconds: int = (self.composition or {"reveal_seconds": 0})["reveal_seconds"]
        return closed.at + seconds * SECOND

    def reveal(self, event: Event, closed: Event | None) -> str:
        """Note a secret; says why it is none, or nothing."""
        player, device, secret = (event.data[name] for name in ("player", "device", "secret"))
        if closed is None:
            return "a device revealed while bets were open"
        if self.composed_at is not None or event.at >= self.deadline(closed):
            return "a device revealed when the time for it was over"
        if event.actor != f"player/{player}":
            return f"revealed by {player}, written by {event.actor}"
        if (player, device) in self.secrets:
            return f"{device} had revealed before"
        said = {**self.seal, "player": player, "device": device, "secret": secret}
        made = hashlib.sha256(_canonical(said)).hexdigest()
        if not _digits(secret) or self.commitments.get((player, device)) != made:
            return f"this is not what {device} of {player} committed to"
        self.secrets[player, device] = secret
        return ""

    def compose(self, event: Event, closed: Event | None) -> Iterator[str]:
        """Make the order; says what is wrong with what is said to make it."""
        data, beacon = event.data, event.data["beacon"]
        if self.composition is None or closed is None:
            yield "there is no order to compose"
            return
        if self.composed_at is not None:
            yield "the order was composed before"
            return
        self.composed_at = event.at
        if not self.commitments and self.composition["beacon"] is None:
            yield "nothing was contributed, and no beacon announced"
        silent = sorted(self.commitments.keys() - self.secrets.keys())
        for name, due in (("contributions", sorted(self.secrets)), ("withheld", silent)):
            found = [(row["player"], row["device"]) for row in data[name]]
            if found != due:
                yield f"{name} are {found or 'none'}, it should be {due or 'none'}"
        if silent and event.at < self.deadline(closed):
            yield "devices were left out before the time to reveal was over"
        problem = self._beacon_wrong(self.composition["beacon"], beacon, event.at, self.deadline(closed))
        if problem:
            yield problem
        if self.secrets or beacon is not None:
            given = [
                {"device": device, "player": player, "secret": self.secrets[player, device]}
                for player, device in sorted(self.secrets)
            ]
            seed = _canonical({**self.seal, "beacon": beacon, "contributions": given})
            self.places = _shuffled(hashlib.sha256(seed).digest())

    @staticmethod
    def _beacon_wrong(said: Data | None, value: Data | None, at: int, deadline: int) -> str:
        """Why a beacon's value is not that of the first round published after the reveals, or nothing."""
        if said is None:
            return "" if value is None else "a beacon was mixed in that was not announced"
        number = max(said["round"], (deadline // SECOND - said["genesis"]) // said["period"] + 2)
        published = (said["genesis"] + (number - 1) * said["period"]) * SECOND
        if value is None:
            if said["missing"] != "without":
                return "the beacon is missing, and the round was to wait for it"
            soon = at < published + said["wait_seconds"] * SECOND
            return "the beacon was not waited for as long as announced" if soon else ""
        if value.keys() != {"round", "signature"} or type(value["round"]) is not int:
            return "this is no value of a beacon"
        if value["round"] != number:
            return (
                f"round {value['round']} of the beacon was mixed in, {number} is the first after the reveals"
            )
        if at < published:
            return "the beacon's value was used before it was published"
        message = f"{said['name']}|{number}".encode()
        try:
            signature = bytes.fromhex(value["signature"])
            one_text = signature.hex() == value["signature"]  # the seed is made of its digits as written
            holds = one_text and signed_by(bytes.fromhex(said["key"]), message, signature)
        except ValueError:
            holds = False
        return "" if holds else "the beacon's value is not signed by its key"

    def owed_at(self, at: int) -> str:
        """Whether the first cards leave the deck without a composition that is owed, or later than that."""
        if self.composed_at is not None:
            return "" if self.composed_at == at else "the order was composed before the deal that needed it"
        owed = self.composition is not None and (self.commitments or self.composition["beacon"] is not None)
        return "cards left the deck before its order was composed" if owed else ""


class _Table:
    """One table's stream folded: who has what on the layout, and each round for the joins with its link."""

    def __init__(self, name: str, books: _Books, rulebooks: Mapping[str, _Book]) -> None:
        self.name = name
        self.books = books
        self.rulebooks = rulebooks
        self.currency = ""
        self.link = ""
        self.book = _Book("", {})
        self.book_hash = ""
        self.terms: Data | None = None
        self.is_open = False
        self.rounds: dict[int, _Round] = {}
        self.round: _Round | None = None
        self.laid: dict[Key, int] = {}
        self.folded: dict[Key, int] = {}
        self.back: dict[Key, int] = {}
        self.removed: set[int] = set()
        self.plays: dict[int, str] = {}
        self.sits: dict[int, str] = {}
        self.back_with_hand: dict[Key, int] = {}
        self.left_over = 0
        self.outside: dict[str, int] = defaultdict(int)
        self.rack_changes: dict[str, int] = defaultdict(int)
        self.slips = 0
        self.virtual = False
        self.kept_decks: set[int] = set()
        self.opened_decks: list[Event] = []
        self.outages: list[Event] = []
        self.seal = b""
        self.left_deck: list[tuple[int, str]] = []
        self.fixes_dealing = False
        self.fixes_order = False
        self.practice = False
        self.order = _Order(name)
        self.places_drawn = 0
        self.cards_drawn: set[str] = set()
        self.hands: list[str] = []
        self.lies_at: dict[str, list[int]] = {}
        self.procedure = ""
        self.standing: dict[int, Data] = {}
        self.slips_due: dict[Paper, dict[str, Any]] = {}
        self.slips_by_player = False
        self.slips_by_position: dict[Paper, dict[str, Any]] | None = None
        self.slips_undone: set[int] = set()
        self.racks: dict[str, int] = {}
        self.debts: dict[str, int] = defaultdict(int)
        self.handlers: dict[str, Callable[[Event], None]] = {
            "table-opened.v1": self._opened,
            "table-closed.v1": self._closed,
            "bought-in.v1": self._bought_in,
            "cashed-out.v1": self._cashed_out,
            "debt-recorded.v1": self._debt,
            "debt-reduced.v1": self._debt_reduced,
            "rack-changed.v1": self._rack_changed,
            "filled.v1": self._filled,
            "credited.v1": self._credited,
            "jackpot-terms-set.v1": self._terms_set,
            "bets-opened.v1": self._bets_opened,
            "bets-closed.v1": self._bets_closed,
            "wager-placed.v1": self._placed,
            "unnoticed-wager-entered.v1": self._unnoticed,
            "wager-withdrawn.v1": self._withdrawn,
            "share-folded.v1": self._share_folded,
            "decision-taken-back.v1": self._taken_back,
            "hand-removed.v1": self._hand_removed,
            "share-returned.v1": self._share_returned,
            "round-settled.v1": self._round_settled,
            "round-voided.v1": self._round_voided,
            "settlement-reversed.v1": self._reversed,
            "jackpot-claimed.v1": self._claimed,
            "jackpot-claim-dropped.v1": self._claim_dropped,
            "meter-read.v1": self._meter_read,
            "payout-slip.v1": self._slip,
            "deck-sealed.v1": self._sealed,
            "deck-sealed.v2": self._sealed,
            "entropy-committed.v1": self._committed,
            "entropy-revealed.v1": self._revealed,
            "order-composed.v1": self._composed,
            "cards-drawn.v1": self._drawn,
            "cards-dealt.v1": self._hand_dealt,
            "cards-burned.v1": self._dealt,
            "card-discarded.v1": self._discarded,
            "cards-ordered.v1": self._ordered,
            "entry-corrected.v1": self._entry_corrected,
        }

    def account(self, kind: str, player: str = "") -> str:
        name = f"{self.currency}/{kind}/{self.name}"
        return f"{name}/{player}" if player else name

    def _move(self, source: str, target: str, cents: int) -> None:
        self.books.move(source, target, cents * UNITS)

    def _opened(self, event: Event) -> None:
        data = event.data
        if self.is_open:
            self.books.say(event.where, "the table is open already")
        self.is_open = True
        self.currency, self.link, self.terms = data["currency"], data["link"], data["jackpot"]
        self.book_hash = data["rulebook"]
        self.virtual, self.procedure = data["cards"] == "virtual", data["procedure"]
        self.practice = data["practice"]
        self.slips_by_player = self.slips_by_player or data.get("slips_by") == "player"
        if self.book_hash not in self.rulebooks:
            self.books.say(event.where, "the rulebook was never proposed")
        self.book = self.rulebooks.get(self.book_hash, _Book("", {}))
        if self.book.id and self.procedure not in self.book.procedures:
            self.books.say(event.where, f"{self.book.id} has no procedure {self.procedure!r}")
        self._move(self.account("cage"), self.account("float"), _worth(data["count"]))

    def _closed(self, event: Event) -> None:
        data = event.data
        if self.round is not None and not self.round.ended:
            self.books.say(event.where, f"round {self.round.number} is not ended")
        expected, expected_drop = data["expected"], data["expected_drop"]
        for kind, cents in (("float", expected), ("drop", expected_drop)):
            held = self.books.balances.get(self.account(kind), 0)
            if held != cents * UNITS:
                self.books.say(event.where, f"the {kind} expected is {cents * UNITS}, the books say {held}")
        counted = _worth(data["count"]) + data["drop"]
        self.books.post(self.account("float"), -expected * UNITS)
        self.books.post(self.account("drop"), -expected_drop * UNITS)
        self.books.post(self.account("cage"), counted * UNITS)
        self.books.post(self.account("over-short"), (expected + expected_drop - counted) * UNITS)
        self.is_open = False

    def _bought_in(self, event: Event) -> None:
        player, amount = event.data["player"], event.data["amount"]
        if amount <= 0 or _worth(event.data["chips"]) != amount:
            self.books.say(event.where, f"chips worth {_worth(event.data['chips'])} for {amount}")
        self._move(self.account("patrons"), self.account("drop"), amount)
        self._move(self.account("float"), self.account("rack", player), amount)
        self.outside[player] += amount

    def _cashed_out(self, event: Event) -> None:
        player, amount = event.data["player"], event.data["amount"]
        if amount < 0:
            self.books.say(event.where, f"an amount of {amount}")
        self._move(self.account("rack", player), self.account("patrons"), amount)
        self.outside[player] -= amount

    def _debt(self, event: Event) -> None:
        """A player had taken away what is undone now: he owes it, and his rack is whole again."""
        player, amount = event.data["player"], event.data["amount"]
        if amount <= 0:
            self.books.say(event.where, f"an amount of {amount}")
        self._move(self.account("owed"), self.account("rack", player), amount)
        self.outside[player] += amount
        self.debts[player] += amount

    def _debt_reduced(self, event: Event) -> None:
        """The round was settled anew: what it gives back comes off what the player owes for it."""
        player, amount = event.data["player"], event.data["amount"]
        if not 0 < amount <= self.debts[player]:
            self.books.say(event.where, f"{amount} off a debt of {self.debts[player]} for this round")
        self._move(self.account("rack", player), self.account("owed"), amount)
        self.outside[player] -= amount
        self.debts[player] -= amount

    def _mark(self, event: Event, status: str, laid: Iterable[Key]) -> None:
        """The round as the index has it after an event."""
        row = self._current(event).row
        row |= {"last_version": event.version, "status": status}
        row["ended_at"] = event.at if status in ("settled", "void") else None
        row["jackpot"] = any(key[2] == self.book.plays_for_meter for key in laid)

    def _hand_dealt(self, event: Event) -> None:
        self._mark(event, "playing", self.laid)
        row = self._current(event).row
        row["dealt_at"] = row["dealt_at"] or event.at
        self._dealt(event)

    def _sealed(self, event: Event) -> None:
        """The root is that of 52 commitments, by the second rule also of how the table deals them.

        By the third rule it is that of how their order is composed, too.
        """
        data, hashes, announced = event.data, base64.b64decode(event.data["commitments"]), b""
        composition = data.get("composition")
        self._must_be_composed(event, composition)
        self.order = _Order(self.name, self._current(event).number, data["root"], composition)
        if event.name == "deck-sealed.v2":
            said = {"dealing": data["dealing"], "hands": data["hands"]}
            said |= {} if composition is None else {"composition": composition}
            said |= {"round": self._current(event).number, "table": self.name}
            announced = json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
            self.fixes_dealing = True
            if self._spelt_out(data["dealing"]) != self._by_the_book() or data["hands"] != self.book.hands:
                self.books.say(event.where, "the dealing announced is not that of the procedure")
        elif self.fixes_dealing:
            self.books.say(event.where, "the seal does not fix the dealing, those before it did")
        if len(hashes) != 52 * 32 or hashlib.sha256(hashes + announced).hexdigest() != data["root"]:
            self.books.say(event.where, "the root is not that of what was sealed")
        self.seal, self.left_deck, self.places_drawn, self.lies_at = hashes, [], 0, {}
        self.cards_drawn = set()

    def _must_be_composed(self, event: Event, composition: Data | None) -> None:
        """Once the order was composed at a table it always is, unless the table is for practice."""
        if composition is None:
            if self.fixes_order and not self.practice:
                self.books.say(
                    event.where, "the seal does not fix how the order is composed, those before did"
                )
            return
        self.fixes_order = True
        if self.practice or not self.virtual:
            self.books.say(event.where, "the order of such a table's deck is not composed")
        beacon, earliest = composition["beacon"], event.at // SECOND + composition["reveal_seconds"]
        if composition["reveal_seconds"] < 1:
            self.books.say(event.where, "there is no time to reveal")
        if beacon is None:
            return
        if (
            beacon["missing"] not in ("wait", "without")
            or min(beacon["period"], beacon["wait_seconds"] + 1) < 1
        ):
            self.books.say(event.where, "no such beacon can be announced")
        elif beacon["genesis"] + (beacon["round"] - 1) * beacon["period"] <= earliest:
            self.books.say(event.where, "the beacon's round is published before devices have revealed")

    def _committed(self, event: Event) -> None:
        play = self._live(event)
        self._say(event, self.order.commit(event, is_open=play.closed is None and not play.ended))

    def _revealed(self, event: Event) -> None:
        self._say(event, self.order.reveal(event, self._live(event).closed))

    def _composed(self, event: Event) -> None:
        if self.places_drawn or self.left_deck:
            self.books.say(event.where, "the order was composed when cards had left the deck")
        for problem in self.order.compose(event, self._live(event).closed):
            self.books.say(event.where, problem)

    def _say(self, event: Event, problem: str) -> None:
        if problem:
            self.books.say(event.where, problem)

    def _by_the_book(self) -> list[tuple[str, int]]:
        community = self.book.community
        order = self.book.dealing(self.procedure)
        return [("community" if row in community else row, cards) for row, cards in order]

    @staticmethod
    def _spelt_out(dealing: Iterable[Data]) -> list[tuple[str, int]]:
        """What was announced, one card at a time but for positions, of which each gets its cards."""
        order: list[tuple[str, int]] = []
        for part in dealing:
            row, cards = part["to"], part["cards"]
            order += [(row, cards)] if row == "positions" else [(row, 1)] * min(cards, 53)
        return order

    def _drawn(self, event: Event) -> None:
        """What leaves the deck is the next place in its order, and what was committed to there."""
        self._all_dealt(event.where)
        if not self.places_drawn:
            self._say(event, self.order.owed_at(event.at))
            self.hands = [str(n) for n in sorted({key[0] for key in self.laid if key[2] in self.book.hands})]
        for opening in event.data["openings"]:
            place, card = opening["index"], opening["card"]
            made = hashlib.sha256(bytes.fromhex(opening["salt"]) + f"|{place}|{card}".encode()).digest()
            if made != self.seal[32 * place : 32 * place + 32]:
                self.books.say(event.where, f"{card} is not what was sealed")
            if card in self.cards_drawn:
                self.books.say(event.where, f"{card} was twice in the sealed deck")
            self.cards_drawn.add(card)
            self.left_deck.append((place, card))
        places = [place for place, _ in self.left_deck]
        due = self.order.places[self.places_drawn : self.places_drawn + len(places)]
        if places != due:
            self.books.say(event.where, f"{places} of the sealed deck were drawn, {due} come next")
        self.places_drawn += len(places)

    def _dealt(self, event: Event) -> None:
        """Only what has left the deck is dealt or burned, in its order, and to positions that have bet."""
        if not self.virtual:
            return
        count, cards, to = event.data["count"], event.data["cards"] or [], event.data.get("place", "burned")
        left = self.left_deck[:count]
        if [card for _, card in left] != cards:
            self.books.say(event.where, f"{cards} were dealt, {left} left the deck")
        if to.isdigit() and not any(key[0] == int(to) for key in self.laid):
            self.books.say(event.where, f"cards were dealt to {to}, where nobody has bet")
        self.lies_at.setdefault(to, []).extend(place for place, _ in left)
        del self.left_deck[:count]

    def _discarded(self, event: Event) -> None:
        if self.virtual:
            place = self.lies_at[event.data["place"]].pop(event.data["number"] - 1)
            self.lies_at.setdefault("burned", []).append(place)

    def _ordered(self, event: Event) -> None:
        if self.virtual:
            self.books.say(event.where, "the order of a sealed deck was changed")

    def _all_dealt(self, where: str) -> None:
        """Nothing that has left the deck was put aside, and every card lies where the procedure puts it."""
        if not self.virtual:
            return
        if self.left_deck:
            self.books.say(where, f"{self.left_deck} left the deck and were not dealt")
        self.left_deck = []
        lies = {place: row for row, places in self.lies_at.items() for place in places}
        if not lies or self.procedure not in self.book.procedures:  # said when the table opened
            return
        order: list[str] = []
        for to, cards in self._by_the_book():
            order += [row for row in (self.hands if to == "positions" else [to]) for _ in range(cards)]
        community = self.book.community
        expected = order[: len(lies)]
        in_turn = sorted(lies, key=self.order.places.index)
        found = ["community" if lies[place] in community else lies[place] for place in in_turn]
        if expected != found:
            text = f"by the procedure cards go to {', '.join(expected)}; they went to {', '.join(found)}"
            self.books.say(where, text)

    def _slip(self, event: Event) -> None:
        """Slips are numbered without a gap; what one pays stands in the settlement or is taken back."""
        data, play = event.data, self._current(event)
        self.slips += 1
        if data["slip"] != self.slips:
            self.books.say(event.where, f"slip {self.slips} comes next, not {data['slip']}")
        if data["authorised_by"] != event.actor:
            self.books.say(
                event.where, f"authorised by {data['authorised_by'] or 'nobody'}, written by {event.actor}"
            )
        if data["corrects"]:
            due = self.standing.pop(data["corrects"], None)
            self.slips_undone.discard(data["corrects"])
        else:
            if "positions" not in data and self.slips_by_position is not None:
                self.slips_due = self.slips_by_position
            self.slips_by_position = None
            self.slips_by_player = self.slips_by_player or "positions" in data
            due = self._pop_due(data)
            said = ("round_number", "position", "player", "confirmed_by")
            self.standing[data["slip"]] = {
                **{name: data[name] for name in said},
                "amount": -data["amount"],
                "jackpot": -data["jackpot"],
                "positions": data.get("positions"),
            }
            play.slips.append((event, play.confirms))
        if due is None:
            self.books.say(event.where, "no such slip is due, or the one it takes back does not stand")
        for name, value in (due or {}).items():
            if data.get(name) != value:
                self.books.say(event.where, f"the slip says {name} {data.get(name)!r}, due is {value!r}")

    def _pop_due(self, data: Data) -> dict[str, Any] | None:
        """What the slip should say: of the same position, and as near to its player and kind as there is."""
        wanted: Paper = (data["position"], data["player"], bool(data["jackpot"]))
        near = [paper for paper in self.slips_due if paper[0] == wanted[0]]
        if not near:
            return None
        return self.slips_due.pop(
            max(near, key=lambda paper: (paper == wanted, paper[2] == wanted[2], paper[1] == wanted[1]))
        )

    def _say_unpapered(self, where: str) -> None:
        if self.slips_by_position is not None and not self.slips_by_position:
            self.slips_due = {}  # a table of before slips were made out to players
        for position, player, _ in sorted(self.slips_due):
            self.books.say(where, f"{player} was paid at position {position} without a slip")
        self.slips_due, self.slips_by_position = {}, None

    def papers_are_made(self) -> None:
        """Every award and large win has its slip, and no slip of an undone settlement stands."""
        where = f"table/{self.name}"
        if self.round is not None:
            where = (self.round.settled or self.round.voided or self.round.opened).where
        self._say_unpapered(where)
        for slip in sorted(self.slips_undone):
            self.books.say(where, f"slip {slip} of an undone settlement stands")
        self.standing, self.slips_undone = {}, set()

    def _slips_of(self, play: _Round, settlement: Data) -> dict[Paper, dict[str, Any]]:
        """What the slips of a settlement say: one for each jackpot award, one for a large win's rest."""
        lines: dict[str, list[tuple[int, Data]]] = defaultdict(list)
        for seat in settlement["seats"]:
            for owner in seat["owners"] or [seat]:
                lines[owner["player"]] += [
                    (seat["position"], line) for line in owner["lines"] if line["paid"]
                ]
        due: dict[Paper, dict[str, Any]] = {}
        for player, own in lines.items():
            awards = [[part] for part in own if part[1]["wager"] == self.book.plays_for_meter]
            rest = [part for part in own if part[1]["wager"] != self.book.plays_for_meter]
            is_large = sum(line["paid"] for _, line in own) >= LARGE_WIN
            for paper in [*awards, *([rest] if rest and is_large else [])]:
                amount = sum(line["paid"] for _, line in paper)
                positions = list(dict.fromkeys(position for position, _ in paper))
                due[positions[0], player, paper is not rest] = {
                    "round_number": play.number,
                    "position": positions[0],
                    "positions": positions,
                    "player": player,
                    "amount": amount,
                    "jackpot": 0 if paper is rest else amount,
                    "clauses": list(dict.fromkeys(name for _, line in paper for name in line["clauses"])),
                }
        return due

    def _slips_by_position(self, play: _Round, settlement: Data) -> dict[Paper, dict[str, Any]]:
        """What they said before they were made out to players: all that a position was paid."""
        won: dict[int, int] = defaultdict(int)
        for award in (settlement["jackpot"] or {"awards": ()})["awards"]:
            won[award["position"]] += award["amount"]
        due: dict[Paper, dict[str, Any]] = {}
        for seat in settlement["seats"]:
            position = seat["position"]
            paid = sum(line["paid"] for line in seat["lines"])
            if not won[position] and paid < LARGE_WIN:
                continue
            cited = [clause for line in seat["lines"] if line["paid"] for clause in line["clauses"]]
            due[position, seat["player"], bool(won[position])] = {
                "round_number": play.number,
                "position": position,
                "positions": None,
                "player": seat["player"],
                "amount": paid,
                "jackpot": won[position],
                "clauses": list(dict.fromkeys(cited)),
            }
        return due

    def _entry_corrected(self, event: Event) -> None:
        play = self._current(event)
        if not play.opened.version <= event.data["corrects"] < event.version:
            self.books.say(event.where, f"entry {event.data['corrects']} is no entry of this round")
        if event.data["authorised_by"] != event.actor:
            self.books.say(
                event.where, f"authorised by {event.data['authorised_by']}, written by {event.actor}"
            )

    def _rack_changed(self, event: Event) -> None:
        self.rack_changes[event.data["player"]] += event.data["amount"]

    def _filled(self, event: Event) -> None:
        self._move(self.account("cage"), self.account("float"), _worth(event.data["count"]))

    def _credited(self, event: Event) -> None:
        self._move(self.account("float"), self.account("cage"), _worth(event.data["count"]))

    def _terms_set(self, event: Event) -> None:
        self.terms = event.data
        if self.round is not None and self.round.opened.at == event.at and self.round.closed is None:
            self.round.bp = event.data["increment_bp"]

    def _bets_opened(self, event: Event) -> None:
        number = event.data["round_number"]
        if self.round is not None and not self.round.ended:
            self.books.say(event.where, f"round {self.round.number} was not ended")
        if self.round is not None and number != self.round.number + 1:
            self.books.say(event.where, f"round {number} follows round {self.round.number}")
        if number in self.rounds:
            self.books.say(event.where, f"round {number} was played before")
        self._layout_is_empty(event)
        self.papers_are_made()
        self.debts.clear()
        bp = None if self.terms is None else self.terms["increment_bp"]
        self.round = self.rounds[number] = _Round(number, event, self.link, bp)
        self.folded, self.back, self.removed, self.back_with_hand = {}, {}, set(), {}
        self.plays, self.sits = {}, {}
        self.round.row |= {"rulebook": self.book_hash, "link": self.link, "first_version": event.version}
        self.round.row |= {"opened_at": event.at, "dealt_at": None}
        self._mark(event, "betting", ())

    def _current(self, event: Event) -> _Round:
        if self.round is None:
            raise ValueError("no round is open")
        return self.round

    def _live(self, event: Event) -> _Round:
        play = self._current(event)
        if play.ended:
            self.books.say(event.where, f"round {play.number} has ended")
        return play

    def _bets_closed(self, event: Event) -> None:
        play = self._live(event)
        if play.closed is not None:
            self.books.say(event.where, "bets were closed before")
        play.closed = event
        beside: dict[int, set[str]] = defaultdict(set)
        for position, _, wager in self.laid:
            beside[position].add(wager)
        for (position, _, wager), cents in self.laid.items():
            if wager == self.book.plays_for_meter and self.book.entitles(beside[position]):
                play.counted[position] = play.counted.get(position, 0) + cents
        expected = sum(play.counted.values()) * (play.bp or 0)
        if event.data["contribution"] != expected:
            self.books.say(event.where, f"contribution {event.data['contribution']} instead of {expected}")

    def _placed(self, event: Event) -> None:
        play, data = self._live(event), event.data
        key, amount = (data["position"], data["player"], data["wager"]), data["amount"]
        self._comes(data["position"], data["player"], seated=bool(data.get("seated")))
        if amount <= 0:
            self.books.say(event.where, f"an amount of {amount}")
        if data["wager"] == self.book.plays_for_meter and play.closed is not None:
            self.books.say(event.where, "a jackpot stake after bets were closed")
        self.laid[key] = self.laid.get(key, 0) + amount
        self._move(self.account("rack", data["player"]), self.account("layout"), amount)

    def _unnoticed(self, event: Event) -> None:
        """A stake that lay there when bets closed, entered later: it counts and contributes as it lay."""
        play, data = self._live(event), event.data
        position, amount = data["position"], data["amount"]
        key = (position, data["player"], data["wager"])
        if amount <= 0 or play.closed is None:
            self.books.say(event.where, f"{amount} that lay there at the close, which was not yet")
        self._comes(position, data["player"], seated=False)
        self.laid[key] = self.laid.get(key, 0) + amount
        self._move(self.account("rack", data["player"]), self.account("layout"), amount)
        before = sum(play.counted.values())
        here = [(wager, cents) for (at, _, wager), cents in self.laid.items() if at == position]
        for_meter = sum(cents for wager, cents in here if wager == self.book.plays_for_meter)
        if for_meter and self.book.entitles(wager for wager, _ in here):
            play.counted[position] = for_meter
        expected = (sum(play.counted.values()) - before) * (play.bp or 0)
        if data["contribution"] != expected:
            self.books.say(event.where, f"contribution {data['contribution']} instead of {expected}")
        if expected:
            play.entered_later.append(event.at)

    def _withdrawn(self, event: Event) -> None:
        play, data = self._live(event), event.data
        key, amount = (data["position"], data["player"], data["wager"]), data["amount"]
        if amount <= 0 or self.laid.get(key, 0) < amount:
            self.books.say(event.where, f"{amount} withdrawn of {self.laid.get(key, 0)}")
        self._off_layout(key, amount)
        self._goes(data["position"])
        self._jackpot_back(play, key, amount)
        self._move(self.account("layout"), self.account("rack", data["player"]), amount)

    def _comes(self, position: int, player: str, *, seated: bool) -> None:
        """Who plays a position: the first player there, or the seated one who comes to it, or comes back."""
        here = [key for key in self.laid if key[0] == position]
        shared = all(key[1] == player or self.book.is_pooled(key[2]) for key in here)
        back = self.sits.get(position) == player and self.book.pools_in_any_order and shared
        if position not in self.plays or seated or back:
            self.plays[position] = self.sits[position] = player

    def _goes(self, position: int) -> None:
        """Who plays a position once chips are off it: the same player, or the first of the owners left."""
        left = [key for key in self.laid if key[0] == position]
        owners = {key[1] for key in left}
        if not left:
            self.plays.pop(position, None)
            self.sits.pop(position, None)
        elif self.plays.get(position) not in owners:
            order = [*filter(self.book.entitles_to_hand, self.book.wagers), *(key[2] for key in left)]
            first = min(left, key=lambda key: order.index(key[2]))
            self.plays[position] = first[1] if self.book.pools_in_any_order else min(owners)

    def hands_of(self, player: str) -> set[int]:
        """The positions that a player plays now and that have a hand; not those where they have a share."""
        dealt_in = {key[0] for key in self.laid if self.book.entitles_to_hand(key[2])}
        return {position for position, who in self.plays.items() if who == player} & dealt_in

    def _off_layout(self, key: Key, amount: int) -> None:
        left = self.laid.get(key, 0) - amount
        if left:
            self.laid[key] = left
        else:
            self.laid.pop(key, None)

    def _jackpot_back(self, play: _Round, key: Key, cents: int) -> None:
        if key[2] == self.book.plays_for_meter and key[0] in play.counted:
            play.jackpot_back += cents

    def _share_folded(self, event: Event) -> None:
        self._live(event)
        position, player = event.data["position"], event.data["player"]
        for wager, amount in event.data["stakes"].items():
            key = (position, player, wager)
            if not self.book.collects_from_folded(wager):
                self.books.say(event.where, f"{wager} is collected, which a folded hand does not lose")
            if amount <= 0 or self.laid.get(key, 0) < amount:
                self.books.say(event.where, f"{amount} of {wager} folded of {self.laid.get(key, 0)}")
            self._off_layout(key, amount)
            self.folded[key] = self.folded.get(key, 0) + amount
            self._move(self.account("layout"), self.account("float"), amount)

    def _taken_back(self, event: Event) -> None:
        """Shares that were collected with a choice lie on the layout again."""
        self._live(event)
        for player, stakes in event.data["laid_again"].items():
            for wager, amount in stakes.items():
                key = (event.data["position"], player, wager)
                if self.folded.pop(key, 0) != amount:
                    self.books.say(event.where, f"{amount} of {wager} laid again was not collected")
                self.laid[key] = self.laid.get(key, 0) + amount
                self._move(self.account("float"), self.account("layout"), amount)

    def stakes_of_round(self) -> set[Key]:
        """Every stake of the round, those that a settlement has moved among them."""
        there = {key for stakes in (self.laid, self.folded, self.back) for key in stakes}
        undo = None if self.round is None else self.round.undo
        return there if undo is None else there | undo.laid.keys() | undo.folded.keys()

    def _give_back(self, play: _Round, key: Key) -> None:
        amount = self.laid.pop(key)
        self.back[key] = self.back.get(key, 0) + amount
        self._jackpot_back(play, key, amount)
        self._move(self.account("layout"), self.account("rack", key[1]), amount)

    def _give_back_folded(self, key: Key) -> int:
        amount = self.folded.pop(key)
        self._move(self.account("float"), self.account("rack", key[1]), amount)
        return amount

    def _hand_removed(self, event: Event) -> None:
        play, data = self._live(event), event.data
        position, before = data["position"], play.jackpot_back
        if position in self.removed:
            self.books.say(event.where, f"position {position} was removed before")
        wagers = list(dict.fromkeys(key[2] for key in self.laid if key[0] == position))
        here = [key for key in self.laid if key[0] == position]
        for key in sorted(here, key=lambda key: wagers.index(key[2])):
            self.back_with_hand[key] = self.laid[key]
            self._give_back(play, key)
        if data["forfeited_too"]:
            for key in [key for key in self.folded if key[0] == position]:
                amount = self._give_back_folded(key)
                self.back[key] = self.back.get(key, 0) + amount
                self.back_with_hand[key] = self.back_with_hand.get(key, 0) + amount
        self.removed.add(position)
        if position in play.claimed:
            play.drop_claim(event)
        expected = (play.jackpot_back - before) * (play.bp or 0)
        if play.undone_at == event.at:  # it comes off the meter with the settlement that is made again
            play.back_later += play.jackpot_back - before
            expected = 0
        if data["contribution"] != expected:
            self.books.say(event.where, f"contribution {data['contribution']} instead of {expected}")

    def _share_returned(self, event: Event) -> None:
        play = self._live(event)
        position, player = event.data["position"], event.data["player"]
        keys = [key for key in self.laid if key[:2] == (position, player)]
        if not keys:
            self.books.say(event.where, f"{player} has nothing on position {position}")
        for key in keys:
            self._give_back(play, key)

    def _layout_is_empty(self, event: Event) -> None:
        held = self.books.balances.get(self.account("layout"), 0)
        if self.laid or held != self.left_over:
            self.books.say(event.where, f"the layout holds {held} after the round ended: {self.laid}")
            self.laid = {}
            self.left_over = held

    def _owners_of(self, seat: Data, wager: str) -> set[str]:
        """Return who has that wager at a seat; those whose stakes went back only if nobody else has."""
        for stakes in ((*self.laid, *self.folded), tuple(self.back)):
            owners = {key[1] for key in stakes if key[0] == seat["position"] and key[2] == wager}
            if owners:
                return owners
        return set()

    def _owned_lines(self, event: Event, seat: Data) -> Iterator[tuple[str, Data]]:
        """Yield every line of a seat with the player it belongs to, and check that the split is whole."""
        if not seat["owners"]:
            for line in seat["lines"]:
                owners = self._owners_of(seat, line["wager"])
                if len(owners) > 1 and seat["position"] not in self.removed:
                    self.books.say(
                        event.where,
                        f"a pooled {line['wager']} at position {seat['position']} "
                        "is not split between its owners",
                    )
                yield (owners.pop() if len(owners) == 1 else seat["player"]), line
            return
        parts: dict[tuple[str, str], int] = defaultdict(int)
        for sign, lines in ((1, seat["lines"]), *((-1, owner["lines"]) for owner in seat["owners"])):
            for line in lines:
                for amount in ("stake", "returned", "collected", "paid"):
                    parts[line["wager"], amount] += sign * line[amount]
        for (wager, amount), rest in parts.items():
            if rest:
                self.books.say(
                    event.where,
                    f"owners of position {seat['position']} get {-rest:+} of "
                    f"{wager} {amount} over what the position has",
                )
        for owner in seat["owners"]:
            for line in owner["lines"]:
                yield owner["player"], line

    def _check_line(self, event: Event, seat: Data, line: Data) -> None:
        what = f"position {seat['position']} {line['wager']}"
        if line["stake"] != line["returned"] + line["collected"]:
            self.books.say(
                event.where,
                f"{what}: stake {line['stake']} is not returned {line['returned']} "
                f"and collected {line['collected']}",
            )
        if min(line["stake"], line["returned"], line["collected"], line["paid"]) < 0:
            self.books.say(event.where, f"{what}: a negative amount")

    def _removed_line(self, event: Event, seat: Data, player: str, line: Data) -> None:
        place = (seat["position"], line["wager"])
        back, folded = (
            sum(
                cents
                for key, cents in stakes.items()
                if (key[0], key[2]) == place and (key[1] == player or not seat["owners"])
            )
            for stakes in (self.back_with_hand, self.folded)
        )
        if line["paid"] or line["returned"] != back or line["collected"] not in (0, folded):
            self.books.say(
                event.where,
                f"position {place[0]} was removed with {back} on {place[1]}, its line says "
                f"returned {line['returned']}, collected {line['collected']}, paid {line['paid']}",
            )

    def _round_settled(self, event: Event) -> None:
        self._all_dealt(event.where)
        play, settlement = self._live(event), event.data["settlement"]
        before = dict(self.books.balances)
        laid, folded, jackpot_back = dict(self.laid), dict(self.folded), play.jackpot_back
        undone_at = play.undone_at
        awards = (settlement["jackpot"] or {"awards": ()})["awards"]
        fixed: dict[int, int] = defaultdict(int)
        from_meter: dict[int, int] = defaultdict(int)
        for award in awards:
            (from_meter if award["from_meter"] else fixed)[award["position"]] += award["amount"]
        payouts: dict[str, int] = defaultdict(int)
        claims = 0
        paid_at: set[int] = set()
        for seat in settlement["seats"]:
            position = seat["position"]
            for line in seat["lines"]:
                self._check_line(event, seat, line)
            for player, line in self._owned_lines(event, seat):
                if seat["owners"]:
                    self._check_line(event, seat, line)
                if position in self.removed:
                    self._removed_line(event, seat, player, line)
                    continue
                taken, on_layout, returned = self._settle_line(event, play, position, player, line)
                payouts[player] += taken
                if line["wager"] != self.book.plays_for_meter:
                    self.books.post(self.account("float"), (on_layout - taken) * UNITS)
                    continue
                paid_at.add(position)
                if line["paid"] != fixed[position] + from_meter[position]:
                    self.books.say(
                        event.where,
                        f"position {position} is paid {line['paid']} on the jackpot, "
                        f"its awards are {fixed[position] + from_meter[position]}",
                    )
                claims += from_meter[position] if self.link else 0
                by_house = line["paid"] - (from_meter[position] if self.link else 0)
                self.books.post(self.account("house"), (on_layout - returned - by_house) * UNITS)
        self._check_pays(event, settlement, awards)
        for position in sorted({award["position"] for award in awards} - paid_at):
            self.books.say(event.where, f"an award at position {position} without a jackpot line")
        if self.currency != PRACTICE:
            self.slips_due = self._slips_of(play, settlement)
            if not self.slips_by_player:
                self.slips_by_position = self._slips_by_position(play, settlement)
        play.confirms, play.claimed = bool(play.claimed), ()
        if self.book.takes_contributions_back(awards):
            play.jackpot_back = sum(play.counted.values())
        self._pay_claims(event, claims)
        self._check_reversal(event, settlement, play.jackpot_back - jackpot_back)
        self._check_payouts(event, payouts)
        self._check_movements(event, settlement)
        play.settled = event
        play.awards = [
            (*hand, award["amount"])
            for hand, award in zip(_hands(awards), awards, strict=True)
            if award["from_meter"]
        ]
        play.settlements.append((event, undone_at == event.at))
        postings = [
            (account, units - before.get(account, 0))
            for account, units in self.books.balances.items()
            if units != before.get(account, 0) and "/claims/" not in account
        ]
        play.undo = _Undo(postings, claims, laid, folded, jackpot_back, dict(payouts))
        self._mark(event, "settled", laid)
        self._layout_is_empty(event)

    def _check_pays(self, event: Event, settlement: Data, awards: Iterable[Data]) -> None:
        """What is paid is what the pay tables can pay on such a stake; which hand it was is not asked."""
        awarded = {award["position"]: award for award in awards}
        for seat in settlement["seats"]:
            stakes = {line["wager"]: line for line in seat["lines"]}
            for name, line in stakes.items():
                award = awarded.get(seat["position"]) if name == self.book.plays_for_meter else None
                if not line["paid"] or (award is not None and award["from_meter"]):
                    continue
                base = stakes.get(self.book.wagers.get(name, {}).get("extra-on", name), line)
                whole = award is not None and bool(line["collected"]) and not seat["owners"]
                plays = line["collected"] if whole else base["stake"]
                hand_class = None if award is None else award["hand_class"]
                fits = self.book.could_pay(name, line["paid"], plays, hand_class, whole=whole)
                where = f"position {seat['position']} {name}"
                if fits is None:
                    self.books.leave(f"pays of {name} by {self.book.id}", event)
                elif not fits:
                    self.books.say(
                        event.where, f"{where}: {line['paid']} on {plays} is on no row of its pay table"
                    )

    def _settle_line(
        self, event: Event, play: _Round, position: int, player: str, line: Data
    ) -> tuple[int, int, int]:
        """Move one line off the layout; what its owner takes, what lay there, and what of it is returned.

        A stake that went back or was collected before may still be named by the line.
        """
        key = (position, player, line["wager"])
        on_layout, folded, back = self.laid.pop(key, 0), self.folded.get(key, 0), self.back.get(key, 0)
        early = 0
        if line["stake"] == on_layout + folded + back:
            early = back
        elif line["stake"] != on_layout + folded:
            self.books.say(
                event.where,
                f"position {position} {line['wager']} of {player}: a stake of "
                f"{line['stake']}, but {on_layout} on the layout and {folded} folded",
            )
        returned = line["returned"] - early
        if returned < 0:
            self.books.say(
                event.where,
                f"position {position} {line['wager']} of {player}: {early} went back "
                f"before, the line returns {line['returned']}",
            )
        taken: int = returned + line["paid"]
        won = line["paid"] and not line["collected"]  # a stake that its award returns has played all the same
        self._jackpot_back(play, key, 0 if won else returned)
        self.books.post(self.account("layout"), -on_layout * UNITS)
        self.books.post(self.account("rack", player), taken * UNITS)
        return taken, on_layout, returned

    def _pay_claims(self, event: Event, cents: int) -> None:
        if cents:
            self.books.post_claims(f"{self.currency}/claims/{self.link}", -cents * UNITS, event)

    def _check_payouts(self, event: Event, payouts: Mapping[str, int]) -> None:
        said, found = _without_zeros(event.data["payouts"]), _without_zeros(payouts)
        for player in sorted(said.keys() | found.keys()):
            if said.get(player, 0) != found.get(player, 0):
                self.books.say(
                    event.where,
                    f"the payout of {player} is {said.get(player, 0)}, his lines come "
                    f"to {found.get(player, 0)}",
                )

    def _check_movements(self, event: Event, settlement: Data) -> None:
        moves = settlement["movements"]
        total = sum(moves["players"].values()) + moves["table_float"] + moves["house"] + moves["meter"]
        if total:
            self.books.say(event.where, f"the settlement's movements add up to {total}")

    def _check_reversal(self, event: Event, settlement: Data, back: int) -> None:
        """Contributions come off the meter for stakes that go back now, and for hands removed since.

        `back` are the jackpot stakes in cents that go back with this settlement.
        """
        if settlement["jackpot"] is None:
            return
        play = self._current(event)
        if self.book.changes_contributions:
            return
        due, said = (back + play.back_later) * (play.bp or 0), settlement["jackpot"]["reversed_contributions"]
        if said != due:
            self.books.say(event.where, f"contributions of {said} come off the meter instead of {due}")

    def _round_voided(self, event: Event) -> None:
        self._all_dealt(event.where)
        play, settlement = self._live(event), event.data["settlement"]
        laid, jackpot_back = dict(self.laid), play.jackpot_back
        payouts: dict[str, int] = defaultdict(int)
        for seat in settlement["seats"]:
            for line in seat["lines"]:
                self._check_line(event, seat, line)
                if line["collected"] or line["paid"]:
                    self.books.say(
                        event.where,
                        f"position {seat['position']} {line['wager']} of a void round is collected or paid",
                    )
        self._check_void_stakes(event, settlement)
        for key in list(self.laid):
            payouts[key[1]] += self.laid[key]
            self._give_back(play, key)
        for key in list(self.folded):
            payouts[key[1]] += self._give_back_folded(key)
        self._check_payouts(event, payouts)
        self._check_movements(event, settlement)
        self._check_reversal(event, settlement, play.jackpot_back - jackpot_back)
        self._mark(event, "void", laid)
        if play.claimed:
            play.drop_claim(event)
        play.voided = event
        self._layout_is_empty(event)

    def _check_void_stakes(self, event: Event, settlement: Data) -> None:
        """Compare the stakes named by a void round with those on the layout, collected or back already.

        Of a hand that is out its line may name what went back with it, or the shares of others too that went
        back before.
        """
        there: dict[tuple[int, str], int] = defaultdict(int)
        early: dict[tuple[int, str], int] = defaultdict(int)
        with_hand: dict[tuple[int, str], int] = defaultdict(int)
        for (position, _, wager), cents in (*self.laid.items(), *self.folded.items()):
            there[position, wager] += cents
        for (position, _, wager), cents in self.back.items():
            early[position, wager] += cents
        for (position, _, wager), cents in self.back_with_hand.items():
            with_hand[position, wager] += cents
        said = {
            (seat["position"], line["wager"]): line["stake"]
            for seat in settlement["seats"]
            for line in seat["lines"]
        }
        for place in sorted(said.keys() | there.keys()):
            stake, found = said.get(place, 0), there.get(place, 0)
            if stake not in (found, found + with_hand.get(place, 0), found + early.get(place, 0)):
                self.books.say(
                    event.where,
                    f"position {place[0]} {place[1]}: a stake of {stake} is returned, {found} was there",
                )

    def _reversed(self, event: Event) -> None:
        play = self._current(event)
        if play.undo is None or play.settled is None:
            self.books.say(event.where, "no settlement to reverse")
            return
        undo = play.undo
        if play.settled.at != event.at:
            self._say_unpapered(play.settled.where)
        for account, units in undo.postings:
            self.books.post(account, -units)
        self._pay_claims(event, -undo.claims)
        self.laid, self.folded = dict(undo.laid), dict(undo.folded)
        play.jackpot_back = undo.jackpot_back
        self._check_payouts(event, undo.payouts)
        play.settled, play.undo, play.awards = None, None, []
        play.undone_at = event.at
        self.slips_due, self.slips_by_position = {}, None
        self.slips_undone = set(self.standing)
        self._mark(event, "playing" if play.row["dealt_at"] is not None else "closed", self.laid)

    def _claimed(self, event: Event) -> None:
        play, hands = self._live(event), _hands(event.data["hands"])
        play.claims.append((event, hands))
        play.claimed = tuple(hand[0] for hand in hands)

    def _claim_dropped(self, event: Event) -> None:
        self._current(event).drop_claim(event)

    def _meter_read(self, event: Event) -> None:
        self._live(event).fixed.append(event)

    def finish(self) -> None:
        """Check that play was told of every chip that came to a rack or left it, and that slips are made."""
        self.papers_are_made()
        if self.round is not None and not self.round.ended:
            self._all_dealt(f"table/{self.name}")
        for player in sorted(self.outside.keys() | self.rack_changes.keys()):
            if self.outside[player] != self.rack_changes[player]:
                self.books.say(
                    f"table/{self.name}",
                    f"{player} bought less cash-outs {self.outside[player]}, "
                    f"but his rack changed by {self.rack_changes[player]}",
                )


@dataclass(slots=True)
class _Claim:
    entered: Event
    table: str
    round_number: int
    hands: tuple[Hand, ...]
    fixed: Event | None = None
    verified: Event | None = None
    ended: Event | None = None
    paid: Event | None = None
    spent: dict[str, int] = field(default_factory=dict)

    @property
    def number(self) -> int:
        return int(self.entered.data["claim"])

    @property
    def others(self) -> Sequence[Data]:
        """Hands of the round with fixed awards that the meter pays."""
        found: Sequence[Data] = self.entered.data.get("others", ())
        return found

    @property
    def shares(self) -> list[Share]:
        if self.fixed is None:
            return []
        shares = self.fixed.data["shares"]
        return _shares(shares)

    @property
    def won(self) -> int:
        return sum(share[3] for share in self.shares)

    @property
    def open(self) -> bool:
        return self.fixed is None and self.ended is None


@dataclass(slots=True)
class _Contribution:
    event: Event
    stake: int
    to_meter: int
    reserve: int
    reserve_bp: int


@dataclass(slots=True)
class _Booked:
    """What a round of a table has put in and not taken back, and the part of it that no winner has."""

    number: int
    total: int = 0
    meter: int = 0


def _shares(paid: Iterable[Data]) -> list[Share]:
    """Shares of the meter as an event has them."""
    listed = list(paid)
    return [(*hand, share["amount"]) for hand, share in zip(_hands(listed), listed, strict=True)]


@dataclass(slots=True)
class _Meter:
    """A meter that awards are taken of, in ledger units, and what each position is awarded, in cents.

    `reset` is in ledger units too. Hands stand in the order of the deal; `fixed` are the awards, in cents, of
    those that win no share and are paid of the meter all the same. `fixed_paid` is what it had for them.
    """

    book: _Book
    units: int
    reset: int
    fixed: Mapping[int, int] = field(default_factory=dict)
    won: dict[int, int] = field(default_factory=dict)
    fixed_paid: int = 0

    def rounded(self, units: Fraction) -> int:
        """A share in cents, as the book rounds it."""
        if self.book.policy("rounding") == "cent-nearest":
            return int((units + Fraction(UNITS, 2)) // UNITS)
        cents = int(units // UNITS)
        return (
            cents // self.book.chip * self.book.chip if self.book.policy("rounding") == "chip-down" else cents
        )

    def take(self, units: int) -> None:
        """What is paid comes off as far as there is any; a floor is kept where the book has one."""
        self.units = max(0, self.units - units)
        if self.book.policy("meter-floor") == "reset-value":
            self.units = max(self.units, self.reset)

    def pay_fixed(self, position: int) -> None:
        """Pay what the meter has of an award that is fixed; the house pays the rest."""
        units = min(self.fixed[position] * UNITS, max(0, self.units))
        self.fixed_paid += units
        self.take(units)

    def won_whole(self, total: Fraction, paid: int) -> None:
        """The meter stands at its reset value, with what rounding has left of the award."""
        self.units = self.reset + max(0, int(total) - paid)

    def award(self, hands: tuple[Hand, ...]) -> None:
        """Pay every hand by the book's policy."""
        if self.book.policy("policy") == "clockwise":
            self.clockwise(hands)
        else:
            self.equal_shares(hands)

    def equal_shares(self, hands: tuple[Hand, ...]) -> None:
        """Class by class from below: the awards of a class are added up and divided equally."""
        displayed = self.units
        classes = sorted({hand[2] for hand in hands}, key=HAND_CLASSES.index)
        for hand_class in classes:
            winners = [hand[0] for hand in hands if hand[2] == hand_class]
            part, count = self.book.share(hand_class) / WHOLE, len(winners)
            if not part:
                for position in winners:
                    self.pay_fixed(position)
                continue
            whole = (self.won or self.fixed_paid) and self.book.policy("after-lower") == "displayed-meter"
            base = displayed if whole else self.units
            if part == 1:
                total = Fraction(base + (count - 1) * self.reset)
            else:
                total = {
                    "running-meter": base * (1 - (1 - part) ** count),
                    "reset-value": part * base + (count - 1) * part * self.reset,
                    "displayed-once": part * base,
                    "displayed-each": count * part * base,
                }[self.book.policy("repeated")]
            each = self.rounded(total / count)
            self.won |= dict.fromkeys(winners, each)
            paid = each * count * UNITS
            if part == 1:
                self.won_whole(total, paid)
            else:
                self.take(paid)

    def clockwise(self, hands: tuple[Hand, ...]) -> None:
        """One after the other in the order of the deal, each of the meter as the one before left it."""
        for position, _, hand_class in sorted(hands):
            part = self.book.share(hand_class) / WHOLE
            if not part:
                self.pay_fixed(position)
                continue
            self.won[position] = self.rounded(part * self.units)
            paid = self.won[position] * UNITS
            if part == 1:
                self.won_whole(Fraction(self.units), paid)
            elif self.book.policy("resets") == "any-award":
                self.units = self.reset
            else:
                self.take(paid)


class _Link:
    """One link's stream folded: its accounts, contributions by round, and claims by number."""

    def __init__(self, name: str, books: _Books, rulebooks: Mapping[str, _Book]) -> None:
        self.name = name
        self.books = books
        self.rulebooks = rulebooks
        self.currency = ""
        self.parameters: dict[str, Any] = {}
        self.planned: Data | None = None
        self.reset_since_planned = False
        self.taken: dict[int, dict[str, Any]] = {}
        self.members: set[str] = set()
        self.contributed: dict[RoundKey, list[_Contribution]] = defaultdict(list)
        self.returned: dict[RoundKey, list[Event]] = defaultdict(list)
        self.corrected: dict[RoundKey, list[Event]] = defaultdict(list)
        self.claims: dict[int, _Claim] = {}
        self.registered: int | None = None
        self.registered_then: int | None = None  # as earlier versions had it after a rejected claim
        self.shown: dict[RoundKey, list[int]] = defaultdict(list)
        self.fixed_on: dict[RoundKey, list[tuple[int, int]]] = defaultdict(list)
        self.won_whole: list[int] = []
        self.reserve_used: list[int] = []
        self.reserve_emptied: set[RoundKey] = set()
        self.booked: dict[str, _Booked] = {}
        self.fixed_paid: dict[RoundKey, list[tuple[Event, int, int]]] = defaultdict(list)
        self.totals = LinkTotals()
        self.handlers: dict[str, Callable[[Event], None]] = {
            "link-opened.v1": self._opened,
            "member-joined.v1": self._joined,
            "member-left.v1": self._left,
            "contributed.v1": self._contributed,
            "contribution-returned.v1": self._returned,
            "claim-entered.v1": self._entered,
            "claim-fixed.v1": self._fixed,
            "claim-unfixed.v1": self._unfixed,
            "claim-verified.v1": self._verified,
            "claim-ended.v1": self._ended,
            "claim-paid.v1": self._paid,
            "award-corrected.v1": self._corrected,
            "fixed-awards-paid.v1": self._fixed_awards,
            "link-failed.v1": self._failed,
            "link-restored.v1": self._restored,
            "parameters-planned.v1": self._planned,
            "parameters-taken.v1": self._taken,
            "parameters-restored.v1": self._put_back,
            "transferred.v1": self._transferred,
        }

    def account(self, kind: str) -> str:
        return f"{self.currency}/{kind}/{self.name}"

    def balance(self, kind: str) -> int:
        return self.books.balances.get(self.account(kind), 0)

    @property
    def ceiling(self) -> int | None:
        cents = self.parameters["ceiling"]
        return None if cents is None else cents * UNITS

    def _opened(self, event: Event) -> None:
        self.currency, self.parameters = event.data["currency"], dict(event.data["parameters"])
        self.books.move(self.account("link-house"), self.account("meter"), event.data["startup"] * UNITS)

    def _joined(self, event: Event) -> None:
        self.members.add(event.data["table"])

    def _left(self, event: Event) -> None:
        self.members.discard(event.data["table"])

    def _contributed(self, event: Event) -> None:
        data = event.data
        stake, meter, overflow, reserve = data["stake"], data["meter"], data["overflow"], data["reserve"]
        if min(stake, meter, overflow, reserve) < 0:
            self.books.say(event.where, "a negative amount")
        if data["table"] not in self.members:
            self.books.say(event.where, f"{data['table']} is not a member")
        if stake > self.parameters["most_stake"]:
            self.books.say(event.where, f"a stake of {stake} is over {self.parameters['most_stake']}")
        reserve_bp = self.parameters["reserve_bp"]
        if reserve != stake * reserve_bp:
            self.books.say(event.where, f"reserve {reserve} instead of {stake * reserve_bp}")
        for kind, units in (("meter", meter), ("overflow", overflow), ("reserve", reserve)):
            if units:
                self.books.move(self.account("link-house"), self.account(kind), units)
        if self.ceiling is not None and meter and self.balance("meter") > self.ceiling:
            self.books.say(event.where, f"the meter goes to {self.balance('meter')}, over {self.ceiling}")
        if overflow and (self.ceiling is None or self.balance("meter") < self.ceiling):
            self.books.say(event.where, f"{overflow} overflows with the meter at {self.balance('meter')}")
        self.contributed[data["table"], data["round_number"]].append(
            _Contribution(event, stake, meter + overflow, reserve, reserve_bp)
        )
        booked = self.booked.get(data["table"])
        if booked is None or booked.number != data["round_number"]:
            booked = self.booked[data["table"]] = _Booked(data["round_number"])
        booked.total += meter + overflow
        booked.meter += meter
        self.totals.wagers_in += stake
        self.shown[data["table"], data["round_number"]].append(self.balance("meter"))

    def _fixed_awards(self, event: Event) -> None:
        """Fixed awards that the meter pays, by the rulebook; what keeps it at its floor the house pays in."""
        paid, funded = event.data["paid"], event.data["funded"]
        if paid > max(0, self.balance("meter")) + max(0, funded):
            self.books.say(event.where, f"{paid} paid of a meter of {self.balance('meter')}")
        if min(paid, funded) >= 0:
            key = (event.data["table"], event.data["round_number"])
            self.fixed_on[key].append((self.balance("meter"), self.parameters["reset"]))
            self.fixed_paid[key].append((event, *self.fixed_on[key][-1]))
        self.books.move(self.account("meter"), self.account("link-house"), paid - funded)

    def _returned(self, event: Event) -> None:
        data = event.data
        key, sign = (data["table"], data["round_number"]), -1 if data["total"] < 0 else 1
        if min(sign * data["meter"], sign * data["overflow"], sign * data["reserve"]) < 0:
            self.books.say(event.where, "a negative amount")
        if key not in self.contributed:
            self.books.say(event.where, "that round has contributed nothing")
        self.returned[key].append(event)
        booked = self.booked.get(data["table"])
        if booked is not None and booked.number == data["round_number"]:
            booked.total -= data["total"]
            booked.meter -= data["meter"]
        missing = data["total"] - data["meter"] - data["overflow"]
        first = self.contributed[key][0].event.version if key in self.contributed else 0
        taken = any(first < version < event.version for version in self.won_whole)
        parts = [part.event.data for part in self.contributed.get(key, ())]
        split = any(part["meter"] for part in parts) and any(part["overflow"] for part in parts)
        cut = (
            abs(missing) == 1 and split
        )  # earlier versions cut meter and overflow to a unit, each for itself
        for kind in ("meter", "overflow", "reserve"):
            if data[kind]:
                self.books.move(self.account(kind), self.account("link-house"), data[kind])
            given = sum(part.event.data[kind] for part in self.contributed.get(key, ()))
            back = sum(part.data[kind] for part in self.returned[key])
            if back > given:
                self.books.say(event.where, f"{back} back from the {kind}, {given} was contributed")
        if not self.balance("reserve"):  # nothing more could come back
            self.reserve_emptied.add(key)
        emptied = any(
            not self.balance(kind) and any(part[kind] for part in parts) for kind in ("meter", "overflow")
        )
        if missing and not (taken or cut or emptied):
            self.books.say(event.where, f"{missing} did not come back, and no winner has taken it")

    def _entered(self, event: Event) -> None:
        data = event.data
        number = data["claim"]
        if number != len(self.claims) + 1:
            self.books.say(event.where, f"claim {number} follows claim {len(self.claims)}")
        book = self.rulebooks.get(data["rulebook"], _Book("", {}))
        order = book.progressive.get("separate-tables", "no order")
        if data["ordered_by"] != order:
            self.books.say(event.where, f"{book.id} has {order}, not {data['ordered_by']}")
        if not data["hands"] or not all(book.share(hand["hand_class"]) for hand in data["hands"]):
            self.books.say(event.where, "a claim without a hand that wins a share of the meter")
        self.claims[number] = _Claim(event, data["table"], data["round_number"], _hands(data["hands"]))

    def _claim(self, event: Event) -> _Claim:
        number = event.data["claim"]
        if number not in self.claims:
            raise ValueError(f"claim {number} was never entered")
        claim = self.claims[number]
        if claim.ended is not None or claim.paid is not None:
            self.books.say(event.where, f"claim {number} is over")
        return claim

    def _fixed(self, event: Event) -> None:
        claim, data = self._claim(event), event.data
        if claim.fixed is not None:
            self.books.say(event.where, f"claim {claim.number} was fixed before")
        claim.fixed = event
        self._check_order(event, claim)
        meter, displayed, after = self.balance("meter"), data["displayed"], data["after"]
        if displayed not in (meter, self.registered, self.registered_then):
            self.books.say(event.where, f"displayed {displayed}, but the meter stands at {meter}")
        if after < 0:
            self.books.say(event.where, f"the meter is left at {after}")
        resets = [self.parameters["reset"]] + ([self.planned["reset"]] if self.planned else [])
        if data["reset"] not in resets:
            self.books.say(event.where, f"a reset value of {data['reset']} instead of {resets[0]}")
        fixed_paid = self._check_shares(event, claim)
        needed = after - meter + claim.won * UNITS  # in an outage stakes may have gone back since it showed
        reserve = min(self.balance("reserve"), max(needed + fixed_paid, 0))
        if (data["from_reserve"], data["from_house"]) != (reserve, needed - reserve):
            self.books.say(
                event.where,
                f"reserve and house put in {data['from_reserve']} and "
                f"{data['from_house']}, due is {reserve} and {needed - reserve}",
            )
        self._post_fix(event, event, 1)
        if self.registered is not None:
            self.registered = self.registered_then = after
        self.reset_since_planned = self.reset_since_planned or data["resets"]
        if data["from_reserve"]:
            self.reserve_used.append(event.version)
        if data["resets"]:
            self.won_whole.append(event.version)
            claim.spent = {table: booked.meter for table, booked in self.booked.items() if booked.meter}
            for booked in self.booked.values():
                booked.meter = 0

    def _not_won(self, claim: _Claim) -> None:
        """A jackpot was not won whole after all: what rounds in play had put in is on the meter again."""
        for table, units in claim.spent.items():
            booked = self.booked[table]
            if not booked.meter:
                booked.meter = min(units, booked.total)

    def _unmeasured(self, claim: _Claim, book: _Book, *, whole: bool) -> int:
        """What of the meter no share is measured on: what its own round has put in, or is to take back."""
        booked = self.booked.get(claim.table)
        if booked is None or booked.number != claim.round_number:
            return 0
        if whole and book.funding("contributes") == "unless-won-whole":
            return booked.meter
        returned: int = claim.entered.data.get("returned", 0)
        return booked.meter * returned // booked.total if booked.total else 0

    def _check_order(self, event: Event, claim: _Claim) -> None:
        for other in self.claims.values():
            if not other.open or other.number == claim.number:
                continue
            order = claim.entered.data["ordered_by"]
            if order != other.entered.data["ordered_by"]:
                continue
            if order == "entered-first" and other.number < claim.number:
                self.books.say(
                    event.where,
                    f"claim {claim.number} is fixed before claim {other.number}, which was entered first",
                )
            dealt, other_dealt = claim.entered.data["dealt_at"], other.entered.data["dealt_at"]
            if order == "dealt-first" and event.data["why"] == "dealt first" and other_dealt < dealt:
                self.books.say(
                    event.where,
                    f"claim {claim.number} is fixed before claim {other.number}, which was dealt first",
                )

    def _check_shares(self, event: Event, claim: _Claim) -> int:
        """Hold the shares against the book; what the meter pays of fixed awards beside them."""
        data = event.data
        if sorted(_hands(data["shares"])) != sorted(claim.hands):
            self.books.say(event.where, "the shares are not those of the hands claimed")
        book = self.rulebooks.get(claim.entered.data["rulebook"], _Book("", {}))
        whole = any(book.share(hand[2]) == WHOLE for hand in claim.hands)
        if data["resets"] != whole:
            self.books.say(
                event.where, f"resets is {data['resets']}, and {'a' if whole else 'no'} hand wins all"
            )
        if book.unknown:
            self.books.leave(f"shares of {book.id}, which has {', '.join(book.unknown)}", event)
            return 0
        unmeasured = self._unmeasured(claim, book, whole=whole)
        if data.get("unmeasured", 0) != unmeasured:
            self.books.say(event.where, f"{data.get('unmeasured', 0)} is not measured, due is {unmeasured}")
        fixed = {award["position"]: award["amount"] for award in claim.others}
        meter = _Meter(book, data["displayed"] - unmeasured, data["reset"] * UNITS, fixed)
        meter.award((*claim.hands, *_hands(claim.others)))
        found = {share[0]: share[3] for share in claim.shares}
        if meter.won != found:
            self.books.say(event.where, f"shares by position {found}, by {book.id} they are {meter.won}")
        after = meter.units + (0 if whole else unmeasured - data["displayed"] + self.balance("meter"))
        if data["after"] != after:
            self.books.say(event.where, f"the meter after is {data['after']} instead of {after}")
        return meter.fixed_paid

    def _post_fix(self, event: Event, fix: Event, sign: int) -> None:
        data = fix.data
        won = sum(share["amount"] for share in data["shares"])
        put_in = data["from_reserve"] + data["from_house"]
        self.books.post(self.account("meter"), sign * (put_in - won * UNITS))
        self.books.post_claims(self.account("claims"), sign * won * UNITS, event)
        self.books.post(self.account("reserve"), -sign * data["from_reserve"])
        self.books.post(self.account("link-house"), -sign * data["from_house"])
        if sign < 0 and self.registered is not None:
            self.registered += data["displayed"] - data["after"]

    def _verified(self, event: Event) -> None:
        claim = self._claim(event)
        if claim.verified is not None:
            self.books.say(event.where, f"claim {claim.number} was verified before")
        if event.data["by"] != event.actor.rpartition("/")[2]:
            self.books.say(event.where, f"verified by {event.data['by']}, written by {event.actor}")
        claim.verified = event

    def _ended(self, event: Event) -> None:
        claim = self._claim(event)
        claim.ended = event
        if claim.fixed is not None:
            self._post_fix(event, claim.fixed, -1)
            self._not_won(claim)

    def _unfixed(self, event: Event) -> None:
        claim = self._claim(event)
        if claim.fixed is None:
            self.books.say(event.where, f"claim {claim.number} was not fixed")
            return
        self._post_fix(event, claim.fixed, -1)
        self._not_won(claim)
        claim.fixed, claim.spent = None, {}

    def _paid(self, event: Event) -> None:
        claim = self._claim(event)
        for other in self.claims.values():
            first = other.open and other.fixed is not None and claim.fixed is not None
            if first and other.fixed and claim.fixed and other.fixed.version < claim.fixed.version:
                self.books.say(event.where, f"is paid before claim {other.number}, which was fixed first")
        for what, done in (("fixed", claim.fixed), ("verified", claim.verified)):
            if done is None:
                self.books.say(event.where, f"claim {claim.number} is paid and was not {what}")
        if event.data["slip"] != self.totals.slips + 1:
            self.books.say(event.where, f"hit {event.data['slip']} follows hit {self.totals.slips}")
        claim.paid = event
        self.totals.slips = event.data["slip"]
        self.totals.hits += 1
        self.totals.total_won += claim.won

    def _corrected(self, event: Event) -> None:
        data = event.data
        self.books.post(self.account("meter"), data["meter"])
        self.books.post_claims(self.account("claims"), data["won"], event)
        self.books.post(self.account("reserve"), data["reserve"])
        self.books.post(self.account("link-house"), -data["meter"] - data["reserve"] - data["won"])
        if data["won"] % UNITS:
            self.books.say(event.where, f"won changes by {data['won']}, a fraction of a cent")
        if self.registered is not None:
            self.registered += data["meter"]
        self.corrected[data["table"], data["round_number"]].append(event)
        self._corrected_hit(data)
        self.totals.total_won += data["won"] // UNITS

    def _corrected_hit(self, data: Data) -> None:
        """Where the last hit of a round was undone, or is no whole win any more, its meter was not won."""
        key = (data["table"], data["round_number"])
        paid = [
            claim for claim in self.claims.values() if claim.paid and (claim.table, claim.round_number) == key
        ]
        if not paid:
            return
        last = max(paid, key=lambda claim: claim.paid.data["slip"] if claim.paid else 0)
        if data.get("unwon"):
            self._not_won(last)
            last.spent = {}
        if not data.get("shares") and data["hits"] < 0 and data["won"] < 0:
            self._not_won(last)

    def _failed(self, event: Event) -> None:
        self.registered = self.registered_then = event.data["registered"]
        if self.registered != self.balance("meter"):
            self.books.say(
                event.where, f"{self.registered} registered, the meter stands at {self.balance('meter')}"
            )

    def _restored(self, event: Event) -> None:
        self.registered = self.registered_then = None

    def _planned(self, event: Event) -> None:
        data = event.data
        if dict(data["before"]) != self.parameters:
            self.books.say(event.where, f"the parameters before were {self.parameters}")
        self.planned, self.reset_since_planned = data["parameters"], False
        self.parameters["ceiling"] = data["parameters"]["ceiling"]

    def _taken(self, event: Event) -> None:
        parameters = dict(event.data["parameters"])
        if self.planned is None or parameters != dict(self.planned):
            self.books.say(event.where, "these parameters were not planned")
        if not self.reset_since_planned:
            self.books.say(event.where, "parameters change before the present jackpot was won")
        self.taken[self.totals.slips] = dict(self.parameters)
        self.parameters, self.planned = parameters, None

    def _put_back(self, event: Event) -> None:
        """Parameters that were taken with a hit wait again: no jackpot was won whole after all."""
        data, before = event.data, self.taken.get(event.data["hit"])
        due = dict(self.planned or self.parameters)
        if before is None or dict(data["planned"]) != due:
            self.books.say(event.where, f"no such parameters were taken with hit {data['hit']}")
            before = dict(data["parameters"])
        ceilings = (before["ceiling"], self.parameters["ceiling"])
        if data["parameters"]["ceiling"] not in ceilings or data["parameters"] != before | {
            "ceiling": data["parameters"]["ceiling"]
        }:
            self.books.say(event.where, f"the parameters before hit {data['hit']} were {before}")
        for claim in self.claims.values():
            if claim.paid is not None and claim.paid.data["slip"] >= data["hit"] and self._is_whole(claim):
                self.books.say(event.where, f"hit {claim.paid.data['slip']} has won the meter whole")
        self.taken = {hit: old for hit, old in self.taken.items() if hit < data["hit"]}
        self.parameters, self.planned = dict(data["parameters"]), data["planned"]
        self.reset_since_planned = any(
            claim.fixed is not None and claim.fixed.data["resets"] and not (claim.paid or claim.ended)
            for claim in self.claims.values()
        )

    def _is_whole(self, claim: _Claim) -> bool:
        """Tell whether a paid claim still wins the whole meter, by the last correction of its round."""
        since = claim.paid.version if claim.paid is not None else 0
        corrected = [
            event for event in self.corrected[claim.table, claim.round_number] if event.version > since
        ]
        left = _shares(corrected[-1].data.get("shares", [])) if corrected else claim.shares
        book = self.rulebooks.get(claim.entered.data["rulebook"], _Book("", {}))
        return any(book.share(share[2]) == WHOLE for share in left)

    def _transferred(self, event: Event) -> None:
        data = event.data
        if data["amount"] <= 0 or data["source"] == data["target"]:
            self.books.say(event.where, f"{data['amount']} from {data['source']} to {data['target']}")
        if not data["approved_by"] or data["approved_by"] == event.actor.rpartition("/")[2]:
            self.books.say(event.where, "no second person approved")
        source, target = (self._named(data[end]) for end in ("source", "target"))
        self.books.move(source, target, data["amount"] * UNITS)

    def _named(self, account: str) -> str:
        if "/" in account:
            return account
        return self.account("link-house" if account == "house" else account)

    def finish(self) -> None:
        """Check that what claims hold is what was fixed and is still to be paid."""
        pending = sum(claim.won for claim in self.claims.values() if not (claim.paid or claim.ended))
        if self.balance("claims") != pending * UNITS:
            self.books.say(
                f"link/{self.name}",
                f"claims hold {self.balance('claims')}, fixed and not paid is {pending * UNITS}",
            )


@dataclass(slots=True)
class _Floor:
    books: _Books
    tables: dict[str, _Table]
    links: dict[str, _Link]

    def join(self) -> None:
        """Compare what tables and links say of the same rounds."""
        for table in self.tables.values():
            for play in table.rounds.values():
                with _guarded(play.opened.where, self.books.problems):
                    self._join_round(table, play)
        for link in self.links.values():
            with _guarded(f"link/{link.name}", self.books.problems):
                self._check_strays(link)

    def _check_strays(self, link: _Link) -> None:
        for (name, number), parts in link.contributed.items():
            play = self._round(name, number)
            for part in parts:
                if play is None or play.link != link.name:
                    self.books.say(part.event.where, f"{name} has played no round {number} on this link")
                elif play.closed is None:
                    self.books.say(part.event.where, f"bets of round {number} at {name} were not closed")
        for claim in link.claims.values():
            play = self._round(claim.table, claim.round_number)
            table = self.tables.get(claim.table)
            if play is None or table is None or play.link != link.name:
                self.books.say(claim.entered.where, f"{claim.table} has no round {claim.round_number} here")

    def _round(self, name: str, number: int) -> _Round | None:
        table = self.tables.get(name)
        return None if table is None else table.rounds.get(number)

    def _join_round(self, table: _Table, play: _Round) -> None:
        key = (table.name, play.number)
        link = self.links.get(play.link)
        if link is None:
            if play.link:
                self.books.say(play.opened.where, f"the link {play.link} has no record")
            for event, _ in play.slips:
                if event.data["confirmed_by"]:
                    self.books.say(event.where, "nobody has to confirm a win without a link")
            return
        if link.currency != table.currency:
            self.books.say(
                play.opened.where, f"{link.name} is in {link.currency}, the table in {table.currency}"
            )
        if table.rulebooks.get(play.row["rulebook"], table.book).changes_contributions:
            self.books.leave(f"contributions by {table.book.id}", play.opened)
        else:
            self._join_contribution(play, link, key)
        self._join_claims(play, link, key)
        self._join_awards(play, link, key)
        self._join_fixed_awards(table, play, link, key)
        self._join_slips(play, link, key)

    def _join_slips(self, play: _Round, link: _Link, key: RoundKey) -> None:
        """Who confirmed an award is who verified its claim."""
        claims = [claim for claim in link.claims.values() if (claim.table, claim.round_number) == key]
        by = {claim.verified.data["by"] for claim in claims if claim.paid and claim.verified}
        for event, confirms in play.slips:
            wanted = by if confirms and event.data["jackpot"] else {""}
            if event.data["confirmed_by"] not in wanted:
                self.books.say(
                    event.where,
                    f"confirmed by {event.data['confirmed_by'] or 'nobody'}, {link.name} has "
                    f"{', '.join(sorted(wanted)) or 'nobody'}",
                )

    def _join_contribution(self, play: _Round, link: _Link, key: RoundKey) -> None:
        if play.closed is None:
            return
        bp, where = play.bp or 0, play.closed.where
        stake = sum(play.counted.values())
        parts = link.contributed.get(key, [])
        if not parts:
            if stake:
                self.books.say(where, f"jackpot stakes of {stake} contributed nothing to {link.name}")
            return
        first = parts[0]
        entered = sum(part.stake for part in parts)
        if entered != stake:
            self.books.say(first.event.where, f"a stake of {entered}, on the layout were {stake}")
        for part in parts:
            if part.to_meter != part.stake * bp:
                self.books.say(
                    part.event.where, f"meter and overflow get {part.to_meter} instead of {part.stake * bp}"
                )
        for part in parts:
            if part.event.at not in (play.closed.at, *play.entered_later):
                self.books.say(part.event.where, f"contributed at another time than {where}")
        back = link.returned.get(key, [])
        kept = stake - play.jackpot_back
        end = (play.voided or play.settled or play.closed).where
        net = sum(part.to_meter for part in parts) - sum(event.data["total"] for event in back)
        if net != kept * bp:
            self.books.say(
                end,
                f"{play.jackpot_back} of jackpot stakes {stake} went back; meter and overflow of "
                f"{link.name} keep {net} of round {play.number} instead of {kept * bp}",
            )
        reserve = sum(part.reserve for part in parts) - sum(event.data["reserve"] for event in back)
        used = any(first.event.version < version for version in link.reserve_used)
        spent = used or key in link.reserve_emptied
        if reserve != kept * first.reserve_bp and not (spent and reserve > kept * first.reserve_bp):
            self.books.say(
                end,
                f"the reserve of {link.name} keeps {reserve} of round {play.number} instead of "
                f"{kept * first.reserve_bp}",
            )

    def _join_fixed_awards(self, table: _Table, play: _Round, link: _Link, key: RoundKey) -> None:
        """What a meter pays of fixed awards in a round without a share of it, by the book of the table."""
        book = table.rulebooks.get(play.row["rulebook"], table.book)
        made = {event.at: event for event, again in play.settlements if not again}
        for event, units, reset in link.fixed_paid.get(key, ()):
            settled = made.get(event.at)
            if book.unknown:
                self.books.leave(f"fixed awards of {book.id}, which has {', '.join(book.unknown)}", event)
                continue
            if settled is None:
                self.books.leave("fixed awards that a meter pays when a round is settled again", event)
                continue
            awards = settled.data["settlement"]["jackpot"]["awards"]
            meter = _Meter(book, units, reset * UNITS, {row["position"]: row["amount"] for row in awards})
            meter.award(_hands(awards))
            due = (meter.fixed_paid, meter.units - units + meter.fixed_paid)
            if (event.data["paid"], event.data["funded"]) != due:
                self.books.say(event.where, f"{event.data['paid']} paid of the meter, due is {due[0]}")

    def _join_claims(self, play: _Round, link: _Link, key: RoundKey) -> None:
        entered = [claim for claim in link.claims.values() if (claim.table, claim.round_number) == key]
        for number in range(max(len(entered), len(play.claims))):
            if number >= len(entered):
                event = play.claims[number][0]
                self.books.say(event.where, f"no claim of round {play.number} was entered at {link.name}")
            elif number >= len(play.claims):
                self.books.say(entered[number].entered.where, f"nothing was claimed at {key[0]}")
            elif play.claims[number][1] != entered[number].hands:
                self.books.say(
                    entered[number].entered.where, f"other hands than in {play.claims[number][0].where}"
                )
        ended = [claim for claim in entered if claim.ended is not None]
        if len(ended) != len(play.dropped):
            self.books.say(
                play.opened.where,
                f"{len(play.dropped)} claims of round {play.number} were dropped at "
                f"the table, {len(ended)} ended at {link.name}",
            )
        fixes = {
            (claim.fixed.data["displayed"], claim.fixed.data["reset"])
            for claim in entered
            if claim.fixed is not None
        }
        fixes |= set(link.fixed_on.get(key, ()))
        for event in play.fixed:
            if play.closed is not None and event.at in (play.closed.at, *play.entered_later):
                if event.data["meter"] not in link.shown.get(key, ()):
                    self.books.say(event.where, f"{link.name} showed {link.shown.get(key)} when bets closed")
            elif (event.data["meter"], event.data["reset"]) not in fixes:
                self.books.say(event.where, f"{link.name} has fixed no claim of this round on that meter")

    def _join_awards(self, play: _Round, link: _Link, key: RoundKey) -> None:
        claims = [claim for claim in link.claims.values() if (claim.table, claim.round_number) == key]
        paid = [claim for claim in claims if claim.paid is not None]
        due = sorted(share for claim in paid for share in claim.shares)
        corrections = link.corrected.get(key, [])
        where = (play.settled or play.voided or play.opened).where
        if not corrections and sorted(play.awards) != due:
            self.books.say(
                where, f"shares of the meter paid {sorted(play.awards)}, fixed and paid at {link.name} {due}"
            )
        if corrections:
            won = sum(share[3] for share in due) * UNITS + sum(event.data["won"] for event in corrections)
            if sum(award[3] for award in play.awards) * UNITS != won:
                self.books.say(
                    where,
                    f"shares of the meter paid {sorted(play.awards)}, with corrections {link.name} has {won}",
                )
            last = corrections[-1]
            left = sorted(_shares(last.data.get("shares", [])))
            if left and left != sorted(play.awards):
                self.books.say(last.where, f"says that {left} are paid, the table pays {sorted(play.awards)}")
        if play.settled is None or not play.awards:
            return
        for claim in paid:
            for done in (claim.fixed, claim.verified):
                if done is not None and done.at > play.settled.at:
                    self.books.say(where, f"paid before {done.where}")


# --- what events say besides money ----------------------------------------------------------------------

POSITIONS = (
    "dealer",
    "dealer-inspector",
    "pit-supervisor",
    "pit-manager",
    "shift-manager",
    "assistant-director",
)
"""Staff positions, lowest first; Surveillance stands beside them."""
MANAGER = POSITIONS[3]
"""Decides where a suspicion waits, and the book names nobody."""
SURVEILLANCE = "surveillance"
AT_THE_TABLE = frozenset(POSITIONS[:2])
"""Positions that work where they are assigned."""
# fmt: off
FIRST_PERMISSIONS = {
    "add-person": "shift-manager", "add-player": "dealer", "add-table": "shift-manager",
    "answer-call": "pit-supervisor", "answer-complaint": "assistant-director",
    "approve-rulebook": "shift-manager", "assign-staff": "pit-supervisor", "call-supervisor": "dealer",
    "close-table": "pit-manager", "create-floor": "shift-manager", "credit": "pit-supervisor",
    "credit/second": "dealer", "fail-link": "pit-supervisor", "fill": "pit-supervisor",
    "fill/second": "dealer", "fix-claims": "pit-manager", "interrupt": "assistant-director",
    "move-person": "shift-manager", "note-account": "assistant-director", "open-link": "shift-manager",
    "open-link/second": "shift-manager", "open-table": "pit-manager", "plan-parameters": "shift-manager",
    "plan-parameters/second": "shift-manager", "propose-rulebook": "shift-manager",
    "reject-claim": "pit-manager", "relieve-staff": "pit-supervisor", "remove-person": "shift-manager",
    "restore-link": "pit-manager", "set-dealing": "pit-manager", "set-limits": "pit-manager",
    "transfer": "shift-manager", "transfer/second": "shift-manager", "verify-claim": "pit-manager",
    "withdraw-rulebook": "shift-manager",
}
"""The least rank for each request, and for its second person, in records that do not hold permissions."""
ENDS = ("round-voided.v1", "hand-removed.v1", "settlement-reversed.v1")
LETS_OUT = ("share-returned.v1", "options-offered.v1", "withdrawal-permitted.v1")
TOLD = ("irregularity-reported.v1", "ruling-given.v1", "standing-order.v1")
"""What undoes a round or a hand, what lets a player withdraw one, and what such an act begins with."""
ABOUT_CARDS = frozenset(
    {"foreign-card", "missing-card", "extra-card", "unshuffled", "count-doubt", "insufficient-cards"}
    | {"wrong-count-community", "wrong-count-dealer", "wrong-count-position", "misdeal", "missed-burn"}
    | {"face-up", "shuffler-jam"}
)
"""Reports that a seal refutes which holds."""
BROKEN = {
    "missing": "was gone",
    "does-not-open": "did not open",
    "not-what-was-sealed": "was not what was sealed",
    "not-dealt-as-announced": "was not dealt as announced",
}
"""What was wrong with a sealed deck, in words."""
MATTER = ("reported_by", "kind", "reason", "ruled_by", "signed_by")
"""What a note says of the matter that hands are taken out for."""
REQUESTED_BY = {
    "floor-created.v1": "create-floor", "person-added.v1": "add-person", "person-moved.v1": "move-person",
    "person-removed.v1": "remove-person", "player-added.v1": "add-player",
    "rulebook-proposed.v1": "propose-rulebook", "rulebook-approved.v1": "approve-rulebook",
    "rulebook-withdrawn.v1": "withdraw-rulebook", "account-noted.v1": "note-account",
    "table-added.v1": "add-table", "link-added.v1": "open-link", "record-reconciled.v1": "reconcile-record",
    "table-opened.v1": "open-table",
    "table-closed.v1": "close-table", "staff-assigned.v1": "assign-staff",
    "staff-relieved.v1": "relieve-staff", "filled.v1": "fill", "credited.v1": "credit",
    "limits-set.v1": "set-limits", "dealing-set.v1": "set-dealing",
    "supervisor-called.v1": "call-supervisor", "call-answered.v1": "answer-call",
    "interrupted.v1": "interrupt", "link-opened.v1": "open-link", "opening-approved.v1": "open-link",
    "claim-verified.v1": "verify-claim", "link-failed.v1": "fail-link", "link-restored.v1": "restore-link",
    "parameters-planned.v1": "plan-parameters", "transferred.v1": "transfer",
    "complaint-answered.v1": "answer-complaint",
}
"""The request that makes an event of a kind."""
# fmt: on
ORDERED_BY = {
    "restrict": "restrict-to-one-position",
    "bar": "bar-player",
    "block": "jackpot-outage",
    "close-table": "jackpot-outage",
    "suspend-jackpot": "jackpot-outage",
}
"""The power of a rulebook that an order which lasts is given by."""
UNCOVERED = "decide-uncovered"
LEAST_KEPT = 7 * 24 * 3_600_000_000
"""Microseconds for which the answer to a request is kept at least."""
GRACE = 60_000_000
"""Microseconds for which another process may still act by the permissions before."""
AT_ONCE = 5_000_000
"""Microseconds for which another process may not have seen a dispute that was just opened."""
RULINGS = frozenset(
    {"void", "continue", "reconstruct", "invalidate", "permit-withdrawal", "order", "bar", "restrict"}
    | {"close-table", "block", "suspend-jackpot"}
)
# fmt: off
IRREGULARITIES = frozenset((
    "confidentiality", "count-doubt", "disruption", "exposed", "extra-card", "extra-view", "face-up",
    "foreign-card", "insufficient-cards", "jackpot-failure", "misdeal", "missed-burn", "missing-card",
    "multiple-hands", "power-failure", "shuffler-jam", "simultaneous-draw", "uncovered", "unshuffled",
    "wrong-count-community", "wrong-count-dealer", "wrong-count-position",
))
"""What can be reported, whether or not a book has rows for it."""
# fmt: on
CHOICES = frozenset({"bet", "check", "fold", "continue"})
RANKS_AND_SUITS = frozenset(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
MINUTE = 60_000_000
APPROVALS_NEEDED = 2


@dataclass(slots=True)
class _Ties:
    """What two streams say of one request: each side tells it, and both have to tell the same."""

    books: _Books
    told: dict[tuple[Any, ...], tuple[list[Any], list[Any]]] = field(default_factory=dict)
    events: dict[tuple[Any, ...], Event] = field(default_factory=dict)

    def tell(self, side: int, event: Event, key: tuple[Any, ...], facts: Any) -> None:
        """A side tells its facts under a key; side 1 is named where they differ, if it says anything."""
        self.told.setdefault(key, ([], []))[side].append(facts)
        if side or key not in self.events:
            self.events[key] = event

    def check(self) -> None:
        for key, (one, other) in self.told.items():
            if one != other:
                text = f"of this {key[0]} one stream says {one or 'nothing'}, the other {other or 'nothing'}"
                self.books.say(self.events[key].where, text)


class _House:
    """The floor's own stream folded: who and what there is, and the books that two persons approved."""

    def __init__(self, books: _Books, ties: _Ties, hashes: Mapping[tuple[str, int], str]) -> None:
        self.books = books
        self.ties = ties
        self.hashes = hashes
        self.people: dict[str, str] = {}
        self.held: dict[str, set[str]] = defaultdict(set)
        self.players: set[str] = set()
        self.approved: dict[str, list[str]] = {}
        self.withdrawn: set[str] = set()
        self.day_begins, self.offset = (6, 0), 0
        self.permissions: list[tuple[int, Mapping[str, str]]] = [(0, FIRST_PERMISSIONS)]
        self.created = 0
        self.forgotten: list[Event] = []

    def ranks_at(self, at: int, request: str) -> list[str]:
        """The least rank for a request at a time; about when it was changed, both of them."""
        found: list[str] = []
        for since, ranks in reversed(self.permissions):
            if since > at + GRACE:
                continue
            found += [ranks[request]] if request in ranks else []
            if since <= at - GRACE or since == self.created:
                break
        return found

    def asks_for(self, at: int, request: str) -> bool:
        """Whether the permissions name a request at a time; about when they were changed, both of them."""
        found: list[bool] = []
        for since, ranks in reversed(self.permissions):
            if since > at + GRACE:
                continue
            found.append(request in ranks)
            if since <= at - GRACE or since == self.created:
                break
        return bool(found) and all(found)

    def no_second(self, event: Event, name: str, request: str) -> str:
        """Whether somebody is not the second person of a request, by the permissions in force then."""
        ranks = self.ranks_at(event.at, f"{request}/second")
        least = min((POSITIONS.index(rank) for rank in ranks), default=0)
        if name != _name(event.actor) and self.held.get(name, set()) & set(POSITIONS[least:]):
            return ""
        return f"{name or 'nobody'} is no second person for what {event.actor} does"

    def binds(self, at: int) -> bool:
        """Whether events of a time say which authority they required, and which answer was kept."""
        if len(self.permissions) == 1:
            return False
        first = self.permissions[1][0]
        return at >= first + (0 if first == self.created else GRACE)

    def requested(self, event: Event) -> None:
        """Hold the authority of an event that a request makes against the permissions in force then."""
        request = REQUESTED_BY.get(event.name)
        if request is not None:
            everybody = event.actor in ("console", "system")
            held = POSITIONS if everybody else self.positions_of(event.actor)
            self.authorised(event, self.ranks_at(event.at, request), held)

    def authorised(self, event: Event, allowed: Sequence[str], held: Iterable[str]) -> None:
        """An act says which rank it required, and was done by somebody who had it."""
        said = event.data.get("authority", "")
        if not allowed:
            if said:
                self.books.say(event.where, f"it required no authority, and says {said!r}")
            return
        if (said or self.binds(event.at)) and said not in allowed:
            self.books.say(
                event.where, f"it says that it required {said or 'nobody'}, in force was {allowed[0]}"
            )
        least = said if said in allowed else allowed[0]
        if not any(rank in POSITIONS[POSITIONS.index(least) :] for rank in held):
            self.books.say(event.where, f"{event.actor} has never been a {least} or above, which it required")

    def permit(self, event: Event) -> None:
        """Other permissions are in force from now on."""
        said = event.data.get("permissions", [])
        ranks = {name: rank for name, _, rank in (text.partition("=") for text in said)}
        if said:
            edition = ranks.pop("edition", "")
            if not edition.isdecimal() or not {*ranks.values()} <= {*POSITIONS}:
                self.books.say(event.where, "these are no permissions")
            self.permissions.append((event.at, ranks))

    def day(self, at: int) -> str:
        """The gaming day of a moment, by the house's clock."""
        hours, minutes = self.day_begins
        local = datetime.fromtimestamp(at / 1_000_000, UTC) + timedelta(minutes=self.offset)
        return (local - timedelta(hours=hours, minutes=minutes)).date().isoformat()

    def knows(self, actor: str) -> bool:
        """Whether somebody who is said to have written an event was ever known to the house."""
        kind, _, name = actor.partition("/")
        known: Mapping[str, Iterable[str]] = {
            "staff": self.held,
            "player": self.players,
            "console": ("",),
            "system": ("",),
        }
        return name in known.get(kind, ())

    def positions_of(self, actor: str) -> frozenset[str]:
        """Every position that whoever wrote an event has ever had; the floor itself acts for any."""
        kind, _, name = actor.partition("/")
        return frozenset(POSITIONS) if kind == "system" else frozenset(self.held.get(name, ()))

    def approves(self, event: Event, name: str) -> None:
        """Whoever is said to have been the second person is one of rank, and not the first."""
        ranks = self.ranks_at(event.at, f"{REQUESTED_BY[event.name]}/second")
        least = min((POSITIONS.index(rank) for rank in ranks), default=0)
        if name == _name(event.actor) or not self.held.get(name, set()) & set(POSITIONS[least:]):
            self.books.say(event.where, f"{name or 'nobody'} is no second person for what {event.actor} does")

    def check(self, event: Event) -> None:
        """Hold one event of the floor's stream against those before it, and learn of it."""
        data = event.data
        match event.name:
            case "floor-created.v1":
                hours, minutes = data["day_begins"].split(":")
                self.day_begins, self.offset = (int(hours), int(minutes)), data["utc_offset_minutes"]
                if not (0 <= self.day_begins[0] < 24 and 0 <= self.day_begins[1] < 60 and data["name"]):
                    self.books.say(event.where, "no gaming day begins then")
                self.created = event.at
                self.permit(event)
            case "permissions-set.v1":
                self.permit(event)
                if event.actor != "system":
                    self.books.say(event.where, f"{event.actor} sets no permissions")
            case "answers-forgotten.v1":
                self._forgets(event, data)
            case "person-added.v1" | "person-moved.v1":
                self._placed(event, data["person"], data["position"], data.get("before"))
            case "person-removed.v1":
                if self.people.pop(data["person"], None) is None:
                    self.books.say(event.where, f"{data['person']} had no account")
            case "player-added.v1":
                if data["player"] in self.players:
                    self.books.say(event.where, f"{data['player']} was added before")
                self.players.add(data["player"])
            case "player-limited.v1" | "player-excluded.v1":
                self._patron(event, data)
            case "player-barred.v1" | "player-unbarred.v1":
                barred = event.name == "player-barred.v1"
                self.ties.tell(1, event, ("bar", data["player"], data["table"], event.at), barred)
            case "rulebook-proposed.v1":
                self._proposed(event, data)
            case "rulebook-approved.v1" | "rulebook-withdrawn.v1":
                self._judged(event, data)
            case "record-reconciled.v1":
                self._reconciled(event, data)
            case "account-noted.v1":
                known = self.held if data["kind"] == "staff" else self.players
                if data["kind"] not in ("staff", "player") or data["name"] not in known:
                    self.books.say(event.where, f"there is no account of {data['kind']} {data['name']}")
                if not self.knows(data["by"]):
                    self.books.say(event.where, f"the house does not know {data['by']}")
            case _:
                pass
        if not self.knows(event.actor):
            self.books.say(event.where, f"the house does not know {event.actor}")
        self.requested(event)

    def _reconciled(self, event: Event, data: Data) -> None:
        """What a failover has lost is named once, and is not in the record."""
        lost, count = data["lost"], data["count"]
        if not lost and not data["checkpoints"]:
            self.books.say(event.where, "it names nothing that was lost")
        if count < len(lost) or count > len(lost) < LOSSES_NAMED:
            self.books.say(event.where, f"it names {len(lost)} of {count} commands")
        elif count == len(lost) and digest_of_loss(data, lost) != data["digest"]:
            self.books.say(event.where, "its digest is not that of what it names")
        for row in lost:
            if row["stream"] and self.hashes.get((row["stream"], row["version"])) == row["hash"]:
                place = f"{row['stream']} version {row['version']}"
                self.books.say(event.where, f"it names {place} as lost, which is in the record")

    def _forgets(self, event: Event, data: Data) -> None:
        """Old answers to requests are gone: only those that are old enough, by the floor or its console."""
        last = self.forgotten[-1].data["before"] if self.forgotten else 0
        if event.actor not in ("system", "console"):
            self.books.say(event.where, f"{event.actor} forgets no answers")
        if not last < data["before"] <= event.at - LEAST_KEPT:
            self.books.say(event.where, f"answers of before {data['before']} were not to be forgotten then")
        if min(data["done"], data["others"]) < 0:
            self.books.say(event.where, "fewer answers than none")
        self.forgotten.append(event)

    def _placed(self, event: Event, person: str, position: str, before: str | None) -> None:
        if position not in (*POSITIONS, SURVEILLANCE):
            self.books.say(event.where, f"there is no position {position}")
        if self.people.get(person) != before:
            self.books.say(event.where, f"{person} was {self.people.get(person, 'nobody')} before")
        self.people[person] = position
        self.held[person].add(position)

    def _patron(self, event: Event, data: Data) -> None:
        if data["player"] not in self.players:
            self.books.say(event.where, f"there is no player {data['player']}")
        by_himself = event.actor == f"player/{data['player']}"
        if data.get("by_himself", by_himself) != by_himself:
            self.books.say(event.where, f"it was {event.actor} who asked for it")
        if event.actor.startswith("player/") and not by_himself:
            self.books.say(event.where, f"{event.actor} sets no limit to {data['player']}")

    def _proposed(self, event: Event, data: Data) -> None:
        text = json.dumps(
            [data["id"], data["document"], sorted(data["readings"].items())], ensure_ascii=False
        )
        said = json.dumps(json.loads(data["document"]), sort_keys=True, ensure_ascii=False)
        made = tuple(hashlib.sha256(part.encode()).hexdigest() for part in (text, said))
        if made != (data["rulebook"], data["digest"]):
            self.books.say(event.where, "the hash is not that of the book and its readings")
        self.approved[data["rulebook"]] = []
        self.withdrawn.discard(data["rulebook"])

    def _judged(self, event: Event, data: Data) -> None:
        book = data["rulebook"]
        if book not in self.approved:
            self.books.say(event.where, f"the rulebook {book} was never proposed")
            return
        if event.name == "rulebook-withdrawn.v1":
            self.approved[book] = []
            self.withdrawn.add(book)
            return
        if data["person"] != _name(event.actor):
            self.books.say(event.where, f"approved by {data['person']}, written by {event.actor}")
        if data["person"] in self.approved[book] or book in self.withdrawn:
            self.books.say(event.where, f"{data['person']} had approved it, or it was withdrawn")
        self.approved[book].append(data["person"])
        if data["in_force"] != (len(self.approved[book]) >= APPROVALS_NEEDED):
            self.books.say(event.where, f"it is in force with {APPROVALS_NEEDED} approvals")


def _name(actor: str) -> str:
    return actor.rpartition("/")[2]


class _Devices:
    """Devices of players: which count on a gaming day, at whatever table, and which no more."""

    def __init__(self, house: _House, books: _Books) -> None:
        self.house = house
        self.books = books
        self.commits: list[tuple[Event, str, str]] = []
        self.counted: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
        self.withheld: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)

    def commit(self, event: Event, player: str, device: str) -> None:
        """A device has committed at a table."""
        self.commits.append((event, player, device))

    def _of_day(self, event: Event) -> tuple[tuple[str, str], str]:
        day = self.house.day(event.at)
        wrong = "" if event.data["gaming_day"] == day else f"the gaming day is {day}"
        return (event.stream.partition("/")[2], day), wrong

    def count(self, event: Event) -> str:
        """The player's stream says that a device counts from now on."""
        key, wrong = self._of_day(event)
        counted, device = self.counted[key], event.data["device"]
        if device in counted:
            wrong = wrong or f"{device} was counted before"
        counted.setdefault(device, event.at)
        if len(counted) > MOST_DEVICES:
            wrong = wrong or f"{len(counted)} devices of one player on one day"
        if not any(
            (made.at, whose, which) == (event.at, key[0], device) for made, whose, which in self.commits
        ):
            wrong = wrong or f"{device} has committed nowhere then"
        return wrong

    def leave_out(self, event: Event) -> str:
        """The player's stream says that a device counts no more."""
        key, wrong = self._of_day(event)
        self.withheld[key].setdefault(event.data["device"], event.at)
        return wrong

    def check(self) -> None:
        """Who has committed was counted on that day, and had withheld nothing."""
        for event, player, device in self.commits:
            key = (player, self.house.day(event.at))
            if self.counted[key].get(device, event.at + 1) > event.at:
                self.books.say(event.where, f"{device} does not count among the devices of {player} that day")
            if self.withheld[key].get(device, event.at + 1) <= event.at:
                self.books.say(event.where, f"{device} had withheld on that day, and counts no more")


class _AtTable:
    """What the events of a table say besides money: persons, places, the procedure, stays and entries."""

    def __init__(self, table: _Table, house: _House, ties: _Ties, books: _Books, devices: _Devices) -> None:
        self.table = table
        self.devices = devices
        self.house = house
        self.ties = ties
        self.books = books
        self.staff: set[str] = set()
        self.seats: dict[int, str] = {}
        self.stays: dict[str, tuple[int, int, int]] = {}
        self.limits: Any = {}
        self.chips_due: tuple[str, int] | None = None
        self.day = ""
        self.step = 0
        self.options: set[int] = set()
        self.entries: list[Event] = []
        self.correcting: list[tuple[int, Any, str]] = []
        self.request = (0, [Event("", 0, 0, "", "", {})])
        self.terms: list[tuple[Event, Any]] = []
        self.awards: dict[int, int] = defaultdict(int)
        self.called = False
        self.suspension: Data | None = None
        self.followups: Data = {}
        self.orders: set[tuple[str, str]] = set()
        self.drawn: list[Data] = []
        self.owes_note = self.owes_alarm = ""
        self.reporter = ""
        self.matter = dict.fromkeys(MATTER, "")
        self.entered_for: set[str] = set()
        self.began: tuple[str, list[tuple[int, int, int]], Data | None] = ("", [], None)
        self.voids: dict[int, tuple[bytes, list[Data]]] = {}
        self.broken: set[int] = set()

    def check(self, event: Event) -> None:
        """Hold one event of the table against those before it; its money is for the table itself."""
        if event.at != self.request[0]:
            self.request_is_over(event.where)
            self.request = (event.at, [])
            self.began = self._stands()
        if not self.house.knows(event.actor):
            self.books.say(event.where, f"the house does not know {event.actor}")
        if self.chips_due is not None and event.name != "rack-changed.v1":
            self.books.say(event.where, f"play was not told of {self.chips_due[1]} of {self.chips_due[0]}")
            self.chips_due = None
        held = self.house.held.get(_name(event.actor), set())
        if event.actor.startswith("staff/") and held <= AT_THE_TABLE and _name(event.actor) not in self.staff:
            self.books.say(event.where, f"{event.actor} is not on shift at this table")
        name = event.name.rpartition(".v")[0].replace("-", "_")
        wrong = getattr(self, f"_{name}", None)
        said = wrong(event, event.data) if wrong is not None else ""
        said = said or self._void_by_one(event)
        if said:
            self.books.say(event.where, said)
        if "by" in event.data and event.data["by"] not in self.house.positions_of(event.actor):
            self.books.say(event.where, f"{event.actor} has never been {event.data['by']}")
        if event.name in REQUESTED_BY:
            self.house.requested(event)
        else:
            needed = self._required(event, event.data)
            by = event.data.get("by", "")
            ranks = [by] if by in POSITIONS else list(self.house.positions_of(event.actor))
            self.house.authorised(event, [needed] if needed else [], ranks)
        self.request[1].append(event)
        if event.name in ("irregularity-reported.v1", "round-suspended.v1"):
            self.reporter = event.actor
        self._hear_matter(event, event.data)

    # voids of sealed rounds

    def _stands(self) -> tuple[str, list[tuple[int, int, int]], Data | None]:
        """How the round stands as a request begins: settled or not, what is staked at each position, and its
        result for the house; the jackpot is left out. The last is the matter that a ruling is waited for."""
        table = self.table
        if not table.virtual or table.round is None:
            return ("", [], self.suspension)
        jackpot = table.book.plays_for_meter
        settled = table.round.settled
        if settled is None:
            laid = [*table.laid.items(), *table.folded.items()]
            return ("", [(key[0], cents, 0) for key, cents in laid if key[2] != jackpot], self.suspension)
        lines = [
            (seat["position"], line["stake"], line["collected"] - line["paid"])
            for seat in settled.data["settlement"]["seats"]
            for line in seat["lines"]
            if line["wager"] != jackpot
        ]
        return ("settled", lines, self.suspension)

    def _void_by_one(self, event: Event) -> str:
        """A void of a sealed round, or a hand that is taken out of one, is noted; of cards that were dealt it
        takes two persons, and so does what lets a player withdraw one."""
        if not self.table.virtual or not self.table.seal or not self.house.asks_for(event.at, "act/second"):
            return ""
        number = max(self.table.rounds)
        if event.name == "irregularity-reported.v1" and event.data["kind"] in ABOUT_CARDS:
            kind = event.data["kind"]
            if number not in self.broken:
                self.owes_alarm = f"{kind} was reported, and the seal of round {number} was not found broken"
        if event.name not in (*ENDS, *LETS_OUT):
            return ""
        noted = self.house.asks_for(event.at, "withdrawal/second")
        if event.name == "round-voided.v1":
            self.owes_note = f"the void of round {number} was not noted"
        elif event.name == "hand-removed.v1" and self.drawn and noted:
            self.owes_note = (
                f"it was not noted that position {event.data['position']} is out of round {number}"
            )
        told = [other for other in self.request[1] if other.name in TOLD]
        if not told or not self.drawn or (event.name in LETS_OUT and not noted):
            return ""
        if event.actor == "system":
            failed = told[0].data.get("kind") == "jackpot-failure" and self.table.round is not None
            if failed and self.house.asks_for(event.at, "fail-link/second"):
                self.table.outages.append(event)
            return ""
        request = "act" if event.name in ENDS else "withdrawal"
        return self.house.no_second(event, told[0].data.get("approved_by", ""), request)

    def _hear_matter(self, event: Event, data: Data) -> None:
        """What hands are taken out for: who reported it and why, who ruled on it, and who signed last."""
        signer = data.get("approved_by", "")
        if event.name == "bets-opened.v1":
            self.matter = dict.fromkeys(MATTER, "")
            self.entered_for = set()
        elif event.name == "irregularity-reported.v1":
            self.matter = dict(
                zip(MATTER, (event.actor, data["kind"], data["what"], "", signer), strict=True)
            )
        elif event.name == "round-suspended.v1" and not self.matter["reported_by"]:
            why = data["suspension"]
            self.matter = dict(zip(MATTER, (event.actor, why["kind"], why["what"], "", ""), strict=True))
        elif event.name == "standing-order.v1" and not self.matter["reported_by"]:
            order = f"{data['order']} {data['argument']}".rstrip()
            self.matter = dict(zip(MATTER, (event.actor, "", order, event.actor, signer), strict=True))
        elif event.name in ("ruling-given.v1", "standing-order.v1"):
            self.matter |= {"ruled_by": event.actor, "signed_by": signer or self.matter["signed_by"]}

    def _cards_drawn(self, event: Event, data: Data) -> str:
        self.drawn += data["openings"]
        return ""

    def _void_noted(self, event: Event, data: Data) -> str:
        """Who, why and how much, as the record has it. What a round would have come to is in its rules of
        play, which this verifier does not have: of a round that was settled it is the settlement."""
        names = [other.name for other in self.request[1]]
        play, voided = self.table.round, "round-voided.v1" in names
        out = {other.data["position"] for other in self.request[1] if other.name == "hand-removed.v1"}
        hands = [] if voided or not self.drawn else sorted(out)
        if not (voided or hands) or "void-noted.v1" in names or play is None or not self.table.seal:
            return "no sealed round was made void that it could be about"
        self.owes_note = ""
        rulings = [other for other in self.request[1] if other.name == "ruling-given.v1"]
        reports = [other for other in self.request[1] if other.name == "irregularity-reported.v1"]
        told = next(iter([*rulings, *reports]), None)
        stage, rows, waits = self.began
        rows = [row for row in rows if not hands or row[0] in hands]
        staked, house = sum(row[1] for row in rows), sum(row[2] for row in rows)
        broken = play.number in self.broken
        erased = bool(play.settlements) and play.number not in self.table.kept_decks
        last = voided or not any(key[2] in self.table.book.hands for key in self.table.laid)
        due: dict[str, Any] = {
            "round_number": play.number,
            "reported_by": event.actor if reports else self.reporter or event.actor,
            "ruled_by": event.actor if rulings else "",
            "signed_by": "" if told is None else told.data.get("approved_by", ""),
            "cards": len(self.drawn),
            "staked": staked,
            "deck_kept": not broken and not erased and last,
        }
        if data.get("positions", []) != hands:
            return f"it notes the hands {data.get('positions', [])}, out are {hands}"
        if hands:
            due |= self.matter | {"reported_by": self.matter["reported_by"] or event.actor}
        elif reports:
            due |= {"kind": reports[0].data["kind"], "reason": reports[0].data["what"]}
        elif waits is not None:
            due |= {"kind": waits["kind"], "reason": waits["what"]}
        if data["stage"] not in self._stages(stage, play):
            return f"the round did not stand at {data['stage']!r}"
        if broken or stage == "settled":
            due["house"] = None if broken else house
        elif not staked:
            due["house"] = 0
        elif not erased and data["house"] is not None:
            if data["house"] > staked:
                return f"the house would have won {data['house']} of {staked}"
            self.books.leave("what void rounds would have come to", event)
        for name, found in due.items():
            if data[name] != found:
                return f"it notes {data[name]!r} as {name}, the record has {found!r}"
        if data["deck_kept"]:
            self.voids[play.number] = (self.table.seal, list(self.drawn))
            self.table.kept_decks.add(play.number)
        if data.get("beacon") is None:
            return ""
        order = self.table.order
        said = None if order.composition is None or order.composed_at else order.composition["beacon"]
        if play.closed is None:
            return "bets were open when the beacon's value was noted"
        return order._beacon_wrong(said, data["beacon"], event.at, order.deadline(play.closed))

    def _stages(self, stage: str, play: _Round) -> tuple[str, ...]:
        """How far a round can have come when a request began: its stage, or the decision outstanding."""
        if stage == "settled":
            return ("settled",)
        if not self.drawn:
            return ("betting",) if play.closed is None else ("closed",)
        steps = self._steps()
        decision = steps[self.step].get("decide", "") if self.step < len(steps) else ""
        return (decision, "decided") if decision else ("decided",)

    def _seal_broken(self, event: Event, data: Data) -> str:
        """An alarm that stays: it is told as a problem for ever."""
        number = data["round_number"]
        if data["what"] not in BROKEN or number in self.broken or number not in self.table.rounds:
            return f"no such alarm can be about round {number}"
        self.broken.add(number)
        self.owes_alarm = ""
        self.voids.pop(number, None)
        self.table.kept_decks.discard(number)
        return f"alarm: the sealed deck of round {number} {BROKEN[data['what']]}"

    def _deck_opened(self, event: Event, data: Data) -> str:
        """The whole deck of a void round, as it was sealed, once later bets are open."""
        number, openings = data["round_number"], data["openings"]
        if number not in self.voids:
            return f"no deck of round {number} was kept"
        self.table.opened_decks.append(event)
        seal, drawn = self.voids.pop(number)
        self.table.kept_decks.discard(number)
        if self.table.round is None or self.table.round.number <= number:
            return f"the void of round {number} was not final: no later bets were open"
        if [opening["index"] for opening in openings] != list(range(52)):
            return "not every place of the deck is opened, in order"
        for place, opening in enumerate(openings):
            made = bytes.fromhex(opening["salt"]) + f"|{place}|{opening['card']}".encode()
            if hashlib.sha256(made).digest() != seal[32 * place : 32 * place + 32]:
                return f"place {place + 1} is opened as {opening['card']}, which is not what was sealed"
        if {opening["card"] for opening in openings} != RANKS_AND_SUITS:
            return "the deck that was opened is not of 52 cards"
        same = all(openings[opening["index"]] == opening for opening in drawn)
        return "" if same else "the cards that were drawn are opened as others"

    def _required(self, event: Event, data: Data) -> str:
        """The rank that the rulebook asks for what was done at the table; empty where it names none."""
        book = self.table.book
        match event.name:
            case "hand-looked-at.v1":
                return book.power("look-at-hand")
            case "standing-order.v1" | "order-lifted.v1":
                return book.power(ORDERED_BY.get(data["order"], UNCOVERED)) or book.power(UNCOVERED)
            case "ruling-given.v1":
                return self._rules_on(data)
            case "irregularity-reported.v1":
                rows = [row for row in book.rules.get("remedies", ()) if row["kind"] == data["kind"]]
                said = (data["mode"], data["remedy"])
                found = [row.get("finding") for row in rows if (row["mode"], row["remedy"]) == said]
                return min(found, key=POSITIONS.index) if found and all(found) else ""
            case "decision-taken-back.v1":
                own = self.table.virtual and data["choice"] != "absent"
                return book.power(UNCOVERED) if own else ""
            case _:
                return ""

    def _rules_on(self, data: Data) -> str:
        """Who rules on the matter that waits, or on one that was ruled before; then it waits no more."""
        waits, followups = self.suspension, self.followups
        self.suspension, self.followups = None, data["followups"]
        ordered = any(other.name == "standing-order.v1" for other in self.request[1])
        if data["ruling"] == "bar" and ordered:
            return self.table.book.power(ORDERED_BY["bar"]) or self.table.book.power(UNCOVERED)
        if waits is not None:
            return str(waits["decides"])
        return str(followups[data["ruling"]]["position"]) if data["ruling"] in followups else ""

    def request_is_over(self, where: str) -> None:
        """What a request has corrected it has named, too, and who has left has his stakes back."""
        names = {event.name for event in self.request[1]}
        gone = [
            event for event in self.request[1] if event.name == "option-taken.v1" and not event.data["stays"]
        ]
        if gone and not names & {"hand-removed.v1", "wager-withdrawn.v1", "share-returned.v1"}:
            self.books.say(gone[0].where, f"position {gone[0].data['position']} left, and nothing went back")
        for version, *_ in self.correcting:
            self.books.say(where, f"entry {version} was corrected, and nothing names it")
        self.correcting = []
        for owed in filter(None, (self.owes_note, self.owes_alarm)):
            self.books.say(where, owed)
        self.owes_note = self.owes_alarm = ""

    def _plays(self, event: Event, position: int) -> str:
        """Whether a position has a stake in the round; of a player, one of his own."""
        there = self.table.stakes_of_round()
        if not any(key[0] == position for key in there):
            return f"nobody plays at position {position}"
        kind, _, name = event.actor.partition("/")
        if kind == "player" and not any(key[:2] == (position, name) for key in there):
            return f"{name} does not play at position {position}"
        return ""

    # the table itself

    def _table_opened(self, event: Event, data: Data) -> str:
        self.seats, self.limits, self.called = {}, data["limits"], False
        book = self.table.rulebooks[data["rulebook"]].rules
        if data["link"]:
            self.ties.tell(0, event, ("membership", data["link"], self.table.name, event.at), "joined")
            self.terms.append((event, data["jackpot"]))
        of_house = book["house"].get("layout-positions")
        layout = {row["name"]: row.get("positions", of_house) for row in book["layouts"]}.get(data["layout"])
        checks = {
            "gaming_day": data["gaming_day"] == self.house.day(event.at),
            "layout": layout is not None,
            "positions": layout is None or data["positions"] <= layout[1],
            "limits": all(
                name in book["wagers"] and len(row) == 2 and 0 < row[0] <= row[1]
                for name, row in data["limits"].items()
            ),
            "cards": data["cards"] in ("virtual", "physical"),
            "practice": data["practice"] == (data["currency"] == PRACTICE),
            "currency": data["practice"] or data["currency"] == book["house"]["currency"],
            "decision_seconds": 1 <= data["decision_seconds"] <= 3600,
            "chip": f"{data['chip'] // 100}.{data['chip'] % 100:02}" == book["house"].get("chip", "1.00"),
            "jackpot": data["jackpot"]["linked"] if data["link"] else data["jackpot"] is None,
            "checklist": set(data["checklist"]) <= {row["name"] for row in book.get("equipment", ())},
            "slips_by": data.get("slips_by", "") in ("", "player"),
        }
        return ", ".join(f"no table opens with this {what}" for what, holds in checks.items() if not holds)

    def _table_closed(self, event: Event, data: Data) -> str:
        if self.table.link:
            self.ties.tell(0, event, ("membership", self.table.link, self.table.name, event.at), "left")
        self.staff, self.seats = set(), {}
        return ""

    def _staff_assigned(self, event: Event, data: Data) -> str:
        self.staff.add(data["person"])
        known = data["position"] in self.house.held.get(data["person"], ())
        return "" if known else f"{data['person']} has never been {data['position']}"

    def _staff_relieved(self, event: Event, data: Data) -> str:
        there = data["person"] in self.staff
        self.staff.discard(data["person"])
        return "" if there else f"{data['person']} was not on shift"

    def _seat_taken(self, event: Event, data: Data) -> str:
        holder = self.seats.get(data["position"])
        self.seats[data["position"]] = data["player"]
        if event.actor.startswith("player/") and _name(event.actor) != data["player"]:
            return f"{event.actor} seats {data['player']}"
        return f"{holder} has the seat" if holder else ""

    def _seat_left(self, event: Event, data: Data) -> str:
        holder = self.seats.pop(data["position"], "nobody")
        return "" if holder == data["player"] else f"{holder} had the seat"

    def _filled(self, event: Event, data: Data) -> str:
        self.house.approves(event, data["witness"])
        return ""

    _credited = _filled

    def _limits_set(self, event: Event, data: Data) -> str:
        before, self.limits = self.limits, data["limits"]
        return "" if data["before"] == before else f"the limits before were {before}"

    def _dealing_set(self, event: Event, data: Data) -> str:
        known = data["dealt_by"] in ("person", "house")
        return "" if known else f"nobody deals who is called {data['dealt_by']}"

    def _supervisor_called(self, event: Event, data: Data) -> str:
        before, self.called = self.called, True
        if before or data["person"] != _name(event.actor):
            return f"called by {data['person']}, written by {event.actor}"
        return ""

    def _call_answered(self, event: Event, data: Data) -> str:
        before, self.called = self.called, False
        if not before or data["person"] != _name(event.actor):
            return f"answered by {data['person']}, written by {event.actor}"
        return ""

    def _entropy_committed(self, event: Event, data: Data) -> str:
        self.devices.commit(event, data["player"], data["device"])
        if data["player"] in self.entered_for and self.house.asks_for(event.at, "withdrawal/second"):
            return f"staff have entered stakes of {data['player']}, whose device commits"
        return "" if data["player"] in self.seats.values() else f"{data['player']} has no seat"

    def _wager_placed(self, event: Event, data: Data) -> str:
        if not event.actor.startswith("staff/"):
            return ""
        self.entered_for.add(data["player"])
        play, committed = self.table.round, {player for player, _ in self.table.order.commitments}
        betting = play is not None and play.closed is None
        if betting and data["player"] in committed and self.house.asks_for(event.at, "withdrawal/second"):
            return f"staff enter a stake of {data['player']}, whose device has committed"
        return ""

    def _order_composed(self, event: Event, data: Data) -> str:
        number = self.table.round.number if self.table.round is not None else 0
        for row in data["withheld"]:
            key = ("withheld device", row["player"], row["device"], self.table.name, number)
            self.ties.tell(0, event, key, event.at)
        return ""

    # chips and stays

    def _bought_in(self, event: Event, data: Data) -> str:
        since, bought, taken = self.stays.get(data["player"], (event.at, 0, 0))
        self.stays[data["player"]] = (since, bought + data["amount"], taken)
        self.chips_due = (data["player"], data["amount"])
        return ""

    def _debt_recorded(self, event: Event, data: Data) -> str:
        self.chips_due = (data["player"], data["amount"])
        return ""

    def _debt_reduced(self, event: Event, data: Data) -> str:
        self.chips_due = (data["player"], -data["amount"])
        return ""

    def _cashed_out(self, event: Event, data: Data) -> str:
        player, amount, table = data["player"], data["amount"], self.table
        self.chips_due = (player, -amount)
        left = table.books.balances.get(table.account("rack", player), 0) - amount * UNITS
        if data["leaves"] and player in self.stays:
            since, bought, taken = self.stays.pop(player)
            facts = (since, bought, taken + amount, table.currency)
            self.ties.tell(0, event, ("stay", player, table.name, event.at), facts)
        elif player in self.stays:
            since, bought, taken = self.stays[player]
            self.stays[player] = (since, bought, taken + amount)
        return "" if data["leaves"] == (not left) else f"{player} has {left} left at the table"

    def _rack_changed(self, event: Event, data: Data) -> str:
        due, self.chips_due = self.chips_due, None
        return "" if due == (data["player"], data["amount"]) else f"the chips that moved are {due}"

    def _gaming_day_begun(self, event: Event, data: Data) -> str:
        if self.day:
            racks = {player: self._rack(player) for player in self.stays}
            self.stays = {player: (event.at, chips, 0) for player, chips in racks.items()}
        self.day = data["day"]
        due = self.house.day(event.at)
        return "" if data["day"] == due else f"the gaming day is {due}"

    def _rack(self, player: str) -> int:
        return self.table.books.balances.get(self.table.account("rack", player), 0) // UNITS

    # the round

    def _bets_opened(self, event: Event, data: Data) -> str:
        self.step, self.options, self.entries = 0, set(), []
        self.suspension, self.followups = None, {}
        self.drawn, self.reporter = [], ""
        return ""

    def _jackpot_terms_set(self, event: Event, data: Data) -> str:
        self.terms.append((event, {**data, "linked": True}))
        return ""

    def _interrupted(self, event: Event, data: Data) -> str:
        number = self.table.round.number if self.table.round is not None else 0
        return "" if data["round_number"] == number else f"round {number} was in play"

    def _steps(self) -> list[Data]:
        return self.table.book.procedures.get(self.table.procedure, [])

    def _step_done(self, event: Event, data: Data) -> str:
        """The first deal goes on to a decision, or to the end of the procedure."""
        steps, at = self._steps(), data["step"]
        self.step = at
        decides = next((place for place, step in enumerate(steps) if "decide" in step), len(steps))
        return "" if at == decides else f"the first deal ends with step {decides}"

    def _place_revealed(self, event: Event, data: Data) -> str:
        steps, before, self.step = self._steps(), self.step, data["step"]
        due = next(
            ((step["reveal"], at) for at, step in enumerate(steps, 1) if at > before and "reveal" in step),
            ("nothing", 0),
        )
        return "" if (data["place"], data["step"]) == due else f"{due[0]} is revealed next, as step {due[1]}"

    def _card_turned_up(self, event: Event, data: Data) -> str:
        ups = [(step["turn-up"], step["card"]) for step in self._steps() if "turn-up" in step]
        return "" if (data["place"], data["number"]) in ups else "no such card is turned up"

    def _decision_made(self, event: Event, data: Data) -> str:
        self.entries.append(event)
        known = [row["name"] for row in self.table.book.rules["decisions"]]
        if data["decision"] not in known or data["choice"] not in CHOICES:
            return f"nobody decides {data['choice']} on {data['decision']}"
        placed = any(
            other.name == "wager-placed.v1" and other.data["position"] == data["position"]
            for other in self.request[1]
        )
        if placed != (data["choice"] == "bet"):
            return f"position {data['position']} has {'placed' if placed else 'no'} wager with its choice"
        return self._plays(event, data["position"])

    def _at_position(self, event: Event, data: Data) -> str:
        self.entries.append(event)
        return self._plays(event, data["position"])

    _hand_viewed = _hand_handled = _comparison_declined = _hand_established = _at_position
    _absence_recorded = _hand_looked_at = _at_position

    def _withdrawal_permitted(self, event: Event, data: Data) -> str:
        self.options.add(data["position"])
        return self._plays(event, data["position"])

    def _player_absent(self, event: Event, data: Data) -> str:
        absence = self.table.book.rules["absence"]["decisions"]
        self.entries.append(event)
        if data["consequence"] not in {absence.get(data["decision"])}:
            return f"by absence {data['decision']} is {absence.get(data['decision'], 'nothing')}"
        return self._plays(event, data["position"])

    def _options_offered(self, event: Event, data: Data) -> str:
        positions = set(data["positions"])
        self.options |= positions
        if len(positions) != len(data["positions"]):
            return "one position has its option twice"
        return "".join(self._plays(event, position) for position in sorted(positions))

    def _option_taken(self, event: Event, data: Data) -> str:
        offered = data["position"] in self.options
        self.options.discard(data["position"])
        if not offered:
            return f"position {data['position']} was offered none"
        if data["absent"] and event.actor.startswith("player/"):
            return f"{event.actor} was there"
        return self._plays(event, data["position"])

    def _wager_withdrawn(self, event: Event, data: Data) -> str:
        stays = [
            other for other in self.request[1] if other.name == "option-taken.v1" and other.data["stays"]
        ]
        return f"position {data['position']} stays, and takes a wager back" if stays else ""

    def _hand_removed(self, event: Event, data: Data) -> str:
        left = any(
            other.name == "option-taken.v1"
            and other.data["stays"]
            and other.data["position"] == data["position"]
            for other in self.request[1]
        )
        self.followups = data["followups"] or self.followups
        return f"position {data['position']} stays" if left else self._followups(data)

    # entries, and what is wrong with them

    def _card_entered(self, event: Event, data: Data) -> str:
        self.entries.append(event)
        places = {"dealer", "burned", *self.table.book.community}
        places |= {str(key[0]) for key in self.table.stakes_of_round()}
        if data["place"] not in places or data["card"] not in RANKS_AND_SUITS:
            return f"no {data['card']} lies at {data['place']}"
        return ""

    def _card_corrected(self, event: Event, data: Data) -> str:
        self._corrects(event)
        self.entries.append(event)
        cards = {data["wrong"], data["right"] or data["wrong"]}
        if not cards <= RANKS_AND_SUITS or data["number"] < 1:
            return f"no card {data['number']} of {data['place']} is corrected"
        return ""

    def _decision_taken_back(self, event: Event, data: Data) -> str:
        entry = self._corrects(event)
        if entry is None or entry.name != "decision-made.v1":
            return ""
        chose = (entry.data["decision"], entry.data["choice"])
        return "" if (data["decision"], data["choice"]) == chose else f"it chose {chose[1]} on {chose[0]}"

    def _corrects(self, event: Event) -> Event | None:
        """The entry that an event corrects; where there is one, the floor names it with the same request."""
        entry = self._corrected_by(event)
        if entry is not None:
            data = event.data
            self.correcting.append((entry.version, data.get("clauses", []), data.get("reason", "")))
        return entry

    def _round_settled(self, event: Event, data: Data) -> str:
        self.entries.append(event)
        return self._awarded(event, 1) or self._strangers(data["settlement"])

    def _round_voided(self, event: Event, data: Data) -> str:
        return self._awarded(event, 1) or self._strangers(data["settlement"])

    def _strangers(self, settlement: Data) -> str:
        """Seats of a settlement whose player has no stake there."""
        table = self.table
        there = {key[:2] for stakes in (table.laid, table.folded, table.back) for key in stakes}
        for seat in settlement["seats"]:
            if (seat["position"], seat["player"]) not in there:
                return f"{seat['player']} does not play at position {seat['position']}"
        return ""

    def _settlement_reversed(self, event: Event, data: Data) -> str:
        settled = self._corrects(event)
        return "" if settled is None else self._awarded(settled, -1, event)

    def _awarded(self, settled: Event, sign: int, event: Event | None = None) -> str:
        """What a settlement says of the jackpot: before and after, and whose the awards are."""
        jackpot = settled.data["settlement"]["jackpot"]
        if jackpot is None:
            return ""
        shares = [award for award in jackpot["awards"] if award["from_meter"]]
        self.awards[(event or settled).at] += sign * len(shares)
        if sign < 0:
            return ""
        paid = sum(share["amount"] for share in shares) * UNITS
        moved = jackpot["house_funded"] - paid - jackpot["reversed_contributions"]
        moved -= jackpot.get("fixed_from_meter", 0)
        if jackpot["after"] - jackpot["before"] != moved:
            return f"the meter goes from {jackpot['before']} to {jackpot['after']}, moved is {moved}"
        seats = {seat["position"]: seat["player"] for seat in settled.data["settlement"]["seats"]}
        strangers = [
            share
            for share in jackpot["awards"]
            if seats.get(share["position"]) != share["player"]
            or share["hand_class"] not in self.table.book.awards
        ]
        return f"an award of {strangers[0]['player']} at another's position" if strangers else ""

    def _corrected_by(self, event: Event) -> Event | None:
        """The last entry of the round that an event corrects."""
        data = event.data
        kinds = {
            "settlement-reversed.v1": ("round-settled.v1",),
            "decision-taken-back.v1": ("decision-made.v1", "player-absent.v1", "comparison-declined.v1"),
            "card-corrected.v1": ("card-entered.v1", "card-corrected.v1"),
        }[event.name]
        for entry in reversed(self.entries):
            if entry is event or entry.name not in kinds:
                continue
            if event.name == "decision-taken-back.v1" and entry.data["position"] != data["position"]:
                continue
            if event.name == "card-corrected.v1":
                lies = entry.data["card"] if entry.name == "card-entered.v1" else entry.data["right"]
                if (entry.data["place"], lies) != (data["place"], data["wrong"]):
                    continue
            return entry
        return None

    def _entries_cleared(self, event: Event, data: Data) -> str:
        """Cards are entered again only where some were entered."""
        entered = {entry.data["place"] for entry in self.entries if entry.name.startswith("card-")}
        empty = [place for place in data.get("places", ()) if place not in entered]
        return f"no card was entered at {empty[0]}" if empty else ""

    def _entry_corrected(self, event: Event, data: Data) -> str:
        if not self.correcting:
            return "nothing was corrected"
        version, clauses, reason = self.correcting.pop(0)
        if data["corrects"] != version:
            return f"what was corrected is entry {version}"
        if data["clauses"] != clauses or (reason and data["reason"] != reason):
            return "it cites other clauses than its cause, or another reason"
        return ""

    def _payout_slip(self, event: Event, data: Data) -> str:
        """A slip that takes another back does so for the reason that the entry was corrected for."""
        reasons = [other.data["reason"] for other in self.request[1] if other.name == "entry-corrected.v1"]
        due = reasons[-1] if data["corrects"] and reasons else ""
        return "" if data["reason"] == due else f"its reason is {data['reason']!r}, the entry has {due!r}"

    # trouble

    def _rows(self) -> set[tuple[str, str, str]]:
        """Kind, mode and remedy of each row; what the book has no row for waits to be ruled on."""
        written = self.table.book.rules.get("remedies", ())
        known = {(row["kind"], row["mode"], row["remedy"]) for row in written}
        for kind in IRREGULARITIES - {row["kind"] for row in written}:
            known |= {(kind, "suspended", "as-ruled"), (kind, "recorded", "nothing")}
        return known

    def _irregularity_reported(self, event: Event, data: Data) -> str:
        said = (data["kind"], data["mode"], data["remedy"])
        if said not in self._rows():
            return f"the book has no row {said}"
        second = data.get("approved_by", "")
        ranks = set(POSITIONS[POSITIONS.index("pit-supervisor") :])
        if second and (second == _name(event.actor) or not self.house.held.get(second, set()) & ranks):
            return f"{second} is no second person for what {event.actor} does"
        return ""

    def _round_suspended(self, event: Event, data: Data) -> str:
        found = data["suspension"]
        kinds = {row[0] for row in self._rows()}
        rulings = {*found["rulings"], *found["choice_after"]}
        if found["kind"] not in kinds or found["decides"] not in POSITIONS or not rulings <= RULINGS:
            return "nobody could rule on that"
        self.suspension = found
        rows = [row for row in self.table.book.rules.get("remedies", ()) if row["kind"] == found["kind"]]
        deciding = {row.get("decides") for row in rows} if rows else {self.table.book.power(UNCOVERED)}
        if found["decides"] not in {*deciding, MANAGER}:
            return f"{found['decides']} does not decide on {found['kind']}"
        return "".join(self._plays(event, position) for position in found["positions"])

    def _ruling_given(self, event: Event, data: Data) -> str:
        second = data.get("approved_by", "")
        if second:
            wrong = self.house.no_second(event, second, "act")
            if wrong:
                return wrong
        return self._followups(data) if data["ruling"] in RULINGS else f"there is no ruling {data['ruling']}"

    def _followups(self, data: Data) -> str:
        """Rulings that may be given because of one, and by whom."""
        found = data["followups"]
        known = found.keys() <= RULINGS and all(row["position"] in POSITIONS for row in found.values())
        return "" if known else "nobody could rule so after it"

    def _cards_ordered(self, event: Event, data: Data) -> str:
        named = {*data["cards"], *(row["card"] for row in data["moved"])}
        return "" if named <= RANKS_AND_SUITS else "no such cards are put in order"

    def _standing_order(self, event: Event, data: Data) -> str:
        if data["order"] == "bar" and data["argument"] in self.house.players:
            barred = event.name == "standing-order.v1"
            self.ties.tell(0, event, ("bar", data["argument"], self.table.name, event.at), barred)
        known = data["argument"] in self.house.players if data["order"] in ("bar", "restrict") else True
        order = (data["order"], data["argument"])
        if event.name == "standing-order.v1":
            self.orders.add(order)
        elif order not in self.orders:
            return f"no {order[0]} of {order[1]} stood"
        else:
            self.orders.discard(order)
        return "" if data["order"] in RULINGS and known else f"no {data['order']} of {data['argument']}"

    _order_lifted = _standing_order

    def _jackpot_claimed(self, event: Event, data: Data) -> str:
        play = self.table.round
        if play is not None and self.table.link:
            facts = (_hands(data["hands"]), play.row["dealt_at"], self.table.book_hash)
            self.ties.tell(
                0, event, ("claim", self.table.link, self.table.name, play.number, event.at), facts
            )
        return ""

    def _jackpot_claim_dropped(self, event: Event, data: Data) -> str:
        play = self.table.round
        number = 0 if play is None else play.number
        self.ties.tell(
            0, event, ("rejection", self.table.link, self.table.name, number, event.at), data["reason"]
        )
        return ""

    def _meter_read(self, event: Event, data: Data) -> str:
        self.ties.tell(0, event, ("reset value", self.table.link, self.table.name, event.at), data["reset"])
        return ""

    def _duty_done(self, event: Event, data: Data) -> str:
        if data["clauses"] != self._duty(data["duty"]):
            return f"the book has no duty {data['duty']} by these clauses"
        own = self.table.hands_of(data["player"])
        if not data["player"] or set(data["positions"]) == own:
            return ""
        return f"{data['player']} plays hands at {sorted(own)}"

    def _duty(self, name: str) -> list[str]:
        """The clauses of a duty of the table's book; none where it has no such duty."""
        rows = self.table.book.rules.get("duties", ())
        found: list[str] = next((row["clauses"] for row in rows if row["duty"] == name), [])
        return found

    def _jackpot_hand_left(self, event: Event, data: Data) -> str:
        at_stake = {key[0] for key in self.table.laid if key[2] == self.table.book.plays_for_meter}
        if data["position"] not in at_stake:
            return f"position {data['position']} plays for no jackpot"
        return "" if data["clauses"] == self._duty("leave-jackpot-hand") else "left by other clauses"

    def _excess_rejected(self, event: Event, data: Data) -> str:
        said = ("position", "player", "wager")
        placed = [other.data for other in self.request[1] if other.name == "wager-placed.v1"]
        if not placed or any(placed[-1][name] != data[name] for name in said):
            return "nothing was placed that it is the excess of"
        rule = self.table.book.rules["limits"]["over-maximum"]
        return "" if data["clauses"] == rule.get("placing-clauses") else "rejected by other clauses"

    def _jackpot_bets_stopped(self, event: Event, data: Data) -> str:
        told = [other.data for other in self.request[1] if other.name == "irregularity-reported.v1"]
        same = bool(told) and told[-1]["clauses"] == data["clauses"]
        return "" if same else "no report stops them by these clauses"

    def _unnoticed_wager_entered(self, event: Event, data: Data) -> str:
        rules, second = self.table.book.rules, data["approved_by"]
        cited = rules["limits"].get("unnoticed-clauses") or rules["round"]["closes-clauses"]
        if data["clauses"] != cited:
            return "entered by other clauses"
        dealt = self.table.round is not None and self.table.round.row["dealt_at"] is not None
        if not dealt and not second:
            return ""
        ranks = set(POSITIONS[POSITIONS.index("pit-supervisor") if dealt else 0 :])
        if second != _name(event.actor) and self.house.held.get(second, set()) & ranks:
            return ""
        return f"{second or 'nobody'} is no second person for what {event.actor} does"

    def _deck_sealed(self, event: Event, data: Data) -> str:
        text = data["commitments"]
        as_written = base64.b64encode(base64.b64decode(text, validate=True)).decode()
        return "" if as_written == text else "the commitments are not written as they are made"


class _AtLink:
    """What the events of a link say besides money: persons, members, claims and the order of things."""

    def __init__(self, link: _Link, house: _House, ties: _Ties, books: _Books) -> None:
        self.link = link
        self.house = house
        self.ties = ties
        self.books = books
        self.terms: list[Any] = []

    def check(self, event: Event) -> None:
        """Hold one event of the link against those before it; its money is for the link itself."""
        self.house.requested(event)
        if not self.house.knows(event.actor):
            self.books.say(event.where, f"the house does not know {event.actor}")
        data = event.data
        match event.name:
            case "link-opened.v1" | "parameters-taken.v1":
                self.terms.append({name: data["parameters"][name] for name in TERMS})
            case "opening-approved.v1" | "parameters-planned.v1" | "transferred.v1":
                self.house.approves(event, data["approved_by"])
            case "link-failed.v1":
                if data.get("approved_by"):
                    self.house.approves(event, data["approved_by"])
            case "member-joined.v1" | "member-left.v1":
                what = event.name.removesuffix(".v1").removeprefix("member-")
                self.ties.tell(1, event, ("membership", self.link.name, data["table"], event.at), what)
            case "claim-entered.v1":
                key = ("claim", self.link.name, data["table"], data["round_number"], event.at)
                facts = (_hands(data["hands"]), data["dealt_at"], data["rulebook"])
                self.ties.tell(1, event, key, facts)
            case "claim-ended.v1":
                self._ended(event, data)
            case "claim-fixed.v1":
                known = ("entered first", "dealt first", "determined by the House")
                if data["why"] not in known and not data["why"].endswith(" was not upheld"):
                    self.books.say(event.where, f"nothing is fixed for being {data['why']!r}")
            case "contribution-returned.v1":
                self._returned(event, data)
            case "contributed.v1":
                member, reset = data["table"], self.link.parameters["reset"]
                self.ties.tell(1, event, ("reset value", self.link.name, member, event.at), reset)
            case "fixed-awards-paid.v1":
                if min(data["paid"], data["funded"]) >= 0:
                    reset = self.link.parameters["reset"]
                    self.ties.tell(1, event, ("reset value", self.link.name, data["table"], event.at), reset)
            case "claim-paid.v1":
                claim = self.link.claims[data["claim"]]
                fixed = None if claim.fixed is None else claim.fixed.data["reset"]
                self.ties.tell(1, event, ("reset value", self.link.name, claim.table, event.at), fixed)
            case "link-restored.v1":
                if data["by"] != event.actor:
                    self.books.say(event.where, f"restored by {data['by']}, written by {event.actor}")
            case _:
                pass

    def _ended(self, event: Event, data: Data) -> None:
        claim = self.link.claims.get(data["claim"])
        if data["by"] not in (_name(event.actor), event.actor):
            self.books.say(event.where, f"ended by {data['by']}, written by {event.actor}")
        if claim is not None and data["reason"] != OUT_OF_THE_ROUND:
            key = ("rejection", self.link.name, claim.table, claim.round_number, event.at)
            self.ties.tell(1, event, key, data["reason"])

    def _returned(self, event: Event, data: Data) -> None:
        parts = self.link.contributed.get((data["table"], data["round_number"]))
        if parts and parts[0].to_meter:
            due = parts[0].stake * data["total"] // parts[0].to_meter
            nothing = not (data["stake"] or data["meter"] or data["overflow"] or data["reserve"])
            if nothing and data["total"] < 0:
                self.books.leave("returns that an earlier version undid without what the reserve had", event)
            elif data["stake"] != due:
                self.books.say(event.where, f"stakes of {data['stake']} went back, {due} had added that")


TERMS = ("unit", "reset", "increment_bp")
OUT_OF_THE_ROUND = "the hand is out of the round"
"""Why the floor itself ends a claim."""


class _Disputes:
    """What disputes and the players' own streams say of rounds, stays and persons."""

    def __init__(
        self,
        floor: _Floor,
        house: _House,
        ties: _Ties,
        hashes: Mapping[tuple[str, int], str],
        devices: _Devices,
    ) -> None:
        self.devices = devices
        self.books = floor.books
        self.floor = floor
        self.house = house
        self.ties = ties
        self.hashes = hashes
        self.book: Data = {}
        self.parties: set[str] = set()

    def _lacking(self, rules: Data, basis: str) -> bool:
        """Whether the book wants notes on file for a basis that are not there."""
        wanted = {
            "accounts": {"player", "house"},
            "surveillance": {"surveillance"},
            "evidence": {""},
        }
        needed = rules.get("needs", {}).get(basis)
        return needed is not None and not wanted[needed] <= self.parties

    def _speaks_for(self, party: str, actor: str) -> bool:
        """Staff write down either side's account; a player only their own; Surveillance its own evidence."""
        kind, _, name = actor.partition("/")
        if kind == "player":
            return party == "player"
        if party == "surveillance":
            return "surveillance" in self.house.held.get(name, ())
        return party in ("player", "house")

    def check(self, event: Event) -> None:
        """Hold one event of such a stream against the rest of the record."""
        self.house.requested(event)
        said = ""
        data = event.data
        if not self.house.knows(event.actor):
            self.books.say(event.where, f"the house does not know {event.actor}")
        rules = self.book.get("disputes") or {}
        match event.name:
            case "stay-ended.v1":
                facts = (data["since"], data["bought"], data["taken"], data["currency"])
                key = ("stay", event.stream.partition("/")[2], data["table"], event.at)
                self.ties.tell(1, event, key, facts)
                due = self.house.day(event.at)
                said = "" if data["gaming_day"] == due else f"the gaming day is {due}"
            case "device-counted.v1":
                said = self.devices.count(event)
            case "device-withheld.v1":
                player = event.stream.partition("/")[2]
                withheld = ("withheld device", player, data["device"], data["table"], data["round_number"])
                self.ties.tell(1, event, withheld, event.at)
                said = self.devices.leave_out(event)
            case "dispute-opened.v1":
                said = self._opened(event)
            case "dispute-escalated.v1":
                if data["to"] != rules.get("escalates-to") or not data["surveillance_informed"]:
                    said = f"it goes to {rules.get('escalates-to')}, and Surveillance is informed"
            case "dispute-noted.v1":
                party = data.get("party", "")
                self.parties.add(party)
                if party and not self._speaks_for(party, event.actor):
                    said = f"{event.actor} does not speak for {party}"
            case "time-frame-given.v1":
                if data["until"] != event.at + data["minutes"] * MINUTE:
                    said = f"{data['minutes']} minutes do not end at {data['until']}"
            case "dispute-decided.v1":
                bases = rules.get("bases", {"referred": ()})
                explained = data["complaint_explained"] or data["in_favour_of"] == "player" or not rules
                if data["basis"] not in bases or data["in_favour_of"] not in ("player", "house"):
                    said = f"no decision for the {data['in_favour_of']} by {data['basis']}"
                elif self._lacking(rules, data["basis"]):
                    said = f"the basis {data['basis']} was not on file"
                elif not explained:
                    said = "the player was not told that he may complain"
            case "complaint-filed.v1":
                if rules and data["assisted_by"] not in self.house.held:
                    said = f"{data['assisted_by'] or 'nobody'} helped him"
            case _:
                pass
        if said:
            self.books.say(event.where, said)

    def _opened(self, event: Event) -> str:
        data = event.data
        table = self.floor.tables.get(data["table"])
        play = None if table is None else table.rounds.get(data["round_number"])
        if table is None or play is None:
            return f"{data['table']} has no round {data['round_number']}"
        if data["rulebook"] != play.row["rulebook"]:
            return "the round was played by another rulebook"
        self.book = table.rulebooks[data["rulebook"]].rules
        rules = self.book.get("disputes")
        if data["referred_to"] not in POSITIONS or (rules and data["referred_to"] != rules["first"]):
            return f"nobody refers a dispute to {data['referred_to']}"
        first, last, hashed = _span(data["evidence"][0])
        if first != play.opened.version or self.hashes.get((f"table/{table.name}", last)) != hashed:
            return f"the record of the round does not read {data['evidence'][0]!r}"
        return ""


def _span(text: str) -> tuple[int, int, str]:
    """The first and last version that evidence is of, and the hash of the last: `events 3 to 9, hash …`."""
    versions, _, hashed = text.partition(", hash ")
    first, _, last = versions.removeprefix("events ").partition(" to ")
    return int(first), int(last), hashed


def _events(records: Iterable[Data], books: _Books) -> dict[str, list[Event]]:
    """Sort records by stream, and check versions and hashes on the way."""
    streams: dict[str, list[Event]] = defaultdict(list)
    last: dict[str, tuple[int, str]] = {}
    for record in records:
        event = Event(
            record["stream"], record["version"], record["at"], record["actor"], record["name"], record["data"]
        )
        version, before = last.get(event.stream, (0, FIRST_BEFORE))
        if event.version != version + 1:
            books.say(event.where, f"follows version {version}")
        text = record.get("text") or json.dumps(event.data, separators=(",", ":"), ensure_ascii=False)
        sealed = f"{before}\n{event.stream}\n{event.version}\n{event.at}\n{event.actor}\n{event.name}\n{text}"
        if hashlib.sha256(sealed.encode(errors="surrogatepass")).hexdigest() != record["hash"]:
            books.say(event.where, "the hash does not seal the record and the one before")
        if streams[event.stream] and streams[event.stream][-1].at > event.at:
            books.say(event.where, "is earlier than the record before")
        last[event.stream] = (event.version, record["hash"])
        streams[event.stream].append(event)
    return streams


@contextmanager
def _guarded(where: str, problems: list[str]) -> Iterator[None]:
    """Whatever a changed record leads to is a problem of its place; what was found before is kept."""
    try:
        yield
    except Exception as error:
        problems.append(f"{where}: cannot be accounted for: {type(error).__name__} {error}")


def _fold(
    events: Iterable[Event],
    handlers: Mapping[str, Callable[[Event], None]],
    books: _Books,
    check: Callable[[Event], None],
) -> None:
    at = 0
    for event in events:
        if event.at != at:  # another request
            books.check_falls()
        at = event.at
        if event.name not in KNOWN:
            with _guarded(event.where, books.problems):
                books.believe(event)
            continue
        with _guarded(event.where, books.problems):
            check(event)
        handler = handlers.get(event.name)
        if handler is not None:
            with _guarded(event.where, books.problems):
                handler(event)
        with _guarded(event.where, books.problems):
            books.after_event(event)
    books.check_falls()


def _compare(said: Iterable[_AtTable | _AtLink], books: _Books) -> None:
    """Tables know a jackpot by terms that it has had; its corrections count the awards of their rounds."""
    tables = {at.table.name: at for at in said if isinstance(at, _AtTable)}
    links = {at.link.name: at for at in said if isinstance(at, _AtLink)}
    for table in tables.values():
        for event, terms in table.terms:
            link = links.get(event.data.get("link", table.table.link))
            if link is not None and {name: terms[name] for name in TERMS} not in link.terms:
                books.say(event.where, f"the link {link.link.name} has never had such terms")
    for link in links.values():
        for (name, _), events in link.link.corrected.items():
            for event in events:
                found = tables[name].awards.get(event.at) if name in tables else None
                if found is not None and found != event.data["hits"]:
                    books.say(event.where, f"{event.data['hits']} awards more, at {name} there are {found}")


def _pending(streams: Mapping[str, Sequence[Event]], table: str, number: int) -> list[tuple[int, float]]:
    """From when to when disputes about a round, and complaints about these, were pending."""
    found: list[tuple[int, float]] = []
    for events in streams.values():
        about = next((event.data for event in events if event.name == "dispute-opened.v1"), None)
        if about is None or (about["table"], about["round_number"]) != (table, number):
            continue
        for event in events:
            if event.name in ("dispute-opened.v1", "complaint-filed.v1"):
                found.append((event.at, float("inf")))
            elif event.name in ("dispute-decided.v1", "complaint-answered.v1"):
                found[-1] = (found[-1][0], event.at)
    return found


def _check_voids(table: _Table, streams: Mapping[str, Sequence[Event]], house: _House, books: _Books) -> None:
    """The deck of a void round is opened once later bets are open and no dispute about it is pending; two
    persons have signed for a jackpot that was put out of order, where rounds were undone for it."""
    for event in table.opened_decks:
        number = event.data["round_number"]
        if any(since + AT_ONCE < event.at < until for since, until in _pending(streams, table.name, number)):
            books.say(event.where, f"a dispute about round {number} was pending when its deck was opened")
    for number in table.kept_decks:
        waits = any(until == float("inf") for _, until in _pending(streams, table.name, number))
        if number < max(table.rounds) and not waits:
            books.say(f"table/{table.name}", f"the void of round {number} is final, its deck was not opened")
    for event in table.outages:
        link = streams.get(f"link/{table.link}", ())
        failed = [other for other in link if other.name == "link-failed.v1" and other.at <= event.at]
        problem = f"the jackpot {table.link} was in order"
        if failed and failed[-1].actor != "system":
            problem = house.no_second(failed[-1], failed[-1].data.get("approved_by", ""), "fail-link")
        elif failed:
            problem = ""
        if problem:
            books.say(event.where, problem)


def audit(records: Iterable[Mapping[str, Any]], ledger: Ledger | None = None) -> Audit:
    """Recompute all money of a floor from the records of its log, and list whatever does not agree.

    `ledger` are the postings of each event, by its stream and version.
    """
    books = _Books(ledger=ledger)
    records = list(records)
    streams = _events(records, books)
    ties = _Ties(books)
    hashes = {(record["stream"], record["version"]): record["hash"] for record in records}
    house = _House(books, ties, hashes)
    rulebooks: dict[str, _Book] = {}
    _fold(streams.get("floor", ()), {}, books, house.check)
    for event in streams.get("floor", ()):
        if event.name == "rulebook-proposed.v1":
            with _guarded(event.where, books.problems):
                data = event.data
                rulebooks[data["rulebook"]] = _Book(data["id"], data["readings"], data["document"])
    floor = _Floor(books, {}, {})
    devices = _Devices(house, books)
    said: list[_AtTable | _AtLink] = []
    for stream in sorted(streams):
        kind, _, name = stream.partition("/")
        if kind == "table":
            table = floor.tables[name] = _Table(name, books, rulebooks)
            books.racks = table.racks
            at_table = _AtTable(table, house, ties, books, devices)
            said.append(at_table)
            _fold(streams[stream], table.handlers, books, at_table.check)
            with _guarded(stream, books.problems):
                at_table.request_is_over(f"table/{name}")
                table.finish()
        elif kind == "link":
            link = floor.links[name] = _Link(name, books, rulebooks)
            at_link = _AtLink(link, house, ties, books)
            said.append(at_link)
            _fold(streams[stream], link.handlers, books, at_link.check)
    for stream, version in sorted(ledger or ()):
        books.say(f"{stream} version {version}", "the ledger has money of an event that moves none")
    for link in floor.links.values():
        with _guarded(f"link/{link.name}", books.problems):
            link.finish()
    floor.join()
    for stream in sorted(streams):
        if stream.partition("/")[0] in ("dispute", "player"):
            disputes = _Disputes(floor, house, ties, hashes, devices)
            _fold(streams[stream], {}, books, disputes.check)
    with _guarded("all devices", books.problems):
        devices.check()
    with _guarded("all voids", books.problems):
        for table in floor.tables.values():
            _check_voids(table, streams, house, books)
    with _guarded("all streams", books.problems):
        _compare(said, books)
        ties.check()
    with _guarded("all streams", books.problems):
        books.check_claims()
        books.check_zero_sum()
    return Audit(
        books.balances,
        books.problems,
        {name: link.totals for name, link in floor.links.items()},
        {(table.name, n): play.row for table in floor.tables.values() for n, play in table.rounds.items()},
        {
            (table.name, table.round.number)
            for table in floor.tables.values()
            if table.virtual and table.round is not None and not table.round.ended
            if not table.round.settlements  # the deck of a round is erased with its first settlement
        }
        | {(table.name, number) for table in floor.tables.values() for number in table.kept_decks},
        books.left,
        house.binds,
        house.forgotten,
    )


def reconcile(audit_result: Audit, balances: Mapping[str, int]) -> list[str]:
    """List every account whose balance differs from the auditor's. A missing account holds nothing."""
    return [
        f"{account}: the ledger has {balances.get(account, 0)}, the events come to "
        f"{audit_result.balances.get(account, 0)}"
        for account in sorted(audit_result.balances.keys() | balances.keys())
        if audit_result.balances.get(account, 0) != balances.get(account, 0)
    ]


# --- checkpoints: Ed25519 as in RFC 8032 ----------------------------------------------------------------

_P = 2**255 - 19
_Q = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
Point = tuple[int, int, int, int]


def _add(a: Point, b: Point) -> Point:
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % _P, (a[1] + a[0]) * (b[1] + b[0]) % _P
    g, h = 2 * a[3] * b[3] * _D % _P, 2 * a[2] * b[2] % _P
    i, j, k, m = f - e, h - g, h + g, f + e
    return i * j % _P, k * m % _P, j * k % _P, i * m % _P


def _times(number: int, point: Point) -> Point:
    found: Point = (0, 1, 1, 0)
    while number:
        if number & 1:
            found = _add(found, point)
        point, number = _add(point, point), number >> 1
    return found


def _point(text: bytes) -> Point:
    """A point from its 32 bytes. Raises `ValueError` for bytes that are none."""
    number = int.from_bytes(text, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if len(text) != 32 or y >= _P:
        raise ValueError("no point")
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * pow(2, (_P - 1) // 4, _P) % _P
    if (x * x - square) % _P or (not x and sign):
        raise ValueError("no point")
    x = _P - x if x & 1 != sign else x
    return x, y, 1, x * y % _P


_BASE = _point((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))


def signed_by(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a message was signed with the private part of a key."""
    try:
        public, commitment = _point(key), _point(signature[:32])
    except ValueError:
        return False
    scalar = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or scalar >= _Q:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % _Q
    left, right = _times(scalar, _BASE), _add(commitment, _times(challenge, public))
    return (left[0] * right[2] - right[0] * left[2]) % _P == 0 and (
        left[1] * right[2] - right[1] * left[2]
    ) % _P == 0


def check_checkpoints(
    checkpoints: Iterable[Data],
    hashes: Mapping[tuple[str, int], str],
    key: bytes | None,
    *,
    some: bool = False,
) -> Iterator[str]:
    """What does not fit the checkpoints: numbers without a gap, signatures, and the heads they name.

    Of checkpoints kept elsewhere there may be `some` only: each has its own number.
    """
    for place, found in enumerate(checkpoints, 1):
        name = f"checkpoint {found['number']}"
        if found["number"] != place and not some:
            yield f"{name}: checkpoint {place} is missing"
            return
        message = f"{found['number']}\n{found['at']}\n{found['heads']}".encode()
        try:
            signature = base64.b64decode(found["signature"], validate=True)
            if base64.b64encode(signature).decode() != found["signature"]:
                raise ValueError("no signature")
            heads = {
                stream: (version, hashed) for stream, (version, hashed) in json.loads(found["heads"]).items()
            }
            if not all(type(head[0]) is int and type(head[1]) is str for head in heads.values()):
                raise ValueError("no heads")
        except (ValueError, TypeError, AttributeError, RecursionError):
            yield f"{name}: what it signs cannot be read"
            return
        if key is not None and not signed_by(key, message, signature):
            yield f"{name}: its signature does not fit"
        for stream, (version, hashed) in heads.items():
            if version and hashes.get((stream, version)) != hashed:
                yield f"{stream} version {version}: is not what {name} has signed"


# --- what a failover has lost -----------------------------------------------------------------------------


LOSSES_NAMED = 1000
"""So many of what was lost stand in their event; the rest is in a list that the event has the digest of."""


def digest_of_loss(said: Data, lost: Iterable[Data]) -> str:
    """The digest of everything that was lost, with the checkpoints and the databases before and after."""
    body = [
        said["before"],
        said["after"],
        [[row["number"], row["at"], row["signature"]] for row in said["checkpoints"]],
        [[row["key"], row["stream"], row["version"], row["hash"], row["at"]] for row in lost],
    ]
    return hashlib.sha256(_compact(body).encode(errors="surrogatepass")).hexdigest()


@dataclass(slots=True)
class Named:
    """What the record itself names as lost: heads of streams, and checkpoints by their signature."""

    heads: set[tuple[str, int, str]] = field(default_factory=set)
    checkpoints: set[str] = field(default_factory=set)

    def has(self, stream: str, version: int, hashed: str) -> bool:
        """Whether a head is named; one only heard of, without a hash, by what was lost from there on."""
        if hashed:
            return (stream, version, hashed) in self.heads
        return any(name == stream and lost >= version for name, lost, _ in self.heads)


def named_as_lost(
    records: Iterable[Data], checkpoints: Iterable[Data], key: bytes | None, lists: Iterable[Path]
) -> Named:
    """What events of the record name as lost, where a checkpoint signs them: anybody could write others."""
    signed = 0
    for found in checkpoints:
        with suppress(ValueError, TypeError, AttributeError, KeyError, RecursionError):
            message = f"{found['number']}\n{found['at']}\n{found['heads']}".encode()
            if key is None or signed_by(key, message, base64.b64decode(found["signature"], validate=True)):
                signed = max(signed, json.loads(found["heads"])["floor"][0])
    named, whole = Named(), [_list_of(file) for file in lists]
    for record in records:
        if (record["stream"], record["name"]) != ("floor", RECONCILED) or record["version"] > signed:
            continue
        data = record["data"]
        with suppress(ValueError, TypeError, KeyError):  # it is a problem of its own
            lost = data["lost"]
            if data["count"] > len(lost):
                lost = next((rows for rows in whole if digest_of_loss(data, rows) == data["digest"]), lost)
            named.heads |= {(row["stream"], row["version"], row["hash"]) for row in lost}
            named.checkpoints |= {row["signature"] for row in data["checkpoints"]}
    return named


def _list_of(file: Path) -> list[Data]:
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [dict(zip(("key", "stream", "version", "hash", "at"), row, strict=True)) for row in rows]


RECONCILED = "record-reconciled.v1"
Claim = tuple[str, int, str, str]
"""Stream, version and hash of a head, and what a journal says of it."""


BEGINNINGS = (b'["command","', b'["seen",', b'["checkpoint",', b'["database",')
LAST_MICROSECOND = 253_402_300_799_999_999
LAST_VERSION = 2**63 - 1


class NoJournalError(ValueError):
    """A file that was named as a journal and is not one."""


@dataclass
class Journals:
    """What servers have acknowledged or read, the checkpoints they have seen, and what could not be read.

    Only the last line of a file may be cut off, and is left out then: any other line was changed since.
    """

    claims: list[Claim] = field(default_factory=list)
    checkpoints: list[Data] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    def read(self, place: Path) -> None:
        """Read a journal, or all those of a folder. Raises `NoJournalError` for a file that is not one."""
        if not place.is_dir():
            if not self._read_file(place):
                raise NoJournalError(f"{place} is not a journal: name a file of a data folder's 'journal'")
            return
        for file in _journals_in(place):
            self._read_file(file)

    def _read_file(self, file: Path) -> bool:
        """Whether a file is a journal: empty, or with a line that is one of a journal or begins like one."""
        *lines, last = file.read_bytes().split(b"\n")
        bad = [number for number, line in enumerate(lines, 1) if not self._read_line(line)]
        if last and not self._read_line(last) and not _is_cut_off(last):
            bad.append(len(lines) + 1)
        if bad:
            more = f", and {len(bad) - 1} more after it" if len(bad) > 1 else ""
            self.damaged.append(
                f"journal {file} line {bad[0]}: is damaged{more}: what the server acknowledged there is "
                "unknown; bring a copy of the file that is whole, or keep it elsewhere and leave it out"
            )
        whole = [*lines, last] if last else lines
        return len(bad) < len(whole) or not whole or any(line.startswith(BEGINNINGS) for line in whole)

    def _read_line(self, line: bytes) -> bool:
        try:
            row = json.loads(line)
            match row:
                case ["command", str(key), at, list(rows)]:
                    heads = [_journal_head(head) for head in rows]
                    said = f"is not what command {_text(key)} was answered with, by a journal"
                case ["seen", at, list(rows)]:
                    heads = [_journal_head(head) for head in rows]
                    said = "is not what was read, by a journal"
                case ["checkpoint", number, at, text, signature]:
                    for stream, (version, hashed) in json.loads(_text(text)).items():
                        _journal_head([stream, version, hashed])
                    _natural(number)
                    _natural(at, LAST_MICROSECOND)
                    found = {"number": number, "at": at, "heads": text, "signature": _text(signature)}
                    self.checkpoints += [found] if found not in self.checkpoints else []
                    return True
                case ["database", at, identity]:
                    _text(identity)
                    heads, said = [], ""
                case _:
                    return False
            _natural(at, LAST_MICROSECOND)
        except (ValueError, TypeError, AttributeError, RecursionError):
            return False
        self.claims += [(stream, version, hashed, said) for stream, version, hashed in heads]
        return True


def _journals_in(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.name.endswith(".jsonl"))


def _is_cut_off(line: bytes) -> bool:
    printable = line.isascii() and line.decode().isprintable()
    return printable and any(line.startswith(start[: len(line)]) for start in BEGINNINGS)


def _text(found: Any) -> str:
    if not isinstance(found, str) or "\0" in found:
        raise ValueError("no text")
    found.encode()
    return found


def _natural(found: Any, most: int = LAST_VERSION) -> int:
    if type(found) is not int or not 0 <= found <= most:
        raise ValueError("no number")
    return found


def _journal_head(row: Any) -> tuple[str, int, str]:
    """A head as a server writes it: one without a hash was only heard of."""
    stream, version, hashed = row
    if _text(hashed) and re.fullmatch("[0-9a-f]{64}", hashed) is None:
        raise ValueError("no hash")
    return _text(stream), _natural(version), hashed


def _not_as_told(
    claims: Iterable[Claim], checkpoints: Iterable[Data], hashes: Mapping[tuple[str, int], str], named: Named
) -> Iterator[str]:
    """What journals, and checkpoints that are lost, speak of and the record neither has nor names."""
    claims = list(claims)
    for row in checkpoints:
        with suppress(ValueError, TypeError, AttributeError, RecursionError):
            said = f"is not what checkpoint {row['number']} has signed"
            claims += [
                (s, version, hashed, said) for s, (version, hashed) in json.loads(row["heads"]).items()
            ]
    for stream, version, hashed, said in dict.fromkeys(claims):
        if not version or named.has(stream, version, hashed):
            continue
        found = hashes.get((stream, version))
        if found != hashed and (hashed or found is None):  # of what was only heard of any event is it
            yield f"{stream} version {version}: {said}"


# --- the export -----------------------------------------------------------------------------------------


COLUMNS: dict[str, dict[str, tuple[type, ...]]] = {
    "events": {
        "stream": (str,),
        "version": (int,),
        "at": (int,),
        "actor": (str,),
        "name": (str,),
        "data": (str,),
        "hash": (str,),
    },
    "postings": {"stream": (str,), "version": (int,), "line": (int,), "account": (str,), "amount": (int,)},
    "balances": {"account": (str,), "amount": (int,)},
    "streams": {"stream": (str,), "version": (int,), "hash": (str,)},
    "rounds": {
        "table_id": (str,),
        "number": (int,),
        "first_version": (int,),
        "last_version": (int,),
        "opened_at": (int,),
        "dealt_at": (int, type(None)),
        "ended_at": (int, type(None)),
        "status": (str,),
        "rulebook": (str,),
        "link": (str,),
        "jackpot": (bool,),
    },
    "decks": {"table_id": (str,), "number": (int,)},
    "commands": {"key": (str,), "at": (int,), "fingerprint": (str,), "answer": (str,)},
    "checkpoints": {"number": (int,), "at": (int,), "heads": (str,), "signature": (str,)},
}
NAMES: dict[str, Callable[[Data], tuple[Any, ...]]] = {
    "events": lambda row: (row["stream"], f"version {row['version']}"),
    "postings": lambda row: (row["stream"], f"version {row['version']}", f"line {row['line']}"),
    "balances": lambda row: (row["account"],),
    "streams": lambda row: (row["stream"],),
    "rounds": lambda row: (f"table/{row['table_id']}", f"round {row['number']}"),
    "decks": lambda row: (f"table/{row['table_id']}", f"deck of round {row['number']}"),
    "commands": lambda row: (f"answer {row['key']}",),
    "checkpoints": lambda row: (f"checkpoint {row['number']}",),
}
"""How a row of a table is called in a problem; no two rows of a table have one name."""
ADDED = {"table-added.v1": "table", "link-added.v1": "link", "player-added.v1": "player"}
"""What the floor's own stream says there is."""


CAME_LATER = frozenset({"commands"})
"""Files that exports of before do not have."""


def _rows(folder: Path, name: str) -> list[Any]:
    if name in CAME_LATER and not (folder / f"{name}.jsonl").exists():
        return []
    with (folder / f"{name}.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _check_rows(name: str, rows: Iterable[Data]) -> Iterator[str]:
    """Rows that hold text where a number belongs, or the other way round, and rows that are there twice."""
    seen: set[tuple[Any, ...]] = set()
    for row in rows:
        key = NAMES[name](row)
        where = " ".join(str(part) for part in key)
        for column, kinds in COLUMNS[name].items():
            if type(row[column]) not in kinds:
                yield f"{where}: its {column} is {row[column]!r}, which no {name} have"
        if key in seen:
            yield f"{where}: is there twice"
        seen.add(key)


def key_of(folder: Path) -> bytes | None:
    """The public key that an export brings with it, or None."""
    file = folder / "checkpoint-key.txt"
    return bytes.fromhex(file.read_text().strip()) if file.exists() else None


def verify_export(
    folder: Path,
    *,
    kept: Path | None = None,
    journals: Sequence[Path] = (),
    lost: Sequence[Path] = (),
    key: bytes | None = None,
    unsigned: bool = False,
    left: dict[str, list[str]] | None = None,
) -> list[str]:
    """Everything that does not hold in an export, the first of each stream first.

    `left` is given what was not computed again, with the events it is about. `journals` are what servers have
    acknowledged; `lost` are lists of what a failover has lost that were too long for their event.

    Without `key` signatures are checked with the key that came with the export. That there is none is a
    problem wherever there are checkpoints, unless `unsigned` says that they need not be checked.
    """
    rows = {name: _rows(folder, name) for name in COLUMNS}
    odd = [problem for name in COLUMNS for problem in _check_rows(name, rows[name])]
    if odd:
        return odd
    records = []
    for record in rows["events"]:
        text = record["data"]
        try:
            data = json.loads(text)
        except (ValueError, TypeError, RecursionError):
            return [f"{record['stream']} version {record['version']}: its data cannot be read"]
        if not isinstance(data, dict):
            return [f"{record['stream']} version {record['version']}: its data cannot be read"]
        records.append(record | {"text": text, "data": data})
    ledger, problems = _ledger(rows["postings"])
    found = audit(records, ledger)
    problems += found.problems
    if left is not None:
        left |= found.left
    with _guarded("all balances", problems):
        problems += _check_balances(found, rows["balances"], rows["postings"])
    with _guarded("all ends", problems):
        problems += _check_ends(records, rows["streams"])
    with _guarded("the index of rounds", problems):
        problems += _check_rounds(found.rounds, rows["rounds"])
    with _guarded("the sealed decks", problems):
        kept_decks = {(row["table_id"], row["number"]) for row in rows["decks"]}
        for table, number in sorted(kept_decks ^ found.decks):
            what = "is kept, and the round is not in play" if (table, number) in kept_decks else "is missing"
            problems.append(f"table/{table}: the sealed deck of round {number} {what}")
    with _guarded("the kept answers", problems):
        if (folder / "commands.jsonl").exists() or any(found.binds(record["at"]) for record in records):
            problems += _check_answers(records, rows["commands"], found.binds, found.forgotten)
        elif left is not None:
            left["kept answers, which exports of its time do not hold"] = ["commands.jsonl"]
    hashes = {(record["stream"], record["version"]): record["hash"] for record in records}
    here = rows["checkpoints"]
    elsewhere = [] if kept is None else [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    told = Journals()
    for journal in journals:
        told.read(journal)
    elsewhere += [row for row in told.checkpoints if row not in elsewhere]
    problems += told.damaged
    key = key_of(folder) if key is None else key
    named = named_as_lost(records, here, key, lost)
    explained = [row for row in elsewhere if row["signature"] in named.checkpoints]
    elsewhere = [row for row in elsewhere if row not in explained]
    if key is None and not unsigned and (here or elsewhere):
        number = (here or elsewhere)[0]["number"]
        problems.append(f"checkpoint {number}: there is no key to check signatures with; name one with --key")
    problems += check_checkpoints(here, hashes, key)
    for row in elsewhere:
        if row not in here:
            problems.append(f"checkpoint {row['number']}: is not as the copy kept elsewhere")
    problems += [f"kept elsewhere: {text}" for text in check_checkpoints(elsewhere, hashes, key, some=True)]
    for row in explained:
        message = f"{row['number']}\n{row['at']}\n{row['heads']}".encode()
        if key is not None and not signed_by(key, message, base64.b64decode(row["signature"])):
            problems.append(f"kept elsewhere: checkpoint {row['number']}: its signature does not fit")
    problems += [f"kept elsewhere: {text}" for text in _not_as_told(told.claims, explained, hashes, named)]
    return problems


def _too_long(records: Iterable[Data]) -> bool:
    """Whether more time lies between the first and the last of some records than any stays unsigned."""
    times = [record["at"] for record in records]
    return bool(times) and max(times) - min(times) > UNSIGNED_AT_MOST


def not_signed(folder: Path) -> str:
    """How much of an export no checkpoint speaks of, in words; empty where all of it is signed."""
    signed: dict[str, int] = {}
    checkpoints = _rows(folder, "checkpoints")
    for checkpoint in checkpoints:
        with suppress(ValueError, TypeError, AttributeError, RecursionError):
            for stream, (version, _) in json.loads(checkpoint["heads"]).items():
                signed[stream] = max(version, signed.get(stream, 0))
    left = [row for row in _rows(folder, "events") if row["version"] > signed.get(row["stream"], 0)]
    if not left:
        return ""
    since = datetime.fromtimestamp(min(row["at"] for row in left) / 1_000_000, UTC)
    text = f"{len(left)} events since {since:%Y-%m-%d %H:%M} UTC are not signed"
    if not _too_long(left):
        return text
    return f"{text}, and a floor at work signs every five minutes: a checkpoint is missing or was not made"


def _ledger(postings: Iterable[Data]) -> tuple[Ledger, list[str]]:
    """The postings of each event in the order of their lines, and lines that are not numbered from 0 on."""
    ledger: Ledger = {}
    problems = []
    for posting in sorted(postings, key=lambda row: (row["stream"], row["version"], row["line"])):
        lines = ledger.setdefault((posting["stream"], posting["version"]), [])
        if posting["line"] != len(lines):
            where = f"{posting['stream']} version {posting['version']}"
            problems.append(f"{where}: line {posting['line']} of its postings should be line {len(lines)}")
        lines.append((posting["account"], posting["amount"]))
    return ledger, problems


def _check_balances(found: Audit, balances: Iterable[Data], postings: Iterable[Data]) -> Iterator[str]:
    """Balances are what the events come to, and there is one for every account that was posted to."""
    kept = {row["account"]: row["amount"] for row in balances}
    yield from reconcile(found, kept)
    for account in sorted(kept.keys() ^ {posting["account"] for posting in postings}):
        what = "nothing was ever posted to it" if account in kept else "it has no balance on record"
        yield f"{account}: {what}"


def _check_ends(records: Iterable[Data], streams: Iterable[Data]) -> Iterator[str]:
    """The ends on record are those of the events, and there is no stream that nobody has opened."""
    ends: dict[str, tuple[int, str]] = {}
    known: dict[str, set[str]] = defaultdict(set)
    for record in records:
        ends[record["stream"]] = (record["version"], record["hash"])
        if record["stream"] == "floor" and record["name"] in ADDED:
            kind = ADDED[record["name"]]
            known[kind].add(str(record["data"].get(kind)))
    heads = {row["stream"]: (row["version"], row["hash"]) for row in streams}
    disputes = sum(1 for stream in ends if stream.startswith("dispute/"))
    known["dispute"] = {str(number) for number in range(1, disputes + 1)}
    known["floor"] = {""}
    for stream in sorted(ends.keys() | heads.keys()):
        kind, _, name = stream.partition("/")
        if name not in known.get(kind, ()):
            yield f"{stream}: there is no such stream on this floor"
        if ends.get(stream) != heads.get(stream):
            last, wanted = ends.get(stream, (0, ""))[0], heads.get(stream, (0, ""))[0]
            yield f"{stream}: the record ends at {last}, it should end at {wanted}"


def _answered(key: str, at: int, fingerprint: str, answer: str) -> str:
    """What the record says of an answer that was kept."""
    text = f"{key}\n{at}\n{fingerprint}\n{answer}"
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:32]


def _compact(body: Any) -> str:
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False)


def _check_forgotten(
    forgotten: Iterable[Event], marks: Iterable[tuple[int, str]], binds: Callable[[int], bool]
) -> Iterator[str]:
    """The answers that are said to be gone are those that events of the time speak of."""
    first = 0
    for event in forgotten:
        last = event.data["before"]
        gone = sorted(kept for at, kept in marks if first <= at < last and binds(at))
        digest = hashlib.sha256("\n".join(gone).encode()).hexdigest()
        if (event.data["done"], event.data["digest"]) != (len(gone), digest):
            yield f"{event.where}: {event.data['done']} answers forgotten are not the {len(gone)} on record"
        first = last


def _check_answers(
    records: Iterable[Data],
    rows: Iterable[Data],
    binds: Callable[[int], bool],
    forgotten: Sequence[Event],
) -> Iterator[str]:
    """Every request has one answer: of the time of its events, up to the versions they have, as they say.

    Only of a time whose answers are `forgotten` there is none.
    """
    since: int = forgotten[-1].data["before"] if forgotten else 0
    times: dict[str, dict[int, int]] = defaultdict(dict)
    marks: dict[tuple[str, int], str] = {}
    for record in records:
        times[record["stream"]][record["version"]] = record["at"]
        if "kept" in record["data"]:
            marks[record["stream"], record["version"]] = record["data"]["kept"]
    if forgotten:
        spoken_of = [(times[stream][version], kept) for (stream, version), kept in marks.items()]
        yield from _check_forgotten(forgotten, spoken_of, binds)
        marks = {place: kept for place, kept in marks.items() if times[place[0]][place[1]] >= since}
    ends: dict[str, dict[int, str]] = defaultdict(dict)
    for row in rows:
        name, at = f"answer {row['key']}", row["at"]
        if at < since:
            yield f"{name}: is of a time of which the record says that its answers are forgotten"
            continue
        try:
            body = json.loads(row["answer"])
            seal = body.pop("kept", None)
            versions = body["versions"] if body["ok"] is True else {}
            told = body["ok"] is True or body["refusal"].keys() == {"code", "message", "clauses"}
            sealed = body if seal is None else body | {"kept": seal}
            if not told or _compact(sealed) != row["answer"] or (versions and seal is not None):
                raise ValueError("no answer")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            yield f"{name}: is no answer that was ever given"
            continue
        made = _answered(row["key"], at, row["fingerprint"], _compact(body))
        if not versions and (seal is not None or binds(at)) and seal != made:
            yield f"{name}: is not what was answered"
        for place, (stream, version) in enumerate(versions.items()):
            where = f"{stream} version {version}"
            said = marks.pop((stream, version), "") if not place else ""
            if times.get(stream, {}).get(version) != at:
                yield f"{name}: speaks of {where}, which was not written at its time"
            elif version in ends[stream]:
                yield f"{name}: {ends[stream][version]} speaks of {where} too"
            elif not place and (said or binds(at)) and said != made:
                yield f"{name}: is not what {where} says was answered"
            ends[stream][version] = name
    for stream, version in sorted(marks):
        yield f"{stream} version {version}: the answer that it speaks of is not kept"
    for stream, versions_there in times.items():
        yield from _unanswered(stream, versions_there, ends[stream], since)


def _unanswered(stream: str, times: Mapping[int, int], ends: Mapping[int, str], since: int) -> Iterator[str]:
    """Events after which another time begins, or nothing, and that no answer speaks of."""
    for version, at in times.items():
        if times.get(version + 1) != at and version not in ends and at >= since:
            yield f"{stream} version {version}: no kept answer speaks of it"


def _check_rounds(made: Mapping[RoundKey, Data], rows: Iterable[Data]) -> Iterator[str]:
    """The index of rounds: where each begins, when, and how it ended."""
    indexed = {(row["table_id"], row["number"]): row for row in rows}
    for where in sorted(made.keys() | indexed.keys()):
        row, should = indexed.get(where), made.get(where)
        if should is None or row is None:
            yield f"table/{where[0]}: round {where[1]} is not indexed as it is"
            continue
        wrong = [
            f"{name} {row[name]!r}, not {value!r}" for name, value in should.items() if row[name] != value
        ]
        if wrong:
            yield f"table/{where[0]}: round {where[1]} is indexed with {', '.join(wrong)}"


def _key(text: str) -> bytes:
    """A public key: of a file that was kept elsewhere, or in hexadecimal. Raises `ValueError` for neither."""
    file = Path(text)
    key = bytes.fromhex(file.read_text().strip() if file.is_file() else text)
    if len(key) != 32:
        raise ValueError(f"{text} is no public key")
    return key


def main() -> int:
    """Verify the export that the command line names."""
    parser = argparse.ArgumentParser(description="Verify an export of a floor's record.")
    parser.add_argument("folder", type=Path, help="what 'pitboss export all -o FOLDER' has written")
    parser.add_argument(
        "--kept", type=Path, help="checkpoints that were kept elsewhere, a JSON object a line"
    )
    parser.add_argument(
        "--journal", type=Path, action="append", default=[], help="what a server acknowledged: file or folder"
    )
    parser.add_argument(
        "--lost", type=Path, action="append", default=[], help="a list of what a failover has lost"
    )
    parser.add_argument(
        "--key", metavar="FILE", help="the public key of the checkpoints that was kept elsewhere"
    )
    parser.add_argument("--unsigned", action="store_true", help="there is no key: check no signature")
    asked = parser.parse_args()
    try:
        key = _key(asked.key) if asked.key else None
        left: dict[str, list[str]] = {}
        problems = verify_export(
            asked.folder,
            kept=asked.kept,
            journals=asked.journal,
            lost=asked.lost,
            key=key,
            unsigned=asked.unsigned,
            left=left,
        )
        own = key_of(asked.folder)
        unsigned = not_signed(asked.folder)
        empty = [place for place in asked.journal if place.is_dir() and not _journals_in(place)]
    except NoJournalError as error:
        print(error, file=sys.stderr)
        return 2
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"the export cannot be read: {type(error).__name__} {error}", file=sys.stderr)
        return 2
    if key is not None:
        print(f"signatures checked with the key {key.hex()}, from {asked.key}")
    elif own is not None:
        print(f"signatures checked with the key {own.hex()}, which came with the export itself:")
        print("whoever could change the record could change it too; keep a copy elsewhere, name it by --key")
    else:
        print("no signature checked: there is no key")
    if unsigned:
        print(unsigned)
    for what, places in sorted(left.items()):
        print(f"not recomputed: {what}: {len(places)}, the first is {places[0]}")
    for place in empty:
        print(f"{place}: there is no journal in this folder")
    for problem in problems:
        print(problem)
    print("the record holds" if not problems else f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
