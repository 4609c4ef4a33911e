"""The HTML of the API's documentation for people."""

from __future__ import annotations

import inspect
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, Template

from pitboss.forms import ACTS


@cache
def _template(name: str) -> Template:
    text = files("pitboss.server").joinpath(name).read_text("utf-8")
    return Environment(autoescape=True).from_string(text)


def docs_page(spec: dict[str, Any]) -> str:
    """The OpenAPI document and the acts, to be read."""
    schemas = spec.get("components", {}).get("schemas", {})
    for operations in spec["paths"].values():
        for operation in operations.values():
            operation["fields"] = _fields(operation, schemas)
    acts = [
        {
            "name": form.name,
            "doc": inspect.cleandoc(form.kind.__doc__ or ""),
            "fields": [field.written for field in form.fields],
        }
        for form in ACTS.values()
    ]
    return _template("docs.html").render(spec=spec, acts=acts)


def _fields(operation: dict[str, Any], schemas: dict[str, Any]) -> list[dict[str, Any]]:
    content = operation.get("requestBody", {}).get("content", {})
    schema: dict[str, Any] = next(iter(content.values()))["schema"] if content else {}
    schema = schemas.get(schema.get("$ref", "").rpartition("/")[2], schema)
    required = schema.get("required", [])
    return [
        {"name": name, "required": name in required, "kind": _kind(field)}
        for name, field in schema.get("properties", {}).items()
    ]


def _kind(field: dict[str, Any]) -> str:
    """What is written in a field, in a few words."""
    said = str(field.get("description") or field.get("type") or "")
    if not said:
        parts = [*field.get("oneOf", []), *field.get("anyOf", [])]
        said = " or ".join(dict.fromkeys(_kind(part) for part in parts if _kind(part)))
    return said or str(field.get("$ref", "")).rpartition("/")[2]
