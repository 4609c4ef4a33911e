"""What the service says when it does not say yes."""

from __future__ import annotations

from typing import Any


class ClientError(Exception):
    """Any answer but a yes. `code` is for programs, the text for people."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        self.status = status
        self.code = str(body.get("code", "http-error"))
        self.message = str(body.get("message", f"the service answered {status}"))
        self.clauses: tuple[str, ...] = tuple(body.get("clauses", ()))
        self.body = body
        super().__init__(f"{self.code}: {self.message}")


class Refused(ClientError):  # noqa: N818 - it is an answer
    """409: the rulebook or the floor says not so, or not now; `clauses` say where."""


class NotAllowed(ClientError):  # noqa: N818 - it is an answer
    """403: not for this asker."""


class SignedOut(ClientError):  # noqa: N818 - it is an answer
    """401: nobody is signed in."""


class BadField(ClientError):  # noqa: N818 - it is an answer
    """400 and 404: something that cannot be meant; `field` tells where."""

    @property
    def field(self) -> str:
        """Where the input was bad; empty where no field is named."""
        return str(self.body.get("field", ""))


class Unavailable(ClientError):  # noqa: N818 - it is an answer
    """No process of the service answers, or its store does not work. Nothing is known to be done."""


def gone(why: object) -> Unavailable:
    """Nobody answers."""
    return Unavailable(503, {"code": "gone", "message": f"no service answers ({why})"})


_KINDS: dict[int, type[ClientError]] = {
    400: BadField,
    401: SignedOut,
    403: NotAllowed,
    404: BadField,
    409: Refused,
    503: Unavailable,
}


def problem(status: int, body: Any) -> ClientError:
    """The error for an answer."""
    return _KINDS.get(status, ClientError)(status, body if isinstance(body, dict) else {})
