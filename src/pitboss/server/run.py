"""`pitboss serve`: a floor opened, the service on it, until somebody stops it."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
import sys
from contextlib import nullcontext, suppress
from functools import partial
from typing import Any, TextIO, cast

import structlog
import uvicorn
import uvloop
from litestar import Litestar

from pitboss.beacons import ConfiguredBeacon
from pitboss.bootstrap import CHECKPOINT_KEY, Settings, at_work, checkpoint_key
from pitboss.errors import BadInput, StoreError
from pitboss.floor.ports import Beacon, Clock
from pitboss.program import check_program
from pitboss.progress import interrupted as is_over
from pitboss.server.app import make_app
from pitboss.server.beacon import FetchedBeacon
from pitboss.server.file_limit import most_connections, raise_file_limit
from pitboss.server.house import House
from pitboss.server.settings import ServerSettings
from pitboss.server.wire import CarefulHttp, Connections, CountedSocket, Names, at_a_host, unless_gone
from pitboss.signals import ENDING
from pitboss.store.connections import SERVING
from pitboss.store.presence import SERVES

log = structlog.get_logger("pitboss.server")

_SECRETS = ("password", "token", "csrf", "cards", "deck")
"""Keys that no log line has, whoever writes it."""


def _without_secrets(logger: Any, method: str, line: Any) -> Any:
    for name in _SECRETS:
        line.pop(name, None)
    return line


class _Lines:
    """Standard error. A line that cannot be written is dropped: no request fails by a full log disk."""

    def write(self, text: str) -> None:
        with suppress(OSError):
            sys.stderr.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            sys.stderr.flush()


def set_up_logs(level: str = "info") -> None:
    """Structured logs, one JSON object a line, on standard error."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _without_secrets,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", _Lines())),
        cache_logger_on_first_use=True,
    )


MOST_PORT = 65_535


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises `BadInput` where that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except socket.gaierror as error:
        listening.close()
        raise BadInput("--host", f"no address '{host}' here", "name an address of this machine") from error
    except (OSError, OverflowError) as error:
        listening.close()
        said = error.strerror if isinstance(error, OSError) else str(error)
        if getattr(error, "errno", 0) == errno.EADDRNOTAVAIL:
            problem = f"{host} is no address of this machine ({said})"
            raise BadInput("--host", problem, "127.0.0.1 is for this machine, 0.0.0.0 for all") from error
        problem = f"{host}:{port} cannot be used ({said})"
        other = port + 1 if 1023 < port < MOST_PORT else 8001
        remedy = f"'PITBOSS_SERVE_PORT={other} make run' takes another one, --port 0 a free one"
        raise BadInput("--port", problem, remedy) from error
    listening.listen(1024)
    return listening


def serve(
    where: Settings, settings: ServerSettings, *, create: bool = False, prepare: Any = None, more: Any = None
) -> None:
    """Serve a floor until SIGINT or SIGTERM. `prepare` sees to the floor first, `more` runs beside it."""
    digest = check_program(where.data)
    raise_file_limit()
    listening = listening_socket(settings.host, settings.port)
    try:
        with at_work(where, create=create, purpose=SERVES, usual=SERVING, beacon=_fetched) as work:
            if not work.floor.registry.name and prepare is None:
                raise BadInput("--data", "there is no floor here", "'pitboss floor create' makes one")
            _signs(where, settings)
            log.info("program", digest=digest)
            house = House(work, settings)
            told = prepare(house) if prepare is not None else ""
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                interrupted = runner.run(_run(house, listening, told, more))
        is_over(is_so=True)  # what still looks at the record ends, too
    finally:
        listening.close()
    if interrupted:  # everything is put away; who pressed Ctrl-C is answered as everywhere
        raise KeyboardInterrupt


def _fetched(configured: ConfiguredBeacon, clock: Clock) -> Beacon:
    """The beacon of the settings, as a server has it."""
    log.info("beacon", name=configured.terms.name, missing=configured.terms.missing)
    return FetchedBeacon(configured, clock.now)


def _signs(where: Settings, settings: ServerSettings) -> None:
    """A record that nobody signs is said to be one. Raises `StoreError` unless that is meant."""
    if checkpoint_key(where, create=False) is not None:
        return
    if not settings.unsigned:
        file = where.data / CHECKPOINT_KEY
        remedy = "put it back; where another machine signs, 'pitboss serve --unsigned'"
        raise StoreError(f"the checkpoint key {file} is missing: nothing would be signed", remedy)
    log.warning("unsigned", problem="without a checkpoint key this process signs nothing")


def uvicorn_config(app: Litestar, settings: ServerSettings) -> uvicorn.Config:
    """How the service is put on the wire."""
    most = most_connections()
    connections = Connections(
        most=most,
        most_an_address=min(settings.most_connections_an_address, max(1, most // 2)),
        proxies=settings.proxies,
    )
    http = partial(
        CarefulHttp,
        connections=connections,
        head_seconds=settings.head_seconds,
        body_seconds=settings.body_seconds,
    )
    return uvicorn.Config(
        unless_gone(at_a_host(app, Names(settings.known_names).knows)),
        log_config=None,
        access_log=False,
        http=http,  # type: ignore[arg-type]
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        ws=partial(CountedSocket, connections=connections),  # type: ignore[arg-type]
        ws_max_size=settings.most_message * 4,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=5,
        server_header=False,
        date_header=True,
    )


async def _run(house: House, listening: socket.socket, told: str, more: Any) -> bool:
    """Serve until somebody stops it; whether that was Ctrl-C."""
    sys.setswitchinterval(0.0005)  # the loop is not to wait long for the floor's thread
    app = make_app(house, more=more)
    log.info("start", floor=house.floor.registry.name, recovered_from_crash=house.work.crashed)
    server = uvicorn.Server(uvicorn_config(app, house.settings))
    server.capture_signals = nullcontext  # type: ignore[method-assign,assignment] # a second Ctrl-C is no other
    stopped_by: list[int] = []

    def stop(number: int, frame: object) -> None:
        stopped_by.append(number)
        server.should_exit = True

    for (
        number
    ) in ENDING:  # not the loop's, which forgets them when it ends: the last events are signed after it
        signal.signal(number, stop)
    running = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not running.done():
        await asyncio.sleep(0.02)
    if server.started:
        host, port = listening.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        print(f"listening on http://{shown}:{port}", flush=True)  # noqa: T201 - others wait for this line
        if told:
            print(told.replace("{url}", f"http://{shown}:{port}"), flush=True)  # noqa: T201
    await running
    log.info("stop")
    if stopped_by:  # no second signal changes how this process ends
        for number in ENDING:
            signal.signal(number, signal.SIG_IGN)
    return stopped_by[:1] == [signal.SIGINT]
