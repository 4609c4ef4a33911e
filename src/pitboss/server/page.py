"""The HTML of the first page."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, Template


@cache
def _template() -> Template:
    text = files("pitboss.server").joinpath("front.html").read_text("utf-8")
    return Environment(autoescape=True).from_string(text)


def first_page(floor: dict[str, Any]) -> str:
    """The page for a floor as everybody may see it."""
    return _template().render(floor=floor)
