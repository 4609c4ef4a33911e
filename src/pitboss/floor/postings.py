"""Where the money of an event goes: balanced postings, in ledger units. Nothing else moves money."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pitboss.errors import check
from pitboss.floor import gaming_table as t
from pitboss.floor import link as k
from pitboss.floor import link_events as ke
from pitboss.floor import table_events as te
from pitboss.floor.accounts import LinkAccounts
from pitboss.money import UNITS_PER_CENT, to_units
from pitboss.play import events as e
from pitboss.play.settlement import Settlement

Lines = list[tuple[str, int]]
NO_LINES: Lines = []


def table_lines(step: t.TableStep) -> Lines:
    """The postings of an event at a table."""
    before, event, after = step
    if isinstance(before, t.OpenTable) and isinstance(event, te.TableClosed):
        return _balanced(_closed(before, event))
    if not isinstance(after, t.OpenTable):
        return NO_LINES
    if not isinstance(before, t.OpenTable):
        return _balanced(_filled(after, event, after)) if isinstance(event, te.TableOpened) else NO_LINES
    find = _TABLE.get(type(event))
    return NO_LINES if find is None else _balanced(find(before, event, after))


def link_lines(step: k.LinkStep) -> Lines:
    """The postings of an event at a link."""
    find = _LINK.get(type(step.event))
    if find is None:
        return NO_LINES
    return _balanced(find(LinkAccounts(step.after.currency, step.after.link), *step))


def _balanced(lines: Iterable[tuple[str, int]]) -> Lines:
    kept = [line for line in lines if line[1]]
    check(sum(amount for _, amount in kept) == 0, "postings balance")
    return kept


# --- at a table -----------------------------------------------------------------------------------------


def _wager_placed(
    before: t.OpenTable, event: e.WagerPlaced | e.UnnoticedWagerEntered, after: t.OpenTable
) -> Lines:
    accounts, units = after.accounts, event.amount * UNITS_PER_CENT
    return [(accounts.rack(event.player), -units), (accounts.layout, units)]


def _wager_withdrawn(before: t.OpenTable, event: e.WagerWithdrawn, after: t.OpenTable) -> Lines:
    accounts, units = after.accounts, event.amount * UNITS_PER_CENT
    return [(accounts.rack(event.player), units), (accounts.layout, -units)]


def _share_folded(before: t.OpenTable, event: e.ShareFolded, after: t.OpenTable) -> Lines:
    units = sum(event.stakes.values()) * UNITS_PER_CENT
    return [(after.accounts.layout, -units), (after.accounts.float, units)]


def _stakes_back(before: t.OpenTable, event: Any, after: t.OpenTable) -> Lines:
    """Stakes go back to their owners: from the layout, and from the float what was collected already."""
    accounts, old, new = after.accounts, before.state, after.state
    lines = [
        (accounts.rack(player), (rack - old.racks.get(player, 0)) * UNITS_PER_CENT)
        for player, rack in new.racks.items()
        if rack != old.racks.get(player, 0)
    ]
    lines.append((accounts.layout, (new.layout - old.layout) * UNITS_PER_CENT))
    lines.append((accounts.float, new.table_float - old.table_float))
    return lines


def _concluded(before: t.OpenTable, event: e.RoundSettled | e.RoundVoided, after: t.OpenTable) -> Lines:
    lines = _stakes_back(before, event, after)
    return lines + _house_side(after, event.settlement, 1)


def _reversed(before: t.OpenTable, event: e.SettlementReversed, after: t.OpenTable) -> Lines:
    lines, settlement = _stakes_back(before, event, after), before.state.settlement
    return lines if settlement is None else lines + _house_side(after, settlement, -1)


def _house_side(table: t.OpenTable, settlement: Settlement, sign: int) -> Lines:
    """Jackpot stakes and fixed awards are the house's; shares of the meter come from what the link holds."""
    opened, jackpot = table.opened, settlement.jackpot
    house = settlement.movements.house
    if jackpot is None:
        return [(table.accounts.house, sign * house)]
    awards = sum(to_units(award.amount) for award in jackpot.awards if award.from_meter)
    house_only = (
        house + jackpot.house_funded - jackpot.reversed_contributions - jackpot.fixed_from_meter
    )  # what the meter paid of fixed awards, the link gives the house
    claims = LinkAccounts(opened.currency, opened.link).claims
    return [(table.accounts.house, sign * house_only), (claims, -sign * awards)]


def _bought_in(before: t.OpenTable, event: te.BoughtIn, after: t.OpenTable) -> Lines:
    """Cash into the drop box and chips out of the float: two exchanges of the same worth."""
    accounts, units = after.accounts, event.amount * UNITS_PER_CENT
    return [
        (accounts.patrons, -units),
        (accounts.drop, units),
        (accounts.float, -units),
        (accounts.rack(event.player), units),
    ]


def _cashed_out(before: t.OpenTable, event: te.CashedOut, after: t.OpenTable) -> Lines:
    accounts, units = after.accounts, event.amount * UNITS_PER_CENT
    return [(accounts.rack(event.player), -units), (accounts.patrons, units)]


