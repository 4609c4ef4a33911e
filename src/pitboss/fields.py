"""Fields of requests and commands: what each one is, and how it is written.

A dataclass says by its types what a request or a command takes, and by the kinds below what a name or a
number in it stands for. The JSON forms of the service, the options of the command line, the forms of the
browser and the documentation are made from that one description.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass
from dataclasses import fields as dataclass_fields
from enum import Enum
from functools import cache
from typing import Annotated, Any

import msgspec

from pitboss.cards import Card, parse_card
from pitboss.errors import BadInput, check, is_number
from pitboss.money import Cents, format_cents, parse_cents

LONGEST_TEXT = 4000
LONGEST_DOCUMENT = 2_000_000
MOST_ITEMS = 100
MOST = 2**31 - 1

Money = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[0-9]{1,12}(\.[0-9]{1,2})?$",
        description="An amount of the table's currency as a decimal string.",
        examples=["25.00"],
    ),
]
CardCode = Annotated[
    str, msgspec.Meta(pattern="^(10|[2-9TJQKA])[cdhs]$", description="A card.", examples=["As"])
]
Text = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]
Document = Annotated[str, msgspec.Meta(max_length=LONGEST_DOCUMENT)]
Number = Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)]
Chips = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]


# --- what a field stands for --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kind:
    """What a field stands for. `options` are what is chosen from; `subject` is what a form is opened for."""

    name: str
    help: str = ""
    options: tuple[str, ...] = ()
    subject: bool = False


@dataclass(frozen=True, slots=True)
class Help:
    """What is written in a field, where its type says what kind of field it is."""

    text: str


@dataclass(frozen=True, slots=True)
class WrittenAs:
    """The name under which a field is written, where that is not its own."""

    name: str


ADDED = "added"
"""Marks a field that is not written: the session says who acts, the floor adds cards, days and terms."""

SECOND_PERSON = "second-person"
TableName = Annotated[str, Kind("table", "A table.", subject=True)]
LinkName = Annotated[str, Kind("link", "A link of tables that play for one jackpot.", subject=True)]
ClaimNumber = Annotated[int, Kind("claim", "A claim, by its number.", subject=True)]
DisputeNumber = Annotated[int, Kind("dispute", "A dispute, by its number.", subject=True)]
RulebookName = Annotated[str, Kind("rulebook", "A rulebook, by its id or the hash that was approved.")]
ProcedureName = Annotated[str, Kind("procedure", "A dealing procedure of the rulebook.")]
PersonName = Annotated[str, Kind("person", "A person of the house.")]
NewPerson = Annotated[str, Kind("new-person", "A name for the account.")]
PersonOnShift = Annotated[str, Kind("person-on-shift", "A person on shift at the table.")]
PersonOffShift = Annotated[str, Kind("person-off-shift", "A person of the house.")]
SecondPerson = Annotated[str, Kind(SECOND_PERSON, "The second person, who signs for it.")]
Rank = Annotated[str, Kind("rank", "A rank, such as dealer or pit-manager.")]
PlayerName = Annotated[str, Kind("player", "A player.")]
NewPlayer = Annotated[str, Kind("new-player", "A name for the player.")]
PlayerHere = Annotated[str, Kind("player-here", "A player with chips at the table.")]
Seat = Annotated[int, Kind("seat", "A seat, by its number.")]
FreeSeat = Annotated[int, Kind("free-seat", "A free seat, by its number.")]
TakenSeat = Annotated[int, Kind("taken-seat", "An occupied seat, by its number.")]
WagerName = Annotated[str, Kind("wager", "A wager, such as ante.")]
Basis = Annotated[str, Kind("basis", "A basis of decision that the rulebook names.")]
Side = Annotated[str, Kind("side", "The player or the house.", ("player", "house"))]
AccountOf = Annotated[
    str, Kind("side", "Whose account it is: player, house, or a name.", ("player", "house"))
]
DealtBy = Annotated[str, Kind("dealt-by", "A person, or the house's clock.", ("person", "house"))]
Cards = Annotated[str, Kind("cards", "Virtual or physical cards.", ("virtual", "physical"))]
Place = Annotated[str, Kind("place", "A seat, the dealer, or a part of the community cards.")]
Reason = Annotated[str, Kind("reason", "Why.")]
Device = Annotated[str, Kind("device", "A name that the device keeps.")]
Percent = Annotated[int, Kind("number", "In basis points: 100 are 1 %.")]
Seconds = Annotated[int, Kind("number", "How many seconds.")]
Minutes = Annotated[int, Kind("number", "How many minutes.")]
Pool = Annotated[str, Kind("pool", "A pool of the jackpot.", ("meter", "reserve", "overflow"))]


# --- how a value is written ---------------------------------------------------------------------------------


class Writing(typing.NamedTuple):
    """How values of a type are written: as JSON (`form`, read and written), and as text on a command line."""

    type: str
    form: Any
    read: Callable[[Any, str], Any]
    write: Callable[[Any], Any]
    parse: Callable[[Any, str], Any]
    help: str = ""
    options: tuple[str, ...] = ()


def same(value: Any, place: str = "") -> Any:
    """A text or a number as it is. Raises `BadInput` for a NUL character."""
    if isinstance(value, str) and "\x00" in value:
        raise BadInput(place, "there is a NUL character in it", "leave it out")
    return value


_AMOUNT = Writing("amount", Money, parse_cents, format_cents, parse_cents, "An amount, such as 25 or 25.00.")


def _parsed_card(text: Any, place: str) -> Card:
    return parse_card(text)


_CARD = Writing("card", CardCode, _parsed_card, lambda card: card.code, _parsed_card, "A card, such as As.")
_PLAIN = {
    str: Writing("text", Text, same, same, lambda text, place: text),
    int: Writing("number", Number, same, same, lambda number, place: number),
    bool: Writing("flag", bool, same, same, lambda flag, place: flag),
}


def writing_of(hint: Any, field: str = "") -> Writing:
    """How values of a type are written."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if type(None) in args:
        return _maybe(writing_of(next(arg for arg in args if arg is not type(None)), field))
    if hint is Cents:
        return _AMOUNT
    if hint is Card:
        return _CARD
    if origin is tuple:
        return _listed(writing_of(args[0], field))
    if origin is Mapping:
        return _chips() if args[0] is int else _mapped(writing_of(args[1], field))
    if isinstance(hint, type) and issubclass(hint, Enum):
        words = tuple(str(member.value) for member in hint)
        return Writing(
            "text", hint, same, lambda member: member.value, lambda text, place: hint(text), "", words
        )
    check(hint in _PLAIN, f"a form for {hint}")
    plain = _PLAIN[hint]
    return plain._replace(type="document", form=Document) if field == "document" else plain


