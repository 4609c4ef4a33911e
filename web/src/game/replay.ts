/** What happened between two views of a round, as whoever saw them would say it. */
import type { Position, TableView, Terms } from "../api/wire";
import { betInWords, named, placeInWords, t } from "../words/words.svelte";
import { isBack, printed } from "./cards";
import { areaOf, isOver } from "./layout";
import { told } from "./money";

/** Cards that lie open now and did not before. */
function shown(name: string, before: string[], after: string[]): string[] {
  const fresh = after.filter((card) => !isBack(card) && !before.includes(card));
  return fresh.length ? [`${name}: ${fresh.map(printed).join(" ")}`] : [];
}

function atPosition(position: string, before: Position | undefined, after: Position, terms: Terms): string[] {
  const found: string[] = [];
  for (const [decision, choice] of Object.entries(after.choices))
    if (before?.choices[decision] !== choice) found.push(betInWords(choice, areaOf(terms, decision)));
  if (!found.length) {
    for (const [wager, stake] of Object.entries(after.stakes))
      if (before?.stakes[wager] !== stake) found.push(`${areaOf(terms, wager)} ${told(stake)}`);
    for (const wager of Object.keys(before?.stakes ?? {}))
      if (!(wager in after.stakes)) found.push(t("bet.takeback", { area: areaOf(terms, wager) }));
    if (before && before.fate !== after.fate) found.push(named("fate", after.fate));
  }
  if (after.viewed && before?.viewed === false) found.push(t("drill.viewed"));
  found.push(...shown("", before?.cards ?? [], after.cards).map((cards) => cards.slice(2)));
  return found.map((what) => `${t("position", { n: position })}: ${what}`);
}

/** What devices did for the order of the deck. */
function mixed(before: TableView | undefined, after: TableView): string[] {
  const [was, is] = [before?.sealed, after.sealed];
  if (!is?.devices || was?.root !== is.root) return [];
  const revealed = (seal: typeof is) => seal.devices?.filter(({ secret }) => secret).length ?? 0;
  if (is.composed && !was.composed) return [named("event", "order-composed")];
  if (revealed(is) > revealed(was)) return [named("event", "entropy-revealed")];
  if (is.devices.length > (was.devices?.length ?? 0)) return [named("event", "entropy-committed")];
  return [];
}

/** The change in words, or nothing where nothing is to be seen of it. */
export function changeInWords(before: TableView | undefined, after: TableView, terms: Terms): string {
  if (!before || before.stage !== after.stage) {
    if (isOver(after) || after.stage !== "playing") return named("stage", after.stage);
  }
  const lying = (view: TableView | undefined) =>
    view
      ? [view.dealer, view.community, ...Object.values(view.positions).map((box) => box.cards)].flat().length
      : 0;
  const found = [
    ...Object.entries(after.positions).flatMap(([position, box]) =>
      atPosition(position, before?.positions[position], box, terms),
    ),
    ...shown(placeInWords("community"), before?.community ?? [], after.community),
    ...shown(placeInWords("dealer"), before?.dealer ?? [], after.dealer),
  ];
  if (after.suspended && !before?.suspended)
    found.push(t("wait.ruling", { clauses: after.suspended.clauses.join(", ") }));
  if (!found.length && lying(after) > lying(before)) found.push(named("event", "cards-dealt"));
  if (!found.length) found.push(...mixed(before, after));
  return found.join(" · ");
}
