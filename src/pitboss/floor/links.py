"""Links: opened, hits verified, their order determined, outages, parameters, transfers."""

from __future__ import annotations

from pitboss.errors import BadInput, near_miss
from pitboss.floor import jackpot
from pitboss.floor import requests as q
from pitboss.floor.accounts import LinkAccounts
from pitboss.floor.authority import SECOND_PERSON
from pitboss.floor.chips import MOST_CENTS, check_amount
from pitboss.floor.desk import Draft, link_stream, table_stream
from pitboss.floor.gaming_table import GamingTable
from pitboss.floor.hits import end_claim, fix_claim, fix_what_can_be
from pitboss.floor.house import check_name
from pitboss.floor.link import Claim, Link
from pitboss.floor.link_events import LinkOpened, OpeningApproved, Parameters
from pitboss.floor.people import SYSTEM, outranked, second_person
from pitboss.floor.ports import Reader
from pitboss.floor.registry import STREAM, LinkAdded
from pitboss.floor.second_signatures import ends_a_sealed_round
from pitboss.money import BASIS_POINTS, Cents
from pitboss.play import events as e
from pitboss.play.refusal import Refusal, refuse
from pitboss.play.unnoticed import MOST_UNITS_A_ROUND
from pitboss.rulebooks.vocabulary import HitOrder, Position, Power


def open_link(draft: Draft, request: q.OpenLink) -> Refusal | None:
    """A link with its parameters and its meter, which the house puts in."""
    check_name("link", request.link)
    if request.link in draft.registry.links:
        return Refusal("link-exists", f"There is a link '{request.link}' already.")
    refusal = second_person(draft.registry, draft.asker, request.approved_by, SECOND_PERSON[q.OpenLink])
    if refusal is not None:
        return refusal
    if len(request.currency) != 3 or not request.currency.isupper():
        raise BadInput("currency", f"'{request.currency}' is no currency", "write its code, such as SGD")
    most = request.most_stake or Cents(MOST_UNITS_A_ROUND * request.unit)
    parameters = _checked(
        Parameters(
            unit=request.unit,
            reset=request.reset,
            increment_bp=request.increment_bp,
            reserve_bp=request.reserve_bp,
            ceiling=request.ceiling,
            most_stake=most,
        )
    )
    startup = request.reset if request.startup is None else request.startup
    if not 0 <= startup <= MOST_CENTS:
        raise BadInput("startup", "no such meter", "write what the house puts in")
    if parameters.ceiling is not None and startup > parameters.ceiling:
        raise BadInput("ceiling", "the meter would start above its ceiling", "set a higher ceiling")
    draft.record(STREAM, [LinkAdded(link=request.link)])
    draft.record(
        link_stream(request.link),
        [
            LinkOpened(currency=request.currency, startup=startup, parameters=parameters),
            OpeningApproved(approved_by=request.approved_by),
        ],
    )
    return None


def _checked(parameters: Parameters) -> Parameters:
    """Parameters that can be. Raises `BadInput` for others."""
    check_amount("unit", parameters.unit)
    if not 0 <= parameters.reset <= MOST_CENTS:
        raise BadInput("reset", "no such reset value", "write what the meter returns to")
    if not 1 <= parameters.increment_bp <= BASIS_POINTS:
        raise BadInput("increment_bp", f"{parameters.increment_bp} basis points", "write 1 to 10000")
    if not 0 <= parameters.reserve_bp <= BASIS_POINTS - parameters.increment_bp:
        raise BadInput(
            "reserve_bp",
            f"{parameters.reserve_bp} basis points",
            "increment and reserve together are at most 10000",
        )
    if parameters.ceiling is not None and parameters.ceiling < parameters.reset:
        raise BadInput("ceiling", "below the reset value", "set it above")
    return parameters


def verify_claim(draft: Draft, request: q.VerifyClaim) -> Refusal | None:
    """A pit manager or above has seen the hand. The table settles, and pays, once the amount is fixed."""
    link = draft.link(request.link)
    if draft.asker.kind != "staff":
        return Refusal("by-name", "A claim is verified by a person, by name.")
    outcome = jackpot.verify(link, request.claim, by=draft.asker.name)
    claim = link.claims.get(request.claim)
    if claim is not None and (claim.entered_by == str(draft.asker) or _had_a_hand_in_it(draft, claim)):
        outcome = jackpot.OWN_CLAIM
    return _record(draft, request.link, outcome)


def _had_a_hand_in_it(draft: Draft, claim: Claim) -> bool:
    """Whether the asker entered or corrected a card of the round, or ruled in it."""
    table: GamingTable = draft.find(table_stream(claim.table), fresh=True).state
    for recorded in draft.reader.read(table_stream(claim.table), after=table.round_first_version - 1):
        if recorded.actor == str(draft.asker) and recorded.name.partition(".")[0] in _A_HAND_IN_IT:
            return True
    return False


_A_HAND_IN_IT = (
    "unnoticed-wager-entered",
    "card-entered",
    "card-corrected",
    "ruling-given",
    "decision-taken-back",
    "cards-ordered",
)


def reject_claim(draft: Draft, request: q.RejectClaim) -> Refusal | None:
    """A claim is not upheld: the meter has it back, and the table goes on from before the claim."""
    link = draft.link(request.link)
    _has_reason(request.reason)
    claim = link.claims.get(request.claim)
    if claim is None:
        return jackpot.no_such_claim(link, request.claim)
    end_claim(draft, request.link, request.claim, reason=request.reason)
    table = draft.find(table_stream(claim.table), fresh=True).state
    clauses = table.state.plan.wager(table.state.plan.jackpot.wager).pays.clauses
    draft.record(table_stream(claim.table), [e.JackpotClaimDropped(reason=request.reason, clauses=clauses)])
    fix_what_can_be(draft, request.link)
    return None


