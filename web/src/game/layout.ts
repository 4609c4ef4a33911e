/** The layout of a table from its terms: playing areas by their names, and the positions as they lie. */
import type { Box, TableView, Terms, WagerTerms } from "../api/types";
import { cents } from "./money";

/** The name of a wager's playing area as the rulebook has it. */
export function areaOf(terms: Terms | null, wager: string): string {
  return terms?.wagers.find((found) => found.wager === wager)?.area ?? wager;
}

/** Positions as players face them: the first to act, at the dealer's left, is on the right. */
export function positionsOf(terms: Terms): number[] {
  return Array.from({ length: terms.positions }, (_, n) => terms.positions - n);
}

export function isOver(view: TableView): boolean {
  return view.stage === "settled" || view.stage === "void";
}

export function mine(view: TableView, player: string): [number, Box][] {
  return Object.entries(view.positions)
    .filter(([, box]) => box.player === player)
    .map(([position, box]) => [Number(position), box]);
}

export function staked(box: Box): number {
  return Object.values(box.stakes).reduce((sum, stake) => sum + cents(stake), 0);
}

/** What may be staked on a wager now, or why it may not. */
export interface Allowed {
  least: number;
  most: number;
  step: number;
}

export function allowed(terms: Terms, wager: WagerTerms): Allowed | null {
  const step = cents(terms.chip);
  if (wager.units !== null) {
    if (terms.jackpot_unit === null) return null;
    const unit = cents(terms.jackpot_unit);
    return { least: unit * (wager.units[0] ?? 1), most: unit * (wager.units.at(-1) ?? 1), step: unit };
  }
  if (wager.limits === null) return { least: step, most: Number.MAX_SAFE_INTEGER, step };
  return { least: cents(wager.limits[0]!), most: cents(wager.limits[1]!), step };
}

/** Wagers a player places before the deal. */
export const placed = (terms: Terms): WagerTerms[] =>
  terms.wagers.filter((wager) => wager.placed === "before-deal" && allowed(terms, wager) !== null);
