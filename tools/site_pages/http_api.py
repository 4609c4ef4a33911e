"""The HTTP API, from the document at /schema/openapi.json and from the handlers behind it."""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from litestar import Litestar
from litestar.routes import HTTPRoute

from pitboss.floor.authority import LEAST_POSITION
from pitboss.forms import ACTS, REQUESTS
from pitboss.rulebooks.vocabulary import Position
from pitboss.server.app import openapi_config, route_handlers
from site_pages.writing import capital, code, plain, slug, table

GROUPS = {
    "sign-in": "Signing in",
    "tables": "Tables",
    "floor": "Requests of the floor",
    "health": "Health",
    "": "Looking at the floor",
}


def http_page() -> str:
    """Every call: who may, what is sent, what is answered."""
    app = Litestar(route_handlers=route_handlers(), openapi_config=openapi_config())
    spec = app.openapi_schema.to_schema()
    who = _who(app)
    text = (
        "# The HTTP API\n\nMade from the document that every floor serves at `/schema/openapi.json`; "
        "`/docs` shows the same. "
        "Amounts are texts with two decimals, cards are `As`, `Td`. "
        + " ".join(spec["info"]["description"].split())
        + "\n\n"
        + _LIVE
    )
    text += "\n## Errors\n\n"
    text += "Every answer that is not a yes has `code`, `message` and `clauses`; bad input also `field`.\n\n"
    text += table(("status", "meaning"), sorted(_problems(spec).items()))
    groups: dict[str, list[str]] = defaultdict(list)
    for path, operations in spec["paths"].items():
        for method, operation in operations.items():
            groups[_group(path, operation)].append(
                _operation(path, method, operation, spec, who[path, method.upper()])
            )
    for name in [name for name in GROUPS.values() if name in groups]:
        text += f"\n## {name}\n" + "".join(groups[name])
    return text + _acts() + _schemas(spec)


_LIVE = """## Live

`WebSocket /api/live`, with the token of a session as a bearer or its cookie. Say `{"watch": "t1"}`, or with
the version you have `{"watch": "t1", "after": 17}`, and `{"leave": "t1"}`. You are sent
`{"kind": "view", "table", "version", "view"}` for every version of the table as you may see it,
`{"kind": "jackpot", …}` for its jackpot, and `{"kind": "error", …}`. `WebSocket /api/jackpots/live` sends
every jackpot to everybody. A socket that is closed says why by its code: 4400 for five messages that cannot
be understood, 4401 when the session is over, 4408 to who is too slow, 4413 for a message too large, 4423 when
the session is locked, 4429 for too many, 1012 when the process stops.
"""


def _problems(spec: Mapping[str, Any]) -> dict[str, str]:
    """What each status that is no success means, wherever it is answered."""
    return {
        status: plain(answer["description"])
        for operations in spec["paths"].values()
        for operation in operations.values()
        for status, answer in operation["responses"].items()
        if status >= "400"
    }


def _group(path: str, operation: Mapping[str, Any]) -> str:
    tag = next(iter(operation.get("tags", [])), "")
    if tag in ("default", "") and re.search(r"/(sign-in|session|countersign|demo|password)", path):
        tag = "sign-in"
    elif path.startswith("/api/tables"):
        tag = "tables"
    return GROUPS.get(tag, GROUPS[""])


def _who(app: Litestar) -> dict[tuple[str, str], str]:
    """For each call who may make it: by its handler, and for requests of the floor by the table of "
    "authority."""
    found: dict[tuple[str, str], str] = {}
    for route in app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        for handler in route.route_handlers:
            for method in handler.http_methods:
                found[route.path_format, method] = _allowed(route.path_format, handler)
    return found


def _allowed(path: str, handler: Any) -> str:
    if handler.opt.get("whoever"):
        return "everybody"
    form = REQUESTS.get(path.removeprefix("/api/floor/"))
    if form is not None:
        least = LEAST_POSITION[form.kind]
        return "whoever is signed in and the rules let" if least is None else _or_above(least)
    named = re.findall(r"staff_only\([^)]*Position\.(\w+)", inspect.getsource(inspect.unwrap(handler.fn)))
    if named:
        return _or_above(min((Position[name] for name in named), key=list(Position).index))
    return "whoever is signed in"


