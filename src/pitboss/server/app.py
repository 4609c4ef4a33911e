"""The service as one ASGI application on an open floor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from litestar import Litestar, Request, Router
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

from pitboss.server import commands, drill, exams, mathematics, pages, pit, reads, screens, sign_in, sockets
from pitboss.server.beacon import FetchedBeacon
from pitboss.server.bodies import StrictRequest
from pitboss.server.clockwork import Clockwork
from pitboss.server.errors import HANDLERS
from pitboss.server.gate import COOKIE, Gate, headers_added
from pitboss.server.house import House
from pitboss.version import __version__

_DESCRIPTION = """Commands and views of a casino floor.

Whoever changes something is signed in: with the cookie of the sign-in and its token in X-CSRF-Token, or with
the token as a bearer. Idempotency-Key makes a retry harmless. A refusal is 409 with a code, a sentence and
the clauses that say so; bad input is 400 with the field; what is not for the asker is 403.
"""


def openapi_config() -> OpenAPIConfig:
    """How the API's document is made."""
    return OpenAPIConfig(
        title="Pitboss",
        version=__version__,
        description=_DESCRIPTION,
        path="/schema",
        render_plugins=[JsonRenderPlugin()],
        components=Components(
            security_schemes={
                "bearer": SecurityScheme(type="http", scheme="bearer"),
                "cookie": SecurityScheme(type="apiKey", name=COOKIE, security_scheme_in="cookie"),
            }
        ),
        security=[{"bearer": []}, {"cookie": []}],
        use_handler_docstrings=True,
    )


def route_handlers() -> list[Router]:
    """Everything that can be asked for."""
    return [
        commands.floor_router,
        commands.router,
        sign_in.doors,
        sign_in.router,
        reads.router,
        pit.router,
        mathematics.router,
        drill.router,
        exams.router,
        sockets.router,
        pages.router,
        screens.router,
    ]


def make_app(house: House, *, more: Any = None) -> Litestar:
    """The application. `more` are other things to run as long as it runs, such as bots.

    It serves the floor of its state, which may be another one each time it is started.
    """

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        house: House = app.state.house
        clockwork = Clockwork(house)
        house.start()
        clockwork.start()
        beacon = house.floor.desk.beacon
        fetching = asyncio.create_task(beacon.run()) if isinstance(beacon, FetchedBeacon) else None
        try:
            if more is None:
                yield
            else:
                async with more(house):
                    yield
        finally:
            if fetching is not None:
                fetching.cancel()
                await asyncio.gather(fetching, return_exceptions=True)
            await clockwork.stop()
            house.stop()

    async def whole(request: Request[Any, Any, Any]) -> None:
        """Nothing of the floor is done or shown while the record is broken."""
        if request.url.path.startswith("/api/"):
            house: House = request.app.state.house
            await house.whole()

    settings = house.settings
    return Litestar(
        route_handlers=route_handlers(),
        middleware=[Gate()],
        exception_handlers={**HANDLERS, NotFoundException: screens.no_such_page},
        before_request=whole,
        before_send=[headers_added(secure=settings.secure)],
        openapi_config=openapi_config(),
        state=State({"house": house}),
        lifespan=[running],
        request_class=StrictRequest,
        request_max_body_size=settings.most_body,
        logging_config=None,
        type_encoders={msgspec.Struct: msgspec.to_builtins},
    )
