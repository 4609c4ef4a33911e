"""The people at a simulated table: they bring its rounds on, and sometimes they do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from pitboss.cards import DECK, Card, parse_cards
from pitboss.errors import InvariantError
from pitboss.floor import requests as q
from pitboss.floor.gaming_table import VIRTUAL, GamingTable
from pitboss.floor.people import Asker, player, staff
from pitboss.floor.seeded import SeededCards
from pitboss.floor.service import Answer, Floor
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.play.dealing import (
    drawn_together,
    has_hand,
    lying_cards,
    next_place,
    outstanding,
    room,
    undecided,
)
from pitboss.play.decide import decide
from pitboss.play.duties import duties_due
from pitboss.play.evolve import evolve_all
from pitboss.play.refusal import Refusal
from pitboss.play.table import Box, Stage, State, Suspension
from pitboss.rulebooks.plan import Plan
from pitboss.rulebooks.trouble import Irregularity, Ruling
from pitboss.rulebooks.vocabulary import Position, Power, Source

DEALER = c.Staff(Position.DEALER)
CHIEF = staff("chief")
MANAGERS = (staff("manager-1"), staff("manager-2"))
SECOND = MANAGERS[1].name
"""Who signs with another for what takes two persons."""
HITS = (
    "Ts Js Qs Ks As", "5h 6h 7h 8h 9h", "8d 9d Td Jd Qd", "Ac 2c 3c 4c 5c",
)  # fmt: skip

FLOAT = {500_000: 40, 100_000: 100, 2500: 400, 500: 400, 100: 500}
"""The chips that a simulated table opens with, and gets with a fill."""


def float_of(plan: Plan) -> dict[int, int]:
    """The float of a table in chips that its book has: what it has no chip for is counted in its largest."""
    chips = sorted(int(chip) for chip in plan.book.house.denominations)
    count: dict[int, int] = {}
    for value, number in FLOAT.items():
        chip = value if value in chips else max([chip for chip in chips if chip <= value], default=chips[0])
        count[chip] = count.get(chip, 0) + -(-value * number // chip)
    return count


Strategy = Callable[[Plan, str, Sequence[Card], Sequence[Card]], bool]
"""Whether a bot places the bet of a decision, by its own cards and those open on the table."""


def simple_strategy(plan: Plan, decision: str, own: Sequence[Card], table: Sequence[Card]) -> bool:
    """Bets on a pair, a high card, or five of a suit; good enough to bring rounds on."""
    ranks = [card.rank for card in (*own, *table)]
    paired = any(ranks.count(card.rank) > 1 for card in own)
    suited = len(own) == 5 and len({card.suit for card in own}) == 1
    return paired or suited or (not table and max(ranks) >= 11) or (len(own) == 3 and max(ranks) >= 12)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """How often what happens, in a thousand: per step of play, or per round."""

    irregularity: int = 4
    hit: int = 10
    absent: int = 10
    decline: int = 5
    comes_and_goes: int = 50
    repeated: int = 0
    late: int = 0


@dataclass(slots=True, kw_only=True)
class Done:
    """What a simulation has done so far."""

    commands: int = 0
    refused: int = 0
    rounds: int = 0
    repeated: int = 0
    codes: dict[str, int] = field(default_factory=dict)


class TableBots:
    """The people at one table: they bring its rounds on, and sometimes they do not."""

    def __init__(
        self,
        floor: Floor,
        name: str,
        *,
        rng: Random,
        run: str,
        seats: int,
        chances: Chances,
        strategy: Strategy = simple_strategy,
        done: Done | None = None,
        told: Callable[[str, Answer], None] | None = None,
    ) -> None:
        self.floor, self.name, self.rng, self.seats = floor, name, rng, seats
        self.run, self.chances, self.strategy = run, chances, strategy
        self.dealer = staff(f"dealer-{name}")
        self.done = done or Done()
        self.told = told
        self.asked = 0
        self.pack: tuple[Card, ...] = DECK
        self.lies: dict[str, list[Card]] = {}
        self.bets: list[c.PlaceWager] = []
        self.gone: set[tuple[int, int]] = set()
        self.last: tuple[Asker, q.Request, str] | None = None

    # --- asking -----------------------------------------------------------------------------------------

    def ask(self, asker: Asker, request: q.Request) -> Answer:
        """One request, sometimes asked twice; the second time nothing may happen."""
        self.asked += 1
        key = f"{self.run}/{self.name}/{self.asked}"
        answer = self.floor.do(asker, request, key=key)
        self.done.commands += 1
        if self.told is not None:
            self.told(key, answer)
        if not answer.ok:
            self.done.refused += 1
            self.done.codes[answer.code] = self.done.codes.get(answer.code, 0) + 1
        if self._chance(self.chances.repeated):
            again = self.floor.do(asker, request, key=key)
            self.done.repeated += 1
            if not again.repeated or again.body != answer.body:
                raise InvariantError(f"a retry was not the first answer: {again.body} and {answer.body}")
        if self.last is not None and self._chance(self.chances.late):
            late_asker, late_request, late_key = self.last
            again = self.floor.do(late_asker, late_request, key=late_key)
            if not again.repeated:
                raise InvariantError("a command that comes again late was done twice")
        self.last = (asker, request, key)
        return answer

    def play(self, asker: Asker, command: c.Command) -> Answer:
        """One act at the table."""
        return self.ask(asker, q.Act(table=self.name, command=command))

    def _chance(self, in_a_thousand: int) -> bool:
        return self.rng.randrange(1000) < in_a_thousand

    # --- one step ---------------------------------------------------------------------------------------

    def step(self) -> int:
        """Bring the table on by one command or so; the seconds until the next."""
        table = self.floor.known(self.name)
        state = table.state
        if state.suspension is not None:
            self._rule(state, state.suspension)
            return 5
        if state.trouble.options is not None:
            self._choose_option(state)
            return 2
        if state.claim:
            return self._see_to_claim(table)
        if state.stage is Stage.PLAYING and self._chance(self.chances.irregularity):
            self._report(state)
            return 3
        if state.stage.is_over:
            self._begin(table)
            return 6
        if state.stage is Stage.BETTING:
            self._bet()
            return 8
        if state.stage is Stage.CLOSED:
            hands = any(has_hand(state.plan, box) for box in state.boxes.values())
            self.play(self.dealer, c.Deal(by=DEALER) if hands else c.Settle(by=DEALER))
            return 4
        return self._go_on(state)

    def _begin(self, table: GamingTable) -> None:
        self._come_and_go(table)
        self._duties()
        self._plan_bets(self.floor.known(self.name))
        answer = self.play(self.dealer, c.OpenBets(by=DEALER))
        if answer.ok:
            self.done.rounds += 1

    def _duties(self) -> None:
        """What the dealer owes players and game now; and the House says that a jackpot works again."""
        state = self.floor.known(self.name).state
        if state.memory.jackpot_stopped and state.suspension is None:
            by = c.Staff(Position.SHIFT_MANAGER)
            self._without_fail(MANAGERS[0], c.Rule(by=by, ruling=Ruling.CONTINUE))
        for duty in list(duties_due(state)):
            self._without_fail(self.dealer, duty)

    def _without_fail(self, asker: Asker, command: c.Command) -> None:
        """An act that leaves nothing to chance: the people at the table would do all else the same."""
        self.asked += 1
        key = f"{self.run}/{self.name}/{self.asked}"
        answer = self.floor.do(asker, q.Act(table=self.name, command=command), key=key)
        self.done.commands += 1
        if self.told is not None:
            self.told(key, answer)

    def _come_and_go(self, table: GamingTable) -> None:
        for seat in range(1, self.seats + 1):
            who = f"{self.name}-p{seat}"
            rack = table.state.racks.get(who, 0)
            if rack < 200_000:
                self._sell(who, Cents(500_000))
            elif self._chance(self.chances.comes_and_goes):
                self.ask(self.dealer, q.CashOut(table=self.name, player=who))
                self._sell(who, Cents(400_000))

    def _sell(self, who: str, amount: Cents) -> None:
        """Chips for a player; if the float is too low for them, a fill comes from the cage first."""
        request = q.BuyIn(table=self.name, player=who, amount=amount)
        if self.ask(self.dealer, request).code == "float-short":
            count = float_of(self.floor.known(self.name).state.plan)
            self.ask(MANAGERS[0], q.Fill(table=self.name, count=count, witness=self.dealer.name))
            self.ask(self.dealer, request)

    def _plan_bets(self, table: GamingTable) -> None:
        """Who bets what in the coming round, and the pack, which is stacked for a hit now and then."""
        self.bets = list(self._wagers(table.state))
        self.pack = tuple(self.rng.sample(DECK, 52))
        if self._chance(self.chances.hit):
            self.pack = self._stacked(table.state) or self.pack
        self.lies = {}
        if table.state.terms.physical:
            dealt = self._dry_deal(table.state)
            lying = {} if dealt is None else dealt.known
            self.lies = {place: [self.pack[DECK.index(card)] for card in row] for place, row in lying.items()}
        cards = self.floor.desk.cards
        if isinstance(cards, SeededCards) and table.opened is not None and table.opened.cards == VIRTUAL:
            cards.next_pack = self.pack

    def _wagers(self, state: State) -> Iterator[c.PlaceWager]:
        limits = state.terms.limits
        for seat in range(1, self.seats + 1):
            who = c.Player(f"{self.name}-p{seat}")
            for wager in state.plan.wagers:
                if wager.placed != "before-deal" or wager.extra_on is not None:
                    continue
                if wager.units is not None:
                    if state.terms.jackpot is None or self.rng.random() < 0.3:
                        continue
                    amount = Cents(state.terms.jackpot.unit * self.rng.randint(*wager.units))
                else:
                    if wager.needs and self.rng.random() < 0.5:
                        continue
                    least = limits[wager.name].minimum if wager.name in limits else Cents(2500)
                    amount = Cents(least * self.rng.randint(1, 4))
                yield c.PlaceWager(by=who, position=seat, wager=wager.name, amount=amount)

    def _stacked(self, state: State) -> tuple[Card, ...] | None:
        """A pack that gives a position which bets the jackpot one of the hands that win a share of it."""
        policy = state.plan.jackpot
        seats = [bet.position for bet in self.bets if policy is not None and bet.wager == policy.wager]
        if policy is None or not seats or state.memory.jackpot_suspended:
            return None
        position = self.rng.choice(seats)
        dealt = self._dry_deal(state)
        if dealt is None or str(position) not in dealt.known:
            return None
        own = list(dealt.known[str(position)])
        for place in state.plan.wager(policy.wager).pays.hand.places:
            if place != Source.OWN:
                parts = state.plan.parts or (place,) if place == Source.COMMUNITY else (place,)
                own += [card for part in parts for card in dealt.known.get(part, ())]
        places = [DECK.index(card) for card in own]
        wanted = parse_cards(self.rng.choice(HITS).split())
        if len(places) != len(wanted):
            return None
        rest = [card for card in self.rng.sample(DECK, 52) if card not in wanted]
        pack: list[Card | None] = [None] * 52
        for index, card in zip(places, wanted, strict=True):
            pack[index] = card
        return tuple(card if card is not None else rest.pop() for card in pack)

    def _dry_deal(self, state: State) -> State | None:
        """Where the cards of an ordered pack would come to lie, by the engine itself."""
        state = state._replace(terms=replace(state.terms, physical=False))
        commands: list[c.Command] = [c.OpenBets(by=DEALER), *self.bets, c.CloseBets(by=DEALER)]
        for command in commands:
            outcome = decide(state, command)
            if not isinstance(outcome, Refusal):
                state = evolve_all(state, outcome)
        outcome = decide(state, c.Deal(by=DEALER, cards=DECK))
        if isinstance(outcome, Refusal):
            return None
        state = evolve_all(state, outcome)
        while outstanding(state) is not None:
            decision = outstanding(state)
            assert decision is not None
            for box in undecided(state, decision):
                checked = decide(
                    state, c.Bet(by=c.Player(box.player), position=box.position, wager=decision.bet)
                )
                if isinstance(checked, Refusal):
                    return None
                state = evolve_all(state, checked)
            place = next_place(state)
            used = sum(state.dealt.values()) + len(state.burned)
            if place is None:
                break
            outcome = decide(state, c.Reveal(by=DEALER, place=place, cards=DECK[used:]))
            if isinstance(outcome, Refusal):
                return None
            state = evolve_all(state, outcome)
        return state

    def _bet(self) -> None:
        for bet in self.bets:
            self.play(self._who(bet.by), bet)
        self.bets = []
        self._duties()
        self.play(self.dealer, c.CloseBets(by=DEALER))
        state = self.floor.known(self.name).state
        if state.stage is Stage.BETTING:  # the jackpot failed meanwhile: its wagers come off first
            wager = state.plan.jackpot.wager if state.plan.jackpot is not None else ""
            for box in list(state.boxes.values()):
                if box.stake(wager):
                    by = c.Player(box.player)
                    self.play(self._who(by), c.WithdrawWager(by=by, position=box.position, wager=wager))
            self.play(self.dealer, c.CloseBets(by=DEALER))

    def _who(self, by: c.Actor) -> Asker:
        """A player with a device asks himself; for one without, whoever the book lets place wagers does."""
        assert isinstance(by, c.Player)
        if not by.name.endswith("p1"):
            return player(by.name)
        power = self.floor.known(self.name).state.plan.power(Power.PLACE_WAGERS)
        return self.dealer if power is None or power.position is Position.DEALER else MANAGERS[0]

    def _go_on(self, state: State) -> int:
        decision = outstanding(state)
        waiting = undecided(state, decision) if decision is not None else []
        if decision is not None and waiting:
            there = [box for box in waiting if (state.round_number, box.position) not in self.gone]
            for box in there:
                self._decide(state, decision.name, decision.bet, decision.otherwise, box)
            if not there:
                self.floor.tick(self.name)  # the clock says when their time is over
            return 6
        self._enter_cards(state)
        state = self.floor.known(self.name).state
        place = next_place(state)
        if place is not None:
            self.play(self.dealer, c.Reveal(by=DEALER, place=place))
            self._enter_cards(self.floor.known(self.name).state)
            return 3
        if self._chance(self.chances.decline):
            live = [box for box in state.boxes.values() if box.fate == "in-play"]
            for box in live[:1]:
                by = c.Player(box.player)
                self.play(self._who(by), c.Decline(by=by, position=box.position))
        self._duties()
        answer = self.play(self.dealer, c.Settle(by=DEALER))
        if answer.code == "cards-unknown":
            self.play(self.dealer, c.Report(by=DEALER, kind=Irregularity.MISSING_CARD))
        return 9

    def _decide(self, state: State, name: str, bet: str, otherwise: str, box: Box) -> None:
        by = c.Player(box.player)
        if self._chance(self.chances.absent):
            if state.terms.physical:
                self.play(self.dealer, c.MarkAbsent(by=DEALER, position=box.position))
            else:
                self.gone.add((state.round_number, box.position))
            return
        if not box.viewed:
            self.play(self._who(by), c.ViewHand(by=by, position=box.position))
        own = state.known.get(str(box.position), ())
        table = [
            card for part in state.plan.parts if part in state.revealed for card in state.known.get(part, ())
        ]
        if not state.plan.parts and "dealer" in state.turned_up and state.known.get("dealer"):
            table = [state.known["dealer"][-1]]
        wants = self.strategy(state.plan, name, own, table) if own else self.rng.random() < 0.7
        command: c.Command
        if wants:
            command = c.Bet(by=by, position=box.position, wager=bet)
        elif otherwise == "fold":
            command = c.Fold(by=by, position=box.position)
        else:
            command = c.Check(by=by, position=box.position)
        answer = self.play(self._who(by), command)
        if not answer.ok and answer.code == "not-enough-chips":
            other = c.Fold if otherwise == "fold" else c.Check
            self.play(self._who(by), other(by=by, position=box.position))

    def _enter_cards(self, state: State) -> None:
        """At a physical table the dealer enters what lies there, as the pack has it."""
        if not state.terms.physical or state.stage is not Stage.PLAYING:
            return
        for place, dealt in list(state.dealt.items()):
            if place.isdigit() and state.boxes[int(place)].removal is not None:
                continue
            while True:
                state = self.floor.known(self.name).state
                if len(state.known.get(place, ())) >= min(dealt, room(state.plan, place)):
                    break
                there = lying_cards(state)
                due = self.lies.get(place, [])[len(state.known.get(place, ())) :]
                free = [card for card in (*due, *reversed(self.pack)) if card not in there]
                if not self.play(self.dealer, c.EnterCard(by=DEALER, place=place, card=free[0])).ok:
                    return

    # --- trouble ----------------------------------------------------------------------------------------

    def _report(self, state: State) -> None:
        kind = self.rng.choice(list(Irregularity))
        positions = sorted(state.boxes)
        if not positions:
            return
        named = tuple(self.rng.sample(positions, min(len(positions), 2)))
        command = c.Report(
            by=c.Staff(Position.PIT_MANAGER),
            kind=kind,
            positions=named[:2] if kind is Irregularity.MULTIPLE_HANDS else named[:1],
            count=self.rng.choice((51, 53, 52) if kind is Irregularity.COUNT_DOUBT else (1, 2, 52)),
            reconstructable=self.rng.choice((True, False, None)),
            intentional=self.rng.choice((True, False, None)),
            what="simulated",
            approved_by=SECOND,
        )
        self.play(MANAGERS[0], command)

    def _rule(self, state: State, suspension: Suspension) -> None:
        ruling = self.rng.choice(suspension.rulings)
        argument = ""
        if ruling in (Ruling.INVALIDATE, Ruling.PERMIT_WITHDRAWAL, Ruling.BLOCK):
            positions = suspension.positions or tuple(sorted(state.boxes))
            argument = str(self.rng.choice(positions)) if positions else "1"
        elif ruling in (Ruling.BAR, Ruling.RESTRICT):
            ruling = Ruling.CONTINUE if Ruling.CONTINUE in suspension.rulings else Ruling.VOID
        elif ruling is Ruling.ORDER:
            self._enter_cards(state)
            together = drawn_together(self.floor.known(self.name).state)
            argument = ",".join(card.code for card in reversed(together))
        answer = self.play(CHIEF, c.Rule(by=DEALER, ruling=ruling, argument=argument, approved_by=SECOND))
        if answer.ok and ruling is Ruling.CLOSE_TABLE:
            self.play(CHIEF, c.LiftOrder(by=DEALER, order=Ruling.CLOSE_TABLE))
        if not answer.ok or self.floor.known(self.name).state.suspension is not None:
            for last in (Ruling.CONTINUE, Ruling.VOID):
                rule = c.Rule(by=DEALER, ruling=last, approved_by=SECOND)
                if last in suspension.rulings and self.play(CHIEF, rule).ok:
                    return

    def _choose_option(self, state: State) -> None:
        options = state.trouble.options
        assert options is not None
        for position in sorted(options.waiting):
            by = c.Player(state.boxes[position].player)
            stays = self.rng.random() < 0.6
            self.play(self._who(by), c.TakeOption(by=by, position=position, stay=stays))

    def _see_to_claim(self, table: GamingTable) -> int:
        """A hit: a pit manager verifies, the dealer pays once the amount is fixed."""
        opened = table.opened
        assert opened is not None
        link = self.floor.link(opened.link)
        claim = link.claim_of(self.name)
        if claim is None:
            raise InvariantError("a table waits for a claim that is not there")
        if not claim.verified_by:
            if self._chance(100):
                reason = "the hand is looked at again"
                self.ask(MANAGERS[1], q.RejectClaim(link=opened.link, claim=claim.claim, reason=reason))
            else:
                self.ask(MANAGERS[1], q.VerifyClaim(link=opened.link, claim=claim.claim))
            return 60
        if claim.fixed is None and self._chance(300):
            order = tuple(waiting.claim for waiting in link.waiting)
            self.ask(MANAGERS[0], q.DetermineOrder(link=opened.link, claims=order))
        self.play(self.dealer, c.Settle(by=DEALER))
        return 20
