"""The registry of everything that can be asked of a floor: requests and acts, with their fields and forms."""

from __future__ import annotations

import typing
from typing import Any

from pitboss.fields import Form, form_of, name_of
from pitboss.floor import requests as q
from pitboss.play.act_forms import ACTS, ActForm, read_act, write_act

__all__ = ["ACTS", "REQUESTS", "ActForm", "read_act", "second_person_of", "write_act", "write_request"]

REQUESTS: dict[str, Form] = {
    name_of(kind): form_of(kind, module=__name__)
    for kind in typing.get_args(q.Request)
    if kind not in q.WITHOUT_FORM
}


def write_request(request: q.Request) -> tuple[str, dict[str, Any]]:
    """A request's name and its body as it is sent."""
    form = REQUESTS[name_of(type(request))]
    return form.name, form.write(request)


def second_person_of(asked: q.Request) -> str | None:
    """The second person who signs for a request, or for the act in it; None where it takes none."""
    what: Any = asked.command if isinstance(asked, q.Act) else asked
    form = (ACTS if isinstance(asked, q.Act) else REQUESTS).get(name_of(type(what)))
    field = None if form is None else form.second_person
    if field is None:
        return None
    named = str(getattr(what, field.name))
    return named if named or field.required else None