def _debt(before: t.OpenTable, event: te.DebtRecorded, after: t.OpenTable) -> Lines:
    accounts, units = after.accounts, event.amount * UNITS_PER_CENT
    return [(accounts.owed, -units), (accounts.rack(event.player), units)]


def _debt_reduced(before: t.OpenTable, event: te.DebtReduced, after: t.OpenTable) -> Lines:
    accounts, units = after.accounts, event.amount * UNITS_PER_CENT
    return [(accounts.owed, units), (accounts.rack(event.player), -units)]


def _filled(before: t.OpenTable, event: te.Filled | te.TableOpened, after: t.OpenTable) -> Lines:
    units = to_units(te.worth(event.count))
    return [(after.accounts.cage, -units), (after.accounts.float, units)]


def _credited(before: t.OpenTable, event: te.Credited, after: t.OpenTable) -> Lines:
    units = to_units(te.worth(event.count))
    return [(after.accounts.cage, units), (after.accounts.float, -units)]


def _closed(before: t.OpenTable, event: te.TableClosed) -> Lines:
    """Float and drop go to the cage as counted; what the books expected beyond it is over or short."""
    accounts = before.accounts
    counted = te.worth(event.count)
    missing = (event.expected - counted) + (event.expected_drop - event.drop)
    return [
        (accounts.float, -to_units(event.expected)),
        (accounts.drop, -to_units(event.expected_drop)),
        (accounts.cage, (counted + event.drop) * UNITS_PER_CENT),
        (accounts.over_short, missing * UNITS_PER_CENT),
    ]


_TABLE: dict[type, Callable[[t.OpenTable, Any, t.OpenTable], Lines]] = {
    e.WagerPlaced: _wager_placed,
    e.UnnoticedWagerEntered: _wager_placed,
    e.WagerWithdrawn: _wager_withdrawn,
    e.ShareFolded: _share_folded,
    e.DecisionTakenBack: _stakes_back,
    e.ShareReturned: _stakes_back,
    e.HandRemoved: _stakes_back,
    e.RoundSettled: _concluded,
    e.RoundVoided: _concluded,
    e.SettlementReversed: _reversed,
    te.BoughtIn: _bought_in,
    te.CashedOut: _cashed_out,
    te.DebtRecorded: _debt,
    te.DebtReduced: _debt_reduced,
    te.Filled: _filled,
    te.Credited: _credited,
}


# --- at a link ------------------------------------------------------------------------------------------


def _contributed(a: LinkAccounts, before: k.Link, event: ke.Contributed, after: k.Link) -> Lines:
    total = event.meter + event.overflow + event.reserve
    return [
        (a.house, -total),
        (a.meter, event.meter),
        (a.overflow, event.overflow),
        (a.reserve, event.reserve),
    ]


def _returned(a: LinkAccounts, before: k.Link, event: ke.ContributionReturned, after: k.Link) -> Lines:
    total = event.meter + event.overflow + event.reserve
    return [
        (a.house, total),
        (a.meter, -event.meter),
        (a.overflow, -event.overflow),
        (a.reserve, -event.reserve),
    ]


def _held(
    a: LinkAccounts, before: k.Link, event: ke.ClaimFixed | ke.ClaimUnfixed | ke.ClaimEnded, after: k.Link
) -> Lines:
    """What is fixed leaves the meter, and a reset is funded; what is not upheld goes back the same way."""
    return [
        (a.meter, after.meter - before.meter),
        (a.reserve, after.reserve - before.reserve),
        (a.house, after.house - before.house),
        (a.claims, after.held - before.held),
    ]


def _corrected(a: LinkAccounts, before: k.Link, event: ke.AwardCorrected, after: k.Link) -> Lines:
    house = -(event.meter + event.reserve + event.won)
    return [(a.meter, event.meter), (a.reserve, event.reserve), (a.claims, event.won), (a.house, house)]


def _fixed_awards(a: LinkAccounts, before: k.Link, event: ke.FixedAwardsPaid, after: k.Link) -> Lines:
    return [(a.meter, event.funded - event.paid), (a.house, event.paid - event.funded)]


def _opened(a: LinkAccounts, before: k.Link, event: ke.LinkOpened, after: k.Link) -> Lines:
    return [(a.house, -to_units(event.startup)), (a.meter, to_units(event.startup))]


def _transferred(a: LinkAccounts, before: k.Link, event: ke.Transferred, after: k.Link) -> Lines:
    units = to_units(event.amount)
    return [(getattr(a, event.source), -units), (getattr(a, event.target), units)]


_LINK: dict[type, Callable[[LinkAccounts, k.Link, Any, k.Link], Lines]] = {
    ke.LinkOpened: _opened,
    ke.Contributed: _contributed,
    ke.ContributionReturned: _returned,
    ke.ClaimFixed: _held,
    ke.ClaimUnfixed: _held,
    ke.ClaimEnded: _held,
    ke.AwardCorrected: _corrected,
    ke.FixedAwardsPaid: _fixed_awards,
    ke.Transferred: _transferred,
}
