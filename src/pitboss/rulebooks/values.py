"""The values that stand in a rulebook's data, each checked by itself, and the base of all its tables."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from pitboss.cards import Rank
from pitboss.errors import BadInput
from pitboss.money import Cents, parse_cents


def _money(value: object) -> Cents:
    try:
        return parse_cents(value)
    except BadInput as bad:
        raise ValueError(str(bad)) from bad


def _rank(value: object) -> Rank:
    ranks = {rank.code: rank for rank in Rank}
    if isinstance(value, str) and value in ranks:
        return ranks[value]
    raise ValueError(f"{value!r} is not a rank; write one of {' '.join(ranks)}")


_PAY = re.compile(r"(\d+) to 1|(\d+) for 1|(\d+)%|(\d+(?:\.\d\d?)?)")


def _pay(value: object) -> str:
    if isinstance(value, str) and _PAY.fullmatch(value):
        return value
    raise ValueError(
        f"{value!r} is not a pay; write odds ('5 to 1', '40 for 1'), a share of the meter ('10%') "
        "or a fixed amount ('200.00')"
    )


def _name(value: str) -> str:
    if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", value):
        return value
    raise ValueError(f"'{value}' is not a name; use small letters, digits and dashes")


Money = Annotated[Cents, BeforeValidator(_money)]
RankCode = Annotated[Rank, BeforeValidator(_rank)]
PayText = Annotated[str, BeforeValidator(_pay)]
Name = Annotated[str, AfterValidator(_name)]
ClauseText = str
"""A reference to a clause of this book's register."""
Clauses = Annotated[tuple[ClauseText, ...], Field(min_length=1)]


class Strict(BaseModel):
    """Unknown keys are defects; keys are the field names with dashes."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        alias_generator=lambda field: field.rstrip("_").replace("_", "-"),
        populate_by_name=False,
    )