def _or_above(position: Position) -> str:
    return f"{position.value.replace('-', ' ')} or above"


def _operation(
    path: str, method: str, operation: Mapping[str, Any], spec: Mapping[str, Any], who: str
) -> str:
    name = f"{method.upper()} {path}"
    text = f"\n### {name} {{#{slug(name)}}}\n\n"
    said = operation.get("description") or operation.get("summary") or ""
    text += f"{plain(' '.join(said.split()))}\n\nWho: {who}.\n\n"
    text += table(("sent", "where", "what"), [*_parameters(operation), *_body(operation, spec)])
    text += f"\nAnswers: {'; '.join(_answers(operation))}.\n"
    return text


def _parameters(operation: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    return [
        (
            code(parameter["name"]) + ("" if parameter.get("required") else " (may be left out)"),
            parameter["in"],
            _kind(parameter.get("schema", {}), parameter.get("description", "")),
        )
        for parameter in operation.get("parameters", [])
    ]


def _body(operation: Mapping[str, Any], spec: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    content = operation.get("requestBody", {}).get("content", {})
    if not content:
        return []
    schema = next(iter(content.values()))["schema"]
    named = _named(schema)
    if named:
        schema = spec["components"]["schemas"][named]
    required = schema.get("required", [])
    return [
        (code(name) + ("" if name in required else " (may be left out)"), "body", _kind(field))
        for name, field in schema.get("properties", {}).items()
    ]


def _named(schema: Mapping[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _kind(schema: Mapping[str, Any], said: str = "") -> str:
    """What a value is, in a few words."""
    words = plain(said or str(schema.get("description") or ""))
    return f"{_shape(schema)}{': ' if words else ''}{words}"


def _shape(schema: Mapping[str, Any]) -> str:
    named = _named(schema)
    if named:
        return f"[{named}](#{_anchor(named)})"
    parts = [*schema.get("oneOf", []), *schema.get("anyOf", [])]
    if parts:
        return " or ".join(dict.fromkeys(_shape(part) for part in parts))
    if "enum" in schema:
        return ", ".join(code(word) for word in schema["enum"])
    if "const" in schema:
        return code(schema["const"])
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {_shape(schema.get('items', {}))}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"table of {_shape(schema['additionalProperties'])}"
    names = {"string": "text", "integer": "number", "boolean": "`true` or `false`", "null": "nothing"}
    kinds = [str(part) for part in (kind if isinstance(kind, list) else [kind])]
    return " or ".join(names.get(part) or part for part in kinds)


def _answers(operation: Mapping[str, Any]) -> list[str]:
    found = []
    for status, answer in sorted(operation["responses"].items()):
        schemas = [content.get("schema", {}) for content in answer.get("content", {}).values()]
        shape = _shape(schemas[0]) if schemas and schemas[0] else ""
        found.append(f"{status} {shape}".strip() if status < "400" else status)
    return found


def _anchor(name: str) -> str:
    return f"schema-{slug(name)}"


def _acts() -> str:
    """What may stand in `acts` of `POST /api/tables/{table}/acts`."""
    rows = [
        (
            code(form.name),
            ", ".join(code(field.written) for field in form.fields),
            plain(" ".join((form.kind.__doc__ or "").split())),
        )
        for form in ACTS.values()
    ]
    return "\n## Acts at a table\n\nEach act is an object with `act` and the fields.\n\n" + table(
        ("act", "fields", "meaning"), rows
    )


def _schemas(spec: Mapping[str, Any]) -> str:
    text = "\n## Shapes\n"
    for name, schema in sorted(spec["components"]["schemas"].items()):
        title = capital(str(schema.get("title") or name))
        said = plain(" ".join(str(schema.get("description") or "").split()))
        text += f"\n### {plain(title)} {{#{_anchor(name)}}}\n\n{said}\n\n"
        required = schema.get("required", [])
        rows = [
            (code(field) + ("" if field in required else " (may be left out)"), _kind(inner))
            for field, inner in schema.get("properties", {}).items()
        ]
        text += table(("field", "what"), rows)
        if not rows:
            text += _shape({key: value for key, value in schema.items() if key != "$ref"}) + "\n"
    return text
