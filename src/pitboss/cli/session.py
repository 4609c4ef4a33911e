"""A session at the terminal table: rounds from the first bet to the settlement, and the account."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from pitboss.cards import Card
from pitboss.cli.felt import draw
from pitboss.cli.settle import print_seat
from pitboss.cli.tables import print_table
from pitboss.errors import BadInput, InvariantError, near_miss
from pitboss.money import Cents, format_cents, parse_cents, to_units
from pitboss.play import commands as c
from pitboss.play.dealing import outstanding, undecided
from pitboss.play.decide import decide
from pitboss.play.duties import duties_due
from pitboss.play.events import CardsBurned, CardsDealt
from pitboss.play.evolve import evolve_all
from pitboss.play.facts import Limit
from pitboss.play.refusal import Refusal
from pitboss.play.table import Box, JackpotTerms, Stage, State, Terms, open_table
from pitboss.play.views import Role, Viewer, view_for
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.book import Decision
from pitboss.rulebooks.load import parse_choices
from pitboss.rulebooks.plan import ClauseRef, Wager, WagerName
from pitboss.rulebooks.vocabulary import Position

YOU = "you"
DEALER = c.Staff(Position.DEALER)


class Leave(Exception):  # noqa: N818 - a person leaving is no error
    """The person at the table wants to go."""


def open_session(
    out: Console,
    rulebook: str,
    readings: list[str],
    *,
    seats: int,
    procedure: str | None,
    chips: str,
    shuffle: Callable[[], tuple[Card, ...]],
) -> Session:
    """A table with the house's figures, one person and his chips. Raises `BadInput` for what it cannot be."""
    plan = load_plan(rulebook, parse_choices(readings), place="--reading")
    house = plan.book.house
    names = [known.name for known in plan.procedures]
    if procedure is not None and procedure not in names:
        raise BadInput("--procedure", f"{plan.id} has no '{procedure}'", near_miss(procedure, names))
    if not 1 <= seats <= house.positions:
        raise BadInput("--seats", f"{seats} hands", f"this table has 1 to {house.positions}")
    rack = parse_cents(chips, "--chips")
    if rack <= 0:
        raise BadInput("--chips", "nothing to play with", "write what you sit down with, such as 1000")
    jackpot, meter = None, Cents(0)
    if house.jackpot is not None:
        meter = house.jackpot.reset
        jackpot = JackpotTerms(
            unit=house.jackpot.unit, reset=house.jackpot.reset, increment_bp=house.jackpot.increment_bp
        )
    terms = Terms(
        plan=plan,
        procedure=plan.procedure(procedure or names[0]),
        positions=house.positions,
        limits={WagerName(name): Limit(*limit) for name, limit in house.limits.items()},
        jackpot=jackpot,
        strict_limits=True,
    )
    return Session(out, open_table(terms, {YOU: rack}, meter=to_units(meter)), seats, shuffle)


