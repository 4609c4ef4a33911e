/** The layout of a table from its terms: playing areas by their names, and the positions as they lie. */
import type { Act, Jackpot, Position, TableView, Terms, WagerTerms } from "../api/wire";
import { cents } from "./money";

/** The name of a wager's playing area as the rulebook has it; what has none, as a bonus on another wager, by its own
 * name. */
export function areaOf(terms: Terms | null, wager: string): string {
  const own = wager.replace(
    /(^|-)([a-z])/g,
    (_, dash: string, letter: string) => (dash && " ") + letter.toUpperCase(),
  );
  return terms?.wagers.find((found) => found.wager === wager)?.area ?? own;
}

/** Positions as players face them: the first to act, at the dealer's left, is on the right. */
export function positionsOf(terms: Terms): number[] {
  return Array.from({ length: terms.positions }, (_, n) => terms.positions - n);
}

export function isOver(view: TableView): boolean {
  return view.stage === "settled" || view.stage === "void";
}

export function mine(view: TableView, player: string): [number, Position][] {
  return Object.entries(view.positions)
    .filter(([, box]) => box.player === player)
    .map(([position, box]) => [Number(position), box]);
}

export function staked(box: Position): number {
  return Object.values(box.stakes).reduce((sum, stake) => sum + cents(stake), 0);
}

/** How wide cards and free positions are, in rem. */
const CARD = { least: 1.75, full: 2.3, gap: 0.2 };
const EDGES = 1.1;
const GAP = 0.5;
const FREE = { least: 2.7, full: 3.9 };
/** The columns of a table's positions on a felt of this width, in rem. All stand in one row as long as the cards of
 * those that are taken stay legible, and in rows of like length where they would not; what is free is narrow. */
export function columnsOf(terms: Terms, taken: ReadonlySet<number>, width: number): string {
  const wide = (card: number, most: number) =>
    Math.max(most, terms.own_cards * (card + CARD.gap) - CARD.gap + EDGES);
  const least = wide(CARD.least, 6.4);
  const full = wide(CARD.full, 8.2) * 1.6;
  const positions = positionsOf(terms);
  const inRows = (rows: number): boolean[] => {
    const count = Math.ceil(positions.length / rows);
    return Array.from({ length: count }, (_, column) =>
      positions.some((position, n) => n % count === column && taken.has(position)),
    );
  };
  const needs = (columns: boolean[]) =>
    columns.reduce((sum, has) => sum + (has ? least : FREE.least) + GAP, -GAP);
  const columns =
    [1, 2, 3].map(inRows).find((found) => width === 0 || needs(found) <= width) ?? inRows(positions.length);
  const track = (has: boolean) => `minmax(0, calc(${(has ? full : FREE.full).toFixed(2)}rem * var(--scale)))`;
  return columns.map(track).join(" ");
}

/** What a position won or lost in the settlement, in cents; null before it. */
export function netOf(view: TableView, position: number): number | null {
  const seat = view.settlement?.find((found) => found.position === position);
  return seat ? cents(seat.net) : null;
}

/** What a wager at a position came to, in cents; 0 before the settlement and for what goes back. */
export function resultOf(view: TableView, position: number, wager: string): number {
  const seat = view.settlement?.find((found) => found.position === position);
  const line = seat?.lines.find((found) => found.wager === wager);
  return line ? cents(line.paid) - cents(line.collected) : 0;
}

/** Which cards glow: all of the place that is shown next, or the one that is entered next there. */
export function glowing(
  view: TableView,
  terms: Terms,
  next: string,
  entering: boolean,
): (row: string, n: number) => boolean {
  const part = terms.parts[next];
  const first = (part?.[0] ?? 1) - 1;
  const count = part?.length ?? (next === "community" ? terms.community_cards : terms.dealer_cards);
  const row = part ? "community" : next;
  const only = first + (view.entered?.[next] ?? 0);
  return (found, n) =>
    next !== "" &&
    found === row &&
    (entering ? n === only : /^\d+$/.test(row) || (n >= first && n < first + count));
}

/** The position that an act is about; 0 for one that is about none. */
export const seatOf = (act: Act): number => ("position" in act ? act.position : 0);

const DUTIES = ["inform-player", "offer-jackpot", "notify-jackpot"];
/** Whether an act is owed to players and does not hold the next step up. */
export const isDuty = (act: { do: string }): boolean => DUTIES.includes(act.do);

/** Whether a stake may be entered that lay on the layout unnoticed when bets closed: at a physical table, until
 * the settlement. */
export function takesUnnoticed(view: TableView, terms: Terms): boolean {
  return terms.cards === "physical" && !view.suspended && ["closed", "playing"].includes(view.stage);
}

/** Whether the jackpot takes no wagers now: an order of the house, a notice at the table, a link out of order. */
export function noJackpot(view: TableView, link?: Jackpot): boolean {
  return (
    view.jackpot_suspended === true ||
    (view.notices ?? []).some((notice) => notice.notice === "no-jackpot") ||
    link?.out_of_order === true
  );
}

/** Whether wagers are taken: bets are open, and nothing waits for a ruling or for players to stay or withdraw. */
export const takesBets = (view: TableView): boolean =>
  view.open && view.stage === "betting" && !view.suspended && !view.options;

/** Whether the player of a hand has touched or seen its cards, as far as it is recorded. */
export const hasTouched = (view: TableView, position: number): boolean =>
  view.positions[String(position)]?.viewed === true || (view.handled ?? []).includes(position);

/** What may be staked on a wager. */
export interface Allowed {
  least: number;
  most: number;
  step: number;
}

/** What may be staked on a wager now, or null if nothing may. */
export function allowed(terms: Terms, wager: WagerTerms, view: TableView, link?: Jackpot): Allowed | null {
  const step = cents(terms.chip);
  if (wager.units !== null) {
    if (terms.jackpot_unit === null || noJackpot(view, link)) return null;
    const unit = cents(terms.jackpot_unit);
    return { least: unit * (wager.units[0] ?? 1), most: unit * (wager.units.at(-1) ?? 1), step: unit };
  }
  if (wager.limits === null) return { least: step, most: Number.MAX_SAFE_INTEGER, step };
  return { least: cents(wager.limits[0]!), most: cents(wager.limits[1]!), step };
}

/** Wagers a player places before the deal, as far as they are taken now. */
export const placed = (terms: Terms, view: TableView, link?: Jackpot): WagerTerms[] =>
  terms.wagers.filter(
    (wager) => wager.placed === "before-deal" && allowed(terms, wager, view, link) !== null,
  );