def _maybe(inner: Writing) -> Writing:
    form = inner.form | None if isinstance(inner.form, type) else typing.Optional[inner.form]  # noqa: UP045
    return inner._replace(
        form=form,
        read=lambda value, place: None if value is None else inner.read(value, place),
        write=lambda value: None if value is None else inner.write(value),
    )


def _listed(item: Writing) -> Writing:
    form: Any = Annotated[list[item.form], msgspec.Meta(max_length=MOST_ITEMS)]  # type: ignore[name-defined]

    def parse(text: str, place: str) -> tuple[Any, ...]:
        parts = [part for part in text.split(",") if part]
        if item.type == "number":
            parts = [_number(part, place) for part in parts]
        return tuple(parts)

    return Writing(
        f"{item.type}s",
        form,
        lambda value, place: tuple(item.read(part, place) for part in value),
        lambda value: [item.write(part) for part in value],
        parse,
        "Several, with commas between them.",
    )


def _number(text: str, place: str) -> Any:
    if not is_number(text):
        raise BadInput(place, f"'{text}' is no number", "write numbers with commas between them")
    return int(text)


def _chips() -> Writing:
    return Writing(
        "chips",
        Annotated[dict[Money, Chips], msgspec.Meta(max_length=MOST_ITEMS)],
        lambda value, place: {parse_cents(key, place): number for key, number in value.items()},
        lambda value: {format_cents(Cents(key)): number for key, number in value.items()},
        parse_count,
        "Chips by denomination, such as 100=50,25=200,5=200.",
    )


def _mapped(item: Writing) -> Writing:
    limits = item.type == "amounts"
    return Writing(
        "limits" if limits else "texts-by-name",
        Annotated[dict[Text, item.form], msgspec.Meta(max_length=MOST_ITEMS)],  # type: ignore[name-defined]
        lambda value, place: {
            same(key, place): item.read(part, f"{place}.{key}") for key, part in value.items()
        },
        lambda value: {key: item.write(part) for key, part in value.items()},
        parse_limits if limits else lambda text, place: text,
        "Limits, such as ante=25:1000,bonus=5:500." if limits else "",
    )


def parse_count(text: str, place: str) -> dict[int, int]:
    """Chips by denomination: `100=50,25=200`."""
    count: dict[int, int] = {}
    for part in filter(None, text.split(",")):
        worth, equals, number = part.partition("=")
        if not equals or not is_number(number):
            raise BadInput(place, f"'{part}' is no count", "write denomination=number, such as 25=200")
        count[parse_cents(worth, place)] = int(number)
    return count


