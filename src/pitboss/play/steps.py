"""The steps of a scenario: one table of what may be written, and the command each line becomes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from pitboss.cards import parse_card
from pitboss.errors import BadInput, is_number, near_miss
from pitboss.money import parse_cents
from pitboss.play import commands as c
from pitboss.play.decide import PLAYERS
from pitboss.play.refusal import NOT_STAFF, Refusal, refuse
from pitboss.play.report_steps import ABOUT_A_POSITION, parse_lift, parse_report, parse_ruling
from pitboss.play.table import Terms
from pitboss.rulebooks.vocabulary import Place, Position

WAGERS = (
    "ante", "flop", "turn", "river", "bonus", "bet", "play", "pair-plus", "six-card-bonus", "jackpot",
)  # fmt: skip
"""The names of wagers that scripts know; a book has some of them, and a book of one's own may have others."""


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a step: how it is written, and the command it becomes."""

    written: str
    build: Callable[[c.Actor, int, list[str], str], c.Command]


def _number(text: str, place: str, *, of: str = "position") -> int:
    if not is_number(text):
        raise BadInput(place, f"'{text}' is no {of}", "write its number")
    return int(text)


def _choice(text: str, place: str) -> bool:
    if text not in ("withdraw", "continue"):
        raise BadInput(place, f"'{text}' is no option", "write 'option withdraw' or 'option continue'")
    return text == "continue"


def _wager(by: c.Actor, position: int, words: list[str], place: str) -> c.Command:
    name, amount = words[0], parse_cents(words[1], place)
    if len(words) == 2:
        return c.PlaceWager(by=by, position=position, wager=name, amount=amount)
    if words[2] != "unnoticed":
        raise BadInput(place, f"'{words[2]}' after a wager", "write 'unnoticed' there, or nothing")
    return c.UnnoticedWager(by=by, position=position, wager=name, amount=amount)


FORMS: dict[str, Form] = {
    "open": Form("open bets", lambda by, n, a, p: c.OpenBets(by=by)),
    "close": Form("close bets", lambda by, n, a, p: c.CloseBets(by=by)),
    "deal": Form("deal", lambda by, n, a, p: c.Deal(by=by)),
    "reveal": Form("reveal PLACE", lambda by, n, a, p: c.Reveal(by=by, place=a[0])),
    "card": Form(
        "card PLACE CARD", lambda by, n, a, p: c.EnterCard(by=by, place=a[0], card=parse_card(a[1], p))
    ),
    "correct": Form(
        "correct PLACE NUMBER [CARD]",
        lambda by, n, a, p: c.CorrectCard(
            by=by,
            place=a[0],
            number=_number(a[1], p, of="card"),
            card=parse_card(a[2], p) if len(a) > 2 else None,
        ),
    ),
    "take": Form("take back N", lambda by, n, a, p: c.TakeBack(by=by, position=_number(a[1], p))),
    "absent": Form("absent N", lambda by, n, a, p: c.MarkAbsent(by=by, position=_number(a[0], p))),
    "settle": Form("settle", lambda by, n, a, p: c.Settle(by=by)),
    "look": Form("look N", lambda by, n, a, p: c.LookAtHand(by=by, position=_number(a[0], p))),
    "report": Form(
        "report KIND [ARGS] [reconstructable=yes/no] [seats=N,N]", lambda by, n, a, p: parse_report(by, a, p)
    ),
    "rule": Form("rule REMEDY [ARGS]", lambda by, n, a, p: parse_ruling(by, a, p)),
    "lift": Form("lift REMEDY [ARGS]", lambda by, n, a, p: parse_lift(by, a, p)),
    "option": Form(
        "option CHOICE", lambda by, n, a, p: c.TakeOption(by=by, position=n, stay=_choice(a[0], p))
    ),
    "inform": Form("inform N", lambda by, n, a, p: c.InformPlayer(by=by, position=_number(a[0], p))),
    "offer": Form("offer jackpot", lambda by, n, a, p: c.OfferJackpot(by=by)),
    "new": Form("new pack", lambda by, n, a, p: c.NewPack(by=by)),
    "wager": Form("wager AREA AMOUNT [unnoticed]", lambda by, n, a, p: _wager(by, n, a, p)),
    "withdraw": Form("withdraw AREA", lambda by, n, a, p: c.WithdrawWager(by=by, position=n, wager=a[0])),
    "view": Form("view", lambda by, n, a, p: c.ViewHand(by=by, position=n)),
    "handle": Form("handle", lambda by, n, a, p: c.HandleHand(by=by, position=n)),
    "fold": Form("fold", lambda by, n, a, p: c.Fold(by=by, position=n)),
    "bet": Form(
        "bet AREA [AMOUNT]",
        lambda by, n, a, p: c.Bet(
            by=by, position=n, wager=a[0], amount=parse_cents(a[1], p) if len(a) > 1 else None
        ),
    ),
    "check": Form("check", lambda by, n, a, p: c.Check(by=by, position=n)),
    "continue": Form("continue", lambda by, n, a, p: c.Continue(by=by, position=n)),
    "decline": Form("decline", lambda by, n, a, p: c.Decline(by=by, position=n)),
    "establish": Form("establish", lambda by, n, a, p: c.Establish(by=by, position=n)),
    "notify": Form("notify", lambda by, n, a, p: c.NotifyJackpot(by=by, position=n)),
}

_WHO = re.compile(r"(?P<player>[\w.-]+)@(?P<position>[0-9]{1,9})")


def parse_step(text: str, terms: Terms, players: Collection[str], *, place: str) -> c.Command | Refusal:
    """The command of a step. Text that fits no form is `BadInput`; an area this book lacks is its refusal."""
    who, colon, what = text.partition(":")
    if not colon or not what.strip():
        raise BadInput(place, f"'{text}' is no step", "write who, a colon and what, such as 'dealer: deal'")
    by, position = _actor(who.strip(), players, terms, place)
    words = what.split()
    if words[0] != "for":
        return _command(by, position, words, terms, place)
    command = _command(*_on_request(by, words, players, terms, place), terms, place)
    if type(command) not in PLAYERS:
        raise BadInput(place, f"'{' '.join(words[2:])}' is no player's step", "write it without 'for'")
    return command if isinstance(by, c.Staff) else NOT_STAFF


def _actor(who: str, players: Collection[str], terms: Terms, place: str) -> tuple[c.Actor, int]:
    if who in tuple(Position):
        return c.Staff(Position(who)), 0
    match = _WHO.fullmatch(who)
    if match is None and who in players:
        raise BadInput(place, f"'{who}' without a position", f"write {who}@N, N being where he plays")
    if match is None:
        remedy = near_miss(who, (*Position, *(f"{player}@1" for player in players)))
        raise BadInput(place, f"nobody here is called '{who}'", remedy)
    player, position = match["player"], int(match["position"])
    if player not in players:
        raise BadInput(place, f"'{player}' is not among the players", near_miss(player, players))
    if not 1 <= position <= terms.positions:
        raise BadInput(place, f"there is no position {position}", f"the table has 1 to {terms.positions}")
    return c.Player(player), position


def _on_request(
    by: c.Actor, words: list[str], players: Collection[str], terms: Terms, place: str
) -> tuple[c.Actor, int, list[str]]:
    """`for p1@3 wager ante 25`: staff do a player's step."""
    if len(words) < 3:
        raise BadInput(
            place, "a step on request names the player and the step", "write 'for p1@3 wager ante 25'"
        )
    player, position = _actor(words[1], players, terms, place)
    if not isinstance(player, c.Player):
        raise BadInput(place, f"'{words[1]}' is no player", "write 'for p1@3 …'")
    if isinstance(by, c.Staff):
        by = c.Staff(by.position, for_player=player.name)
    return by, position, words[2:]


