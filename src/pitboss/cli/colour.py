"""Colours where they help: on a terminal, unless NO_COLOR is set; elsewhere only when asked for."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from rich.console import Console

CHOICES = ("auto", "always", "never")
RED, GREEN, YELLOW = "31", "32", "33"

_STYLES = {"pitboss.red": "red", "pitboss.bad": "bold red", "pitboss.good": "green", "pitboss.warn": "yellow"}
_MARKS = (
    r"(?<!\w)(?P<red>(?:10|[2-9TJQKA])[♥♦])",
    r"(?<![\w.-])(?P<red>[2-9TJQKA][hd])(?![\w.-])",
    r"(?P<bad>✗|\brefused \([a-z-]+\)|\bDOES NOT FIT\b|\bDOES NOT ADD UP\b|\bNOT as it was\b|\bNO TEST\b)",
    r"(?P<bad>\bOUT OF ORDER\b|\bUNDONE\b|\bthis is not a fair shuffle\b)",
    r"(?P<good>✓|\bfits\b|^verified\b|\bno defects\b|\bthe ledger adds up\b|^every card shown is\b)",
    r"(?P<warn>\bWARNING\b|\bNOTICE\b)",
)

_chosen = "auto"


def choose(when: str) -> None:
    """`always` and `never` hold whatever the terminal and the environment say; `auto` asks them."""
    global _chosen
    _chosen = when


def coloured(stream: TextIO) -> bool:
    """Whether what is written there has colour: a terminal has, unless NO_COLOR is set."""
    if _chosen != "auto":
        return _chosen == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0").casefold() not in ("", "0", "false"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def paint(text: str, code: str, stream: TextIO) -> str:
    """A text in a colour, where there is colour."""
    return f"\x1b[{code}m{text}\x1b[0m" if coloured(stream) else text


def console(stream: TextIO | None = None) -> Console:
    """A console for people: red suits red, refusals and results marked; plain where there is no colour."""
    from rich.console import Console
    from rich.highlighter import RegexHighlighter
    from rich.theme import Theme

    class Marks(RegexHighlighter):
        base_style = "pitboss."
        highlights = list(_MARKS)  # noqa: RUF012 - as the library has it

    class Speaking(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # the library would leave with 1, which is a no

    out = stream or sys.stdout
    colour, seen = coloured(out), out.isatty()
    return Speaking(
        file=out if seen else cast("TextIO", _Trimmed(out)),
        theme=Theme(_STYLES),
        highlighter=Marks(),
        emoji=False,
        no_color=not colour,
        color_system=("auto" if seen else "256") if colour else None,
        force_terminal=True if colour else None,
        width=None if seen else 120,
    )


class _Trimmed:
    """A file or a pipe that gets no spaces at the ends of lines: tables fill their last column up."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text; its spaces before a line's end are left out."""
        return self._stream.write(re.sub(r" +(?=\n)", "", text))
