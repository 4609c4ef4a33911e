/**
 * The roots of sealed decks as this browser saw them first, by table and round, kept when the page is closed: what
 * is shown of a round afterwards is held against them. They are commitments and tell nothing about any card.
 */
import type { TableView } from "../api/wire";
import { ruleOf } from "../game/sealed";

const NAME = "pitboss-roots";
export const MOST_ROOTS = 200;

/** A root with the rule that it was announced by; browsers that kept none did so while there was one rule. */
type Kept = [key: string, root: string, rule?: number][];

/** What a browser that keeps nothing knows until the page is closed. */
let inMind: Kept = [];

function read(): Kept {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(found) ? (found as Kept) : [];
  } catch {
    return inMind;
  }
}

function write(kept: Kept): void {
  inMind = kept.slice(-MOST_ROOTS);
  try {
    localStorage.setItem(NAME, JSON.stringify(inMind));
  } catch {
    // then it is known as long as the page is open
  }
}

export class Roots {
  constructor(private readonly table: string) {}

  /** The root that was seen first in a round, if this browser has seen it. */
  get(round: number): string | undefined {
    return read().find(([key]) => key === this.key(round))?.[1];
  }

  /** The rule that this root was announced by, if this browser has kept it. */
  ruleOf(round: number): number | undefined {
    return read().find(([key]) => key === this.key(round))?.[2];
  }

  /**
   * Remember the root of a view's round, if bets are open: one that is seen later may have been made up since. It
   * counts from the first bet on; until then a deck may be sealed again.
   */
  keep(view: Pick<TableView, "round" | "stage" | "positions" | "sealed">): void {
    if (!view.sealed || view.stage !== "betting") return;
    const before = this.get(view.round);
    const somebodyHasBet = Object.keys(view.positions).length > 0;
    if (before === view.sealed.root || (before !== undefined && somebodyHasBet)) return;
    const key = this.key(view.round);
    write([...read().filter(([other]) => other !== key), [key, view.sealed.root, ruleOf(view.sealed)]]);
  }

  private key(round: number): string {
    return `${this.table}/${round}`;
  }
}
