/** What a ruling or a remedy comes to, as whoever decides reads it. */
import type { Way } from "../api/wire";
import { inWords, t } from "../words/words.svelte";
import { cents, told } from "./money";

/** What the report answers of what the book asks: whether it can be put back, whether it was on purpose. */
export interface Answers {
  put: string;
  intent: string;
}
const FINDINGS: [keyof Answers, Record<string, string>, string[]][] = [
  ["put", { yes: "reconstructable", no: "not-reconstructable" }, ["reconstruction-not-judged"]],
  ["intent", { yes: "intentional", no: "unintentional" }, []],
];

/** The answers to what this advice asks; what was answered to another question is not among them. */
export function askedFor(branches: { findings: string[] }[], answers: Answers): Answers {
  const asks = (finding: string) => branches.some((branch) => branch.findings.includes(finding));
  return {
    put: asks("reconstructable") ? answers.put : "",
    intent: asks("intentional") ? answers.intent : "",
  };
}

/** Whether what the book does if these findings are made may still come, by what was answered. */
export function mayCome(findings: string[], answers: Answers): boolean {
  return FINDINGS.every(([question, meaning, others]) => {
    const holds = meaning[answers[question]];
    const words = [...Object.values(meaning), ...others];
    return !holds || !findings.some((found) => words.includes(found)) || findings.includes(holds);
  });
}

/** What each player gets back or gives. */
export function moneyInWords(racks: Record<string, string>): string {
  const parts = Object.entries(racks).map(([player, amount]) =>
    cents(amount) < 0
      ? t("rule.gives", { player, amount: told(-cents(amount), true) })
      : t("rule.gets", { player, amount: told(amount, true) }),
  );
  return parts.join(" · ") || t("irr.no.money");
}

/** A position by its number, a player by his name. */
export const aboutInWords = (argument: string): string =>
  /^\d+$/.test(argument) ? t("place.position", { n: argument }) : argument;

export const rulingInWords = (ruling: string, argument: string): string =>
  argument ? `${inWords(ruling)}: ${aboutInWords(argument)}` : inWords(ruling);

/** One way a matter can end: a remedy, a ruling with what it is about, or a hand that leaves. */
export const wayInWords = ({ does, about }: Way): string =>
  does === "withdraw" ? t("rule.withdraws", { n: about }) : rulingInWords(does, about);
