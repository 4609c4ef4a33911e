/** The procedure of a table as a list: what is done, what comes next, what comes later. */
import type { StepTerms, TableView, Terms } from "../api/wire";
import { named, placeInWords, t } from "../words/words.svelte";

export type When = "done" | "next" | "later";
export interface Row {
  words: string;
  when: When;
  clauses: string[];
}

export function stepInWords(step: StepTerms): string {
  const times = step.rounds > 1 ? `, ${t("step.rounds", { n: step.rounds })}` : "";
  if (step.do === "decide") return t("step.decide", { place: placeInWords(step.place) });
  if (step.do === "deal" && step.place.startsWith("positions"))
    return named("step", step.place, { n: step.cards }) + times;
  return named("step", step.do, { n: step.cards, place: placeInWords(step.place) }) + times;
}

/** Which row comes next: bets open, bets closed, the steps of the procedure, the settlement. */
export function nextRow(terms: Terms, view: TableView): number {
  const last = terms.steps.length + 2;
  if (view.stage === "idle") return 0;
  if (view.stage === "betting") return 1;
  if (view.stage === "settled" || view.stage === "void") return last + 1;
  const step = view.step ?? 0;
  const decided = terms.steps[step]?.do === "decide" && !view.waiting_for.length;
  return 2 + step + (decided ? 1 : 0);
}

export function procedureOf(terms: Terms, view: TableView): Row[] {
  const next = nextRow(terms, view);
  const rows: Omit<Row, "when">[] = [
    { words: t("do.open-bets"), clauses: [] },
    { words: t("do.close-bets"), clauses: [] },
    ...terms.steps.map((step) => ({ words: stepInWords(step), clauses: step.clauses })),
    { words: t("do.settle"), clauses: [] },
  ];
  return rows.map((row, n) => ({ ...row, when: n < next ? "done" : n === next ? "next" : "later" }));
}
