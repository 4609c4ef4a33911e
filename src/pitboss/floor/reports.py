"""What a day came to, from the record: drop, win, hold, the jackpot, returns, large wins, errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pitboss.floor import link as k
from pitboss.floor import link_events as ke
from pitboss.floor import table_events as te
from pitboss.floor.accounts import TableAccounts
from pitboss.floor.changes import Change, ChangeLog
from pitboss.floor.codec import decode
from pitboss.floor.desk import link_stream, table_stream
from pitboss.floor.ports import BEGINNING, Micros, Reader, Recorded
from pitboss.floor.registry import STREAM
from pitboss.floor.service import Floor
from pitboss.floor.shift_log import ShiftLog
from pitboss.floor.slips import LARGE_WIN, Win, wins_of
from pitboss.floor.void_watch import VoidWatch, watch
from pitboss.money import UNITS_PER_CENT, Cents
from pitboss.play import events as e
from pitboss.play.settlement import Settlement
from pitboss.progress import Task, counting

CHUNK = 5000


@dataclass(slots=True)
class TableDay:
    """A table's figures over a time. Money in cents.

    `win` is closing float + credits - fills - opening float + drop; `hold` is win by drop. `float_moved` is
    by how much the ledger's float has grown in the time, for a table open at its beginning or its end.
    Jackpot stakes and fixed awards are not in it: they are `jackpot`, what the house took and paid for them.
    """

    table: str
    game: str = ""
    currency: str = ""
    opened: int = 0
    fills: int = 0
    credits: int = 0
    closed: int = 0
    drop: int = 0
    cashed: int = 0
    drop_counted: int = 0
    over_short: int = 0
    jackpot: int = 0
    float_moved: int = 0
    practice: bool = False
    rounds: int = 0
    voids: int = 0

    @property
    def win(self) -> int:
        """What the table won, in cents: float and credits against fills and opening, and the drop."""
        return self.float_moved + self.closed + self.credits - self.fills - self.opened + self.drop

    @property
    def hold(self) -> float | None:
        """Win by drop; None without a drop."""
        return self.win / self.drop if self.drop else None


@dataclass(slots=True)
class Played:
    """Wagers of one kind in one game: how many, what was staked, what players won net, in cents."""

    stakes: int = 0
    bets: int = 0
    net: int = 0


@dataclass(slots=True)
class GameReturn:
    """The main game of one rulebook: hands, Antes staked, and what players won on all its wagers.

    Hands of one round share cards, so the sums of squares are of whole rounds: of nets, of stakes, of both.
    """

    game: str
    rulebook: str
    hands: int = 0
    staked: int = 0
    net: int = 0
    hand_squares: int = 0
    net_squares: int = 0
    stake_squares: int = 0
    products: int = 0
    side: dict[str, Played] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeWin:
    """P19: jackpot, player, game, pay table, round, time, amount, and who confirmed.

    One line for every paper of a player who was paid so much in a round: `amount` is what this line is for,
    `together` all that he was paid in the round. `slips` are the table's payout slips for it, `hit` is the
    number of the jackpot's own payment, and 0 for what the meter has not paid.
    """

    at: Micros
    table: str
    round_number: int
    game: str
    rulebook: str
    player: str
    wagers: tuple[str, ...]
    amount: Cents
    together: Cents
    link: str
    hit: int
    slips: tuple[int, ...]
    confirmed_by: str
    authorised_by: str
    undone: bool


@dataclass(slots=True)
class LinkDay:
    """P18: every cent of increment is paid, displayed, or held in a named account. In ledger units."""

    link: str
    currency: str = ""
    before: int = 0
    startup: int = 0
    increments: int = 0
    returned: int = 0
    funded: int = 0
    paid: int = 0
    held: int = 0
    corrected: int = 0
    meter: int = 0
    overflow: int = 0
    reserve: int = 0

    @property
    def unexplained(self) -> int:
        """What the movements do not account for; it must be nothing."""
        came = self.startup + self.increments + self.funded + self.corrected
        went = self.returned + self.paid + self.held
        return self.before + came - went - (self.meter + self.overflow + self.reserve)


def _events(reader: Reader, stream: str, until: Micros) -> Iterator[tuple[Recorded, Any]]:
    """Every record of a stream before a moment, with its event."""
    after = 0
    while True:
        chunk = reader.read(stream, after=after, until=after + CHUNK)
        if not chunk:
            return
        for recorded in chunk:
            if recorded.at >= until:
                return
            yield recorded, decode(recorded)
        after = chunk[-1].version


@dataclass(slots=True)
class FloorReport:
    """All figures of a time. `hits` are the numbers of the jackpots' payments, by table and round."""

    since: Micros
    until: Micros
    tables: list[TableDay] = field(default_factory=list)
    games: dict[str, GameReturn] = field(default_factory=dict)
    links: list[LinkDay] = field(default_factory=list)
    wins: list[LargeWin] = field(default_factory=list)
    hits: dict[tuple[str, int], int] = field(default_factory=dict)
    errors: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    rulings: int = 0
    slips: list[tuple[Micros, str, te.PayoutSlip]] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    shifts: list[ShiftLog] = field(default_factory=list)
    watch: VoidWatch = field(default_factory=VoidWatch)


