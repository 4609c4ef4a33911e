"""The floor as its users meet it: requests in, answers out, each done once however often it is asked.

The floor also asks itself: to fix claims that waited, to tell tables that their jackpot is out of order, to
answer for players whose time has run out, and to take up every round that a crash interrupted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pitboss.errors import BadInput, StoreBusy, StoreError
from pitboss.floor import acts, chips, disputing, entropy, house, links, patrons, reconciliation, tables
from pitboss.floor import requests as q
from pitboss.floor.authority import (
    EDITION,
    FIRST_EDITION,
    LEAST_POSITION,
    name_of_request,
    permissions,
    ranks_of,
)
from pitboss.floor.desk import (
    Desk,
    Draft,
    Loaded,
    digest_of,
    fingerprint_of,
    gaming_day,
    link_stream,
    table_stream,
)
from pitboss.floor.disputes import Dispute
from pitboss.floor.gaming_table import ClosedTable, GamingTable, OpenTable, ever_open
from pitboss.floor.house_clock import silence_ends, silent
from pitboss.floor.link import Link
from pitboss.floor.links import ledger_differs
from pitboss.floor.people import SYSTEM, Asker, outranked
from pitboss.floor.ports import (
    BEGINNING,
    Batch,
    Beacon,
    CardSource,
    Clock,
    Head,
    Micros,
    Repeated,
    Stale,
    Store,
)
from pitboss.floor.registry import STREAM, Registry
from pitboss.floor.sealing import DeckBox
from pitboss.floor.streams import AnyStream
from pitboss.play import commands as c
from pitboss.play.refusal import Refusal, refusal_json
from pitboss.rulebooks.trouble import Irregularity
from pitboss.rulebooks.vocabulary import Position

MOST_TRIES = 50
LONGEST_KEY = 200
DEALER = c.Staff(Position.DEALER)

HANDLERS: dict[type[q.Request], Callable[[Draft, Any], Refusal | None]] = {
    q.CreateFloor: house.create_floor,
    q.SetPermissions: house.set_permissions,
    q.AddPerson: house.add_person,
    q.MovePerson: house.move_person,
    q.RemovePerson: house.remove_person,
    q.NoteAccount: house.note_account,
    q.ReconcileRecord: reconciliation.reconcile_record,
    q.ForgetAnswers: house.forget_answers,
    q.AddPlayer: house.add_player,
    q.LimitPlayer: house.limit_player,
    q.ExcludePlayer: house.exclude_player,
    q.ProposeRulebook: house.propose_rulebook,
    q.ApproveRulebook: house.approve_rulebook,
    q.WithdrawRulebook: house.withdraw_rulebook,
    q.AddTable: tables.add_table,
    q.OpenTable: tables.open_table,
    q.CloseTable: tables.close_table,
    q.AssignStaff: tables.assign_staff,
    q.RelieveStaff: tables.relieve_staff,
    q.TakeSeat: tables.take_seat,
    q.LeaveSeat: tables.leave_seat,
    q.BuyIn: chips.buy_in,
    q.CashOut: chips.cash_out,
    q.Fill: chips.fill,
    q.Credit: chips.credit,
    q.SetLimits: tables.set_limits,
    q.SetDealing: tables.set_dealing,
    q.CallSupervisor: tables.call_supervisor,
    q.AnswerCall: tables.answer_call,
    q.Act: acts.act,
    q.Acts: acts.acts,
    q.EnterUnnoticed: acts.enter_unnoticed,
    q.CommitEntropy: entropy.commit_entropy,
    q.RevealEntropy: entropy.reveal_entropy,
    q.Interrupt: acts.interrupt,
    q.OpenLink: links.open_link,
    q.VerifyClaim: links.verify_claim,
    q.RejectClaim: links.reject_claim,
    q.DetermineOrder: links.determine_order,
    q.FixClaims: links.fix_claims,
    q.FailLink: links.fail_link,
    q.RestoreLink: links.restore_link,
    q.PlanParameters: links.plan_parameters,
    q.Transfer: links.transfer,
    q.OpenDispute: disputing.open_dispute,
    q.NoteDispute: disputing.note_dispute,
    q.EscalateDispute: disputing.escalate_dispute,
    q.GiveTimeFrame: disputing.give_time_frame,
    q.DecideDispute: disputing.decide_dispute,
    q.FileComplaint: disputing.file_complaint,
    q.AnswerComplaint: disputing.answer_complaint,
}
"""One handler a request. A test holds the table against the union of requests."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request: done, or refused with code, sentence and clauses. `repeated` tells a retry."""

    body: Mapping[str, Any]
    repeated: bool = False

    @property
    def ok(self) -> bool:
        """Whether it was done."""
        return bool(self.body["ok"])

    @property
    def code(self) -> str:
        """The code of the refusal; empty if it was done."""
        return "" if self.ok else str(self.body["refusal"]["code"])

    @property
    def message(self) -> str:
        """The sentence of the refusal; empty if it was done."""
        return "" if self.ok else str(self.body["refusal"]["message"])


