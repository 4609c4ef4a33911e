"""`pitboss floor show`, `table`, `link` and `dispute`: the floor as people see it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli import completing
from pitboss.cli.output import console, print_json, say_warning
from pitboss.cli.place import AsJson, Data, Database, where

if TYPE_CHECKING:
    from pitboss.bootstrap import OpenFloor

TableName = Annotated[str, typer.Argument(metavar="TABLE", autocompletion=completing.tables)]


@contextmanager
def working(data: str | None, database: str | None, *, create: bool = False) -> Iterator[OpenFloor]:
    """Work on a floor; who finds that it had crashed says so."""
    from pitboss.bootstrap import at_work

    with at_work(where(data, database), create=create) as work:
        if work.crashed:
            say_warning("the floor had stopped without notice; every open round was taken up by its clause")
        yield work


def show_command(as_json: AsJson = False, data: Data = None, database: Database = None) -> None:
    """The floor at a glance: rulebooks, people, tables, links.

    Examples: pitboss floor show --data floor; pitboss floor show --json --data floor
    """
    from pitboss.cli.floor_views import print_overview
    from pitboss.floor.overview import overview

    with working(data, database) as work:
        view = overview(work.floor)
    if as_json:
        print_json(view)
    else:
        print_overview(console(), view)


def table_command(
    table: TableName,
    viewer: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="VIEWER",
            help="public, dealer, pit, surveillance, or a player's name.",
            autocompletion=completing.viewers,
        ),
    ] = "public",
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """A table as somebody sees it now.

    Example: pitboss floor table t1 --as p1 --data floor
    """
    from pitboss.cli.floor_views import print_table
    from pitboss.floor.overview import table_view, viewer_named

    with working(data, database) as work:
        view = table_view(work.floor, table, viewer_named(work.floor, table, viewer))
    if as_json:
        print_json(view)
    else:
        print_table(console(), view)


def link_command(
    link: Annotated[str, typer.Argument(metavar="LINK", autocompletion=completing.links)],
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """A link: meters, parameters, claims on their way, the last hits, warnings.

    Example: pitboss floor link mega --data floor
    """
    from pitboss.cli.floor_views import print_link
    from pitboss.floor.overview import link_view

    with working(data, database) as work:
        view = link_view(work.floor, link)
    if as_json:
        print_json(view)
    else:
        print_link(console(), view)


def dispute_command(
    number: Annotated[int | None, typer.Argument(metavar="N", help="Its number; without one, all.")] = None,
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """A dispute with its evidence and notes, or the list of them all.

    Examples: pitboss floor dispute --data floor; pitboss floor dispute 1 --data floor
    """
    from pitboss.cli.floor_views import print_disputes
    from pitboss.floor.overview import dispute_views

    with working(data, database) as work:
        views = dispute_views(work.floor, work.store, number)
    if as_json:
        print_json(views if number is None else views[0])
    else:
        print_disputes(console(), views)
