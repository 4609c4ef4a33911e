"""`pitboss play --server`: a seat at a table of a floor that is served, in the terminal."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
import typer

from pitboss.cli import INTERRUPTED
from pitboss.cli.felt import draw_view
from pitboss.cli.output import console
from pitboss.client import ClientError, NotAllowed, Refused, SyncClient, TableMessage, Unavailable
from pitboss.client.asking import servers_of
from pitboss.errors import BadInput, is_number, near_miss
from pitboss.forms import ActForm, read_act
from pitboss.play.shapes import RoundView

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.floor.composition import Contribution

_KEYS = {
    "view-hand": "look at your hand",
    "bet": "bet",
    "check": "check",
    "continue": "stay in",
    "fold": "fold",
    "decline": "do not show your hand",
    "establish": "show your hand for the jackpot",
    "take-option": "stay in or withdraw",
}


def play_online(server: str, *, name: str, table: str) -> None:
    """Sign in, sit down and play until the player leaves."""
    servers = servers_of(server)
    if not servers or not all(urlsplit(address).scheme in ("http", "https") for address in servers):
        raise BadInput("--server", f"'{server}' is no address", "write http://HOST:PORT")
    with SyncClient(*servers) as ask:
        try:
            name = name or input("name: ").strip()
            password = os.environ.get("PITBOSS_PASSWORD") or _asked_for()
            ask(ask.client.sign_in("player", name, password))
            Seat(ask, console(), name, _choose_table(ask, console(), table)).play()
        except Unavailable as gone:
            raise BadInput("--server", gone.message, "see that 'pitboss serve' runs there") from gone
        except (Refused, NotAllowed) as refused:
            raise BadInput("", str(refused)) from refused
        except ClientError as error:
            raise BadInput("--server", error.message) from error


def _asked_for() -> str:
    """The password that is typed, which nobody sees. Raises `BadInput` where nobody can type it."""
    if not sys.stdin.isatty():
        raise BadInput("--server", "a password is needed", "set PITBOSS_PASSWORD, or play at a terminal")
    return getpass.getpass("password: ")


def _choose_table(ask: SyncClient, out: Console, wanted: str) -> str:
    """The table that was named, or one that is chosen from those that are open."""
    tables = [line for line in ask(ask.client.lobby())["tables"] if line["open"]]
    names = [line["table"] for line in tables]
    if not tables:
        raise BadInput("--table", "no table is open", "come back later")
    while wanted not in names:
        if wanted:
            raise BadInput("--table", f"no table '{wanted}' is open", near_miss(wanted, names))
        for line in tables:
            ante = line["limits"].get("ante", ["", ""])
            out.print(
                f"  {line['table']:<14} {line['title']:<44} ante {ante[0]} to {ante[1]}, "
                f"{line['seats_free']} seats free",
                markup=False,
            )
        typed = input(f"table [{names[0]}]: ").strip() or names[0]
        wanted = typed if typed in names else ""
    return str(wanted)


def order_in_words(composed: Mapping[str, Any] | None, name: str, own: Contribution | None) -> str:
    """What the order of a deck was composed with; `own` is what the player's device has committed to."""
    made = composed or {"contributions": [], "withheld": [], "beacon": None, "independent": 0}
    count, given = made["independent"], made["contributions"]
    text = f"order of the deck: composed with {count} {'device' if count == 1 else 'devices'}"
    text = text if count else "order of the deck: no independent device this round"
    mixed = own is not None and own._asdict() in given
    text += ", yours among them" if mixed else ""
    text += " and the beacon" if made["beacon"] is not None else ""
    if any(left["player"] == name for left in made["withheld"]):
        return text + "; your device did not reveal in time and counts no more today"
    missing = own is not None and not mixed
    return text + ("; the contribution of your device is missing: call the pit" if missing else "")


