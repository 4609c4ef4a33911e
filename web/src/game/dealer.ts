/** The dealer's hand in one line: what it is, and whether it qualifies where the book asks that. */
import type { TableView } from "../api/wire";
import { handInWords, t } from "../words/words.svelte";

export function dealerInWords(view: TableView): string {
  if (!view.dealer_ranked) return "";
  const hand = t("dealer.has", { hand: handInWords(view.dealer_ranked) });
  if (view.dealer_qualifies === undefined) return hand;
  return `${hand} · ${t(view.dealer_qualifies ? "dealer.qualifies" : "dealer.fails")}`;
}