def parse_limits(text: str, place: str) -> dict[str, tuple[Cents, ...]]:
    """Limits by wager: `ante=25:1000,bonus=5:500`."""
    limits: dict[str, tuple[Cents, ...]] = {}
    for part in filter(None, text.split(",")):
        wager, equals, span = part.partition("=")
        low, colon, high = span.partition(":")
        if not equals or not colon:
            raise BadInput(place, f"'{part}' are no limits", "write wager=least:most, such as ante=25:1000")
        limits[wager] = (parse_cents(low, place), parse_cents(high, place))
    return limits


# --- the fields of a request or a command -------------------------------------------------------------------


class Field(typing.NamedTuple):
    """One field: its name in the program and as it is written, what it stands for, and how it is written."""

    name: str
    written: str
    kind: Kind
    writing: Writing
    required: bool
    default: Any

    @property
    def options(self) -> tuple[str, ...]:
        """What is chosen from; nothing where it is written."""
        return self.kind.options or self.writing.options


@cache
def fields_of(kind: Any) -> tuple[Field, ...]:
    """The fields of a request or a command that are written, in order."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return tuple(
        _field(part, *_bare(hints[part.name]))
        for part in dataclass_fields(kind)
        if ADDED not in _bare(hints[part.name])[1]
    )


def _bare(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type, and what is said of it."""
    if typing.get_origin(hint) is Annotated:
        return hint.__origin__, hint.__metadata__
    return hint, ()


def _field(part: Any, hint: Any, said: tuple[Any, ...]) -> Field:
    writing = writing_of(hint, part.name)
    told = next((one.text for one in said if isinstance(one, Help)), writing.help)
    kind = next((one for one in said if isinstance(one, Kind)), Kind(writing.type, told))
    written = next((one.name for one in said if isinstance(one, WrittenAs)), part.name)
    default = part.default if part.default_factory is MISSING else part.default_factory()
    return Field(
        part.name, written, kind, writing, default is MISSING, None if default is MISSING else default
    )


class Form(typing.NamedTuple):
    """One form: its name, its type as JSON, the class it is the form of, and its fields."""

    name: str
    struct: type[msgspec.Struct]
    kind: Any
    fields: tuple[Field, ...]

    @property
    def second_person(self) -> Field | None:
        """The field that names a second person, who signs for it."""
        return next((field for field in self.fields if field.kind.name == SECOND_PERSON), None)

    def read(self, written: msgspec.Struct, **more: Any) -> Any:
        """What was written, as the floor knows it. Raises `BadInput` with the field."""
        values = {
            field.name: field.writing.read(getattr(written, field.written), field.written)
            for field in self.fields
        }
        return self.kind(**values, **more)

    def write(self, value: Any) -> dict[str, Any]:
        """A request or command as it is sent."""
        return {field.written: field.writing.write(getattr(value, field.name)) for field in self.fields}


def name_of(kind: type) -> str:
    """`OpenTable` is written `open-table`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


def form_of(kind: Any, *more: tuple[str, Any, Any], tag_field: str | None = None, module: str) -> Form:
    """The form of a request or a command; `more` are columns that its class does not have."""
    written = fields_of(kind)
    struct = msgspec.defstruct(
        kind.__name__,
        [*map(_column, written), *more],
        kw_only=True,
        frozen=True,
        forbid_unknown_fields=True,
        omit_defaults=True,
        module=module,
        tag_field=tag_field,
        tag=None if tag_field is None else name_of(kind),
    )
    struct.__doc__ = kind.__doc__
    return Form(name_of(kind), struct, kind, written)


def _described(form: Any, text: str) -> Any:
    """A form with a description; what else is said of it stays, in one place."""
    if type(None) in typing.get_args(form):
        inner = next(arg for arg in typing.get_args(form) if arg is not type(None))
        return typing.Optional[_described(inner, text)]  # noqa: UP045
    bare, said = _bare(form)
    own = {name: getattr(said[0], name) for name in _OF_META} if said else {}
    return Annotated[bare, msgspec.Meta(**(own | {"description": text}))]


_OF_META = ("ge", "le", "pattern", "min_length", "max_length", "examples")


def _column(field: Field) -> tuple[str, Any] | tuple[str, Any, Any]:
    form = _described(field.writing.form, field.kind.help)
    default = field.default
    if field.required:
        return (field.written, form)
    if isinstance(default, tuple | dict):
        check(not default, "a field that is left out holds nothing")
        return (field.written, form, msgspec.field(default_factory=type(field.writing.write(default))))
    return (field.written, form, default)
