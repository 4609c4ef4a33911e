import { describe, expect, it } from "vitest";
import { en } from "./en";
import { vi } from "./vi";
import { fill } from "./words.svelte";
import { zh } from "./zh";

const blanks = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();

describe("words", () => {
  it("have the same blanks in every language", () => {
    for (const key of Object.keys(en) as (keyof typeof en)[]) {
      expect(blanks(zh[key]), `zh ${key}`).toEqual(blanks(en[key]));
      expect(blanks(vi[key]), `vi ${key}`).toEqual(blanks(en[key]));
    }
  });
  it("are translated, not copied", () => {
    const same = (other: Record<string, string>) =>
      Object.entries(en).filter(([key, text]) => other[key] === text && /[a-z]{3}/.test(text)).length;
    expect(same(zh)).toBeLessThan(5);
    expect(same(vi)).toBeLessThan(8);
  });
  it("fill their blanks", () => {
    expect(fill("Bet {area}: {amount}", { area: "Flop", amount: 50 })).toBe("Bet Flop: 50");
  });
});