def determine_order(draft: Draft, request: q.DetermineOrder) -> Refusal | None:
    """The House determines the order in which hands were dealt; the claims are fixed in it."""
    link = draft.link(request.link)
    waiting = {claim.claim: claim for claim in link.waiting}
    if not waiting:
        return Refusal("nothing-waits", "No claim waits for its order.")
    power = draft.desk.plan_of(next(iter(waiting.values())).rulebook).power(Power.ORDER_JACKPOT_HITS)
    refusal = outranked(draft.registry, draft.asker, Position.PIT_MANAGER)
    if refusal is not None:
        return refuse(refusal.code, refusal.message, () if power is None else power.clauses)
    if any(claim.ordered_by is not HitOrder.DEALT_FIRST for claim in waiting.values()):
        return Refusal("ordered-by-entry", "These claims are ordered by their entry.")
    for number in request.claims:
        if number not in waiting:
            names = [str(n) for n in waiting]
            raise BadInput("claims", f"claim {number} does not wait", near_miss(str(number), names))
    if len(set(request.claims)) != len(request.claims) or not request.claims:
        raise BadInput("claims", "no such order", "name each waiting claim once, first dealt first")
    for number in request.claims:
        fix_claim(draft, request.link, waiting[number], why="determined by the House")
    fix_what_can_be(draft, request.link)
    return None


def fix_claims(draft: Draft, request: q.FixClaims) -> Refusal | None:
    """Fix what no round still in play can come before any more."""
    draft.link(request.link)
    draft.answer["fixed"] = fix_what_can_be(draft, request.link)
    return None


def fail_link(draft: Draft, request: q.FailLink) -> Refusal | None:
    """The jackpot is out of order. Member tables are told by the floor, each by its own book."""
    link = draft.link(request.link)
    _has_reason(request.reason)
    outcome = jackpot.fail(link, request.reason, approved_by=request.approved_by)
    alone = draft.asker == SYSTEM or isinstance(outcome, Refusal)
    if not alone and (request.approved_by or ends_a_sealed_round(draft, request.link, request.reason)):
        least = SECOND_PERSON[q.FailLink]
        refusal = second_person(draft.registry, draft.asker, request.approved_by, least)
        if refusal is not None:
            return refusal
    return _record(draft, request.link, outcome)


def ledger_differs(store: Reader, link: Link) -> str:
    """Whether a link's figures are not those of its ledger accounts; in words, or empty."""
    accounts = LinkAccounts(link.currency, link.link)
    held = store.balances([accounts.meter, accounts.reserve, accounts.overflow, accounts.claims])
    pairs = {
        "meter": (link.meter, held[accounts.meter]),
        "reserve": (link.reserve, held[accounts.reserve]),
        "overflow": (link.overflow, held[accounts.overflow]),
        "claims": (link.held, held[accounts.claims]),
    }
    wrong = [name for name, (folded, posted) in pairs.items() if folded != posted]
    return f"self-check failed: {', '.join(wrong)} and ledger differ" if wrong else ""


def restore_link(draft: Draft, request: q.RestoreLink) -> Refusal | None:
    """Back in order, with the parameters and the meter it had, if they are what the ledger holds."""
    link = draft.link(request.link)
    problem = ledger_differs(draft.reader, link)
    if problem:
        return Refusal("self-check-failed", f"It stays out of order: {problem}.")
    outcome = jackpot.restore(link, str(draft.asker))
    return _record(draft, request.link, outcome)


def plan_parameters(draft: Draft, request: q.PlanParameters) -> Refusal | None:
    """Parameters for the next jackpot, by two persons."""
    link = draft.link(request.link)
    _has_reason(request.reason)
    refusal = second_person(draft.registry, draft.asker, request.approved_by, SECOND_PERSON[q.PlanParameters])
    if refusal is not None:
        return refusal
    now = link.planned or link.terms
    new = _checked(
        Parameters(
            unit=now.unit if request.unit is None else request.unit,
            reset=now.reset if request.reset is None else request.reset,
            increment_bp=now.increment_bp if request.increment_bp is None else request.increment_bp,
            reserve_bp=now.reserve_bp if request.reserve_bp is None else request.reserve_bp,
            ceiling=now.ceiling if request.ceiling is None else request.ceiling,
            most_stake=Cents(now.most_stake * (request.unit or now.unit) // now.unit),
        )
    )
    outcome = jackpot.plan_parameters(link, new, reason=request.reason, approved_by=request.approved_by)
    return _record(draft, request.link, outcome)


def transfer(draft: Draft, request: q.Transfer) -> Refusal | None:
    """An approved transfer between the link's own accounts, by two persons."""
    link = draft.link(request.link)
    for name in (request.source, request.target):
        if name not in jackpot.ACCOUNTS:
            raise BadInput("account", f"no account '{name}'", near_miss(name, jackpot.ACCOUNTS))
    _has_reason(request.reason)
    refusal = second_person(draft.registry, draft.asker, request.approved_by, SECOND_PERSON[q.Transfer])
    if refusal is not None:
        return refusal
    outcome = jackpot.transfer(
        link,
        source=request.source,
        target=request.target,
        amount=request.amount,
        reason=request.reason,
        approved_by=request.approved_by,
    )
    return _record(draft, request.link, outcome)


def _has_reason(reason: str) -> None:
    if not reason.strip():
        raise BadInput("reason", "there is none", "write why")


def _record(draft: Draft, name: str, outcome: jackpot.LinkOutcome) -> Refusal | None:
    """What happened at a link is drafted; a refusal is passed on."""
    if isinstance(outcome, Refusal):
        return outcome
    draft.record(link_stream(name), outcome)
    return None
