import { expect, test } from "vitest";
import type { Terms } from "../api/wire";
import { settings } from "../state/settings.svelte";
import { speak } from "../words/words.svelte";
import { topicInWords } from "./rules";
import type { Topic } from "./rules";

const terms = { wagers: [{ wager: "ante", area: "Ante" }] } as unknown as Terms;
const topic = (about: string, says: string, blanks: Record<string, string> = {}): Topic => ({
  ...{ chapter: "Betting", name: "a name", text: "as the service says it", clauses: [] },
  about,
  says,
  blanks,
});

test("topics are said in plain words", () => {
  expect(topicInWords(topic("size", "times", { wager: "ante", n: "2", of: "ante" }), terms).text).toBe(
    "Exactly 2 times the Ante.",
  );
  const share = topicInWords(topic("share", "same", { hands: "royal-flush,straight-flush" }), terms);
  expect(share.name).toBe("More units win no larger share");
  expect(share.text).toContain("royal flush, straight flush");
  const limit = topicInWords(topic("over-maximum", "excess", { placing: "refused" }), terms);
  expect(limit.text).toMatch(/put right at the table/);
});

test("what has no words is said as the service says it, and known to be English", () => {
  expect(topicInWords(topic("qualifies", ""), terms)).toEqual({
    name: "The dealer qualifies",
    text: "as the service says it",
    english: { name: false, text: true },
  });
  expect(topicInWords(topic("something-new", "x"), terms).name).toBe("a name");
});

test("what a player must know is said in every language", async () => {
  for (const language of ["zh", "vi"] as const) {
    settings.language = language;
    await speak();
    for (const [about, says] of [
      ["share", "same"],
      ["absent", "invalid"],
      ["absent", "check"],
      ["absent", "fold"],
      ["under-minimum", "settled-once"],
      ["over-maximum", "excess"],
    ] as const) {
      const found = topicInWords(topic(about, says, { decision: "play", hands: "royal-flush" }), terms);
      expect(found.english, `${language} ${about}`).toEqual({ name: false, text: false });
      expect(found.text).not.toContain("service");
    }
  }
  settings.language = "en";
  await speak();
});
