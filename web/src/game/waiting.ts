/** What is waited for, in one line. */
import type { TableView } from "../api/wire";
import { named, t } from "../words/words.svelte";
import { isOver } from "./layout";

export function waitingFor(view: TableView, player: string, now: number, payable = false): string {
  const left = (until: number) => Math.max(0, Math.ceil((until / 1000 - now) / 1000));
  if (!view.open) return t("wait.closed");
  if (view.suspended) return t("wait.ruling", { clauses: view.suspended.clauses.join(", ") });
  if (view.options) return t("wait.options", { clauses: view.options.clauses.join(", ") });
  if (view.claim?.length) return t(payable || view.claim_payable ? "wait.claim.paid" : "wait.claim");
  if (view.stage === "betting")
    return view.bets_close_at ? t("wait.bets.until", { n: left(view.bets_close_at) }) : t("wait.bets");
  if (isOver(view)) return named("stage", view.stage);
  const decide = view.decide_by ? ` · ${t("wait.seconds", { n: left(view.decide_by) })}` : "";
  const own = view.waiting_for.some((position) => view.positions[String(position)]?.player === player);
  if (own && player) return t("wait.you") + decide;
  if (view.waiting_for.length === 1) return t("wait.position", { n: view.waiting_for[0]! }) + decide;
  if (view.waiting_for.length) return t("wait.positions", { n: view.waiting_for.join(", ") }) + decide;
  return t("wait.dealer");
}
