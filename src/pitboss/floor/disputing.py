"""Disputes on the floor: opened by anybody, with the record as evidence, decided by authority."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pitboss.errors import BadInput, near_miss
from pitboss.floor import disputes as d
from pitboss.floor import requests as q
from pitboss.floor.authority import LEAST_POSITION
from pitboss.floor.desk import Draft, table_stream
from pitboss.floor.folding import folded
from pitboss.floor.gaming_table import ever_open
from pitboss.floor.people import at_least, outranked, position_of
from pitboss.floor.ports import Micros, Recorded
from pitboss.floor.registry import POSITIONS, SURVEILLANCE
from pitboss.floor.voids import open_kept
from pitboss.play.codec import is_of_play
from pitboss.play.narrate import narrate_citing
from pitboss.play.refusal import Refusal, refuse
from pitboss.rulebooks.book import DisputeRules
from pitboss.rulebooks.plan import ClauseRef, Plan
from pitboss.rulebooks.vocabulary import Position, Power

MINUTE = 60_000_000
REFERRAL = "referred"
"""The basis of a decision where the book lays down none: the named manager's own judgement."""


def _plan(draft: Draft, dispute: d.Dispute) -> Plan:
    return draft.desk.plan_of(dispute.opened.rulebook)


def _rules(draft: Draft, dispute: d.Dispute) -> DisputeRules | None:
    return _plan(draft, dispute).book.disputes


def bases_of(plan: Plan) -> Mapping[str, Sequence[str]]:
    """What a decision may rest on in a book, with the clauses that say so."""
    return {REFERRAL: ()} if plan.book.disputes is None else plan.book.disputes.bases


def not_on_file(plan: Plan, dispute: d.Dispute) -> dict[str, tuple[str, ...]]:
    """The bases that no decision may rest on yet, each with the parties whose notes are missing."""
    rules = plan.book.disputes
    found = {} if rules is None else {basis: d.missing(dispute, word) for basis, word in rules.needs.items()}
    return {basis: parties for basis, parties in found.items() if parties}


def open_dispute(draft: Draft, request: q.OpenDispute) -> Refusal | None:
    """Anybody disputes a round; what the record says about it is gathered at once."""
    draft.table(request.table)
    row = draft.reader.round_at(request.table, request.round_number)
    if row is None:
        raise BadInput(
            "round", f"table {request.table} has no round {request.round_number}", "see 'pitboss replay'"
        )
    if not request.about.strip():
        raise BadInput("about", "the dispute is about nothing", "write what is disputed")
    last = _last_number(draft)
    refusal = _too_many(draft, last)
    if refusal is not None:
        return refusal
    plan = draft.desk.plan_of(row.rulebook)
    rules = plan.book.disputes
    if rules is not None:
        first, clauses = rules.first, rules.escalation_clauses
    else:
        power = plan.power(Power.DECIDE_UNCOVERED)
        assert power is not None  # the validator asks for the catch-all
        first, clauses = power.position, power.clauses
    following = draft.reader.round_at(request.table, request.round_number + 1)
    until = None if following is None else following.first_version - 1
    events = draft.reader.read(table_stream(request.table), after=row.first_version - 1, until=until)
    number = last + 1
    draft.record(
        d.stream_of(number),
        [
            d.DisputeOpened(
                table=request.table,
                round_number=request.round_number,
                rulebook=row.rulebook,
                about=request.about,
                evidence=_evidence(draft, request, row.first_version, events),
                referred_to=first.value,
                clauses=tuple(ClauseRef(clause) for clause in clauses),
            )
        ],
    )
    draft.answer |= {"dispute": number, "with": first.value}
    return None


def _evidence(
    draft: Draft, request: q.OpenDispute, first: int, events: Sequence[Recorded]
) -> tuple[str, ...]:
    """What the record says of a round, step by step, as everybody at the table could hear it."""
    table = ever_open(draft.table(request.table))
    staff = ", ".join(f"{person} ({position})" for person, position in sorted(table.staff.items()))
    lines = [
        f"events {first} to {events[-1].version}, hash {events[-1].hash}",
        f"on shift: {staff or 'none'}",
    ]
    for recorded, (_, event, then) in folded(draft.desk, draft.reader, request.table, first=first):
        if recorded.version > events[-1].version:
            break
        if is_of_play(event):  # told with the table as it was then, never as it is now
            sentence = narrate_citing(ever_open(then).state, event)
            if sentence:
                lines.append(f"{recorded.version} {recorded.actor}: {sentence}")
    return tuple(lines)


