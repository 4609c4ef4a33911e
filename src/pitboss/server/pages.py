"""What is neither screen nor command: the API for people, health, metrics."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import MediaType, Request, Response, Router, get
from litestar.openapi.datastructures import ResponseSpec

from pitboss.server.commands import house_of
from pitboss.server.metrics import metrics_text
from pitboss.server.page import docs_page


@get("/docs", media_type=MediaType.HTML, opt={"whoever": True}, include_in_schema=False)
async def documentation(request: Request[Any, Any, Any]) -> Response[str]:
    """The API for people."""
    return Response(docs_page(request.app.openapi_schema.to_schema()), media_type=MediaType.HTML)


@get("/health/live", opt={"whoever": True, "uncounted": True}, tags=["health"])
async def alive() -> dict[str, str]:
    """The process runs."""
    return {"status": "ok"}


class Unready(msgspec.Struct):
    """One thing that is not ready, and why."""

    what: str
    problem: str


class Health(msgspec.Struct):
    """Whether this process can serve, and what keeps it from that. `status` is ok, or all of it."""

    status: str
    ready: bool
    failing: list[Unready]


@get(
    "/health/ready",
    opt={"whoever": True, "uncounted": True},
    tags=["health"],
    responses={503: ResponseSpec(Health, description="Not ready.")},
)
async def ready(request: Request[Any, Any, Any]) -> Response[Health]:
    """The store takes what is written, the disk has room, and what other processes do is heard.

    The store is written to at most every five seconds, however often this is asked.
    """
    found = await house_of(request).readiness.failing()
    status = "; ".join(one.problem for one in found) or "ok"
    health = Health(status, not found, [Unready(*one) for one in found])
    return Response(health, status_code=503 if found else 200)


@get("/metrics", opt={"whoever": True}, media_type="text/plain; version=0.0.4", include_in_schema=False)
async def metrics() -> bytes:
    """Counts and times for Prometheus."""
    return metrics_text()


router = Router("", route_handlers=[documentation, alive, ready, metrics])
