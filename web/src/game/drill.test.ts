import { describe, expect, it } from "vitest";
import type { DrillWager } from "../api/types";
import { choiceInWords, doings, isSaid, sent } from "./drill";

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