def _last_number(draft: Draft) -> int:
    """Disputes are numbered without a gap: the last one is found by halving."""

    def there(number: int) -> bool:
        return bool(draft.reader.head(d.stream_of(number)).version)

    high = 1
    while there(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if there(middle) else (low, middle)
    return low


MOST_OPEN = 10
"""So many disputes a player may have open; the next one waits until one is decided."""


def _too_many(draft: Draft, last: int) -> Refusal | None:
    if draft.asker.kind != "player":
        return None
    latest = (draft.dispute(number) for number in range(last, max(0, last - 10 * MOST_OPEN), -1))
    own = sum(dispute.opened_by == str(draft.asker) and d.is_over(dispute) is None for dispute in latest)
    if own < MOST_OPEN:
        return None
    return refuse(
        "too-many-disputes", "{count} disputes of yours are open; they are decided first.", count=own
    )


def note_dispute(draft: Draft, request: q.NoteDispute) -> Refusal | None:
    """Anybody adds a note: an account of the incident, or other evidence."""
    dispute = draft.dispute(request.dispute)
    refusal = _no_note(draft, dispute)
    if refusal is not None:
        return refusal
    if not request.text.strip():
        raise BadInput("text", "an empty note", "write it")
    party = _party(draft, dispute, request.account_of)
    noted = d.DisputeNoted(account_of=request.account_of, text=request.text, party=party)
    draft.record(d.stream_of(dispute.number), [noted])
    return None


def _party(draft: Draft, dispute: d.Dispute, account_of: str) -> str:
    """The side that a note speaks for. Raises `BadInput` for an account that it cannot be."""
    asker, people = draft.asker, draft.registry.people
    disputing = dispute.opened_by.partition("/")[2] if dispute.opened_by.startswith("player/") else ""
    if asker.kind == "player":
        if account_of not in ("", d.Party.PLAYER, asker.name):
            problem = f"a player gives their own account, not that of '{account_of}'"
            raise BadInput("account_of", problem, f"write '{asker.name}', or leave it out")
        return d.Party.PLAYER if account_of else ""
    watches = position_of(draft.registry, asker) == SURVEILLANCE
    if account_of == SURVEILLANCE or people.get(account_of) == SURVEILLANCE or (watches and not account_of):
        if watches:
            return d.Party.SURVEILLANCE
        raise BadInput("account_of", f"'{account_of}' is Surveillance", "Surveillance adds a note of its own")
    if account_of in ("", d.Party.PLAYER, disputing):
        return d.Party.PLAYER if account_of else ""
    if account_of == d.Party.HOUSE or account_of in people or account_of in POSITIONS:
        return d.Party.HOUSE
    if account_of in draft.registry.players:  # another player at the table saw it; no side of the dispute
        return "" if disputing else d.Party.PLAYER
    known = ("player", "house", *draft.registry.players, *people)
    raise BadInput("account_of", f"unknown person '{account_of}'", near_miss(account_of, known))


def escalate_dispute(draft: Draft, request: q.EscalateDispute) -> Refusal | None:
    """Whoever could not resolve it passes it up; Surveillance is informed with it."""
    dispute = draft.dispute(request.dispute)
    rules, refusal = _rules(draft, dispute), _no_escalation(draft, dispute)
    if refusal is not None or rules is None:
        return refusal
    clauses = (*rules.escalation_clauses, *rules.surveillance_clauses)
    draft.record(
        d.stream_of(dispute.number),
        [
            d.DisputeEscalated(
                to=rules.escalates_to.value,
                surveillance_informed=True,
                clauses=tuple(ClauseRef(clause) for clause in clauses),
            )
        ],
    )
    return None


def give_time_frame(draft: Draft, request: q.GiveTimeFrame) -> Refusal | None:
    """The player is told by when."""
    dispute = draft.dispute(request.dispute)
    refusal = _not_with_him(draft, dispute)
    if refusal is not None:
        return refusal
    if not 1 <= request.minutes <= 60 * 24 * 30:
        raise BadInput("minutes", f"{request.minutes} minutes", "write at least one minute")
    rules = _rules(draft, dispute)
    clauses = () if rules is None else rules.time_frame_clauses
    draft.record(
        d.stream_of(dispute.number),
        [
            d.TimeFrameGiven(
                minutes=request.minutes,
                until=Micros(draft.at + request.minutes * MINUTE),
                clauses=tuple(ClauseRef(clause) for clause in clauses),
            )
        ],
    )
    return None


def decide_dispute(draft: Draft, request: q.DecideDispute) -> Refusal | None:
    """A decision by the position that has the dispute, on a basis that the book names."""
    dispute = draft.dispute(request.dispute)
    refusal = _not_with_him(draft, dispute)
    if refusal is not None:
        return refusal
    if not request.decision.strip():
        raise BadInput("decision", "there is none", "write what was decided")
    rules = _rules(draft, dispute)
    bases = bases_of(_plan(draft, dispute))
    if request.basis not in bases:
        raise BadInput("basis", f"no basis '{request.basis}'", near_miss(request.basis, bases))
    if request.in_favour_of not in ("player", "house"):
        raise BadInput("in_favour_of", f"'{request.in_favour_of}'", "write player or house")
    lacking = not_on_file(_plan(draft, dispute), dispute).get(request.basis)
    if lacking:
        return refuse(
            "basis-not-on-file",
            "The basis {basis} is not on file. Missing: {names}.",
            bases[request.basis],
            basis=request.basis,
            names=d.in_words(lacking),
        )
    if rules is not None and request.in_favour_of == "house" and not request.complaint_explained:
        text = "Explain to the player how to complain if they do not agree, and enter that you did."
        return refuse("complaint-not-explained", text, rules.complaint_clauses)
    clauses = dispute.opened.clauses if rules is None else bases[request.basis]
    draft.record(
        d.stream_of(dispute.number),
        [
            d.DisputeDecided(
                decision=request.decision,
                basis=request.basis,
                in_favour_of=request.in_favour_of,
                complaint_explained=request.complaint_explained,
                clauses=tuple(ClauseRef(clause) for clause in clauses),
            )
        ],
    )
    _open_deck(draft, dispute.opened.table)
    return None


def _open_deck(draft: Draft, table: str) -> None:
    """The deck of a void round that nothing is pending about any more is opened, if later bets are open."""
    opened = open_kept(draft, table, current=ever_open(draft.table(table)).state.round_number)
    if opened:
        draft.record_at(table, opened)


def file_complaint(draft: Draft, request: q.FileComplaint) -> Refusal | None:
    """The player complains formally, and is helped to file it."""
    dispute = draft.dispute(request.dispute)
    refusal = _no_complaint(draft, dispute)
    if refusal is not None:
        return refusal
    rules = _rules(draft, dispute)
    if rules is not None and request.assisted_by not in draft.registry.people:
        text = "A player is helped to file a complaint: name the person who helped."
        return refuse("not-assisted", text, rules.assistance_clauses)
    clauses = () if rules is None else (*rules.complaint_clauses, *rules.assistance_clauses)
    draft.record(
        d.stream_of(dispute.number),
        [
            d.ComplaintFiled(
                text=request.text,
                assisted_by=request.assisted_by,
                clauses=tuple(ClauseRef(clause) for clause in clauses),
            )
        ],
    )
    return None


def answer_complaint(draft: Draft, request: q.AnswerComplaint) -> Refusal | None:
    """Senior management answers."""
    dispute = draft.dispute(request.dispute)
    refusal = _no_answer(draft, dispute)
    if refusal is not None:
        return refusal
    draft.record(d.stream_of(dispute.number), [d.ComplaintAnswered(answer=request.answer)])
    _open_deck(draft, dispute.opened.table)
    return None


# --- what may be done now -----------------------------------------------------------------------------


def _no_note(draft: Draft, dispute: d.Dispute) -> Refusal | None:
    if draft.asker.kind == "player" and dispute.opened_by != str(draft.asker):
        return Refusal("not-yours", "That dispute belongs to another player.")
    return None


def _no_escalation(draft: Draft, dispute: d.Dispute) -> Refusal | None:
    refusal = d.is_over(dispute)
    if refusal is not None:
        return refusal
    rules = _rules(draft, dispute)
    if rules is None:
        return refuse(
            "no-escalation",
            "This book refers disputes to the {rank}; no position above decides.",
            dispute.opened.clauses,
            rank=dispute.with_position,
        )
    refusal = outranked(draft.registry, draft.asker, rules.first)
    if refusal is not None:
        return refusal
    if at_least(dispute.with_position, rules.escalates_to.value):
        return refuse(
            "escalated-already",
            "It is with the {rank} already.",
            rank=dispute.with_position,
        )
    return None


def _not_with_him(draft: Draft, dispute: d.Dispute) -> Refusal | None:
    return d.is_over(dispute) or outranked(draft.registry, draft.asker, Position(dispute.with_position))


def _no_complaint(draft: Draft, dispute: d.Dispute) -> Refusal | None:
    if dispute.complaint is not None:
        return Refusal("complained-already", "A complaint about it is filed.")
    if dispute.status is not d.DisputeStatus.DECIDED:
        return Refusal("not-decided", "A complaint is about a decision; there is none yet.")
    if draft.asker.kind == "player" and str(draft.asker) != dispute.opened_by:
        return Refusal("not-yours", "The complaint is for the player who disputes.")
    return None


def _no_answer(draft: Draft, dispute: d.Dispute) -> Refusal | None:
    if dispute.status is not d.DisputeStatus.COMPLAINT or dispute.answered:
        return Refusal("no-complaint", "No complaint waits for an answer.")
    return None


STEPS: dict[type[q.Request], tuple[str, Callable[[Draft, d.Dispute], Refusal | None]]] = {
    q.NoteDispute: ("note-dispute", _no_note),
    q.EscalateDispute: ("escalate-dispute", _no_escalation),
    q.GiveTimeFrame: ("give-time-frame", _not_with_him),
    q.DecideDispute: ("decide-dispute", _not_with_him),
    q.FileComplaint: ("file-complaint", _no_complaint),
    q.AnswerComplaint: ("answer-complaint", _no_answer),
}


def steps_now(draft: Draft, dispute: d.Dispute) -> list[str]:
    """The requests about a dispute that would be taken from this asker now, whatever their text."""
    found = []
    for request, (name, refuses) in STEPS.items():
        least = LEAST_POSITION[request]
        refusal = None if least is None else outranked(draft.registry, draft.asker, least)
        if refusal is None and refuses(draft, dispute) is None:
            found.append(name)
    return found
