/** A table as a screen has it: live view, terms, rules, and the time. */
import { type Done, Problem, act, ask, get } from "../api/http";
import { Live } from "../api/live.svelte";
import type { Act, Jackpot, Rules, TableView, Terms } from "../api/types";
import { Roots } from "./roots";
import { session } from "./session.svelte";
import { t } from "../words/words.svelte";
import { Turns } from "./turns";

/** What an act was not taken whole for: the excess over the maximum, which goes back. */
function rejectedOf(answer: unknown): Problem | null {
  const done = answer as Partial<Done> | undefined;
  const parts = done?.rejected ? [done.rejected] : (done?.rejected_of ?? []);
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
  private row: [() => Act, (act: Act) => void][] = [];
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
      const view = await get<TableView>(`/api/tables/${encodeURIComponent(this.name)}`);
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
      const path = `/api/tables/${encodeURIComponent(this.name)}`;
      this.terms = await get<Terms>(`${path}/terms`);
      this.rulebook = this.terms.rulebook;
      this.rules = await get<Rules>(`${path}/rules`);
    } catch (problem) {
      this.tell(problem);
    }
  }

  act(...acts: Act[]): Promise<boolean> {
    return this.attempt(JSON.stringify(acts), async () => {
      const done = await act(this.name, acts);
      this.answered = done.versions[`table/${this.name}`] ?? this.answered;
    });
  }

  /** Acts that come faster than answers, such as scanned cards: one after the other, each made from the table as
   * the one before has left it. A refusal ends the row; what was to follow is not done. `done` hears of what was. */
  async inOrder(make: () => Act, done: (act: Act) => void = () => undefined): Promise<void> {
    this.row.push([make, done]);
    if (this.rowing) return;
    this.rowing = true;
    try {
      for (let next = this.row.shift(); next; next = this.row.shift()) {
        const [making, hear] = next;
        const wanted = making();
        if (!(await this.act(wanted))) {
          this.row = [];
          continue;
        }
        hear(wanted);
        await this.caughtUp();
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

  ask(request: string, body: Record<string, unknown>): Promise<boolean> {
    return this.attempt(request + JSON.stringify(body), () => ask(request, { table: this.name, ...body }));
  }

  private attempt(what: string, work: () => Promise<unknown>): Promise<boolean> {
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
