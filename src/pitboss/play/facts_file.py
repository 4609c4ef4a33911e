"""Facts as other programs write them: the JSON of `pitboss settle`, read strictly.

Every error names the place in the file, what is wrong there and what would be right.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pitboss.cards import Card, parse_card
from pitboss.errors import BadInput, near_miss
from pitboss.money import Cents, parse_cents, to_units
from pitboss.play.facts import Facts, JackpotFacts, Limit, Once, Seat, Status
from pitboss.play.settlement import check_facts
from pitboss.rulebooks import ClauseRef, Plan, WagerName, load_plan
from pitboss.rulebooks.vocabulary import ClauseKind, UsedBy

T = TypeVar("T")

_VOIDING = (ClauseKind.IRREGULARITY, ClauseKind.AUTHORITY, ClauseKind.DEAL)


def read_facts(text: str, *, name: str) -> tuple[Plan, Facts]:
    """The plan and the facts of a file called `name`. Raises `BadInput` for whatever cannot be settled."""
    root = Node(parse_json(text, name=name), name, "")
    root.keys("rulebook", "readings", "limits", "jackpot", "community", "dealer", "void", "seats")
    unread: dict[str, str] = {}
    readings = root.get("readings", lambda node: node.mapping(Node.text), default=unread)
    plan = load_plan(root.get("rulebook", Node.text), readings, place=f"{name}: readings")
    void = root.get("void", lambda node: _void(plan, node), default=None)
    facts = Facts(
        seats=tuple(root.get("seats", lambda node: node.listed(lambda seat: _seat(plan, seat)))),
        community=_dealt(plan.community_cards, root, "community", optional=void is not None),
        dealer=_dealt(plan.dealer_cards, root, "dealer", optional=void is not None),
        limits=root.get("limits", lambda node: read_limits(plan, node), default={}),
        jackpot=root.get("jackpot", lambda node: _jackpot(plan, node), default=None),
        void=void,
    )
    if not facts.seats:
        raise BadInput(f"{name}: seats", "nobody played", "list at least one seat")
    check_facts(plan, facts, place=name)
    return plan, facts


def parse_json(text: str, *, name: str) -> Any:
    """JSON with line and column in its errors, and no key twice in one object."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if _has_half(key):
                raise BadInput(name, "half a character in a key", "write whole Unicode characters")
            if key in found:
                raise BadInput(name, f"the key '{key}' stands twice in one object", "keep one")
            found[key] = value
        return found

    try:
        found = json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise BadInput(f"{name}:{error.lineno}:{error.colno}", f"not JSON: {error.msg}") from error
    except ValueError as error:
        raise BadInput(name, "a number of thousands of digits", "write money as a decimal string") from error
    except RecursionError as error:
        raise BadInput(name, "nested too deeply", f"no file of ours is {_DEEPEST} levels deep") from error
    if _deeper(found, _DEEPEST):
        raise BadInput(name, "nested too deeply", f"no file of ours is {_DEEPEST} levels deep")
    return found


_DEEPEST = 50


def _has_half(text: str) -> bool:
    """Whether half a character is in a text: it could be written nowhere."""
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def _deeper(value: Any, most: int) -> bool:
    """Whether lists and objects lie in one another more than so many times."""
    level = [value]
    for _ in range(most):
        level = [
            inner
            for node in level
            if isinstance(node, dict | list)
            for inner in (node.values() if isinstance(node, dict) else node)
        ]
        if not level:
            return False
    return True


