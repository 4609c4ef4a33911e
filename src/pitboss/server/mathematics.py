"""The mathematics of rulebooks for whoever is signed in, and advice at practice tables."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, Router, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter

from pitboss.errors import BadInput, near_miss
from pitboss.floor.overview import table_view
from pitboss.play.views import FACE_DOWN, Role
from pitboss.rulebooks.brief import pay_in_words
from pitboss.rulebooks.document import book_ids
from pitboss.rulebooks.load import load_plan, parse_choices
from pitboss.rulebooks.plan import Wager
from pitboss.server.commands import PROBLEMS, Path, house_of
from pitboss.server.errors import Forbidden
from pitboss.server.gate import session_of
from pitboss.server.pricing import advised, priced
from pitboss.server.shapes import HandAdvice, Priced, PricedBook, PricedBooks, ReadingLetters, Refused

_PROBLEMS = {n: PROBLEMS[n] for n in (400, 401, 403, 404, 429, 503)}
_PRICED = _PROBLEMS | {501: ResponseSpec(Refused, description="This server runs without the mathematics.")}
MOST_CHANGES = 20
Texts = Annotated[list[str] | None, QueryParameter(max_items=MOST_CHANGES)]


def _known(rulebook: str) -> None:
    if rulebook not in book_ids():
        raise BadInput("rulebook", f"no rulebook '{rulebook}'", near_miss(rulebook, book_ids()))


def _area(wager: Wager) -> str:
    """The name of a wager on the layout; what is paid without a stake lies on no area of its own."""
    return wager.area if wager.extra_on is None else wager.name.replace("-", " ").title()


@get("/rulebooks", responses=_PROBLEMS)
async def rulebooks(request: Request[Any, Any, Any]) -> PricedBooks:
    """Every rulebook that can be priced: its readings with their letters, and its pay tables."""
    house = house_of(request)
    session_of(request)

    def work() -> PricedBooks:
        found = []
        for book in book_ids():
            plan = load_plan(book)
            readings = [
                ReadingLetters(
                    reading=name,
                    question=reading.question,
                    default=reading.default,
                    letters={letter: option.says for letter, option in reading.options.items()},
                )
                for name, reading in plan.book.readings.items()
                if reading.options
            ]
            pays = {
                str(wager.name): {str(row): pay_in_words(pay) for row, pay in wager.pays.rows.items()}
                for wager in plan.wagers
                if wager.pays.rows
            }
            title = plan.book.identity.title
            areas = {str(wager.name): _area(wager) for wager in plan.wagers}
            found.append(PricedBook(book, title, readings, pays, areas))
        return PricedBooks(found)

    return await house.reader.run(work)


@get("/mathematics/{rulebook:str}", responses=_PRICED)
async def mathematics(
    request: Request[Any, Any, Any], rulebook: Path, reading: Texts = None, change: Texts = None
) -> Priced:
    """A rulebook priced exactly: `reading` chooses letters (R-X=b), `change` figures (bonus.flush=20)."""
    house = house_of(request)
    session_of(request)
    _known(rulebook)
    chosen, changes = parse_choices(reading or []), tuple(change or ())
    load_plan(rulebook, chosen, changes=changes, place="reading")  # what is wrong is told at once
    return await house.pricing.ask(priced, rulebook, dict(chosen), changes)


@get("/tables/{table:str}/advice", responses=_PRICED)
async def advice(
    request: Request[Any, Any, Any],
    table: Path,
    position: Annotated[int, QueryParameter(ge=1, le=20, description="The player's position.")],
) -> HandAdvice:
    """At a practice table, what each choice is worth exactly for the hand that the asker has looked at."""
    house, session = house_of(request), session_of(request)

    def look() -> tuple[str, str, dict[str, str], list[str], list[str]]:
        viewer = house.viewer(session)
        view = table_view(house.reading, table, viewer)
        if not view.practice:
            raise Forbidden("no-practice", "Advice is given at practice tables only.")
        box = view.positions.get(str(position))
        if viewer.role is not Role.PLAYER or box is None or box.player != viewer.player:
            raise Forbidden("not-yours", "Advice is for the player whose hand it is.")
        own = [card for card in box.cards if card != FACE_DOWN]
        if view.decision is None or not own:
            raise BadInput("position", "there is nothing to decide with a hand you have seen", "look first")
        seen = view.community if house.reading.table(table).state.plan.parts else view.dealer
        book = house.reading.registry.rulebooks[view.rulebook]
        open_cards = [card for card in seen if card != FACE_DOWN]
        return book.id, book.document, dict(book.readings), own, open_cards

    asked = await house.reader.run(look)
    return await house.pricing.ask(advised, *asked)


router = Router("/api", route_handlers=[rulebooks, mathematics, advice], tags=["mathematics"])