def report(
    floor: Floor,
    reader: Reader,
    *,
    since: Micros = BEGINNING,
    until: Micros | None = None,
    large: Cents = LARGE_WIN,
) -> FloorReport:
    """The figures of a time, folded from the record. Wins of at least `large` are listed one by one."""
    end = until if until is not None else Micros(2**62)
    found = FloorReport(since=since, until=end)
    for name in floor.registry.links:
        found.links.append(_link_day(floor, reader, name, found))
    streams = [table_stream(name) for name in floor.registry.tables]
    total = sum(head.version for stream, head in reader.heads().items() if stream in streams)
    with counting("reading the record", total) as task:
        for name in floor.registry.tables:
            found.tables.append(_table_day(floor, reader, name, found, large, task))
    log = ChangeLog(since)
    for recorded, event in _events(reader, STREAM, end):
        log.see(recorded, event)
    found.changes += log.found
    found.changes.sort(key=lambda change: (change.at, change.stream, change.version))
    found.wins.sort(key=lambda win: (win.at, win.table))
    found.slips.sort(key=lambda made: (made[1], made[2].slip))
    found.watch = watch(floor, reader, since=since, until=until)
    return found


def _table_day(
    floor: Floor, reader: Reader, name: str, found: FloorReport, large: Cents, task: Task
) -> TableDay:
    day = TableDay(name)
    opened: te.TableOpened | None = None
    shifts = ShiftLog(name, found.since)
    number = 0
    settled: _Settled | None = None
    log = ChangeLog(found.since)
    for recorded, event in _events(reader, table_stream(name), found.until):
        log.see(recorded, event)
        shifts.see(recorded, event)
        task.advance()
        at, actor = recorded.at, recorded.actor
        counts = at >= found.since
        if isinstance(event, e.BetsOpened):
            if settled is not None:
                _add_round(floor, found, settled, large)
            settled, number = None, event.round_number
            day.rounds += counts
        match event:
            case te.TableOpened():
                opened = event
                day.game, day.currency = floor.desk.plan_of(event.rulebook).id, event.currency
                day.opened += te.worth(event.count) if counts else 0
                day.practice = event.practice
            case te.TableClosed():
                day.closed += te.worth(event.count) if counts else 0
                day.drop_counted += event.drop * counts
                day.over_short += (
                    te.worth(event.count) + event.drop - event.expected - event.expected_drop
                ) * counts
            case te.Filled():
                day.fills += te.worth(event.count) * counts
            case te.Credited():
                day.credits += te.worth(event.count) * counts
            case te.BoughtIn():
                day.drop += event.amount * counts
            case te.CashedOut():
                day.cashed += event.amount * counts
            case e.RoundSettled() if opened is not None:
                settled = _Settled(at, name, number, opened, event.settlement) if counts else None
            case e.SettlementReversed():
                if settled is not None:
                    _add_wins(floor, found, settled, large, undone=True)
                settled = None
            case e.RoundVoided():
                settled = None
                day.voids += counts
            case e.IrregularityReported() if counts:
                key = (name, shifts.dealers or actor)
                found.errors.setdefault(key, Counter())[event.kind.value] += 1
            case e.RulingGiven() if counts:
                found.rulings += 1
            case te.PayoutSlip() if counts:
                found.slips.append((at, name, event))
                if settled is not None and not event.corrects:
                    settled.slips.append(event)
            case _:
                pass
    if settled is not None:
        _add_round(floor, found, settled, large)
    found.changes += log.found
    found.shifts.append(shifts)
    if day.currency:
        account = TableAccounts(day.currency, name).float
        moved = _balance_at(reader, name, account, found.until) - _balance_at(
            reader, name, account, found.since
        )
        day.float_moved = moved // UNITS_PER_CENT
        house = TableAccounts(day.currency, name).house
        moved = _balance_at(reader, name, house, found.until) - _balance_at(reader, name, house, found.since)
        day.jackpot = moved // UNITS_PER_CENT
    return day


def _balance_at(reader: Reader, name: str, account: str, moment: Micros) -> int:
    """What an account of a table held at a moment: its balance without what was posted since."""
    if moment <= BEGINNING:
        return 0
    stream = table_stream(name)
    total = reader.balances([account])[account]
    after = reader.head(stream).version
    while after > 0:
        start = max(0, after - CHUNK)
        late = [e.version for e in reader.read(stream, after=start, until=after) if e.at >= moment]
        if not late:
            break
        posted = reader.postings(stream, after=late[0] - 1, until=after)
        total -= sum(posting.amount for posting in posted if posting.account == account)
        after = start
    return total


@dataclass(frozen=True, slots=True)
class _Settled:
    """A settlement that stands so far, and the slips that were made for it."""

    at: Micros
    table: str
    round_number: int
    opened: te.TableOpened
    settlement: Settlement
    slips: list[te.PayoutSlip] = field(default_factory=list)


