/** What a trainee of the dealer school does with the wagers of a problem. */
import type { DrillChoice, DrillDone, DrillWager } from "../api/types";
import { inWords, t } from "../words/words.svelte";
import { amount, cents } from "./money";

export type Doing = DrillDone["do"];
export interface Draft {
  do: Doing | "";
  amount: string;
}
/** Who may rule more than this rules what he sees fit. */
const FEW = 3;

export const keyOf = (wager: DrillWager) => `${wager.position} ${wager.wager}`;

/** What can be done with a wager: nothing is taken where nothing is staked. */
export const doings = (wager: DrillWager): Doing[] =>
  cents(wager.stake) ? ["take", "return", "pay"] : ["none", "pay"];

/** Whether enough was said about a wager to be sent. */
export function isSaid(draft: Draft | undefined): boolean {
  if (!draft?.do) return false;
  const typed = draft.amount.trim();
  if (!typed) return draft.do !== "pay";
  return /^\d{1,3}(,?\d{3})*(\.\d{1,2})?$/.test(typed);
}

/** The answer as it is sent. Without an amount the whole stake is meant. */
export function sent(wagers: DrillWager[], drafts: Record<string, Draft>): DrillDone[] {
  return wagers.map((wager) => {
    const draft = drafts[keyOf(wager)]!;
    const typed = draft.do === "none" ? "" : draft.amount.trim();
    return {
      position: wager.position,
      wager: wager.wager,
      do: draft.do as Doing,
      amount: typed ? amount(cents(typed)) : null,
    };
  });
}

/** A remedy in words; one that waits says for whom, by his title in the book, and for what. */
export function choiceInWords(choice: DrillChoice): string {
  if (!choice.decides) return inWords(choice.remedy);
  const rulings = choice.rulings.map((ruling) => inWords(ruling)).join(" / ");
  const what = choice.rulings.length > FEW ? t("drill.free") : rulings;
  return t("drill.waits", { who: choice.title, rulings: what });
}
