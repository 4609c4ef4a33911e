"""What the events of a link say besides money: persons, members, claims, parameters and their order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pitboss.floor import jackpot
from pitboss.floor import link_events as ke
from pitboss.floor.link import Link
from pitboss.floor.ports import Recorded
from pitboss.floor.said import Said, name_of
from pitboss.money import NO_UNITS, LedgerUnits, to_units

_OUT_OF_THE_ROUND = "the hand is out of the round"
_WHY_FIXED = ("entered first", "dealt first", "determined by the House")
_UPHELD = " was not upheld"


@dataclass(slots=True)
class LinkSaid(Said):
    """The events of one link.

    `_registered_then` is the value registered before an outage as earlier versions had it: they kept what a
    claim had left of it, also when the claim was rejected.
    """

    _registered_then: LedgerUnits = NO_UNITS

    def check(self, before: Link, event: Any, after: Link, recorded: Recorded) -> str:
        """What the events of a link are held against."""
        actor, at = recorded.actor, recorded.at
        match event:
            case ke.LinkOpened() | ke.ParametersTaken():
                if isinstance(event, ke.ParametersTaken) and event.parameters != before.planned:
                    return "these parameters were not planned"
                self.has_terms(recorded, "", event.parameters)
            case ke.OpeningApproved() | ke.Transferred():
                request = "transfer" if isinstance(event, ke.Transferred) else "open-link"
                return self.known.no_second(event.approved_by, recorded, request)
            case ke.ParametersPlanned():
                if event.before != before.terms:
                    return f"the parameters before were {before.terms}"
                return self.known.no_second(event.approved_by, recorded, "plan-parameters")
            case ke.ParametersRestored():
                back = jackpot.restored_after(before, self.desk.plan_of)
                made = tuple(replace(old, reason=event.reason) for old in back)
                return "" if made == (event,) else f"what is put back is {back[0] if back else 'nothing'}"
            case ke.MemberJoined() | ke.MemberLeft():
                what = "joined" if isinstance(event, ke.MemberJoined) else "left"
                self.tell(recorded, 1, ("membership", self.name, event.table, at), what)
            case ke.Contributed():
                return self._contributed(before, event, after, recorded)
            case ke.ContributionReturned():
                rules = (jackpot.give_back, jackpot.given_back_cut, jackpot.given_back_before)
                due, *then = (
                    rule(before, table=event.table, round_number=event.round_number, total=event.total)
                    for rule in rules
                )
                right = (event,) in (due, *then)
                return "" if right else f"what comes back is {due[0] if due else 'nothing'}"
            case ke.ClaimEntered() | ke.ClaimFixed() | ke.ClaimPaid() | ke.ClaimEnded():
                return self._claimed(before, event, recorded)
            case ke.AwardCorrected():
                place = (recorded.stream, recorded.version, event.table, at, event.hits)
                self.corrections.append(place)
                hits = {(hit.table, hit.round_number) for hit in before.history}
                known = (event.table, event.round_number) in hits
                return "" if known else f"{event.table} has won nothing in round {event.round_number}"
            case ke.FixedAwardsPaid():
                return self._fixed_awards(before, event, recorded)
            case ke.LinkFailed():
                self._registered_then = event.registered
                if event.registered != before.meter:
                    return f"{event.registered} registered, the meter stands at {before.meter}"
                signed = event.approved_by
                return self.known.no_second(signed, recorded, "fail-link") if signed else ""
            case ke.LinkRestored():
                return "" if event.by == actor else f"restored by {event.by}, written by {actor}"
            case _:
                pass
        return ""

    def _fixed_awards(self, before: Link, event: ke.FixedAwardsPaid, recorded: Recorded) -> str:
        if event.paid >= 0 and event.funded >= 0:  # settled, not undone: the table has read the meter for it
            shown = (before.meter, before.terms.reset, 0)
            self.tell(recorded, 1, ("meter", self.name, event.table, event.round_number, recorded.at), shown)
        most = max(0, before.meter) + max(0, event.funded)
        return f"{event.paid} paid of a meter of {before.meter}" if event.paid > most else ""

    def _contributed(self, before: Link, event: ke.Contributed, after: Link, recorded: Recorded) -> str:
        here = (self.name, event.table)
        key = ("contribution", *here, event.round_number, recorded.at)
        self.tell(recorded, 1, key, (event.stake, event.meter + event.overflow))
        self.tell(
            recorded,
            1,
            ("meter", *here, event.round_number, recorded.at),
            (after.meter, after.terms.reset, 0),
        )
        terms = before.terms
        if event.table not in before.members:
            return f"{event.table} is not a member"
        if event.stake > terms.most_stake:
            return f"a stake of {event.stake} is over {terms.most_stake}"
        ceiling = None if terms.ceiling is None else to_units(terms.ceiling)
        if ceiling is not None and event.meter and after.meter > ceiling:
            return f"the meter goes to {after.meter}, over {ceiling}"
        if event.overflow and (ceiling is None or after.meter < ceiling):
            return f"{event.overflow} overflows with the meter at {after.meter}"
        due = event.stake * terms.reserve_bp
        return "" if event.reserve == due else f"reserve {event.reserve} instead of {due}"

    def _claimed(self, before: Link, event: Any, recorded: Recorded) -> str:
        actor, at = recorded.actor, recorded.at
        if isinstance(event, ke.ClaimEntered):
            key = ("claim", self.name, event.table, event.round_number, at)
            self.tell(
                recorded, 1, key, (event.hands, event.dealt_at, event.rulebook, event.returned, event.others)
            )
            due = before.claims_entered + 1
            return "" if event.claim == due else f"claim {event.claim} follows claim {due - 1}"
        claim = before.claims[event.claim]
        if isinstance(event, ke.ClaimFixed):
            if event.why not in _WHY_FIXED and not event.why.endswith(_UPHELD):
                return f"nothing is fixed for being {event.why!r}"
            if before.out_of_order and event.displayed == self._registered_then:
                before = replace(before, registered=self._registered_then)
            self._registered_then = event.after
            made = jackpot.fix(before, claim, self.desk.plan_of(claim.rulebook), why=event.why)
            for name in (
                "displayed",
                "reset",
                "shares",
                "after",
                "from_reserve",
                "from_house",
                "resets",
                "unmeasured",
            ):
                if getattr(event, name) != getattr(made, name):
                    return f"{name} is {getattr(event, name)}, due is {getattr(made, name)}"
            return ""
        if isinstance(event, ke.ClaimPaid):
            assert claim.fixed is not None
            fixed = (claim.fixed.displayed, claim.fixed.reset, claim.fixed.unmeasured)
            self.tell(recorded, 1, ("meter", self.name, claim.table, claim.round_number, at), fixed)
            due = before.slips + 1
            return "" if event.slip == due else f"slip {event.slip} follows slip {before.slips}"
        if event.by not in (name_of(actor), actor):
            return f"ended by {event.by}, written by {actor}"
        if event.reason != _OUT_OF_THE_ROUND:
            key = ("rejection", self.name, claim.table, claim.round_number, at)
            self.tell(recorded, 1, key, event.reason)
        return ""
