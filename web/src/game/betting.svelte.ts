/** Chips in a player's hand before they are placed: what is on each area, and whether it may be placed. */
import type { Act, Jackpot, TableView, Terms, WagerTerms } from "../api/wire";
import { allowed, areaOf, placed } from "./layout";
import { amount, cents } from "./money";

export class Bets {
  staked = $state<Record<string, number>>({});

  get total(): number {
    return Object.values(this.staked).reduce((sum, found) => sum + found, 0);
  }

  add(terms: Terms, wager: WagerTerms, chip: number, view: TableView, link?: Jackpot): void {
    const may = allowed(terms, wager, view, link);
    if (!may) return;
    const had = this.staked[wager.wager] ?? 0;
    const step = wager.units === null ? chip : may.step;
    const wanted = had === 0 ? Math.max(step, may.least) : had + step;
    this.staked[wager.wager] = Math.min(wanted, may.most);
  }

  takeOff(wager: string): void {
    delete this.staked[wager];
  }

  clear(): void {
    this.staked = {};
  }

  /** Take off what is not taken any more. */
  keepTo(wagers: WagerTerms[]): void {
    for (const name of Object.keys(this.staked))
      if (!wagers.some((wager) => wager.wager === name)) this.takeOff(name);
  }

  /** Areas that are missing for what is staked: a wager that needs another cannot stand alone. */
  missing(terms: Terms, view: TableView, position: number): string[] {
    const lies = { ...view.positions[String(position)]?.stakes, ...this.staked };
    const wanted = new Set<string>();
    for (const wager of placed(terms, view)) {
      if (!(wager.wager in this.staked)) continue;
      if (wager.needs.length && !wager.needs.some((needed) => needed in lies)) wanted.add(wager.needs[0]!);
    }
    return [...wanted].map((wager) => areaOf(terms, wager));
  }

  /** The acts that place it all, those that others need first. */
  acts(terms: Terms, view: TableView, position: number): Act[] {
    return placed(terms, view)
      .filter((wager) => this.staked[wager.wager])
      .sort((a, b) => a.needs.length - b.needs.length)
      .map((wager) => ({
        do: "place-wager",
        position,
        wager: wager.wager,
        amount: amount(this.staked[wager.wager]!),
      }));
  }
}

/** A wager and those that cannot lie without it, in the order in which they are taken back. */
export function hangingOn(terms: Terms, stakes: Record<string, string>, wager: string): string[] {
  const left = Object.keys(stakes).filter((name) => name !== wager);
  const hanging = left.filter((name) => {
    const needs = terms.wagers.find((found) => found.wager === name)?.needs ?? [];
    return needs.includes(wager) && !needs.some((needed) => left.includes(needed));
  });
  return [...hanging, wager];
}

/** The denominations worth showing: from the smallest chip in play to what the largest limit takes. */
export function chipsToShow(terms: Terms): number[] {
  const chips = terms.denominations.map(cents).sort((a, b) => a - b);
  return chips.filter((chip) => chip >= cents(terms.chip)).slice(0, 6);
}
