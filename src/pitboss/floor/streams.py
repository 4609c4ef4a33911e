"""The names of streams. To a type checker a name says what the events are, and what they make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

S = TypeVar("S")
E = TypeVar("E")

if TYPE_CHECKING:

    class Stream(str, Generic[S, E]):
        """The name of a stream of events `E` that make a state `S`. When it runs it is plain text."""

else:
    Stream = str

AnyStream: TypeAlias = "Stream[Any, Any]"
"""The name of a stream of any kind."""
