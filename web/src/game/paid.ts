/** How an amount of a settlement comes about: `25.00 × 15 to 1 = +375.00`. */
import type { Line } from "../api/wire";
import { t } from "../words/words.svelte";
import { cents, signed, told } from "./money";

type PaidBy = NonNullable<Line["pay"]>;

/** The pay as it stands in the table. */
export function payInWords(pay: PaidBy): string {
  if (pay.kind === "meter")
    return pay.on === undefined
      ? t("pay.meter", { n: pay.percent ?? 0 })
      : t("pay.of", { n: pay.percent ?? 0, amount: told(pay.on, true) });
  if (pay.kind === "fixed") return t("pay.fixed");
  return t(pay.kind === "for-one" ? "pay.for-one" : "pay.to-one", { n: pay.odds ?? 0 });
}

/** The sum without what it comes to, for a line that was paid; empty where the pay is not told. */
export function countedBy(line: Line): string {
  const pay = line.pay;
  if (!pay) return "";
  const counted = pay.kind === "to-one" || pay.kind === "for-one";
  return [
    counted && pay.on !== undefined ? `${told(pay.on, true)} × ${payInWords(pay)}` : payInWords(pay),
    pay.times === undefined ? "" : ` × ${pay.times}`,
    pay.capped ? `, ${t("pay.capped")}` : "",
  ].join("");
}

/** What a line came to for the player: what he was paid, less what was taken. */
export const cameTo = (line: Line): string => signed(cents(line.paid) - cents(line.collected));
