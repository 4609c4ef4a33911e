"""Whatever goes wrong, as an answer: a status that means something, a code, a sentence, and the field."""

from __future__ import annotations

import re
import uuid
from typing import Any

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, SerializationException, ValidationException
from litestar.types import ExceptionHandlersMap
from msgspec import UNSET

from pitboss.errors import (
    BadInput,
    CountingError,
    DeckError,
    MissingPart,
    RecordBroken,
    StoreBusy,
    StoreError,
)
from pitboss.floor.authority import NOT_ALLOWED
from pitboss.floor.service import Answer
from pitboss.play.refusal import Refusal, refusal_json, refuse
from pitboss.server.identity import Locked, NotSignedIn
from pitboss.server.shapes import BadField, Refused

log = structlog.get_logger("pitboss.server")

_UNKNOWN_THING = ("table", "link", "dispute", "ROUND", "rulebook")
"""Places of bad input that, asked for in an address, are simply not there."""


class Said(Exception):  # noqa: N818 - it is an answer
    """An answer that is not a yes: code, sentence and parameters as in a refusal."""

    def __init__(self, code: str, message: str, **params: str | int) -> None:
        super().__init__(message)
        self.refusal = refuse(code, message, **params)


class Forbidden(Said):
    """Not for this asker."""


class Conflict(Said):
    """Not now, as things are."""


def refusal_shown(refusal: Refusal) -> Refused:
    """A refusal as it is sent."""
    return msgspec.convert(refusal_json(refusal), Refused)


def problem(code: str, message: str) -> Refused:
    """What is answered instead of a yes, where no clause says so."""
    return Refused(code=code, message=message, clauses=())


def bad_field(code: str, message: str, field: str) -> BadField:
    """What is answered to input that cannot be used."""
    return BadField(code=code, message=message, clauses=(), field=field)


def refused(answer: Answer) -> Response[Refused]:
    """A refusal of the floor: 403 where it says not you, 409 where it says not so."""
    shown = msgspec.convert(answer.body["refusal"], Refused)
    shown.act = answer.body.get("act", UNSET)
    return Response(shown, status_code=403 if shown.code in NOT_ALLOWED else 409)


def _bad_input(request: Request[Any, Any, Any], error: BadInput) -> Response[Refused]:
    missing = request.method == "GET" and error.place in _UNKNOWN_THING
    message = f"{error.problem}; {error.remedy}" if error.remedy else error.problem
    field = {"ROUND": "number", "--as": "as"}.get(error.place, error.place)
    body = bad_field("unknown" if missing else "bad-input", message, field)
    return Response(body, status_code=404 if missing else 400)


def place_and_words(text: str) -> tuple[str, str]:
    """What a decoder says of a body: the field, and what is wrong with it in words for people."""
    what, _, place = text.partition(" - at `")
    place = place.removeprefix("key` in `").strip("$.`")
    named = re.search(r"field `([^`]+)`", what)
    if named is not None:
        place = f"{place}.{named[1]}" if place else named[1]
    if "matching regex" in what:
        what = 'That is not how it is written here; an amount is written "25.00", a card "As"'
    return place, what


def _validation(request: Request[Any, Any, Any], error: ValidationException) -> Response[Refused]:
    extra = error.extra if isinstance(error.extra, list) else []
    first = extra[0] if extra and isinstance(extra[0], dict) else {}
    place, message = place_and_words(str(first.get("message") or error.detail))
    key = str(first.get("key", ""))
    field = place or (_HEADERS.get(key, key) if key != "data" else "")
    return Response(bad_field("bad-input", message, field), status_code=400)


_HEADERS = {"key": "Idempotency-Key", "countersign": "Countersign"}


def _undecodable(request: Request[Any, Any, Any], error: Exception) -> Response[Refused]:
    body = bad_field("bad-input", "The body is no JSON that can be read.", "")
    return Response(body, status_code=400)


