/** Positions of the house, and what each may use; the floor itself has the last word. */
import type { Me } from "../api/wire";

const LADDER = [
  "dealer",
  "dealer-inspector",
  "pit-supervisor",
  "pit-manager",
  "shift-manager",
  "assistant-director",
];

/** Whether a position may give a ruling that is for another one or above. */
export function mayDecide(position: string, wanted: string): boolean {
  return LADDER.indexOf(position) >= LADDER.indexOf(wanted);
}

/** The least position a screen, or the day's report, is for; Surveillance may look at each but the dealer's. */
export const LEAST = {
  deal: "dealer",
  pit: "pit-supervisor",
  report: "pit-manager",
  surveillance: "pit-manager",
};
export type Guarded = keyof typeof LEAST;

export function mayUse(me: Me | null, screen: Guarded): boolean {
  if (me?.kind !== "staff") return false;
  if (me.position === "surveillance") return screen !== "deal";
  return mayDecide(me.position, LEAST[screen]);
}