class Floor:
    """A casino floor on a store. It holds no state of its own that the store does not have."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        cards: CardSource,
        deck_key: bytes,
        beacon: Beacon | None = None,
    ) -> None:
        self.store = store
        self.desk = Desk(store=store, clock=clock, cards=cards, decks=DeckBox(deck_key), beacon=beacon)
        self.desk.registry(store, fresh=True)
        self.listener: Callable[[str, int, Loaded[Any]], None] | None = None
        """Hears of every stream that this process has moved on: from which version, and its state."""
        self.guard: Callable[[], None] = lambda: None
        """Asked before anything is done. Raises `RecordBroken` while the record lacks what is known here."""
        self.acknowledge: Callable[[str, Micros, Mapping[str, Head]], None] | None = None
        """Told of everything that is committed, before it is answered: key, time, and the heads it made."""

    # --- what there is ----------------------------------------------------------------------------------

    @property
    def registry(self) -> Registry:
        """People, players, books and names, read up to now."""
        return self.desk.registry(self.store, fresh=True)

    def table(self, name: str) -> OpenTable:
        """A table as it is open, or as it closed. Raises `BadInput` for one that was never opened."""
        return ever_open(self.gaming_table(name))

    def gaming_table(self, name: str) -> GamingTable:
        """A table as it stands. Raises `BadInput` for one that does not exist."""
        self._draft(SYSTEM).table(name)
        return self.desk.read_up(self.store, table_stream(name)).state

    def known(self, name: str) -> GamingTable:
        """A table as this process has it: up to date as long as nobody else acts at it."""
        found = self.desk.loaded.get(table_stream(name))
        if found is None:
            return self.gaming_table(name)
        known: GamingTable = found.state
        return known

    def version(self, name: str) -> int:
        """The version of a table that is loaded, to ask with."""
        return self.desk.read_up(self.store, table_stream(name)).head.version

    def link(self, name: str) -> Link:
        """A link as it stands. Raises `BadInput` for one that does not exist."""
        return self._draft(SYSTEM).link(name)

    def dispute(self, number: int) -> Dispute:
        """A dispute as it stands. Raises `BadInput` for one that does not exist."""
        return self._draft(SYSTEM).dispute(number)

    def dispute_steps(self, asker: Asker, number: int) -> list[str]:
        """What an asker may do about a dispute now, by the names of the requests."""
        draft = self._draft(asker)
        return disputing.steps_now(draft, draft.dispute(number))

    def now(self) -> Micros:
        """The time by the floor's clock, in microseconds."""
        return self.desk.clock.now()

    def today(self) -> str:
        """The gaming day it is."""
        return gaming_day(self.registry, self.now())

    def _draft(self, asker: Asker) -> Draft:
        return Draft(self.desk, self.store, asker, self.now())

    # --- what is asked ----------------------------------------------------------------------------------

    def do(self, asker: Asker, request: q.Request, *, key: str = "") -> Answer:
        """Do what is asked, once. The same key again gets the first answer and does nothing.

        Raises `BadInput` for what cannot be understood, and `StoreError` where the store does not work; in
        both cases nothing was changed.
        """
        self.guard()
        key = key or self.desk.cards.key()
        if len(key) > LONGEST_KEY or not key.isprintable():
            raise BadInput("key", "no such key", f"use up to {LONGEST_KEY} printable characters")
        self._known(asker)
        if not isinstance(request, q.SetPermissions):
            self._say_permissions()
        fingerprint = fingerprint_of(asker, request)
        for _ in range(MOST_TRIES):
            try:
                answer, draft = self._try(asker, request, key, fingerprint)
            except Stale:
                continue
            except Repeated as repeated:
                answer = _first_answer(repeated, fingerprint)
                self._acknowledge_again(key, answer)
                self._follow_again(request, answer)
                return answer
            except BadInput:
                kept = self.store.kept(key)
                if kept is None:
                    raise
                answer = _first_answer(Repeated(kept), fingerprint)
                self._acknowledge_again(key, answer)
                return answer
            with suppress(StoreError):  # it is done; what follows elsewhere is seen to again (`see_to_links`)
                self._follow(request, draft)
            return answer
        raise StoreError("the table is too busy", "ask again with the same key; nothing was done")

    def _acknowledge_again(self, key: str, answer: Answer) -> None:
        """A retry is answered here, whichever process did what was asked: it may be gone without a trace."""
        if self.acknowledge is None:
            return
        heads: dict[str, Head] = {}
        at = BEGINNING
        for stream, version in answer.body.get("versions", {}).items():
            for recorded in self.store.read(stream, after=version - 1, until=version):
                heads[stream], at = Head(version, recorded.hash), recorded.at
        self.acknowledge(key, at or self.now(), heads)

    def _say_permissions(self) -> None:
        """A floor that was run by another version holds the permissions of this one before anything is done.

        Where a newer version runs it too, its permissions stay in force.
        """
        house, here = self.desk.registry(self.store), permissions()
        if not house.name or house.permissions == here:
            return
        house = self.desk.registry(self.store, fresh=True)
        if house.permissions != here and _edition(house.permissions) <= EDITION:
            self.do(SYSTEM, q.SetPermissions(permissions=here))

    def _least(self, request: q.Request) -> Position | None:
        """The least rank for a request: by this version, or a newer one that runs the floor too."""
        said = self.desk.registry(self.store).permissions
        if _edition(said) > EDITION:
            rank = ranks_of(said).get(name_of_request(type(request)))
            return None if rank is None else Position(rank)
        return LEAST_POSITION[type(request)]

    def _known(self, asker: Asker) -> None:
        """Raises `BadInput` for somebody the house does not know."""
        house = self.desk.registry(self.store)
        known = {"staff": house.people, "player": house.players}.get(asker.kind)
        if known is not None and asker.name not in known:
            house = self.desk.registry(self.store, fresh=True)
            known = house.people if asker.kind == "staff" else house.players
            if asker.name not in known:
                raise BadInput("asker", f"nobody here is called '{asker.name}'", "add him first")

    def _try(self, asker: Asker, request: q.Request, key: str, fingerprint: str) -> tuple[Answer, Draft]:
        streams = self._held(asker, request)
        draft = self._draft(asker)
        try:
            own: list[AnyStream] = [
                STREAM,
                *([table_stream(request.table)] if hasattr(request, "table") else []),
            ]
            if not streams:
                draft.not_before(own)
                body = self._decide(draft, request)
                self.store.write(_batch(draft, key, fingerprint, body))
            else:
                with self.store.unit(streams) as unit:
                    draft.reader = unit
                    for stream in streams:
                        self.desk.read_up(unit, stream)
                    draft.at = self.now()
                    draft.not_before([*streams, *own])
                    body = self._decide(draft, request)
                    unit.write(_batch(draft, key, fingerprint, body))
        except Stale:
            for moved in {*draft.expected, STREAM}:
                self.desk.forget(moved)
            raise
        if self.acknowledge is not None:
            self.acknowledge(key, draft.at, {stream: found.head for stream, found in draft.after.items()})
        self.desk.loaded |= draft.after
        self.desk.let_go()
        if self.listener is not None:
            for name, loaded in draft.after.items():
                self.listener(name, draft.expected[name].version, loaded)
        return Answer(body), draft

    def _held(self, asker: Asker, request: q.Request) -> list[AnyStream]:
        """The streams that must not move while the request is decided: the link it is about."""
        link = getattr(request, "link", "")
        if isinstance(request, q.OpenLink):
            return []
        streams: list[AnyStream] = []
        if isinstance(request, q.CommitEntropy) and asker.kind == "player":
            return [patrons.stream_of(asker.name)]
        if isinstance(request, q.CloseTable | q.Act | q.Acts | q.EnterUnnoticed | q.Interrupt):
            draft = self._draft(asker)
            table = draft.table(request.table)
            steps = acts.commands_of(request)
            concerned = not steps or acts.needs_link(draft, request.table, steps)
            link = table.opened.link if isinstance(table, OpenTable) and concerned else ""
            players = acts.limited_players(draft, steps) + acts.withholding_players(
                draft, request.table, steps
            )
            streams = [patrons.stream_of(player) for player in players]
        return [*streams, link_stream(link)] if link else streams

    def _decide(self, draft: Draft, request: q.Request) -> dict[str, Any]:
        least = self._least(request)
        refusal = None if least is None else outranked(draft.registry, draft.asker, least)
        if refusal is None:
            refusal = HANDLERS[type(request)](draft, request)
        if refusal is not None:
            for drafted in (
                draft.expected,
                draft.after,
                draft.events,
                draft.postings,
                draft.snapshots,
                draft.rounds,
                draft.decks,
                draft.said,
            ):
                drafted.clear()
            draft.forgotten_before = BEGINNING
            draft.expected |= self._refused_on(request)
            return {
                "ok": False,
                "refusal": refusal_json(refusal),
                **({"act": draft.answer["act"]} if "act" in draft.answer else {}),
            }
        versions = {stream: loaded.head.version for stream, loaded in draft.after.items()}
        return {"ok": True, "versions": versions, **draft.answer}

    def _refused_on(self, request: q.Request) -> dict[str, Head]:
        """The table a refusal was decided on: if it has moved on meanwhile, the no may be a yes."""
        found = self.desk.loaded.get(table_stream(getattr(request, "table", "")))
        if found is None or not found.head.version:
            return {}
        return {table_stream(found.state.table): found.head}

    # --- what the floor asks itself ---------------------------------------------------------------------

    def _follow(self, request: q.Request, draft: Draft) -> None:
        """What a request that was done brings about at other tables or on the link."""
        ended = [row.link for row in draft.rounds.values() if row.ended_at is not None and row.link]
        for name in ended:
            self._fix_waiting(name)
        if isinstance(request, q.FailLink) and draft.events:
            self._tell_members(request.link, request.reason)

    def _follow_again(self, request: q.Request, answer: Answer) -> None:
        """What a request brings about elsewhere, once more: the first time may have been cut short."""
        if isinstance(request, q.FailLink) and answer.ok:
            link = self.link(request.link)
            if link.out_of_order == request.reason:
                self._tell_members(request.link, request.reason)
        if isinstance(request, q.Act | q.Acts) and answer.ok:
            table = self.gaming_table(request.table).as_open
            if table is not None and table.opened.link:
                self._fix_waiting(table.opened.link)

    def _fix_waiting(self, name: str) -> None:
        if self.desk.read_up(self.store, link_stream(name)).state.waiting:
            self.do(SYSTEM, q.FixClaims(link=name))

    def _tell_members(self, name: str, reason: str) -> None:
        """Each member table that has a round in play hears of the outage, and its book says what follows."""
        outage = self.link(name).outages
        for row in self.store.open_rounds(name):
            command = c.Report(by=DEALER, kind=Irregularity.JACKPOT_FAILURE, what=reason, of_link=name)
            key = f"outage/{name}/{outage}/{row.table}/{row.number}"
            self.do(SYSTEM, q.Act(table=row.table, command=command), key=key)

    def see_to_links(self) -> None:
        """What a jackpot brings about at tables, where it was cut short: claims fixed, outages told."""
        for name in self.registry.links:
            self._fix_waiting(name)
            link = self.link(name)
            if link.out_of_order:  # whoever was not told yet is told now; nobody is told twice
                self._tell_members(name, link.out_of_order)

    def tick(self, name: str, *, fresh: bool = True) -> list[Answer]:
        """Answer for players at a virtual table whose decision time is over: silence is absence.

        Unless `fresh`, the table is taken as this process knows it.
        """
        table = self.gaming_table(name) if fresh else self.known(name)
        ends = silence_ends(table) if isinstance(table, OpenTable) else None
        if isinstance(table, ClosedTable) or ends is None or self.now() < ends:
            return []
        answers: list[Answer] = []
        version = self.desk.loaded[table_stream(name)].head.version  # of the table that was looked at
        for position in silent(table):
            command = c.MarkAbsent(by=DEALER, position=position)
            answer = self.do(SYSTEM, q.Act(table=name, command=command, expect=version))
            answers.append(answer)
            if not answer.ok:
                break
            version = answer.body["versions"][table_stream(name)]
        return answers

    def recover(self, reason: str = "the floor stopped", *, crash: str = "") -> list[tuple[str, int, Answer]]:
        """After a crash: record a technical interruption of every open round, and do what its book says.

        `crash` names the crash: recovering from the same one again does nothing twice.
        """
        found = []
        for name in self.registry.tables:
            table = self.gaming_table(name)
            if isinstance(table, ClosedTable) or not table.in_round:
                continue
            number = table.state.round_number
            key = f"crash/{crash}/{name}/{number}" if crash else ""
            answer = self.do(SYSTEM, q.Interrupt(table=name, reason=reason), key=key)
            found.append((name, number, answer))
        self.see_to_links()
        return found

    def self_check(self) -> list[str]:
        """Links whose meters are not what the ledger holds are put out of order; their names.

        A link that another process holds now is left for the next time.
        """
        failed = []
        for name in self.registry.links:
            try:
                with self.store.unit([link_stream(name)]) as unit:  # both of one moment
                    link = self.desk.read_up(unit, link_stream(name)).state
                    problem = ledger_differs(unit, link)
            except StoreBusy:
                continue
            if problem and not link.out_of_order:
                self.do(SYSTEM, q.FailLink(link=name, reason=problem))
                failed.append(name)
        return failed


def _batch(draft: Draft, key: str, fingerprint: str, body: dict[str, Any]) -> Batch:
    """What is written: the record speaks of the answer; where nothing is recorded, it has its own seal."""
    answer = _text(body)
    if draft.events:
        draft.bind(key, fingerprint, answer)
    elif draft.registry.permissions:
        answer = _text({**body, SEAL: digest_of(key, draft.at, fingerprint, answer)})
    return draft.batch(key, fingerprint, answer)


def _edition(said: Sequence[str]) -> int:
    return int(ranks_of(said).get("edition", FIRST_EDITION))


SEAL = "kept"
"""Of an answer that no event speaks of; nobody who asks again is given it."""


def _text(body: Mapping[str, Any]) -> str:
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False)


def _first_answer(repeated: Repeated, fingerprint: str) -> Answer:
    if repeated.kept.fingerprint != fingerprint:
        raise BadInput("key", "was used for another request", "use a new key for a new request")
    body = json.loads(repeated.kept.answer)
    body.pop(SEAL, None)
    return Answer(body, repeated=True)
