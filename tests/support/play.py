"""Tables played at random: commands legal and illegal, and the way to bring any round to its end."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from pitboss.cards import DECK, Card
from pitboss.money import Cents, to_units
from pitboss.play import commands as c
from pitboss.play.dealing import drawn_together, has_hand, lying_cards, outstanding, room, undecided
from pitboss.play.decide import carry_out, decide
from pitboss.play.events import CardsBurned, CardsDealt, Event
from pitboss.play.facts import Limit
from pitboss.play.refusal import Refusal
from pitboss.play.table import Box, JackpotTerms, Stage, State, Suspension, Terms, open_table
from pitboss.rulebooks import Plan, load_plan
from pitboss.rulebooks.trouble import ExposedAt, ExposedBy, Irregularity, Ruling
from pitboss.rulebooks.vocabulary import Position

PLAYERS = ("p1", "p2", "p3")
DEALER = c.Staff(Position.DEALER)
CHIEF = c.Staff(Position.ASSISTANT_DIRECTOR)


def table_for(plan: Plan, rng: Random, *, physical: bool = False) -> State:
    """A table of a book with a procedure, limits and a meter at random."""
    posted = [wager.name for wager in plan.wagers if wager.posted_limits]
    terms = Terms(
        plan=plan,
        procedure=rng.choice(plan.procedures),
        positions=rng.choice((3, 6)),
        limits={name: Limit(Cents(2500), Cents(100_000)) for name in posted} if rng.random() < 0.6 else {},
        jackpot=None
        if plan.jackpot is None
        else JackpotTerms(unit=Cents(500), reset=Cents(10_000_000), increment_bp=rng.choice((0, 2000, 333))),
        physical=physical,
    )
    racks = {name: Cents(rng.choice((1_000_000, 20_000))) for name in PLAYERS}
    return open_table(terms, racks, meter=to_units(Cents(rng.randrange(10**7, 10**9))))


class Table:
    """A table under way: its state, its undealt deck (None at a physical table), and all events so far."""

    def __init__(self, state: State, rng: Random) -> None:
        self.opened = self.state = state
        self.rng, self.physical = rng, state.terms.physical
        self.deck: tuple[Card, ...] | None = None
        self.events: list[Event] = []

    @classmethod
    def random(cls, book: str, seed: int, *, physical: bool | None = None) -> Table:
        rng = Random(seed)
        by_hand = rng.random() < 0.3 if physical is None else physical
        return cls(table_for(load_plan(book), rng, physical=by_hand), rng)

    def do(self, command: c.Command) -> Refusal | None:
        """Carry a command out; a refused one leaves everything as it was."""
        if isinstance(command, c.Deal | c.Reveal):
            command = replace(command, cards=self.deck)
        outcome, played = decide(self.state, command), carry_out(self.state, command)
        if isinstance(outcome, Refusal) or isinstance(played, Refusal):
            assert outcome == played
            return played if isinstance(played, Refusal) else None
        opened = isinstance(command, c.OpenBets)
        for event, (before, same, after) in zip(outcome, played, strict=True):
            assert same == event
            assert before is self.state
            self.state = after
        self.events += outcome
        if opened:
            self.deck = None if self.physical else tuple(self.rng.sample(DECK, 52))
        elif self.deck is not None:
            used = sum(e.count for e in outcome if isinstance(e, CardsDealt | CardsBurned))
            self.deck = self.deck[used:]
        return None

    def random_command(self) -> c.Command:
        """Anything at all, well-formed, by anybody."""
        rng, state = self.rng, self.state
        by: c.Actor = rng.choice(
            (c.Player(rng.choice(PLAYERS)), DEALER, c.Staff(rng.choice(tuple(Position))))
        )
        if isinstance(by, c.Staff) and rng.random() < 0.3:
            by = c.Staff(by.position, for_player=rng.choice(PLAYERS))
        n = rng.randint(1, state.terms.positions)
        wagers = [wager.name for wager in state.plan.wagers]
        amount = Cents(rng.choice((500, 1000, 2500, 5000, 5001, 150_000, 700)))
        places = ["flop", "turn", "river", "dealer", "community"]
        return rng.choice(
            (
                c.OpenBets(by=by),
                c.PlaceWager(by=by, position=n, wager=rng.choice(wagers), amount=amount),
                c.WithdrawWager(by=by, position=n, wager=rng.choice(wagers)),
                c.CloseBets(by=by),
                c.Deal(by=by),
                c.EnterCard(by=by, place=rng.choice([*places, str(n)]), card=rng.choice(DECK)),
                c.CorrectCard(
                    by=by,
                    place=rng.choice([*places, str(n)]),
                    number=rng.randint(1, 5),
                    card=rng.choice((None, rng.choice(DECK))),
                ),
                c.TakeBack(by=by, position=n),
                c.ViewHand(by=by, position=n),
                c.HandleHand(by=by, position=n),
                c.Fold(by=by, position=n),
                c.Bet(by=by, position=n, wager=rng.choice(wagers), amount=rng.choice((None, amount))),
                c.Check(by=by, position=n),
                c.Continue(by=by, position=n),
                c.Decline(by=by, position=n),
                c.Establish(by=by, position=n),
                c.MarkAbsent(by=by, position=n),
                c.Reveal(by=by, place=rng.choice(places)),
                c.LookAtHand(by=by, position=n),
                c.Settle(by=by),
                c.Rule(
                    by=by,
                    ruling=rng.choice([r for r in Ruling if r is not Ruling.CLOSE_TABLE]),
                    argument=rng.choice((*PLAYERS, str(n), "", "As,Kd", "As")),
                ),
                self.random_report(),
                c.TakeOption(by=by, position=n, stay=rng.random() < 0.5),
            )
        )

    def random_report(self) -> c.Report:
        """Anything staff may report."""
        rng, kind = self.rng, self.rng.choice(tuple(Irregularity))
        hands = {
            Irregularity.WRONG_COUNT_POSITION: 1,
            Irregularity.CONFIDENTIALITY: 1,
            Irregularity.EXTRA_VIEW: 1,
            Irregularity.MULTIPLE_HANDS: 2,
        }
        counts = {Irregularity.EXPOSED: rng.randint(1, 2), Irregularity.COUNT_DOUBT: rng.choice((51, 52, 53))}
        return c.Report(
            by=c.Staff(rng.choice(tuple(Position))),
            kind=kind,
            positions=tuple(rng.sample(range(1, self.state.terms.positions + 1), hands.get(kind, 0))),
            count=counts.get(kind, 0),
            reconstructable=rng.choice((True, False, None)),
            intentional=rng.random() < 0.5 if kind is Irregularity.EXTRA_VIEW else None,
            what="anything",
            seats=tuple(rng.sample(range(1, 4), rng.choice((0, 0, 1, 2)))),
            exposed_by=rng.choice((None, *ExposedBy)) if kind is Irregularity.EXPOSED else None,
            exposed_at=rng.choice((None, *ExposedAt)) if kind is Irregularity.EXPOSED else None,
        )

    def _ruling(self, suspension: Suspension) -> c.Rule:
        """One of the rulings a matter is open to, with an argument that fits."""
        rng = self.rng
        hands = [n for n, box in self.state.boxes.items() if has_hand(self.state.plan, box)]
        ruling = rng.choice(suspension.rulings)
        about = {
            Ruling.INVALIDATE: str(rng.choice(suspension.positions or hands or (1,))),
            Ruling.PERMIT_WITHDRAWAL: str(rng.choice(hands or [1])),
            Ruling.BAR: rng.choice(PLAYERS),
            Ruling.ORDER: self._order(),
        }
        return c.Rule(by=CHIEF, ruling=ruling, argument=about.get(ruling, ""))

    def _order(self) -> str:
        """Cards drawn together, most often, in one order or the other."""
        cards = drawn_together(self.state)
        if not cards or self.rng.random() < 0.2:
            cards = tuple(self.rng.sample(DECK, 2))
        return ",".join(card.code for card in self.rng.sample(cards, 2))

    def sensible_command(self) -> c.Command:
        """Something that brings the round on, as players and dealers would."""
        rng, state = self.rng, self.state
        if state.suspension is not None:
            missing = self._missing_card() if Ruling.ORDER in state.suspension.rulings else None
            return missing or self._ruling(state.suspension)
        if state.trouble.options is not None:
            n = rng.choice(sorted(state.trouble.options.waiting))
            if rng.random() < 0.2:
                return c.MarkAbsent(by=DEALER, position=n)
            return c.TakeOption(by=c.Player(state.boxes[n].player), position=n, stay=rng.random() < 0.6)
        if state.stage.is_over:
            return c.OpenBets(by=DEALER)
        if state.stage is Stage.BETTING:
            return c.CloseBets(by=DEALER) if rng.random() < 0.2 else self._wager()
        if state.stage is Stage.CLOSED:
            hands = any(has_hand(state.plan, box) for box in state.boxes.values())
            return c.Deal(by=DEALER) if hands else c.Settle(by=DEALER)
        decision = outstanding(state)
        if decision is not None:
            waiting = undecided(state, decision)
            if waiting:
                return self._choice(rng.choice(waiting))
        missing = self._missing_card()
        if missing is not None and rng.random() < 0.7:
            return missing
        return self._onward()

    def _wager(self) -> c.Command:
        rng, state = self.rng, self.state
        before = [w for w in state.plan.wagers if w.placed == "before-deal" and w.extra_on is None]
        wager = before[0] if rng.random() < 0.6 else rng.choice(before)
        amount = Cents(500) if wager.units is not None else Cents(rng.choice((2500, 5000, 10_000)))
        player = rng.choice(PLAYERS)
        own = [n for n, box in state.boxes.items() if box.player == player]
        position = rng.choice(own) if own and rng.random() < 0.7 else rng.randint(1, state.terms.positions)
        return c.PlaceWager(by=c.Player(player), position=position, wager=wager.name, amount=amount)

    def _choice(self, box: Box) -> c.Command:
        rng, by, n = self.rng, c.Player(box.player), box.position
        decision = outstanding(self.state)
        assert decision is not None
        if rng.random() < 0.3:
            return c.ViewHand(by=by, position=n)
        if rng.random() < 0.1:
            return c.MarkAbsent(by=DEALER, position=n)
        if rng.random() < 0.6:
            return c.Bet(by=by, position=n, wager=decision.bet)
        return c.Fold(by=by, position=n) if decision.otherwise == "fold" else c.Check(by=by, position=n)

    def _onward(self) -> c.Command:
        """The next reveal, or the settlement."""
        state = self.state
        left = [step.reveal for step in state.terms.procedure.steps[state.step :] if step.reveal is not None]
        if left:
            return c.Reveal(by=DEALER, place=left[0])
        declines = [box for box in state.boxes.values() if box.fate == "in-play"]
        if declines and self.rng.random() < 0.2:
            box = self.rng.choice(declines)
            return c.Decline(by=c.Player(box.player), position=box.position)
        return c.Settle(by=DEALER)

    def _missing_card(self) -> c.Command | None:
        """A card that a physical table has still to enter."""
        if not self.physical or self.state.stage is not Stage.PLAYING:
            return None
        state = self.state
        free = [card for card in DECK if card not in lying_cards(state)]
        for place, dealt in state.dealt.items():
            if place.isdigit() and state.boxes[int(place)].removal is not None:
                continue
            if len(state.known.get(place, ())) < min(dealt, room(state.plan, place)):
                return c.EnterCard(by=DEALER, place=place, card=self.rng.choice(free))
        return None

    def conclude(self) -> None:
        """Bring the round to its end, whatever happened before."""
        for _ in range(500):
            if self.state.suspension is None and self.state.stage.is_over:
                return
            missing = self._missing_card()
            waits = self.state.suspension is not None or self.state.trouble.options is not None
            command = self.sensible_command() if missing is None or waits else missing
            if isinstance(command, c.PlaceWager):
                command = c.CloseBets(by=DEALER)
            if self.do(command) is not None and isinstance(command, c.Bet):
                self._give_up(command.position)
        raise AssertionError(
            f"the round cannot be brought to an end: {self.state.stage}, step {self.state.step}"
        )

    def _give_up(self, position: int) -> None:
        """A player without the chips to bet folds or checks."""
        by = c.Player(self.state.boxes[position].player)
        self.do(c.Fold(by=by, position=position))
        self.do(c.Check(by=by, position=position))