class Session:
    """One person at one table. Everything that happens goes through `decide` and `evolve`."""

    def __init__(
        self, out: Console, state: State, seats: int, shuffle: Callable[[], tuple[Card, ...]]
    ) -> None:
        self.out, self.state, self.seats, self.shuffle = out, state, seats, shuffle
        self.deck: tuple[Card, ...] = ()
        self.began = state.racks[YOU]
        self.rounds, self.staked = 0, 0
        self.by_wager: Counter[str] = Counter()
        self.last_bets = ""

    def run(self) -> None:
        """Round after round until the person leaves or has no chips for another."""
        plan = self.state.plan
        self.out.print(f"[bold]{plan.book.identity.title}[/bold], {self.state.terms.procedure.title}.")
        self.out.print(
            "Type a letter or a word and press Enter. [bold]q[/bold] leaves, [bold]?[/bold] helps."
        )
        try:
            while self._can_play():
                self._round()
            self.out.print("You have not enough chips for another round.")
        except Leave:
            self.out.print("You leave the table.")
        self.leave()

    def leave(self) -> None:
        """What stood when the person left and what the book makes of it, then the account of the session."""
        if self.state.stage is Stage.BETTING and self.state.boxes:
            self.out.print(f"Bets were open: {format_cents(self.state.layout)} come back to you.")
            self._take_back()
        elif not self.state.stage.is_over and self.state.boxes:
            self.out.print(
                f"A round was under way with {format_cents(self.state.layout)} of yours on the layout."
            )
            self.out.print("You are absent for what is still to be decided, and the book settles it so:")
            self._finish_without_you()
        table = Table(title="your session", title_justify="left", box=None, show_header=False, pad_edge=False)
        table.add_column(min_width=16)
        table.add_column(justify="right")
        table.add_row("rounds", str(self.rounds))
        table.add_row("staked", format_cents(Cents(self.staked)))
        for wager, net in self.by_wager.items():
            table.add_row(f"  {wager}", _signed(Cents(net)))
        rack = self.state.racks[YOU]
        table.add_row("sat down with", format_cents(self.began))
        table.add_row("leave with", format_cents(rack))
        table.add_row("result", _signed(Cents(rack - self.began)))
        print_table(self.out, table)

    # --- one round --------------------------------------------------------------------------------------

    def _round(self) -> None:
        self._must(c.OpenBets(by=DEALER))
        self.out.print(
            f"\n[bold]Round {self.state.round_number}[/bold]  “{self.state.plan.book.round.opens}”"
        )
        self._draw()
        self._take_bets()
        self._duties()
        self._must(c.CloseBets(by=DEALER))
        self.out.print(f"“{self.state.plan.book.round.closes}”")
        self.deck = self.shuffle()
        self._must(c.Deal(by=DEALER, cards=self.deck))
        first = min(self.state.boxes)
        self._must(c.ViewHand(by=c.Player(YOU), position=first))
        while True:
            decision = outstanding(self.state)
            waiting = undecided(self.state, decision) if decision is not None else []
            if decision is not None and waiting:
                self._draw()
                for box in waiting:
                    self._decide(decision, box)
            settled = decide(self.state, c.Settle(by=DEALER))
            if not isinstance(settled, Refusal):
                break
            self._reveal_next()
        self._duties()
        self._must(c.Settle(by=DEALER))
        self._account()

    def _duties(self) -> None:
        """What a dealer owes the player, done and recorded by itself."""
        for duty in list(duties_due(self.state)):
            self._must(duty)

    def _take_bets(self) -> None:
        """Bets for every hand; the same on each. Chips come back until bets close."""
        while True:
            text = self._ask(self._bet_prompt(), self._bet_help()) or self.last_bets
            try:
                bets = self._parse_bets(text)
            except BadInput as bad:
                self.out.print(f"  {bad}", markup=False)
                continue
            refusal = self._place(bets)
            if refusal is None:
                self.last_bets = text
                return
            self._show(refusal)
            self._take_back()

    def _bet_prompt(self) -> str:
        parts = []
        for wager in self._offered():
            if wager.units is not None and self.state.terms.jackpot is not None:
                least, most = wager.units
                unit = format_cents(self.state.terms.jackpot.unit)
                parts.append(f"{wager.name} {unit}" + (f" x{least}-{most}" if most > least else ""))
            else:
                limit = self.state.terms.limits.get(wager.name)
                span = (
                    f" {format_cents(limit.minimum)}-{format_cents(limit.maximum)}"
                    if limit is not None
                    else ""
                )
                parts.append(f"{wager.name}{span}")
        again = f"; Enter repeats '{self.last_bets}'" if self.last_bets else ""
        each = f" (on each of {self.seats} hands)" if self.seats > 1 else ""
        return f"your bets{each}: {', '.join(parts)}{again}"

    def _offered(self) -> list[Wager]:
        return [w for w in self.state.plan.wagers if w.placed == "before-deal" and w.extra_on is None]

    def _parse_bets(self, text: str) -> list[tuple[str, Cents]]:
        """`25` is the first wager; `ante 25 bonus 5` or `25 bonus 5` names them."""
        words = text.split()
        offered = [str(wager.name) for wager in self._offered()]
        if words and words[0][0].isdigit():
            words = [offered[0], *words]
        if not words or len(words) % 2:
            raise BadInput("", "name each wager and its amount", f"such as '{offered[0]} 25'")
        pairs = list(zip(words[::2], words[1::2], strict=True))
        for name, _ in pairs:
            if name not in offered:
                raise BadInput("", f"no wager '{name}'", near_miss(name, offered))
        pairs.sort(key=lambda pair: offered.index(pair[0]))
        return [(name, parse_cents(amount)) for name, amount in pairs]

    def _place(self, bets: list[tuple[str, Cents]]) -> Refusal | None:
        for position in range(1, self.seats + 1):
            for wager, amount in bets:
                refusal = self._do(
                    c.PlaceWager(by=c.Player(YOU), position=position, wager=wager, amount=amount)
                )
                if refusal is not None:
                    return refusal
        if not any(wager.entitles_to_hand and dict(bets).get(wager.name) for wager in self._offered()):
            return Refusal("no-hand", "That is dealt no hand.", self.state.plan.wagers[0].clauses)
        return None

    def _take_back(self) -> None:
        for position, box in list(self.state.boxes.items()):
            for wager in reversed(list(box.stakes)):
                self._must(c.WithdrawWager(by=c.Player(YOU), position=position, wager=wager))

    def _decide(self, decision: Decision, box: Box) -> None:
        """The choices the book allows now, with what they cost."""
        wager = self.state.plan.wager(decision.bet)
        cost = Cents(wager.times * box.stake(wager.of or ""))
        short = " (more than your rack)" if cost > self.state.racks[YOU] else ""
        loses = f" (the {decision.needs} is lost)" if decision.otherwise == "fold" else " (free)"
        blind = "" if box.viewed else ", blind"
        other = f"[{decision.otherwise[0]}]{decision.otherwise[1:]}{loses}"
        choices = f"[b]et {format_cents(cost)} on {decision.bet}{short}, {other}"
        keys = (
            f"'b' puts {format_cents(cost)} on the {decision.bet}, "
            f"'{decision.otherwise[0]}' is to {decision.otherwise}{loses}"
        )
        while True:
            answer = self._ask(f"position {box.position}{blind}: {choices}", keys).lower()
            command: c.Command | None = None
            if answer in ("b", "bet", decision.bet):
                command = c.Bet(by=c.Player(YOU), position=box.position, wager=decision.bet)
            elif answer in ("f", "fold"):
                command = c.Fold(by=c.Player(YOU), position=box.position)
            elif answer in ("c", "check"):
                command = c.Check(by=c.Player(YOU), position=box.position)
            if command is None:
                self.out.print(
                    f"  '{answer}' is no choice here; write 'b' or '{decision.otherwise[0]}'", markup=False
                )
                continue
            refusal = self._do(command)
            if refusal is None:
                return
            self._show(refusal)

    def _finish_without_you(self) -> None:
        """The rest of the round with nobody at the position."""
        if self.state.stage is Stage.CLOSED:
            self._must(c.Deal(by=DEALER, cards=self.shuffle()))
        while isinstance(decide(self.state, c.Settle(by=DEALER)), Refusal):
            decision = outstanding(self.state)
            for box in undecided(self.state, decision) if decision is not None else []:
                self._must(c.MarkAbsent(by=DEALER, position=box.position))
            if isinstance(decide(self.state, c.Settle(by=DEALER)), Refusal):
                self._reveal_next()
        self._must(c.Settle(by=DEALER))
        self._account()

    def _reveal_next(self) -> None:
        steps = self.state.terms.procedure.steps[self.state.step :]
        place = next(step.reveal for step in steps if step.reveal is not None)
        self._must(c.Reveal(by=DEALER, place=place, cards=self.deck))

    def _account(self) -> None:
        """The settlement, wager by wager with its clauses, and what it made of the session."""
        settlement = self.state.settlement
        if settlement is None:
            raise InvariantError("a settled round has its settlement")
        self._draw()
        for seat in settlement.seats:
            print_seat(self.out, seat, "", "settled")
            self.staked += sum(line.stake for line in seat.lines)
            for line in seat.lines:
                self.by_wager[line.wager] += line.net
        self.rounds += 1
        number = settlement.seats[0].lines[0].clauses[0]
        self.out.print(
            f"\nrack {format_cents(self.state.racks[YOU])}   ('why {number}' tells a clause's gist)"
        )

    # --- talking ------------------------------------------------------------------------------------------

    def _bet_help(self) -> str:
        first, *more = (wager.name for wager in self._offered())
        several = f" or '{first} 25 {more[0]} 5'" if more else ""
        return f"bets: '25'{several}, Enter repeats"

    def _ask(self, prompt: str, keys: str) -> str:
        """An answer; `q` leaves, `why NUMBER` tells a clause, `?` tells the keys."""
        while True:
            self.out.print(prompt, markup=False)
            answer = self.out.input("> ").strip()
            if answer in ("q", "quit", "leave"):
                raise Leave
            if answer == "?":
                self.out.print(f"  {keys}; 'why NUMBER' tells a clause; 'q' leaves", markup=False)
            elif answer.startswith("why"):
                number = answer.removeprefix("why").strip()
                clause = self.state.plan.register.get(ClauseRef(number))
                text = clause.gist if clause is not None else f"no clause '{number}'"
                self.out.print(f"  {number}  {text}", markup=False)
            else:
                return answer

    def _show(self, refusal: Refusal) -> None:
        clauses = f"  [{', '.join(refusal.clauses)}]" if refusal.clauses else ""
        self.out.print(f"  {refusal.message}{clauses}", markup=False)

    def _draw(self) -> None:
        draw(self.out, self.state.terms, view_for(self.state, Viewer(Role.PLAYER, YOU)))

    # --- the engine ---------------------------------------------------------------------------------------

    def _can_play(self) -> bool:
        entry = [w for w in self._offered() if w.entitles_to_hand]
        limits = self.state.terms.limits
        least = min((limits[w.name].minimum if w.name in limits else Cents(1)) for w in entry)
        return self.state.racks[YOU] >= least * self.seats

    def _do(self, command: c.Command) -> Refusal | None:
        outcome = decide(self.state, command)
        if isinstance(outcome, Refusal):
            return outcome
        self.state = evolve_all(self.state, outcome)
        if isinstance(command, c.Deal | c.Reveal):
            used = sum(event.count for event in outcome if isinstance(event, CardsDealt | CardsBurned))
            self.deck = self.deck[used:]
        return None

    def _must(self, command: c.Command) -> None:
        refusal = self._do(command)
        if refusal is not None:
            raise InvariantError(f"the table refused its own step: {refusal}")


def _signed(amount: Cents) -> str:
    return f"{'+' if amount > 0 else ''}{format_cents(amount)}"
