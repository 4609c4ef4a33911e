"""The API's document, for making clients from it: `python tools/openapi.py > openapi.json`."""

from __future__ import annotations

import sys
from typing import Any

import msgspec
from litestar import Litestar

from pitboss.server.app import openapi_config as config
from pitboss.server.app import route_handlers


def document() -> dict[str, Any]:
    """The OpenAPI document as the service would serve it."""
    return Litestar(route_handlers=route_handlers(), openapi_config=config()).openapi_schema.to_schema()


def as_text() -> bytes:
    """The document, in one way of writing it."""
    return msgspec.json.format(msgspec.json.encode(document(), order="sorted"))


if __name__ == "__main__":
    sys.stdout.buffer.write(as_text())
