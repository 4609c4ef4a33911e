"""The house in order: people and their positions, players and their limits, rulebooks put into force."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import date, timedelta

from pitboss.errors import BadInput, near_miss
from pitboss.floor import requests as q
from pitboss.floor.authority import permissions
from pitboss.floor.desk import Draft
from pitboss.floor.kept_answers import tally_of
from pitboss.floor.people import CONSOLE, SYSTEM, at_least, by_console, outranked, position_of
from pitboss.floor.registry import (
    APPROVALS_NEEDED,
    LEAST_KEPT,
    LEAST_KEPT_DAYS,
    POSITIONS,
    STREAM,
    AccountNoted,
    AnswersForgotten,
    FloorCreated,
    PermissionsSet,
    PersonAdded,
    PersonMoved,
    PersonRemoved,
    PlayerAdded,
    PlayerExcluded,
    PlayerLimited,
    RulebookApproved,
    RulebookProposed,
    RulebookWithdrawn,
)
from pitboss.floor.said import Known
from pitboss.play.refusal import Refusal, refuse
from pitboss.play.views import Role
from pitboss.rulebooks.load import plan_of_text
from pitboss.rulebooks.vocabulary import Position

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_RESERVED = frozenset(
    ("all", "console", "system", "player", "staff", *POSITIONS, *(role.value for role in Role))
)
"""Names of roles and positions; a player called so could not be told from them."""

_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d")


def check_name(what: str, name: str) -> str:
    """A name that can stand in accounts and streams. Raises `BadInput` for another."""
    if not _NAME.fullmatch(name):
        raise BadInput(what, f"'{name}' is no name", "use up to 40 letters, digits, dots and dashes")
    return name


def create_floor(draft: Draft, request: q.CreateFloor) -> Refusal | None:
    """A floor is created once."""
    if draft.registry.name:
        return refuse("floor-exists", "The floor '{name}' is here already.", name=draft.registry.name)
    check_floor(request)
    draft.record(
        STREAM,
        [
            FloorCreated(
                name=request.name,
                day_begins=request.day_begins,
                utc_offset_minutes=request.utc_offset_minutes,
                permissions=permissions(),
            )
        ],
    )
    return None


def set_permissions(draft: Draft, request: q.SetPermissions) -> Refusal | None:
    """The permissions of this version are in force from now on; the floor itself records it."""
    if draft.asker != SYSTEM:
        return Refusal("not-yours", "The floor itself records which permissions are in force.")
    if draft.registry.permissions != request.permissions:
        draft.record(STREAM, [PermissionsSet(permissions=request.permissions)])
    return None


def check_floor(request: q.CreateFloor) -> None:
    """Raises `BadInput` for a floor that cannot be created anywhere."""
    if not request.name.strip():
        raise BadInput("name", "the floor has no name", "give it one")
    if not _TIME.fullmatch(request.day_begins):
        raise BadInput(
            "day_begins", f"'{request.day_begins}' is no time of day", "write HH:MM, such as 06:00"
        )
    if abs(request.utc_offset_minutes) > 14 * 60:
        raise BadInput("utc_offset_minutes", "no clock is that far from UTC", "write minutes, such as 480")


# --- people -------------------------------------------------------------------------------------------


def add_person(draft: Draft, request: q.AddPerson) -> Refusal | None:
    """Somebody of the house gets an account with a position."""
    check_name("person", request.person)
    _check_position(request.position)
    if request.person in draft.registry.people:
        return refuse("person-exists", "{person} has an account already.", person=request.person)
    refusal = _above_himself(draft, request.position)
    if refusal is not None:
        return refusal
    draft.record(STREAM, [PersonAdded(person=request.person, position=request.position)])
    return None


def move_person(draft: Draft, request: q.MovePerson) -> Refusal | None:
    """Another position, from now on. Nobody gives himself one."""
    before = find_person(draft, request.person)
    _check_position(request.position)
    if draft.asker.name == request.person:
        return Refusal("own-position", "Nobody gives himself a position.")
    refusal = _above_himself(draft, request.position) or _above_himself(draft, before)
    if refusal is not None:
        return refusal
    event = PersonMoved(
        person=request.person, before=before, position=request.position, reason=request.reason.strip()
    )
    draft.record(STREAM, [event])
    return None


def remove_person(draft: Draft, request: q.RemovePerson) -> Refusal | None:
    """The account ends; what the person did stays in the record."""
    refusal = _above_himself(draft, find_person(draft, request.person))
    if refusal is None:
        draft.record(STREAM, [PersonRemoved(person=request.person, reason=request.reason.strip())])
    return refusal


def _above_himself(draft: Draft, position: str) -> Refusal | None:
    """Who may be one of two persons, or watches all of them, is appointed at the console only.

    Somebody who could make a colleague, or take a colleague's place, would be two persons by himself.
    """
    if draft.asker == CONSOLE:
        return None
    if by_console(position):
        return refuse("by-console", "A {rank} is appointed, moved and removed at the console.", rank=position)
    own = position_of(draft.registry, draft.asker)
    if at_least(own, position):
        return None
    return refuse("above-you", "A {own_rank} does not decide about a {rank}.", own_rank=own, rank=position)


def note_account(draft: Draft, request: q.NoteAccount) -> Refusal | None:
    """Passwords are not in the record; that one was set, and by whom, is."""
    if draft.asker != SYSTEM:
        return Refusal("not-yours", "The floor itself records that.")
    event = AccountNoted(kind=request.kind, name=request.name, what=request.what, by=request.by)
    draft.record(STREAM, [event])
    return None


def forget_answers(draft: Draft, request: q.ForgetAnswers) -> Refusal | None:
    """Answers that are old enough are erased, and the record says which: never those of the last days."""
    if draft.asker not in (SYSTEM, CONSOLE):
        return Refusal("not-yours", "The floor itself forgets old answers, or its console.")
    if draft.at - request.before < LEAST_KEPT:
        return refuse(
            "kept-longer",
            "Answers are kept for {days} days at least.",
            days=LEAST_KEPT_DAYS,
        )
    if request.before <= draft.registry.answers_since:
        return Refusal("forgotten-already", "Answers of that time are forgotten already.")
    tally = tally_of(draft.reader.answers_before(request.before), binds=Known.of(draft.reader).binds)
    draft.record(STREAM, [AnswersForgotten(before=request.before, **tally._asdict())])
    draft.forgotten_before = request.before
    draft.answer["forgotten"] = tally.done + tally.others
    return None


def find_person(draft: Draft, person: str) -> str:
    """The position of somebody of the house. Raises `BadInput` for a stranger."""
    people = draft.registry.people
    if person not in people:
        raise BadInput("person", f"nobody here is called '{person}'", near_miss(person, people))
    return people[person]


def _check_position(position: str) -> None:
    if position not in POSITIONS:
        raise BadInput("position", f"there is no position '{position}'", near_miss(position, POSITIONS))


# --- players --------------------------------------------------------------------------------------------


def add_player(draft: Draft, request: q.AddPlayer) -> Refusal | None:
    """A player is known to the house from now on."""
    check_name("player", request.player)
    if request.player in _RESERVED:
        raise BadInput("player", f"'{request.player}' means something else here", "take another name")
    if request.player in draft.registry.players:
        return refuse("player-exists", "{player} is known already.", player=request.player)
    draft.record(STREAM, [PlayerAdded(player=request.player)])
    return None


def find_player(draft: Draft, player: str) -> None:
    """Raises `BadInput` for a player the house does not know."""
    players = draft.registry.players
    if player not in players:
        raise BadInput("player", f"no player is called '{player}'", near_miss(player, list(players)[:20]))


def limit_player(draft: Draft, request: q.LimitPlayer) -> Refusal | None:
    """A tighter limit holds at once, a looser one from the next gaming day on."""
    find_player(draft, request.player)
    refusal = _not_his_own(draft, request.player)
    if refusal is not None:
        return refusal
    if request.loss is not None and request.loss < 0:
        raise BadInput("loss", "a limit is not negative", "write an amount, or none")
    if request.minutes is not None and request.minutes < 0:
        raise BadInput("minutes", "a limit is not negative", "write minutes, or none")
    now = draft.registry.players[request.player].limits_on(draft.day())
    looser = _looser(now.loss, request.loss) or _looser(now.minutes, request.minutes)
    tomorrow = (date.fromisoformat(draft.day()) + timedelta(days=1)).isoformat()
    draft.record(
        STREAM,
        [
            PlayerLimited(
                player=request.player,
                loss=request.loss,
                minutes=request.minutes,
                now_loss=now.loss if _looser(now.loss, request.loss) else request.loss,
                now_minutes=now.minutes if _looser(now.minutes, request.minutes) else request.minutes,
                from_day=tomorrow if looser else "",
                reason=request.reason.strip(),
            )
        ],
    )
    draft.answer["holds_from"] = tomorrow if looser else draft.day()
    return None


def _looser(before: int | None, after: int | None) -> bool:
    return before is not None and (after is None or after > before)


def exclude_player(draft: Draft, request: q.ExcludePlayer) -> Refusal | None:
    """Nobody lets the player play. It is never made shorter."""
    find_player(draft, request.player)
    refusal = _not_his_own(draft, request.player)
    if refusal is not None:
        return refusal
    if request.until:
        try:
            date.fromisoformat(request.until)
        except ValueError as error:
            raise BadInput("until", f"'{request.until}' is no date", "write YYYY-MM-DD") from error
        if request.until <= draft.day():
            raise BadInput("until", f"{request.until} is over", "write a later date")
    patron = draft.registry.players[request.player]
    if patron.is_excluded(draft.day()):
        shorter = not patron.excluded_until or (request.until and request.until < patron.excluded_until)
        if shorter:
            return Refusal("excluded-longer", "An exclusion is not made shorter.")
    draft.record(
        STREAM,
        [
            PlayerExcluded(
                player=request.player,
                until=request.until,
                by_himself=draft.asker.kind == "player",
                reason=request.reason,
            )
        ],
    )
    return None


def _not_his_own(draft: Draft, player: str) -> Refusal | None:
    if draft.asker.kind == "player":
        return None if draft.asker.name == player else Refusal("not-you", "A player acts for himself.")
    return outranked(draft.registry, draft.asker, Position.PIT_MANAGER)


# --- rulebooks --------------------------------------------------------------------------------------------


def rulebook_hash(book_id: str, document: str, readings: dict[str, str]) -> str:
    """The hash two persons approve: the whole book with the readings chosen."""
    text = json.dumps([book_id, document, sorted(readings.items())], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def propose_rulebook(draft: Draft, request: q.ProposeRulebook) -> Refusal | None:
    """A book is laid before those who approve it. It must be without defects."""
    readings = dict(request.readings)
    plan = plan_of_text(request.id, request.document, readings)
    hashed = rulebook_hash(request.id, request.document, readings)
    draft.answer["rulebook"] = hashed
    known = draft.registry.rulebooks.get(hashed)
    if known is not None and not known.withdrawn:
        return refuse("proposed-already", "Rulebook {rulebook} is proposed already.", rulebook=hashed[:12])
    draft.record(
        STREAM,
        [
            RulebookProposed(
                rulebook=hashed,
                id=request.id,
                digest=plan.digest,
                readings=readings,
                document=request.document,
            )
        ],
    )
    return None


def find_rulebook(draft: Draft, text: str) -> str:
    """A rulebook by its hash, the beginning of it, or the id of the only one in force under it."""
    books = draft.registry.rulebooks
    if text in books:
        return text
    found = [hashed for hashed in books if len(text) >= 6 and hashed.startswith(text)]
    if not found:
        found = [hashed for hashed, book in books.items() if book.id == text and book.in_force]
    if not found:
        found = [hashed for hashed, book in books.items() if book.id == text and not book.withdrawn]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(hashed[:12] for hashed in found)
        raise BadInput("rulebook", f"'{text}' may be several", f"write one of {names}")
    names = ", ".join(f"{book.id} ({hashed[:12]})" for hashed, book in books.items())
    raise BadInput("rulebook", f"no rulebook '{text}' was proposed here", f"proposed: {names or 'none'}")


def approve_rulebook(draft: Draft, request: q.ApproveRulebook) -> Refusal | None:
    """One of two persons approves a hash; with the second it is in force."""
    if draft.asker.kind != "staff":
        return Refusal("by-name", "A rulebook is approved by persons, by name.")
    hashed = find_rulebook(draft, request.rulebook)
    book = draft.registry.rulebooks[hashed]
    if book.withdrawn:
        return Refusal("withdrawn", "It was withdrawn; propose it again.")
    if draft.asker.name in book.approved_by:
        return refuse(
            "approved-already", "{name} has approved it; it takes another person.", name=draft.asker.name
        )
    in_force = len(book.approved_by) + 1 >= APPROVALS_NEEDED
    draft.record(STREAM, [RulebookApproved(rulebook=hashed, person=draft.asker.name, in_force=in_force)])
    draft.answer |= {"rulebook": hashed, "in_force": in_force}
    return None


def withdraw_rulebook(draft: Draft, request: q.WithdrawRulebook) -> Refusal | None:
    """No table opens with it from now on; tables that are open play on."""
    hashed = find_rulebook(draft, request.rulebook)
    if not request.reason.strip():
        raise BadInput("reason", "there is none", "write why")
    if draft.registry.rulebooks[hashed].withdrawn:
        return Refusal("withdrawn", "It was withdrawn already.")
    draft.record(STREAM, [RulebookWithdrawn(rulebook=hashed, reason=request.reason)])
    return None