def _command(by: c.Actor, position: int, words: list[str], terms: Terms, place: str) -> c.Command | Refusal:
    verb, arguments = words[0], words[1:]
    form = FORMS.get(verb)
    if form is None:
        raise BadInput(place, f"no step begins with '{verb}'", near_miss(verb, FORMS))
    if not _fits(form, verb, arguments):
        raise BadInput(place, f"'{' '.join(words)}' does not fit", f"write '{form.written}'")
    if verb in ("wager", "withdraw", "bet"):
        refusal = _unknown_area(terms, arguments[0], place)
        if refusal is not None:
            return refusal
    if verb in ("reveal", "card", "correct"):
        _check_place(terms, verb, arguments[0], place)
    command = form.build(by, position, arguments, place)
    _check_positions(command, terms, place)
    return command


def _check_positions(command: c.Command, terms: Terms, place: str) -> None:
    named: tuple[int, ...] = ()
    if isinstance(command, c.Report):
        named = (*command.positions, *command.seats)
    elif isinstance(command, c.Rule | c.LiftOrder):
        ruling = command.ruling if isinstance(command, c.Rule) else command.order
        named = (int(command.argument),) if ruling in ABOUT_A_POSITION else ()
    elif isinstance(command, c.InformPlayer | c.MarkAbsent | c.TakeBack | c.LookAtHand):
        named = (command.position,)
    for position in named:
        if not 1 <= position <= terms.positions:
            raise BadInput(place, f"there is no position {position}", f"the table has 1 to {terms.positions}")


def _fits(form: Form, verb: str, arguments: list[str]) -> bool:
    wanted = form.written.split()[1:]
    least = sum(not word.startswith("[") for word in wanted)
    most = 99 if verb in ("rule", "lift", "report") else len(wanted)
    fixed = [
        (word, given)
        for word, given in zip(wanted, arguments, strict=False)
        if word.isalpha() and word.islower()
    ]
    return least <= len(arguments) <= most and all(word == given for word, given in fixed)


def _unknown_area(terms: Terms, name: str, place: str) -> Refusal | None:
    own = [wager.name for wager in terms.plan.wagers if wager.extra_on is None]
    if name in own:
        return None
    if name not in WAGERS:
        raise BadInput(place, f"no wager is called '{name}'", near_miss(name, own))
    areas = ", ".join(own)
    return refuse(
        "no-such-area",
        "This layout has no {area} area, only {areas}.",
        terms.plan.wagers[0].clauses,
        area=name,
        areas=areas,
    )


def _check_place(terms: Terms, verb: str, name: str, place: str) -> None:
    plan = terms.plan
    places = [*plan.parts, Place.COMMUNITY.value, Place.DEALER.value, "flop", "turn", "river"]
    if verb in ("card", "correct") and is_number(name):
        if not 1 <= int(name) <= terms.positions:
            raise BadInput(place, f"there is no position {name}", f"the table has 1 to {terms.positions}")
        return
    if name not in places:
        raise BadInput(place, f"no place is called '{name}'", near_miss(name, dict.fromkeys(places)))
