"""`pitboss serve`: the floor on the network."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss.cli import completing
from pitboss.cli.output import say
from pitboss.cli.place import Data, Database, where_served


def register(app: typer.Typer) -> None:
    app.command("serve")(serve_command)


def serve_command(
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="The port; 0 takes a free one.")] = 8000,
    data: Data = None,
    database: Database = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Make a demo floor if there is none; bots play.")
    ] = False,
    bots: Annotated[
        str,
        typer.Option(
            "--bots",
            help="How the demo's bots play: simple, optimal or blind.",
            autocompletion=completing.strategies,
        ),
    ] = "simple",
    pace: Annotated[
        float, typer.Option("--pace", help="How slowly the demo's bots act; 1 is a human pace.")
    ] = 1.0,
    proxy: Annotated[
        list[str] | None,
        typer.Option("--proxy", help="A proxy that says whom it asks for; may be given again."),
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option("--origin", help="Another address whose pages may use it; may be given again."),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="A host name the floor answers to; may be given again."),
    ] = None,
    https: Annotated[
        bool,
        typer.Option(
            "--https", help="Behind a proxy that speaks HTTPS: cookies for HTTPS only, browsers stay with it."
        ),
    ] = False,
    unsigned: Annotated[
        bool,
        typer.Option("--unsigned", help="Serve without the checkpoint key, where another machine signs."),
    ] = False,
    keep_answers: Annotated[
        int,
        typer.Option("--keep-answers", help="Days for which answers to requests are kept; 7 at least."),
    ] = 30,
    per_second: Annotated[int, typer.Option("--per-second", help="Requests a second for one session.")] = 60,
    sign_ins: Annotated[int, typer.Option("--sign-ins", help="Sign-ins a minute from one address.")] = 60,
    log: Annotated[
        str,
        typer.Option("--log", help="debug, info, warning or error.", autocompletion=completing.levels),
    ] = "info",
) -> None:
    """Serve a floor: commands over HTTP, live views over WebSocket. Prints where, once it takes requests.

    Example: pitboss serve --data floor --demo
    """
    from urllib.parse import urlsplit

    from pitboss.errors import BadInput, near_miss
    from pitboss.floor.registry import LEAST_KEPT_DAYS, MOST_KEPT_DAYS

    place = where_served(data, database)
    from pitboss.server.demo import Demo
    from pitboss.server.run import serve, set_up_logs
    from pitboss.server.settings import ServerSettings
    from pitboss.server.wire import is_host_name

    levels = ("debug", "info", "warning", "error")
    if log not in levels:
        raise BadInput("--log", f"no level '{log}'", near_miss(log, levels))
    if not 0 <= port <= 65_535:
        raise BadInput("--port", f"no port {port}", "write 0 to 65535")
    if not 0.01 <= pace <= 100:
        raise BadInput("--pace", f"{pace} is no pace", "write 0.01 to 100")
    if per_second < 1 or sign_ins < 1:
        raise BadInput("--per-second", "a limit is at least 1", "write 1 or more")
    for address in origin or ():
        if urlsplit(address).scheme not in ("http", "https"):
            raise BadInput("--origin", f"'{address}' is no origin", "write it with https, host and port")
    for host_name in name or ():
        if not is_host_name(host_name):
            raise BadInput("--name", f"'{host_name}' is not a host name", "write it bare, as floor.example")
    if not LEAST_KEPT_DAYS <= keep_answers <= MOST_KEPT_DAYS:
        raise BadInput(
            "--keep-answers",
            f"{keep_answers} days cannot be kept",
            f"write {LEAST_KEPT_DAYS} to {MOST_KEPT_DAYS}",
        )
    set_up_logs(log)
    settings = ServerSettings(
        host=host,
        port=port,
        names=tuple(name or ()),
        proxies=tuple(proxy or ()),
        origins=tuple(address.rstrip("/") for address in origin or ()),
        secure=https,
        per_second=per_second,
        sign_ins_a_minute=sign_ins,
        unsigned=unsigned,
        keep_answers_days=keep_answers,
    )
    if not demo:
        serve(place, settings)
        return
    shown = Demo(place.data, strategy=bots, slow=pace)
    if not any(place.data.glob("*.db")):
        say("making the demo floor; the first start takes some seconds")
    serve(place, settings, create=True, prepare=shown.prepare, more=shown.run)
