/** Words in the language that is set; the other languages are loaded when they are wanted. */
import { rankOf, suitOf } from "../game/cards";
import { settings } from "../state/settings.svelte";
import type { Language } from "../state/settings.svelte";

import { en } from "./en";
import type { Key, Words } from "./en";

let current = $state.raw<Words>(en);

const LOAD: Record<Language, () => Promise<Words>> = {
  en: () => Promise.resolve(en),
  zh: async () => (await import("./zh")).zh,
  vi: async () => (await import("./vi")).vi,
};

/** Load the words of the language that is set. */
export async function speak(): Promise<void> {
  current = await LOAD[settings.language]();
}

/** A text with its blanks filled in. */
export function fill(text: string, blanks: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(blanks[name] ?? ""));
}

export function t(key: Key, blanks: Record<string, string | number> = {}): string {
  return fill(current[key], blanks);
}

/** Words for something the API names, or the name itself where there are none. */
export function named(prefix: string, name: string, blanks: Record<string, string | number> = {}): string {
  const key = `${prefix}.${name}`;
  return key in current ? t(key as Key, blanks) : name;
}

export function cardInWords(card: string): string {
  return t("card.of", {
    rank: named("rank", rankOf(card)).replace(/^rank\./, ""),
    suit: named("suit", suitOf(card)),
  });
}

/** A place on the table: `dealer`, `flop`, or a position by its number. */
export function placeInWords(place: string): string {
  return /^\d+$/.test(place) ? t("place.position", { n: place }) : named("place", place);
}
