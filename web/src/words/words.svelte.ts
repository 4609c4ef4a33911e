/** Words in the language that is set; the other languages are loaded when they are wanted. */
import { rankOf, suitOf } from "../game/cards";
import { settings } from "../state/settings.svelte";
import type { Language } from "../state/settings.svelte";

import { book as enBook, en } from "./en";
import type { Key, Words } from "./en";

type Named = Record<string, string>;
let current = $state.raw<Words>(en);
let refusals = $state.raw<Named>({});
let book = $state.raw<Named>(enBook);

const LOAD: Record<Language, () => Promise<[Words, Named, Named]>> = {
  en: () => Promise.resolve([en, {}, enBook]),
  zh: () => import("./zh").then((found) => [found.zh, found.refusals, found.book]),
  vi: () => import("./vi").then((found) => [found.vi, found.refusals, found.book]),
};

/** Load the words of the language that is set. */
export async function speak(): Promise<void> {
  [current, refusals, book] = await LOAD[settings.language]();
}

/** A text with its blanks filled in. */
export function fill(text: string, blanks: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(blanks[name] ?? ""));
}

export function t(key: Key, blanks: Record<string, string | number> = {}): string {
  return fill(current[key], blanks);
}

/** Why something was not done, in the language that is set; empty where the service's own sentence has to do. */
export function refusal(code: string): string {
  return refusals[code] ?? "";
}

/** Words for a key that may be unknown; empty where there are none. */
export function said(key: string, blanks: Record<string, string | number> = {}): string {
  return key in current ? t(key as Key, blanks) : "";
}

/** Words for something the API names, or the name itself where there are none. */
export function named(prefix: string, name: string, blanks: Record<string, string | number> = {}): string {
  const key = `${prefix}.${name}`;
  return key in current ? t(key as Key, blanks) : name;
}

/** A word of the rulebooks, such as a ruling or a position of the house; `said` is for what no language knows. */
export function inWords(name: string, said = name.replaceAll("-", " ")): string {
  return book[name] ?? said;
}

const RANKS: Named = {
  ...{ two: "2", three: "3", four: "4", five: "5", six: "6", seven: "7", eight: "8", nine: "9", ten: "10" },
  ...{ jack: "J", queen: "Q", king: "K", ace: "A" },
};

/** A hand as the dealer announces it, in English; in other languages its class and the ranks that decide. */
export function handInWords(said: string): string {
  const [name = "", ...rest] = said.split(", ");
  const known = book[name.replaceAll(" ", "-")];
  if (!known || settings.language === "en") return said;
  const ranks = rest
    .join("-")
    .split(/[^a-z]+/)
    .map((rank) => RANKS[rank] ?? RANKS[rank.replace(/s$/, "")] ?? RANKS[rank.replace(/es$/, "")]);
  const listed = ranks.filter((rank) => rank !== undefined).join(" ");
  return listed ? `${known} ${listed}` : known;
}

/** A choice with the area it is about. An area called as the act itself is not said twice. */
export function betInWords(what: string, area: string): string {
  const same = area.toLowerCase() === what;
  return named("do", what, { area: same ? "" : area }).trim();
}

export function cardInWords(card: string): string {
  return t("card.of", {
    rank: named("rank", rankOf(card)).replace(/^rank\./, ""),
    suit: named("suit", suitOf(card)),
  });
}

/** An account of the ledger, `SGD/rack/t1/p1`: whose chips or money it is, at which table or jackpot. */
export function accountInWords(account: string): string {
  const [currency = "", kind = "", where = "", who = ""] = account.split("/");
  return `${named("account", kind, { where, who })} · ${currency}`;
}

/** A place on the table: `dealer`, `flop`, or a position by its number. */
export function placeInWords(place: string): string {
  return /^\d+$/.test(place) ? t("place.position", { n: place }) : named("place", place);
}
