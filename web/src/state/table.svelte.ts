/** A table as a screen has it: live view, terms, rules, and the time. */
import { Problem, act, ask, get } from "../api/http";
import { Live } from "../api/live.svelte";
import type { Act, Done, Jackpot, RequestName, Requests, Rules, TableView, Terms } from "../api/wire";
import { Roots } from "./roots";
import { session } from "./session.svelte";
import { t } from "../words/words.svelte";
import { Turns } from "./turns";

/** What an act was not taken whole for: the excess over the maximum, which goes back. */
function rejectedOf(done: Done): Problem | null {
  const parts = done.rejected ? [done.rejected] : (done.rejected_of ?? []);
  if (!parts.length) return null;
  const text = t("wager.rejected", { amount: parts.map((part) => part.amount).join(", ") });
  return new Problem(200, "", text, parts[0]!.clauses);
}

export class Table {
  readonly live: Live;
  terms = $state.raw<Terms | null>(null);
  rules = $state.raw<Rules | null>(null);
  problem = $state.raw<Problem | null>(null);
  busy = $state(false);
  /** The roots of this table's sealed decks as they were first seen. */
  readonly roots: Roots;
  private rulebook = "";
  private answered = 0;
  private readonly turns = new Turns();
  private row: (() => Promise<boolean>)[] = [];
  private rowing = false;

  constructor(readonly name: string) {
    this.live = new Live("/api/live", [name]);
    this.roots = new Roots(name);
    void session.find().then(() => this.learn());
    this.live.onView((_, view) => {
      if (view.rulebook !== this.rulebook) void this.learn();
      this.roots.keep(view);
    });
    let before: boolean | undefined;
    $effect(() => {
      const now = this.link?.out_of_order;
      if (before !== undefined && now !== undefined && now !== before) void this.lookAgain();
      before = now ?? before;
    });
  }

  /** The jackpot that this table plays for. */
  get link(): Jackpot | undefined {
    return this.view?.link ? this.live.jackpots[this.view.link] : undefined;
  }

  /** A jackpot that breaks down or is mended is no event of the table, and yet its view says otherwise then. */
  private async lookAgain(): Promise<void> {
    try {
      const view = await get("/api/tables/{table}", { table: this.name });
      if ((view.version ?? 0) >= (this.live.versions[this.name] ?? 0))
        this.live.views = { ...this.live.views, [this.name]: view };
    } catch {
      // the next view says it
    }
  }

  get view(): TableView | undefined {
    return this.live.views[this.name];
  }

  /** Whether the jackpot claim of this round may be paid: the link tells it, when the table itself has no news. */
  get payable(): boolean {
    const view = this.view;
    if (!view?.claim?.length) return false;
    const claim = this.link?.pending.find((found) => found.table === this.name);
    return claim ? claim.payable : view.claim_payable === true;
  }

  /** The terms change between rounds only; they are read when the table is entered and when its book changes. */
  async learn(): Promise<void> {
    try {
      const at = { table: this.name };
      this.terms = await get("/api/tables/{table}/terms", at);
      this.rulebook = this.terms.rulebook;
      this.rules = await get("/api/tables/{table}/rules", at);
    } catch (problem) {
      this.tell(problem);
    }
  }

  act(...acts: Act[]): Promise<boolean> {
    return this.attempt(JSON.stringify(acts), async () => {
      const done = await act(this.name, acts);
      this.answered = done.versions[`table/${this.name}`] ?? this.answered;
      return done;
    });
  }

  /** Acts that come faster than answers, such as scanned cards: one after the other, each made from the table as
   * the one before has left it. A refusal ends the row; what was to follow is not done. `done` hears of what was. */
  async inOrder<A extends Act>(make: () => A, done: (act: A) => void = () => undefined): Promise<void> {
    this.row.push(async () => {
      const wanted = make();
      if (!(await this.act(wanted))) return false;
      done(wanted);
      return true;
    });
    if (this.rowing) return;
    this.rowing = true;
    try {
      for (let next = this.row.shift(); next; next = this.row.shift()) {
        if (await next()) await this.caughtUp();
        else this.row = [];
      }
    } finally {
      this.rowing = false;
    }
  }

  /** When everything that was typed ahead is done, and seen here. */
  async rowDone(): Promise<void> {
    while (this.rowing) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  private async caughtUp(): Promise<void> {
    for (let tries = 0; tries < 100 && (this.live.versions[this.name] ?? 0) < this.answered; tries++)
      await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** A request about this table. */
  ask<R extends RequestName>(request: R, body: Omit<Requests[R], "table">): Promise<boolean> {
    const whole = { table: this.name, ...body } as Requests[R];
    return this.attempt(request + JSON.stringify(body), () => ask(request, whole));
  }

  private attempt(what: string, work: () => Promise<Done>): Promise<boolean> {
    return this.turns.take(what, async () => {
      this.busy = true;
      try {
        this.problem = rejectedOf(await work());
        return true;
      } catch (problem) {
        this.tell(problem);
        return false;
      } finally {
        this.busy = false;
      }
    });
  }

  /** Something that went wrong, or that somebody should know; it stays until the next act. */
  tell(problem: unknown): void {
    this.problem = problem instanceof Problem ? problem : new Problem(0, "", String(problem));
  }
}