def http_problem(request: Request[Any, Any, Any], error: HTTPException) -> Response[Refused]:
    """What the framework itself refuses."""
    codes = {400: "bad-input", 401: "signed-out", 404: "unknown", 405: "no-such-method", 413: "too-large"}
    codes |= {403: "no-authority", 415: "not-json", 429: "too-many"}
    code = codes.get(error.status_code, "http-error")
    words = {413: "The body is too large; two megabytes are the most.", 404: "There is nothing here."}
    said = words.get(error.status_code) or error.detail or code
    body = problem(code, said)
    if error.status_code == 400:
        body = bad_field(code, said, "")
    headers = {**(error.headers or {}), **({"Retry-After": "1"} if error.status_code == 429 else {})}
    return Response(body, status_code=error.status_code, headers=headers)


def _not_signed_in(request: Request[Any, Any, Any], error: NotSignedIn) -> Response[Refused]:
    return Response(problem(error.code, error.message), status_code=401)


def _locked(request: Request[Any, Any, Any], error: Locked) -> Response[Refused]:
    return Response(
        problem("locked", "The session is locked; unlock it with your password."),
        status_code=403,
    )


def _forbidden(request: Request[Any, Any, Any], error: Forbidden) -> Response[Refused]:
    return Response(refusal_shown(error.refusal), status_code=403)


def _conflict(request: Request[Any, Any, Any], error: Conflict) -> Response[Refused]:
    return Response(refusal_shown(error.refusal), status_code=409)


def _store(request: Request[Any, Any, Any], error: StoreError) -> Response[Refused]:
    if isinstance(error, StoreBusy):
        log.warning("store-busy", what=error.what)
        code, message = "store-busy", "This is held elsewhere for a moment."
    else:
        log.error("store", what=error.what)
        code, message = "store", "The store does not work now."
    message = f"{message} Ask again with the same key: nothing is done twice."
    return Response(problem(code, message), status_code=503, headers={"Retry-After": "1"})


def _deck(request: Request[Any, Any, Any], error: DeckError) -> Response[Refused]:
    log.error("deck", what=error.what)
    text = f"{error.what[:1].upper()}{error.what[1:]}: {error.remedy}."
    return Response(problem("deck-does-not-open", text), status_code=409)


def _record_broken(request: Request[Any, Any, Any], error: RecordBroken) -> Response[Refused]:
    message = (
        "The database came back without something that was acknowledged. Nothing is done or shown until a "
        "shift manager has named what was lost."
    )
    body = problem("record-broken", message)
    return Response(body, status_code=503, headers={"Retry-After": "5"})


def _counting(request: Request[Any, Any, Any], error: CountingError) -> Response[Refused]:
    log.error("pricing", what=str(error))
    message = "The pricing failed before it had a result. Ask again; no table is affected."
    return Response(problem("pricing-failed", message), status_code=503, headers={"Retry-After": "1"})


def _missing(request: Request[Any, Any, Any], error: MissingPart) -> Response[Refused]:
    """What this installation cannot do. Asking again does not help, so it is not a 503."""
    message = f"This server cannot do that: {error.problem}. To add it, run: {error.command}"
    return Response(problem("not-installed", message), status_code=501)


def _bug(request: Request[Any, Any, Any], error: Exception) -> Response[Refused]:
    number = uuid.uuid4().hex[:12]
    log.error("bug", number=number, path=request.url.path, exc_info=error)
    message = f"Something is wrong on our side; it is noted under {number}."
    return Response(problem("internal", message), status_code=500)


HANDLERS: ExceptionHandlersMap = {
    MissingPart: _missing,
    BadInput: _bad_input,
    ValidationException: _validation,
    HTTPException: http_problem,
    NotSignedIn: _not_signed_in,
    Locked: _locked,
    Forbidden: _forbidden,
    Conflict: _conflict,
    UnicodeDecodeError: _undecodable,
    RecursionError: _undecodable,
    SerializationException: _undecodable,
    msgspec.DecodeError: _undecodable,
    DeckError: _deck,
    StoreError: _store,
    RecordBroken: _record_broken,
    CountingError: _counting,
    Exception: _bug,
}
