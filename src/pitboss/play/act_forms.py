"""Acts at a table as they are sent: one form for each command of play, told apart by `do`.

Who acts is not written: the session says it. For whom staff act is.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from typing import Any

from pitboss.fields import Form, Text, form_of, name_of, same
from pitboss.play import commands as c

ACTS: dict[str, Form] = {
    name_of(kind): form_of(kind, ("for_player", Text | None, None), tag_field="do", module=__name__)
    for kind in typing.get_args(c.Command)
}
_BY_STRUCT = {form.struct: form for form in ACTS.values()}

if typing.TYPE_CHECKING:
    ActForm = Any
else:
    ActForm = typing.Union[tuple(form.struct for form in ACTS.values())]  # noqa: UP007


def read_act(written: Any, actor: Callable[[str | None], c.Actor]) -> Any:
    """An act that was written, as a command of the one who acts."""
    form: Form = _BY_STRUCT[type(written)]
    for_player = same(written.for_player, "for_player")
    return form.read(written, by=actor(for_player))


def act_named(written: Any) -> str:
    """The name of an act that was written."""
    return _BY_STRUCT[type(written)].name


def write_act(command: c.Command) -> Any:
    """A command as it is sent. Who acts is not sent; for whom it is done is."""
    form = ACTS[name_of(type(command))]
    for_player = command.by.for_player if isinstance(command.by, c.Staff) else None
    return form.struct(**form.write(command), for_player=for_player)