def _add_round(floor: Floor, found: FloorReport, settled: _Settled, large: Cents) -> None:
    """A settled round's hands to the returns of its game, and its large wins to the list."""
    opened = settled.opened
    if opened.practice:
        return
    plan = floor.desk.plan_of(opened.rulebook)
    game = found.games.setdefault(opened.rulebook, GameReturn(plan.id, opened.rulebook))
    main = {wager.name for wager in plan.wagers if wager.name in _main_wagers(plan)}
    base = plan.wagers[0].name
    round_net = round_stake = 0
    for seat in settled.settlement.seats:
        ante = next((line for line in seat.lines if line.wager == base), None)
        out = seat.hand is None and all(line.returned == line.stake for line in seat.lines)
        if ante is not None and not out:
            game.hands += 1
            game.hand_squares += ante.stake**2
            round_net += sum(line.net for line in seat.lines if line.wager in main)
            round_stake += ante.stake
        for line in seat.lines:
            if line.wager not in main:
                side = game.side.setdefault(line.wager, Played())
                side.bets += 1
                side.stakes += line.stake
                side.net += line.net
    game.net += round_net
    game.staked += round_stake
    game.net_squares += round_net**2
    game.stake_squares += round_stake**2
    game.products += round_net * round_stake
    _add_wins(floor, found, settled, large, undone=False)


def _add_wins(floor: Floor, found: FloorReport, settled: _Settled, large: Cents, *, undone: bool) -> None:
    """The wins of players who were paid so much in the round, each with the slips that were made for it."""
    opened = settled.opened
    if opened.practice:
        return
    plan = floor.desk.plan_of(opened.rulebook)
    for win in wins_of(settled.settlement, plan):
        if win.together < large:
            continue
        slips = [slip for slip in settled.slips if _is_slip_for(slip, win)]
        found.wins.append(
            LargeWin(
                at=settled.at,
                table=settled.table,
                round_number=settled.round_number,
                game=plan.id,
                rulebook=opened.rulebook,
                player=win.player,
                wagers=win.wagers,
                amount=win.amount,
                together=win.together,
                link=opened.link if win.jackpot else "",
                hit=found.hits.get((settled.table, settled.round_number), 0)
                if _is_meter_share(settled.settlement, win)
                else 0,
                slips=tuple(slip.slip for slip in slips),
                confirmed_by=", ".join(dict.fromkeys(slip.confirmed_by for slip in slips if win.jackpot)),
                authorised_by=", ".join(dict.fromkeys(slip.authorised_by for slip in slips)),
                undone=undone,
            )
        )


def _is_slip_for(slip: te.PayoutSlip, win: Win) -> bool:
    """Whether a slip is for a win; one of before they were made out to players is for its whole position."""
    if not slip.positions:
        return slip.position in win.positions
    return (slip.player, slip.positions, slip.jackpot) == (win.player, win.positions, win.jackpot)


def _is_meter_share(settlement: Settlement, win: Win) -> bool:
    if settlement.jackpot is None or not win.jackpot:
        return False
    return any(award.from_meter and award.position in win.positions for award in settlement.jackpot.awards)


def _main_wagers(plan: Any) -> set[str]:
    """The Ante, its continue wagers, and what is paid on top of it."""
    base = plan.wagers[0].name
    return {
        wager.name
        for wager in plan.wagers
        if wager.name == base or wager.of is not None or wager.extra_on is not None
    }


def _link_day(floor: Floor, reader: Reader, name: str, found: FloorReport) -> LinkDay:
    """The link's movements over the time, and what its accounts hold at the end of it."""
    day = LinkDay(name)
    link = k.Link(link=name)
    log = ChangeLog(found.since)
    for recorded, event in _events(reader, link_stream(name), found.until):
        at, actor = recorded.at, recorded.actor
        before, link = link, k.evolve_link(link, event, at, actor)
        log.see(recorded, event, link=link)
        if isinstance(event, ke.ClaimPaid):
            hit = link.history[-1]
            found.hits[hit.table, hit.round_number] = hit.slip
        if at < found.since:
            day.before = link.meter + link.overflow + link.reserve + link.held
            continue
        match event:
            case ke.LinkOpened():
                day.startup += link.meter
            case ke.Contributed():
                day.increments += event.meter + event.overflow + event.reserve
            case ke.ContributionReturned():
                day.returned += event.meter + event.overflow + event.reserve
            case ke.ClaimFixed():
                day.funded += event.from_house
            case ke.ClaimEnded():
                fixed = before.claims[event.claim].fixed
                day.funded -= fixed.from_house if fixed is not None else 0
            case ke.ClaimPaid():
                claim = before.claims[event.claim]
                day.paid += sum(share.amount for share in claim.award.shares) * UNITS_PER_CENT
            case ke.AwardCorrected():
                day.corrected += event.meter + event.reserve + event.won
                day.paid += event.won
            case _:
                pass
    found.changes += log.found
    day.currency = link.currency
    day.meter, day.overflow, day.reserve, day.held = link.meter, link.overflow, link.reserve, link.held
    return day
