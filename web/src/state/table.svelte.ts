/** A table as a screen has it: live view, terms, rules, and the time. */
import { Problem, act, ask, get } from "../api/http";
import { Live } from "../api/live.svelte";
import type { Act, Rules, TableView, Terms } from "../api/types";
import { session } from "./session.svelte";

export class Table {
  readonly live: Live;
  terms = $state.raw<Terms | null>(null);
  rules = $state.raw<Rules | null>(null);
  problem = $state.raw<Problem | null>(null);
  busy = $state(false);
  now = $state(Date.now());
  private rulebook = "";

  constructor(readonly name: string) {
    this.live = new Live("/api/live", [name]);
    void session.find().then(() => this.learn());
    this.live.onView((_, view) => {
      if (view.rulebook !== this.rulebook) void this.learn();
      if (this.problem && !this.busy) this.problem = null;
    });
    setInterval(() => (this.now = Date.now()), 500);
  }

  get view(): TableView | undefined {
    return this.live.views[this.name];
  }

  /** The terms change between rounds only; they are read when the table is entered and when its book changes. */
  async learn(): Promise<void> {
    try {
      const path = `/api/tables/${encodeURIComponent(this.name)}`;
      this.terms = await get<Terms>(`${path}/terms`);
      this.rulebook = this.terms.rulebook;
      this.rules = await get<Rules>(`${path}/rules`);
    } catch (problem) {
      this.tell(problem);
    }
  }

  act(...acts: Act[]): Promise<boolean> {
    return this.attempt(() => act(this.name, acts));
  }

  ask(request: string, body: Record<string, unknown>): Promise<boolean> {
    return this.attempt(() => ask(request, { table: this.name, ...body }));
  }

  private async attempt(work: () => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    try {
      await work();
      this.problem = null;
      return true;
    } catch (problem) {
      this.tell(problem);
      return false;
    } finally {
      this.busy = false;
    }
  }

  private tell(problem: unknown): void {
    this.problem = problem instanceof Problem ? problem : new Problem(0, "failed", String(problem));
  }
}