class Seat:
    """A player at a table of the service."""

    def __init__(self, ask: SyncClient, out: Console, name: str, table: str) -> None:
        self.ask, self.out, self.name, self.table = ask, out, name, table
        self.terms = ask(ask.client.terms(table))
        self.position = self._sit_down()
        self.said = ""
        self.round_passed = 0
        self.composed = 0
        self.acted = 0

    def _sit_down(self) -> int:
        from pitboss.floor import requests as q

        view = self.ask(self.ask.client.table(self.table))
        for position, player in view["seats"].items():
            if player == self.name:
                return int(position)
        for position in range(1, self.terms["positions"] + 1):
            if str(position) not in view["seats"]:
                request = q.TakeSeat(table=self.table, position=position, player=self.name)
                self.ask(self.ask.client.do(request))
                return position
        raise BadInput("--table", f"every seat of {self.table} is taken", "choose another table")

    def play(self) -> None:
        """Show what happens, and ask when it is the player's turn. Ctrl-C and Ctrl-D leave the seat."""
        from pitboss.floor import requests as q

        self.out.print(f"you sit at position {self.position} of {self.table}; Ctrl-C leaves", markup=False)
        try:
            for message in self._views():
                assert message.view is not None
                self._show(message.view)
                if message.version >= self.acted:  # what was on its way when the player acted asks nothing
                    self._turn(message.view)
        except (KeyboardInterrupt, EOFError) as end:
            self.ask(self.ask.client.do(q.LeaveSeat(table=self.table, position=self.position)))
            self.out.print("\nyou leave the table; your chips stay in your rack", markup=False)
            if isinstance(end, KeyboardInterrupt):
                raise typer.Exit(INTERRUPTED) from end

    def _views(self) -> Iterator[TableMessage]:
        for message in self.ask.each(self.ask.client.views(self.table)):
            if message.view is not None:
                yield message

    def _show(self, view: dict[str, Any]) -> None:
        mine = view["positions"].get(str(self.position))
        waiting = ", ".join(str(position) for position in view["waiting_for"])
        said = f"round {view['round']}: {view['stage']}"
        said += f", waiting for position {waiting}" if waiting else ""
        if "suspended" in view:
            said += f", suspended: {view['suspended']['kind']} [{', '.join(view['suspended']['clauses'])}]"
        cards = str((view["dealer"], view["community"], mine))
        if cards + said == self.said:
            return
        self.said = cards + said
        self._tell_order(view)
        seen = msgspec.convert(view, RoundView)
        draw_view(self.out, f"{self.terms['title']}  {said}", seen, community=bool(view["community"]))
        for seat in view.get("settlement", []):
            if seat["position"] == self.position:
                for line in seat["lines"]:
                    cited = ", ".join(line["clauses"])
                    self.out.print(
                        f"  {line['wager']:<16} stake {line['stake']:>9}  returned {line['returned']:>9}  "
                        f"paid {line['paid']:>9}  [{cited}]",
                        markup=False,
                    )
                self.out.print(f"  net {seat['net']}", markup=False)

    def _tell_order(self, view: dict[str, Any]) -> None:
        """Once a round, whose devices the order of the deck was composed with, or that there was none."""
        sealed = view.get("sealed") or {}
        if "composition" not in sealed or not sealed["drawn"] or self.composed == view["round"]:
            return
        self.composed = view["round"]
        own = self.ask.client.contributed(view)
        self.out.print(f"  {order_in_words(sealed['composed'], self.name, own)}", markup=False)

    def _turn(self, view: dict[str, Any]) -> None:
        seated = str(self.position) in view["positions"]
        if view["stage"] == "betting" and not seated and self.round_passed != view["round"]:
            self._bet(view)
            return
        choices = [choice for choice in view.get("choices", []) if choice["act"]["position"] == self.position]
        choices = choices if any(choice["act"]["do"] != "decline" for choice in choices) else []
        if choices and view["stage"] not in ("betting", "settled", "void"):
            self._decide(choices)

    def _bet(self, view: dict[str, Any]) -> None:
        """All wagers of the round in one go: `25`, or `25 bonus 5 jackpot 5`; nothing sits it out."""
        offered = [wager for wager in self.terms["wagers"] if wager["placed"] == "before-deal"]
        names = [wager["wager"] for wager in offered]
        typed = input(f"your bets, rack {view.get('rack', '0.00')} ({', '.join(names)}): ").split()
        if not typed:
            self.round_passed = view["round"]
            return
        words = typed if typed[0] in names else ["ante", *typed]
        acts = [
            {"do": "place-wager", "position": self.position, "wager": wager, "amount": amount}
            for wager, amount in zip(words[::2], words[1::2], strict=False)
        ]
        if len(words) % 2 or not self._act(acts):
            self.out.print("write an amount for each wager, such as: 25 bonus 5", markup=False)
            self._bet(view)

    def _decide(self, choices: list[dict[str, Any]]) -> None:
        """One of the decisions that the view offers."""
        for number, choice in enumerate(choices, 1):
            act = choice["act"]
            words = _KEYS[act["do"]]
            words = f"{words} {act['wager']}" if "wager" in act else words
            words = ("stay in" if act["stay"] else "withdraw") if "stay" in act else words
            cost = f"  ({choice['cost']})" if choice["cost"] != "0.00" else ""
            self.out.print(f"  {number}  {words}{cost}", markup=False)
        typed = input("> ").strip()
        if not is_number(typed) or not 1 <= int(typed) <= len(choices):
            self.out.print(f"write a number from 1 to {len(choices)}", markup=False)
            self._decide(choices)
            return
        self._act([choices[int(typed) - 1]["act"]])

    def _act(self, acts: list[dict[str, Any]]) -> bool:
        try:
            forms = [msgspec.convert(act, ActForm) for act in acts]
            commands = [read_act(form, lambda _: self.ask.client.me) for form in forms]
            done = self.ask(self.ask.client.act(self.table, *commands))
            self.acted = int(done["versions"].get(f"table/{self.table}", 0))
        except (msgspec.ValidationError, BadInput) as error:
            self.out.print(str(error), markup=False)
            return False
        except ClientError as error:
            cited = f" [{', '.join(error.clauses)}]" if error.clauses else ""
            self.out.print(f"{error.message}{cited}", markup=False)
            return not isinstance(error, Refused) or "wager" not in acts[0]
        return True
