"""How reports and rulings are written in a script: kinds and remedies with their arguments."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pitboss.cards import parse_card
from pitboss.errors import BadInput, is_number, near_miss
from pitboss.play.commands import Actor, LiftOrder, Report, Rule
from pitboss.rulebooks.trouble import ExposedAt, ExposedBy, Irregularity, Ruling

_WRONG_COUNT = "wrong-count"
_COUNTS = {
    "community": Irregularity.WRONG_COUNT_COMMUNITY,
    "dealer": Irregularity.WRONG_COUNT_DEALER,
}
_SEATS = "seats"
_FLAGS: Mapping[str, Any] = {"yes": True, "no": False}
_FINDINGS: Mapping[str, Mapping[str, Any]] = {
    "reconstructable": _FLAGS,
    "intentional": _FLAGS,
    "by": {word.value: word for word in ExposedBy},
    "at": {word.value: word for word in ExposedAt},
}
_OF_EXPOSED = ("by", "at")

KINDS: Mapping[str, str] = MappingProxyType(
    {
        **{kind.value: kind.value for kind in Irregularity if not kind.value.startswith(_WRONG_COUNT)},
        _WRONG_COUNT: "wrong-count community|dealer|N",
        Irregularity.EXPOSED.value: "exposed K [by=dealer|player] [at=deal|later]",
        Irregularity.COUNT_DOUBT.value: "count-doubt COUNTED",
        Irregularity.CONFIDENTIALITY.value: "confidentiality N",
        Irregularity.MULTIPLE_HANDS.value: "multiple-hands N,N",
        Irregularity.EXTRA_VIEW.value: "extra-view N intentional=yes/no",
        Irregularity.UNCOVERED.value: "uncovered TEXT",
    }
)
"""Every kind as it is written, with its arguments."""

RULINGS: Mapping[str, str] = MappingProxyType(
    {
        **{ruling.value: ruling.value for ruling in Ruling},
        Ruling.INVALIDATE.value: "invalidate N",
        Ruling.PERMIT_WITHDRAWAL.value: "permit-withdrawal N",
        Ruling.BLOCK.value: "block N",
        Ruling.BAR.value: "bar PLAYER",
        Ruling.RESTRICT.value: "restrict PLAYER",
        Ruling.ORDER.value: "order CARD,CARD",
    }
)
"""Every remedy that may be ruled, as it is written."""

ABOUT_A_POSITION = tuple(Ruling(name) for name, written in RULINGS.items() if written.endswith(" N"))
"""The rulings whose argument is the number of a position."""


def parse_report(by: Actor, words: list[str], place: str) -> Report:
    """`report KIND [ARGS] [reconstructable=yes/no] [seats=N,N]`."""
    kind, arguments = words[0], words[1:]
    if kind not in KINDS:
        raise BadInput(place, f"no irregularity is called '{kind}'", near_miss(kind, KINDS))
    found, arguments = _findings(kind, arguments, place)
    wrong = BadInput(place, f"'report {' '.join(words)}' does not fit", f"write 'report {KINDS[kind]}'")
    intentional, seats = found.get("intentional"), found.get(_SEATS, ())
    if (kind == Irregularity.EXTRA_VIEW) != (intentional is not None):
        raise wrong
    if kind == Irregularity.UNCOVERED:
        if not arguments:
            raise wrong
        return Report(by=by, kind=Irregularity.UNCOVERED, what=" ".join(arguments), seats=seats)
    if len(arguments) != sum("=" not in word for word in KINDS[kind].split()[1:]):
        raise wrong
    if kind == _WRONG_COUNT:
        irregularity, positions = _counted(arguments[0], wrong)
    else:
        irregularity = Irregularity(kind)
        takes_hands = kind in ("confidentiality", "multiple-hands", "extra-view")
        positions = _numbers(arguments[0], wrong) if takes_hands else ()
    several = irregularity is Irregularity.MULTIPLE_HANDS
    if positions and (len(positions) > 1) != several:
        raise wrong
    count = 0
    if irregularity in (Irregularity.EXPOSED, Irregularity.COUNT_DOUBT):
        (count,) = _numbers(arguments[0], wrong)
        if count < 1 and irregularity is Irregularity.EXPOSED:
            raise wrong
    return Report(
        by=by,
        kind=irregularity,
        positions=positions,
        count=count,
        reconstructable=found.get("reconstructable"),
        intentional=intentional,
        seats=seats,
        exposed_by=found.get("by"),
        exposed_at=found.get("at"),
    )


def _findings(kind: str, arguments: list[str], place: str) -> tuple[dict[str, Any], list[str]]:
    """Findings are written `name=value`, such as `intentional=no`; what is left are the other arguments."""
    found: dict[str, Any] = {}
    left: list[str] = []
    exposed = kind == Irregularity.EXPOSED
    names = [*(name for name in _FINDINGS if exposed or name not in _OF_EXPOSED), _SEATS]
    for word in arguments:
        name, equals, value = word.partition("=")
        if not equals or name not in names:
            left.append(word)
            continue
        if name in found:
            raise BadInput(place, f"'{name}=' is written twice", "write it once")
        if name == _SEATS:
            wrong = BadInput(
                place, f"'{word}' names no seats", "write numbers with commas, such as seats=1,3"
            )
            found[name] = _numbers(value, wrong)
        elif value in _FINDINGS[name]:
            found[name] = _FINDINGS[name][value]
        else:
            ways = " or ".join(f"{name}={way}" for way in _FINDINGS[name])
            raise BadInput(place, f"'{word}' is not a finding", f"write {ways}")
    return found, left


def _counted(word: str, wrong: BadInput) -> tuple[Irregularity, tuple[int, ...]]:
    if word in _COUNTS:
        return _COUNTS[word], ()
    positions = _numbers(word, wrong)
    if len(positions) > 1:
        raise wrong
    return Irregularity.WRONG_COUNT_POSITION, positions


def _numbers(text: str, wrong: BadInput) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(is_number(part) for part in parts) or len(set(parts)) < len(parts):
        raise wrong
    return tuple(int(part) for part in parts)


def parse_ruling(by: Actor, words: list[str], place: str) -> Rule:
    """`rule REMEDY [ARGS]`."""
    name, arguments = words[0], words[1:]
    if name not in RULINGS:
        raise BadInput(place, f"no remedy is called '{name}'", near_miss(name, RULINGS))
    ruling = Ruling(name)
    wrong = BadInput(place, f"'rule {' '.join(words)}' does not fit", f"write 'rule {RULINGS[name]}'")
    if len(arguments) != len(RULINGS[name].split()) - 1:
        raise wrong
    argument = arguments[0] if arguments else ""
    if ruling in ABOUT_A_POSITION and len(_numbers(argument, wrong)) != 1:
        raise wrong
    if ruling is Ruling.ORDER:
        cards = [parse_card(text, place) for text in argument.split(",")]
        if len(cards) < 2 or len(set(cards)) < len(cards):
            raise wrong
        argument = ",".join(card.code for card in cards)
    return Rule(by=by, ruling=ruling, argument=argument)


def parse_lift(by: Actor, words: list[str], place: str) -> LiftOrder:
    """`lift REMEDY [ARGS]`: an order that lasts, written as it was ruled, is taken back."""
    ruled = parse_ruling(by, words, place)
    lasting = [ruling.value for ruling in Ruling if ruling.lasts]
    if not ruled.ruling.lasts:
        raise BadInput(place, f"'{words[0]}' is no order that lasts", near_miss(words[0], lasting))
    return LiftOrder(by=by, order=ruled.ruling, argument=ruled.argument)
