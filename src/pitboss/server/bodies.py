"""Bodies of requests: JSON, decoded once and strictly, as the type that the handler takes."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from litestar import Request

from pitboss.errors import BadInput
from pitboss.server.errors import place_and_words


class StrictRequest(Request[Any, Any, Any]):
    """A request whose body is read to the letter: a number in quotes is not a number."""

    async def json(self) -> Any:
        """The body as the handler's `data`. Raises `BadInput` for what is not of its form."""
        field = self.route_handler.parsed_data_field
        return decoded(await self.body(), Any if field is None else field.annotation)


def decoded(body: bytes, form: Any) -> Any:
    """JSON as a form. Raises `BadInput` with the field, and `UnicodeDecodeError`."""
    try:
        return _decoder(form).decode(body)
    except msgspec.DecodeError as error:
        body.decode()  # what is not UTF-8 is not JSON, whatever else is wrong with it
        field, what = place_and_words(str(error))
        raise BadInput(field, what) from error


@cache
def _decoder(form: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(form)
