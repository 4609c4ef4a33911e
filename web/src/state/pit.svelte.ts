/** The pit as its screen has it: tables, jackpots, disputes, and what wants a person. */
import { Problem, ask, get } from "../api/http";
import { Live } from "../api/live.svelte";
import type {
  DisputeView,
  LinkView,
  Overview,
  RequestName,
  Requests,
  Rules,
  TableLine,
  TableView,
  Terms,
} from "../api/wire";
import { mayUse } from "../game/positions";
import { session } from "./session.svelte";
import { sound } from "./sound";

/** A dealer who has done nothing for so long, with players waiting, is in the queue. */
const IDLE_SECONDS = 180;
const isOver = (found: DisputeView) => found.status === "decided" || found.answer !== null;

/** How urgent a table is: the smaller, the sooner. */
export function urgency(line: TableLine, view: TableView | undefined, idle: boolean): number {
  if (!line.open) return 9;
  if (view?.suspended) return 0;
  if (view?.called ?? line.called) return 1;
  if (view?.claim?.length) return 2;
  if (line.waits) return 3;
  return idle ? 4 : 5;
}

export class Pit {
  readonly live = new Live("/api/live");
  floor = $state.raw<Overview | null>(null);
  links = $state.raw<LinkView[]>([]);
  disputes = $state.raw<DisputeView[]>([]);
  chosen = $state("");
  terms = $state.raw<Record<string, Terms>>({});
  rules = $state.raw<Record<string, Rules>>({});
  said = $state.raw<Problem | null>(null);
  /** What a look at the floor has met with; it is over when the floor is seen again. */
  private unanswered: Problem | null = null;

  constructor() {
    void session.find().then(() => this.look());
    setInterval(() => void this.look(), 3000);
    this.live.onView((_, view, before) => {
      if ((view.called && !before?.called) || (view.suspended && !before?.suspended)) sound("turn");
    });
  }

  get view(): TableView | undefined {
    return this.live.views[this.chosen];
  }

  get tables(): TableLine[] {
    const rank = (line: TableLine) => urgency(line, this.live.views[line.table], this.idle(line));
    return [...(this.floor?.tables ?? [])].sort(
      (a, b) => rank(a) - rank(b) || a.table.localeCompare(b.table),
    );
  }

  /** Tables that call, as far as is known now. */
  get calls(): TableLine[] {
    return this.tables.filter((line) => line.open && (this.live.views[line.table]?.called ?? line.called));
  }

  get idleTables(): TableLine[] {
    return this.tables.filter((line) => this.idle(line));
  }

  get suspended(): TableLine[] {
    return this.tables.filter((line) => this.live.views[line.table]?.suspended);
  }

  get openDisputes(): DisputeView[] {
    return this.disputes.filter((found) => !isOver(found));
  }

  get overDisputes(): DisputeView[] {
    return this.disputes.filter(isOver);
  }

  get broken(): LinkView[] {
    return this.links.filter((link) => link.out_of_order);
  }

  /** Rounds whose sealed decks were not what was sealed: alarms that stay. */
  get alarms(): { table: string; round: number }[] {
    return (this.floor?.tables ?? []).flatMap((line) =>
      (line.broken_seals ?? []).map((round) => ({ table: line.table, round })),
    );
  }

  get wants(): number {
    return (
      this.links.reduce((sum, link) => sum + link.claims.length + (link.out_of_order ? 1 : 0), 0) +
      this.openDisputes.length +
      this.suspended.length +
      this.calls.length +
      this.idleTables.length +
      this.alarms.length
    );
  }

  seconds(line: TableLine): number {
    return Math.max(0, Math.round(this.live.now / 1000 - (line.since ?? 0) / 1_000_000));
  }

  idle(line: TableLine): boolean {
    const waits = line.open && line.dealt_by === "person" && (line.players ?? 0) > 0 && !line.waits;
    const his = (this.live.views[line.table]?.choices?.length ?? 0) > 0; // the next step is the dealer's
    return waits && his && this.seconds(line) > IDLE_SECONDS;
  }

  async look(): Promise<void> {
    if (!mayUse(session.me, "pit") || session.me?.locked) return;
    try {
      const floor = await get("/api/floor");
      for (const line of floor.tables) if (line.open) this.live.watch(line.table);
      this.links = await Promise.all(
        floor.links.map((found) => get("/api/links/{link}", { link: found.link })),
      );
      this.disputes = (await get("/api/disputes")).disputes;
      this.floor = floor;
      if (this.said && this.said === this.unanswered) this.said = null;
    } catch (problem) {
      if (problem instanceof Problem && problem.code === "locked") return;
      this.tell(problem);
      this.unanswered = this.said;
    }
  }

  async choose(name: string): Promise<void> {
    this.chosen = name;
    this.said = null;
    const at = { table: name };
    if (!this.floor?.tables.find((line) => line.table === name)?.open) return;
    try {
      this.terms = { ...this.terms, [name]: await get("/api/tables/{table}/terms", at) };
      this.rules = { ...this.rules, [name]: await get("/api/tables/{table}/rules", at) };
    } catch (problem) {
      this.tell(problem);
    }
  }

  async attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.said = null;
      await this.look();
    } catch (problem) {
      this.tell(problem);
    }
  }

  ask<R extends RequestName>(request: R, body: Requests[R]): Promise<void> {
    return this.attempt(() => ask(request, body));
  }

  tell(problem: unknown): void {
    this.said = problem instanceof Problem ? problem : new Problem(0, "", String(problem));
  }
}

/** A span of time for people. */
export function span(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
