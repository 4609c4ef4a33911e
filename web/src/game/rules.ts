/** The rules in force in plain words: a topic by its code and blanks, or as the service says it in English. */
import type { Rules, Terms } from "../api/wire";
import { inWords, named, placeInWords, said, t } from "../words/words.svelte";
import { areaOf } from "./layout";

export type Topic = Rules["topics"][number];
export interface Said {
  name: string;
  text: string;
  /** Whether these are the service's own English words. */
  english: { name: boolean; text: boolean };
}

export function topicInWords(topic: Topic, terms: Terms | null): Said {
  const areas = (codes: string) =>
    codes
      .split(",")
      .map((wager) => areaOf(terms, wager))
      .join(t("or"));
  const fills: Record<string, (code: string) => string> = {
    wager: areas,
    of: areas,
    areas,
    hands: (codes) =>
      codes
        .split(",")
        .map((hand) => inWords(hand))
        .join(", "),
    decision: placeInWords,
    otherwise: (code) => named("do", code),
    kind: (code) => inWords(code),
    method: (code) => named("way", code),
  };
  const blanks = Object.fromEntries(
    Object.entries(topic.blanks).map(([name, code]) => [name, fills[name]?.(code) ?? code]),
  );
  const name = said(`rule.${topic.about}`, blanks) || blanks["kind"] || "";
  const text = topic.says ? said(`rule.${topic.about}.${topic.says}`, blanks) : "";
  const more = [
    ...(topic.blanks["placing"] === "refused" ? [t("rule.put-right")] : []),
    ...(topic.blanks["without"] ? [t("rule.without", { area: areas(topic.blanks["without"]) })] : []),
  ];
  return {
    name: name || topic.name,
    text: text ? [text, ...more].join(" ") : topic.text,
    english: { name: !name, text: !text },
  };
}
