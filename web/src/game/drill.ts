/** What a trainee of the dealer school does with the wagers of a problem. */
import type { DrillAnswer, DrillBook, DrillChoice, DrillDone, DrillQuestion, DrillWager } from "../api/wire";
import { inWords, t } from "../words/words.svelte";
import { amount, cents, told } from "./money";

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

/** A problem before anything was said about it. */
export function blank(question: DrillQuestion): Record<string, Draft> {
  return Object.fromEntries(
    (question.settlement?.asked ?? []).map((wager) => [keyOf(wager), { do: "", amount: "" }]),
  );
}

/** Whether a problem can be answered with what was said. */
export function isReady(question: DrillQuestion, drafts: Record<string, Draft>, remedy: string): boolean {
  if (!question.settlement) return remedy !== "";
  return question.settlement.asked.every((wager) => isSaid(drafts[keyOf(wager)]));
}

/** What was said, as it is sent. */
export function answerOf(question: DrillQuestion, drafts: Record<string, Draft>, remedy: string) {
  return question.settlement ? { wagers: sent(question.settlement.asked, drafts) } : { remedy };
}

/** What was said about each wager, from an answer that was sent. */
export function draftsGiven(answer: DrillAnswer): Record<string, Draft> {
  return Object.fromEntries(
    (answer.wagers ?? []).map((done) => [
      `${done.position} ${done.wager}`,
      { do: done.do, amount: done.amount ? told(done.amount, true) : "" },
    ]),
  );
}

/** A trainee without his kind: `staff/t1` is `t1`. */
export const bare = (trainee: string) => trainee.replace(/^\w+\//, "");

/** A book by its title, and by how the floor reads it where that is not the default. */
export const titled = (book: Pick<DrillBook, "title" | "readings">) =>
  [
    book.title,
    Object.entries(book.readings)
      .map(([reading, letter]) => `${reading}=${letter}`)
      .join(", "),
  ]
    .filter(Boolean)
    .join(" · ");

/** A remedy in words; one that waits says for whom, by his title in the book, and for what. */
export function choiceInWords(choice: DrillChoice): string {
  if (!choice.decides) return inWords(choice.remedy);
  const rulings = choice.rulings.map((ruling) => inWords(ruling)).join(" / ");
  const what = choice.rulings.length > FEW ? t("drill.free") : rulings;
  return t("drill.waits", { who: choice.title, rulings: what });
}
