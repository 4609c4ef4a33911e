"""What the web client knows of the service, made from it: `python tools/web_types.py`.

`web/src/api/wire.ts` has the shapes that the screens use and no others: of the calls that are named in the
client, of its sockets, of the acts at a table, and of the requests that it has words for, with the fields of
their forms. A test holds the file against what this makes.
"""

from __future__ import annotations

import inspect
import json
import re
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, Response
from litestar.routes import HTTPRoute

from pitboss.fields import SECOND_PERSON, Field, Form
from pitboss.forms import ACTS, REQUESTS, ActForm
from pitboss.server.app import route_handlers
from pitboss.server.commands import ActsForm
from pitboss.server.shapes import Done, Message, Refused

WEB = Path(__file__).resolve().parent.parent / "web"
TYPES = WEB / "src" / "api" / "wire.ts"
WIDTH = 110
METHODS = ("GET", "POST", "DELETE")
HEAD = """/** What travels between the service and the screens, made by tools/web_types.py. */
"""
FORM_FIELD = """/** A field of a form: what it stands for, how it is written, what it holds first. */
export interface FormField {
  name: string;
  kind: string;
  type: string;
  required?: true;
  subject?: true;
  options?: string[];
  first?: string;
}
"""


class Made:
    """TypeScript of structs and enums, each once, in the order in which it was asked for."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def of(self, hint: Any) -> str:
        """A type as TypeScript writes it."""
        if typing.get_origin(hint) is typing.Annotated:
            return self.of(hint.__origin__)
        if isinstance(hint, typing.NewType):
            return self.of(hint.__supertype__)
        origin, args = typing.get_origin(hint), typing.get_args(hint)
        if origin in (typing.Union, types.UnionType):
            return " | ".join(dict.fromkeys(self.of(arg) for arg in args if arg is not msgspec.UnsetType))
        if origin is typing.Literal:
            return " | ".join(json.dumps(arg) for arg in args)
        if origin is tuple and Ellipsis not in args:
            return f"[{', '.join(self.of(arg) for arg in args)}]"
        if origin in (list, tuple, Sequence):
            inner = self.of(args[0])
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        if origin in (dict, Mapping):
            return f"Record<string, {self.of(args[1])}>"
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            return self.struct(hint)
        if isinstance(hint, type) and issubclass(hint, Enum):
            return self.words(hint)
        return _PLAIN[hint]

    def words(self, kind: type[Enum]) -> str:
        """The name of an enum."""
        if kind.__name__ not in self.texts:
            self.texts[kind.__name__] = union(kind.__name__, [json.dumps(one.value) for one in kind])
        return kind.__name__

    def struct(self, kind: type[msgspec.Struct]) -> str:
        """The name of a struct."""
        name = kind.__name__
        if name not in self.texts:
            self.texts[name] = ""  # it may hold itself
            base = next((one for one in kind.__bases__ if getattr(one, "__struct_fields__", ())), None)
            own = [field for field in msgspec.structs.fields(kind) if not _is_of(base, field.name)]
            lines = []
            if kind.__struct_config__.tag is not None:
                lines.append(f"{kind.__struct_config__.tag_field}: {json.dumps(kind.__struct_config__.tag)};")
            for field in own:
                may = "" if field.required else "?"
                lines.append(f"{key(field.encode_name)}{may}: {self.of(field.type)};")
            extends = "" if base is None else f" extends {self.struct(base)}"
            body = "".join(f"  {line}\n" for line in lines)
            inner = f"{{\n{body}}}" if body else "{}"
            self.texts[name] = f"{said(kind)}export interface {name}{extends} {inner}\n"
        return name


_PLAIN: dict[Any, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    Any: "unknown",
    msgspec.Raw: "unknown",
}


def _is_of(base: Any, name: str) -> bool:
    return base is not None and name in base.__struct_fields__


def said(kind: type) -> str:
    """What a struct is for, as a comment of one line."""
    text = " ".join(inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0].split())
    line = f"/** {text} */\n"
    return line if text and len(line) <= WIDTH + 1 else ""


def key(name: str) -> str:
    """A name as it stands in an object."""
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else json.dumps(name)


def union(name: str, parts: Sequence[str]) -> str:
    """A type that is one of several."""
    line = f"export type {name} = {' | '.join(parts)};\n"
    if len(line) <= WIDTH + 1:
        return line
    return f"export type {name} =" + "".join(f"\n  | {part}" for part in parts) + ";\n"


# --- calls ------------------------------------------------------------------------------------------------


def source() -> str:
    """Everything that is written by hand in the client, without its tests."""
    files = (path for kind in ("ts", "svelte") for path in sorted((WEB / "src").rglob(f"*.{kind}")))
    written = (path for path in files if path != TYPES and not path.name.endswith(".test.ts"))
    return "".join(path.read_text(encoding="utf-8") for path in written)


def calls(text: str) -> Iterator[tuple[str, str, Any, Any]]:
    """Method, path, body and answer of each call that the client names."""
    app = Litestar(route_handlers=route_handlers())
    for route in sorted(app.routes, key=lambda route: route.path):
        path = re.sub(r"\{(\w+):\w+\}", r"{\1}", route.path)
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            (method,) = handler.http_methods & set(METHODS) or ("",)
            if not method or not re.search(rf'\b{_VERB[method]}\(\s*"{re.escape(path)}"', text):
                continue
            body, answer = handler.parsed_data_field, handler.parsed_fn_signature.return_type.annotation
            if typing.get_origin(answer) is Response:
                (answer,) = typing.get_args(answer)
            yield method, path, None if body is None else body.annotation, answer


_VERB = {"GET": "get", "POST": "post", "DELETE": "remove"}


def _calls(made: Made, text: str) -> str:
    found = list(calls(text))
    parts = []
    for method in METHODS:
        lines = []
        for verb, path, body, answer in found:
            if verb != method:
                continue
            told = f"[{'null' if body is None else made.of(body)}, {made.of(answer)}]"
            lines.append(f'\n  "{path}": {told if method == "POST" else made.of(answer)};')
        what = "a body and its answer" if method == "POST" else "an answer"
        parts.append(
            f"/** {what.capitalize()} for each address that is asked by {method}. */\n"
            f"export interface {method.capitalize()} {{{''.join(lines)}\n}}\n"
        )
    return "\n".join(parts)


# --- requests -----------------------------------------------------------------------------------------------


def requests(text: str) -> list[Form]:
    """The requests that the client names, or has words for."""
    return [form for name, form in REQUESTS.items() if f'"{name}"' in text or f'"request.{name}"' in text]


def _forms(forms: Iterable[Form]) -> str:
    text = "export const FORMS: Record<RequestName, FormField[]> = {\n"
    for form in forms:
        fields = "".join(_field(field) for field in form.fields)
        line = f"  {key(form.name)}: [{fields.strip().removesuffix(',')}],\n"
        alone = len(form.fields) == 1 and len(line) <= WIDTH + 1
        text += line if alone else f"  {key(form.name)}: [\n{fields}  ],\n"
    return text + "};\n"


def _field(field: Field) -> str:
    parts = [f'name: "{field.written}"', f'kind: "{field.kind.name}"', f'type: "{field.writing.type}"']
    if field.required:
        parts.append("required: true")
    if field.kind.subject:
        parts.append("subject: true")
    if field.options:
        parts.append(f"options: {json.dumps(field.options)}")
    if field.default not in (None, "", (), {}):
        first = field.default if isinstance(field.default, str) else json.dumps(field.default)
        parts.append(f"first: {json.dumps(str(first))}")
    line = f"    {{ {', '.join(parts)} }},\n"
    if len(line) <= WIDTH + 1:
        return line
    return "    {\n" + "".join(f"      {part},\n" for part in parts) + "    },\n"


def wire() -> str:
    """The whole file."""
    text, made = source(), Made()
    forms = requests(text)
    named = _calls(made, text)
    made.of(ActsForm)
    acts = union("Act", [made.of(part) for part in typing.get_args(ActForm)])
    messages = union("Message", [made.of(part) for part in typing.get_args(Message)])
    made.of(Done | Refused)
    bodies = "".join(f"\n  {key(form.name)}: {made.of(form.struct)};" for form in forms)
    texts = (made.texts[name] for name in sorted(made.texts))
    shapes = [text.replace(f"({_ACTS})", "Act").replace(_ACTS, "Act") for text in texts]
    parts = [
        HEAD,
        named,
        messages,
        acts,
        f"/** The requests of the floor, with their bodies. */\nexport interface Requests {{{bodies}\n}}\n",
        "export type RequestName = keyof Requests;\n",
        FORM_FIELD,
        f'export const SECOND_PERSON = "{SECOND_PERSON}";\n',
        _forms(forms),
        *shapes,
    ]
    return "\n".join(parts)


_ACTS = " | ".join(form.struct.__name__ for form in ACTS.values())


def main() -> None:
    """Write the file."""
    TYPES.write_text(wire(), encoding="utf-8")


if __name__ == "__main__":
    main()
