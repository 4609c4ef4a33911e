/** Words in the language that is set; the other languages are loaded when they are wanted. */
import type { Problem } from "../api/http";
import type { Ranked } from "../api/wire";
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
export function refusal(problem: Problem): string {
  return fill(refusals[problem.code] ?? "", problem.params);
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
  ...{
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
  },
  ...{ T: "ten", J: "jack", Q: "queen", K: "king", A: "ace" },
};

/** A hand as the dealer announces it, in English; in other languages its class and the ranks that decide. */
export function handInWords(hand: Ranked): string {
  if (settings.language !== "en")
    return [inWords(hand.class), ...hand.ranks.map((rank) => rank.replace("T", "10"))].join(" ");
  const high = (ranks: string[]) =>
    ranks.length ? `${ranks.map((rank) => RANKS[rank]).join("-")} high` : "";
  const many = (rank = "") => (rank === "6" ? "sixes" : `${RANKS[rank]}s`);
  const [first = "", second = "", ...others] = hand.ranks;
  const ranks =
    hand.class === "full-house"
      ? [`${many(first)} over ${many(second)}`]
      : hand.class === "two-pairs"
        ? [`${many(first)} and ${many(second)}`, high(others)]
        : ["one-pair", "three-of-a-kind", "four-of-a-kind"].includes(hand.class)
          ? [many(first), high(hand.ranks.slice(1))]
          : hand.class === "royal-flush" || hand.class === "aces-against-aces"
            ? []
            : [high(hand.ranks)];
  return [hand.class.replaceAll("-", " "), ...ranks].filter(Boolean).join(", ");
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
