"""The screens: pages of the web client, built into the package, and its files with names that never change.

Every page is the same for everybody; what is on it comes through the API, as each may see it.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from litestar import Request, Response, Router, get
from litestar.exceptions import NotFoundException

from pitboss.errors import StoreError
from pitboss.server.commands import Path
from pitboss.server.errors import http_problem

KINDS = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "json": "application/json",
}
PAGES = {
    "/": "index",
    "/play/{table:str}": "player",
    "/deal/{table:str}": "dealer",
    "/pit": "pit",
    "/surveillance": "surveillance",
    "/mathematics": "mathematics",
    "/drill": "drill",
    "/sign": "sign",
    "/sign/{link:str}": "sign",
}
FOR_EVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Stored:
    """A file as it is sent."""

    kind: str
    plain: bytes
    packed: bytes
    tag: str


@cache
def stored(name: str) -> Stored | None:
    """A file of the built client, or None for one that is not there."""
    folder = files("pitboss.server").joinpath("static")
    if not folder.is_dir():
        raise StoreError("the web client was not built", "run 'python web/build.py', or install the package")
    found = folder
    for part in name.split("/"):
        if part in ("", ".", ".."):
            return None
        found = found.joinpath(part)
    if not found.is_file():
        return None
    plain = found.read_bytes()
    kind = KINDS.get(name.rpartition(".")[2], "application/octet-stream")
    return Stored(kind, plain, gzip.compress(plain, 9, mtime=0), hashlib.sha256(plain).hexdigest()[:20])


def _sent(request: Request[Any, Any, Any], name: str, *, caching: str) -> Response[bytes]:
    file = stored(name)
    if file is None:
        raise NotFoundException("There is no such page.")
    headers = {"cache-control": caching, "etag": f'"{file.tag}"', "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(b"", status_code=304, headers=headers)
    packs = "gzip" in request.headers.get("accept-encoding", "")
    if packs:
        headers["content-encoding"] = "gzip"
    return Response(file.packed if packs else file.plain, media_type=file.kind, headers=headers)


def no_such_page(request: Request[Any, Any, Any], error: NotFoundException) -> Response[Any]:
    """What is not there: a page for people, who read it in a browser; a problem for programs."""
    wants_page = "text/html" in request.headers.get("accept", "")
    if not wants_page or request.url.path.startswith(("/api/", "/assets/")):
        return http_problem(request, error)
    page = _sent(request, "missing.html", caching="no-store")
    page.status_code = 404
    return page


def _page(path: str, name: str) -> Any:
    async def page(request: Request[Any, Any, Any]) -> Response[bytes]:
        return _sent(request, f"{name}.html", caching="no-cache")

    page.__name__ = f"page_{name}"
    return get(path, opt={"whoever": True}, include_in_schema=False, name=f"page {path}")(page)


@get("/assets/{name:str}", opt={"whoever": True}, include_in_schema=False)
async def asset(request: Request[Any, Any, Any], name: Path) -> Response[bytes]:
    """A file of the client; its name changes with what is in it."""
    return _sent(request, f"assets/{name}", caching=FOR_EVER)


router = Router("", route_handlers=[asset, *(_page(path, name) for path, name in PAGES.items())])
