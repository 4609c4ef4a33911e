"""The library and the client for Python, from signatures and docstrings."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pitboss
from pitboss import client, library
from pitboss.floor import requests
from pitboss.play import commands
from site_pages.writing import code, fenced, table


def library_page() -> str:
    """`import pitboss`, `pitboss.client`, and the words both speak."""
    text = (
        "# The library\n\nMade from the docstrings; the examples are run by `tests/unit/test_library.py`. "
        "What is not on this "
        "page is not promised to stay.\n"
    )
    text += f"\n## pitboss\n\n{_doc(pitboss)}\n"
    text += "".join(_member(library, name) for name in pitboss.__all__)
    text += f"\n## pitboss.client\n\n{_doc(client)}\n"
    text += "".join(_member(client, name) for name in client.__all__)
    text += "\n## Acts at a table\n\n`pitboss.play.commands`, for `Client.act`.\n\n" + _vocabulary(commands)
    text += "\n## Requests of the floor\n\n`pitboss.floor.requests`, for `Client.do`.\n\n" + _vocabulary(
        requests
    )
    return text


def _doc(thing: Any) -> str:
    """A docstring as Markdown: what is typed into Python is a block of its own."""
    parts = []
    for paragraph in re.split(r"\n\s*\n", inspect.getdoc(thing) or ""):
        parts.append(fenced(paragraph, "pycon") if paragraph.startswith(">>>") else paragraph)
    return "\n\n".join(parts)


def _signature(thing: Any) -> str:
    """How it is called. Types are as they are written in the source."""
    text = re.sub(r"ForwardRef\(([^()]*)\)", r"\1", str(inspect.signature(thing)))
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", text).replace("(self, ", "(").replace("(self)", "()")


def _member(module: ModuleType, name: str) -> str:
    thing = getattr(module, name)
    anchor = f"{module.__name__.removesuffix('.library')}.{name}".lower()
    text = f"\n### {name} {{#{anchor}}}\n\n"
    if inspect.isclass(thing):
        made = "" if issubclass(thing, BaseException) else fenced(f"{name}{_signature(thing)}", "python")
        return text + made + f"\n{_doc(thing)}\n\n" + "".join(_methods(thing))
    return text + fenced(f"{name}{_signature(thing)}", "python") + f"\n{_doc(thing)}\n"


def _methods(kind: type) -> Iterator[str]:
    """What a class can be asked; what every exception has is not told again."""
    for name, thing in vars(kind).items():
        if name.startswith("_") or (inspect.isclass(thing)):
            continue
        if isinstance(thing, property):
            yield f"**`{name}`** : {_one_line(thing)}\n\n"
        elif inspect.isfunction(thing):
            called = "async " if inspect.iscoroutinefunction(thing) else ""
            yield f"**`{called}{name}{_signature(thing)}`**\n\n{_doc(thing)}\n\n"


def _one_line(thing: Any) -> str:
    return " ".join((inspect.getdoc(thing) or "").split())


def _vocabulary(module: ModuleType) -> str:
    rows = []
    for name, kind in vars(module).items():
        if dataclasses.is_dataclass(kind) and kind.__module__ == module.__name__ and not name.startswith("_"):
            fields = ", ".join(code(_field(field)) for field in dataclasses.fields(kind))
            rows.append((code(name), fields, _one_line(kind)))
    return table(("name", "fields", "meaning"), rows)


def _field(field: dataclasses.Field[Any]) -> str:
    given = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
    kind = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", str(field.type))
    return f"{field.name}: {kind}" + (" = …" if given else "")
