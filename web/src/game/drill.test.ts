import { describe, expect, it } from "vitest";
import type { DrillQuestion, DrillWager } from "../api/wire";
import { answerOf, blank, choiceInWords, doings, draftsGiven, isReady, isSaid, sent, titled } from "./drill";

const ante: DrillWager = { position: 1, wager: "ante", area: "Ante", stake: "25.00" };
const extra: DrillWager = { position: 1, wager: "ante-bonus", area: "Ante Bonus", stake: "0.00" };

describe("an answer of the dealer school", () => {
  it("takes nothing where nothing is staked", () => {
    expect(doings(ante)).toEqual(["take", "return", "pay"]);
    expect(doings(extra)).toEqual(["none", "pay"]);
  });
  it("needs an amount to be paid, and one that can be read", () => {
    expect(isSaid(undefined)).toBe(false);
    expect(isSaid({ do: "", amount: "25" })).toBe(false);
    expect(isSaid({ do: "take", amount: "" })).toBe(true);
    expect(isSaid({ do: "pay", amount: "" })).toBe(false);
    expect(isSaid({ do: "pay", amount: "1,025.50" })).toBe(true);
    expect(isSaid({ do: "pay", amount: "much" })).toBe(false);
  });
  it("is sent with every wager", () => {
    const drafts = {
      "1 ante": { do: "take" as const, amount: "" },
      "1 ante-bonus": { do: "pay" as const, amount: "1,025" },
    };
    expect(sent([ante, extra], drafts)).toEqual([
      { position: 1, wager: "ante", do: "take", amount: null },
      { position: 1, wager: "ante-bonus", do: "pay", amount: "1025.00" },
    ]);
  });
  it("is ready once every wager has its word, and reads back as it was given", () => {
    const question = { settlement: { asked: [ante, extra] }, irregularity: null } as unknown as DrillQuestion;
    const drafts = blank(question);
    expect(isReady(question, drafts, "")).toBe(false);
    drafts["1 ante"] = { do: "return", amount: "" };
    drafts["1 ante-bonus"] = { do: "pay", amount: "1,025" };
    expect(isReady(question, drafts, "")).toBe(true);
    const answer = answerOf(question, drafts, "");
    expect(draftsGiven({ remedy: "", wagers: answer.wagers! })).toEqual({
      "1 ante": { do: "return", amount: "" },
      "1 ante-bonus": { do: "pay", amount: "1,025.00" },
    });
    const trouble = { settlement: null, irregularity: {} } as unknown as DrillQuestion;
    expect([isReady(trouble, {}, ""), isReady(trouble, {}, "void")]).toEqual([false, true]);
    expect(answerOf(trouble, {}, "void")).toEqual({ remedy: "void" });
  });
  it("is about a book by its title and its readings", () => {
    expect(titled({ title: "Stud", readings: {} })).toBe("Stud");
    expect(titled({ title: "Stud", readings: { "R-X": "a" } })).toBe("Stud · R-X=a");
  });
  it("names who rules and what, unless it is anything", () => {
    const waits = {
      name: "",
      remedy: "as-ruled",
      decides: "pit-manager",
      title: "Pit Manager",
      rulings: ["void"],
    };
    expect(choiceInWords(waits)).toContain("Pit Manager");
    expect(choiceInWords({ ...waits, rulings: ["void", "continue", "order", "bar"] })).toContain("sees fit");
  });
});
