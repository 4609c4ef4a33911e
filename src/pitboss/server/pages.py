"""What is neither screen nor command: the API for people, health, metrics."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, Response, Router, get
from litestar.openapi.datastructures import ResponseSpec

from pitboss.server.commands import house_of
from pitboss.server.metrics import metrics_text
from pitboss.server.page import docs_page


@get("/docs", media_type=MediaType.HTML, opt={"whoever": True}, include_in_schema=False)
async def documentation(request: Request[Any, Any, Any]) -> Response[str]:
    """The API for people."""
    return Response(docs_page(request.app.openapi_schema.to_schema()), media_type=MediaType.HTML)


@get("/health/live", opt={"whoever": True}, tags=["health"])
async def alive() -> dict[str, str]:
    """The process runs."""
    return {"status": "ok"}


@get(
    "/health/ready",
    opt={"whoever": True},
    tags=["health"],
    responses={503: ResponseSpec(dict[str, str], description="Not ready.")},
)
async def ready(request: Request[Any, Any, Any]) -> Response[dict[str, str]]:
    """The store answers, and what other processes do is heard."""
    house = house_of(request)
    if not house.notices.listening.is_set() or house.hub.behind:
        return Response({"status": "deaf to the other processes"}, status_code=503)
    await house.worker.run(house.floor.store.head, "floor")
    return Response({"status": "ok"})


@get("/metrics", opt={"whoever": True}, media_type="text/plain; version=0.0.4", include_in_schema=False)
async def metrics() -> bytes:
    """Counts and times for Prometheus."""
    return metrics_text()


router = Router("", route_handlers=[documentation, alive, ready, metrics])