class Node:
    """A value in a JSON file that knows where it stands."""

    def __init__(self, value: Any, file: str, path: str) -> None:
        self.value, self.file, self.path = value, file, path

    @property
    def place(self) -> str:
        """Where it stands: file and path."""
        return f"{self.file}: {self.path}" if self.path else self.file

    def bad(self, problem: str, remedy: str = "") -> BadInput:
        """What is wrong here, as an error to raise."""
        return BadInput(self.place, problem, remedy)

    def child(self, key: str | int, value: Any) -> Node:
        """A value inside this one."""
        path = f"{self.path}[{key}]" if isinstance(key, int) else f"{self.path}.{key}".lstrip(".")
        return Node(value, self.file, path)

    def object(self) -> Mapping[str, Any]:
        """It as an object. Raises `BadInput` if it is none."""
        if not isinstance(self.value, dict):
            raise self.bad(f"{_shown(self.value)} is not an object", "write { … }")
        return self.value

    def keys(self, *known: str) -> None:
        """See that it has no key but these. Raises `BadInput`."""
        for key in self.object():
            if key not in known:
                raise self.child(key, None).bad(f"unknown key '{key}'", near_miss(key, known))

    def get(self, key: str, read: Callable[[Node], T], **default: T) -> T:
        """The value of a key, read; one that is missing is the default, else raises `BadInput`."""
        value = self.object().get(key)
        if value is None and default:
            return default["default"]
        if key not in self.object():
            raise self.child(key, None).bad("is missing", "write it")
        return read(self.child(key, value))

    def mapping(self, read: Callable[[Node], T]) -> dict[str, T]:
        """Every value of an object, read."""
        return {key: read(self.child(key, value)) for key, value in self.object().items()}

    def listed(self, read: Callable[[Node], T]) -> list[T]:
        """Every value of a list, read. Raises `BadInput` if it is none."""
        if not isinstance(self.value, list):
            raise self.bad(f"{_shown(self.value)} is not a list", "write [ … ]")
        return [read(self.child(index, value)) for index, value in enumerate(self.value)]

    def text(self) -> str:
        """It as a text that is not empty. Raises `BadInput`."""
        if not isinstance(self.value, str) or not self.value:
            raise self.bad(f"{_shown(self.value)} is not a text", 'write it in "quotes"')
        if _has_half(self.value):
            raise self.bad("half a character", "write whole Unicode characters")
        return self.value

    def flag(self) -> bool:
        """It as true or false. Raises `BadInput`."""
        if not isinstance(self.value, bool):
            raise self.bad(f"{_shown(self.value)} is neither true nor false", "write true or false")
        return self.value

    def number(self) -> int:
        """It as a whole number. Raises `BadInput`."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.bad(f"{_shown(self.value)} is not a whole number", "write a whole number")
        return self.value

    def money(self) -> Cents:
        """It as an amount. Raises `BadInput`."""
        return parse_cents(self.value, self.place)

    def card(self) -> Card:
        """It as a card. Raises `BadInput`."""
        return parse_card(self.value, self.place)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:37]}…"


def _void(plan: Plan, node: Node) -> ClauseRef:
    number = ClauseRef(node.text())
    if number not in plan.register:
        raise node.bad(f"{plan.id} has no clause '{number}'", near_miss(number, _voiding(plan)))
    if plan.register[number].kind not in _VOIDING:
        raise node.bad(
            f"clause {number} voids nothing", "name the irregularity under which the round was voided"
        )
    return number


def _voiding(plan: Plan) -> list[str]:
    return [number for number, clause in plan.register.items() if clause.kind in _VOIDING]


def _dealt(whole: int, root: Node, key: str, *, optional: bool) -> tuple[Card, ...]:
    """The dealer's or community cards; they may be left out where none are dealt or the round was voided."""
    if key not in root.object() and (optional or not whole):
        return ()
    return tuple(root.get(key, lambda node: node.listed(Node.card)))


def read_limits(plan: Plan, node: Node) -> dict[WagerName, Limit]:
    """Posted limits: for a wager, its minimum and maximum."""
    posted = [wager.name for wager in plan.wagers if wager.posted_limits]
    found: dict[WagerName, Limit] = {}
    for key, limit in node.mapping(lambda inner: inner).items():
        if key not in posted:
            problem = f"{plan.id} posts no limits for '{key}'"
            raise limit.bad(problem, near_miss(key, posted))
        amounts = limit.listed(Node.money)
        if len(amounts) != 2 or amounts[0] > amounts[1]:
            raise limit.bad("limits are a minimum and a maximum", 'write ["25", "1000"]')
        found[WagerName(key)] = Limit(amounts[0], amounts[1])
    return found


def _jackpot(plan: Plan, node: Node) -> JackpotFacts:
    if plan.jackpot is None:
        raise node.bad(f"{plan.id} has no jackpot", "take it out")
    node.keys("meter", "reset", "unit")
    unit = node.get("unit", Node.money)
    if unit <= 0:
        raise node.child("unit", None).bad("a unit of nothing", "write the price of one jackpot wager")
    return JackpotFacts(
        meter=to_units(node.get("meter", Node.money)),
        reset=node.get("reset", Node.money),
        unit=unit,
    )


def _seat(plan: Plan, node: Node) -> Seat:
    node.keys("position", "player", "cards", "status", "viewed", "warned", "established", "wagers")
    unwarned: bool | Once = False
    warned = node.get("warned", lambda inner: _warned(plan, inner), default=unwarned)
    return Seat(
        position=node.get("position", Node.number),
        player=node.get("player", Node.text),
        cards=tuple(node.get("cards", lambda inner: inner.listed(Node.card))),
        status=node.get("status", _status),
        wagers=node.get("wagers", lambda inner: _wagers(plan, inner)),
        viewed=node.get("viewed", Node.flag, default=False),
        warned=warned is True,
        once=frozenset({warned}) if isinstance(warned, Once) else frozenset(),
        established=node.get("established", Node.flag, default=False),
    )


def _warned(plan: Plan, node: Node) -> bool | Once:
    """Whether a player is warned, or what one stake under the minimum was settled for."""
    if isinstance(node.value, str) and plan.limits.under_minimum.used_by is UsedBy.ONE_OF_EACH:
        if node.value not in tuple(Once):
            raise node.bad(f"{node.value!r} is nothing to be warned of", near_miss(node.value, Once))
        return Once(node.value)
    return node.flag()


def _status(node: Node) -> Status:
    text = node.text()
    if text not in tuple(Status):
        raise node.bad(f"no status '{text}'", near_miss(text, Status))
    return Status(text)


def _wagers(plan: Plan, node: Node) -> dict[WagerName, Cents]:
    staked = [wager.name for wager in plan.wagers if wager.extra_on is None]
    found: dict[WagerName, Cents] = {}
    for key, amount in node.mapping(lambda inner: inner).items():
        if key not in staked:
            raise amount.bad(f"{plan.id} has no wager '{key}'", near_miss(key, staked))
        found[WagerName(key)] = amount.money()
    return found
