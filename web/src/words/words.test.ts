import { describe, expect, it } from "vitest";
import { wayInWords } from "../game/rulings";
import { book as enBook, en } from "./en";
import { settings } from "../state/settings.svelte";
import { book as viBook, refusals as viRefusals, vi } from "./vi";
import { accountInWords, fill, handInWords, inWords, speak } from "./words.svelte";
import { book as zhBook, refusals as zhRefusals, zh } from "./zh";

const blanks = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();

describe("words", () => {
  it("say whose money an account is", () => {
    expect(accountInWords("SGD/layout/t1")).toBe("Layout of t1 · SGD");
    expect(accountInWords("SGD/rack/t1/p1")).toBe("Chips of p1 at t1 · SGD");
    expect(accountInWords("SGD/over-short/t1")).toBe("Over or short at t1 · SGD");
  });
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
  it("tell the same refusals", () => {
    expect(Object.keys(viRefusals).sort()).toEqual(Object.keys(zhRefusals).sort());
  });
  it("know the same words of the rulebooks", () => {
    expect(Object.keys(viBook).sort()).toEqual(Object.keys(zhBook).sort());
    expect(Object.keys(enBook).sort()).toEqual(Object.keys(zhBook).sort());
  });
  it("say no word of the engine to anybody", () => {
    for (const [name, said] of Object.entries(enBook)) {
      if (name.includes("-") && !/^a-/.test(name)) expect(said, name).not.toBe(name);
      expect(said, name).not.toMatch(/[a-z]+-[a-z]+-[a-z]+/);
    }
  });
  it("say hands, rulings and what goes wrong in the language that is set", async () => {
    const saidOf = (name: string, ranks = "") => handInWords({ class: name, ranks: [...ranks] });
    const way = (does: string, about = "") => wayInWords({ what: "", does, about, racks: {} });
    expect(saidOf("full-house", "J5")).toBe("full house, jacks over fives");
    expect(saidOf("two-pairs", "Q63")).toBe("two pairs, queens and sixes, three high");
    expect(saidOf("one-pair", "K")).toBe("one pair, kings");
    expect(saidOf("one-pair", "6AT9")).toBe("one pair, sixes, ace-ten-nine high");
    expect(saidOf("straight", "5")).toBe("straight, five high");
    expect(saidOf("suited-cards", "AK")).toBe("suited cards, ace-king high");
    expect(saidOf("royal-flush", "A")).toBe("royal flush");
    expect(inWords("as-ruled")).toBe("the round waits for a ruling by a person with the authority");
    expect(way("invalidate", "2")).toBe("the hand at a position is out: position 2");
    expect(way("withdraw", "1")).toBe("if position 1 then withdraws");
    settings.language = "zh";
    await speak();
    expect(saidOf("full-house", "J5")).toBe("葫芦 J 5");
    expect(saidOf("two-pairs", "Q63")).toBe("两对 Q 6 3");
    expect(saidOf("flush", "AKT92")).toBe("同花 A K 10 9 2");
    expect(saidOf("royal-flush")).toBe("皇家同花顺");
    expect(inWords("pit-manager")).toBe("赌区经理");
    expect(way("bar", "p1")).toBe("禁止玩家参与: p1");
    settings.language = "en";
    await speak();
  });
  it("fill their blanks", () => {
    expect(fill("Bet {area}: {amount}", { area: "Flop", amount: 50 })).toBe("Bet Flop: 50");
  });
});
