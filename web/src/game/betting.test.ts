import { describe, expect, it } from "vitest";
import type { TableView, Terms } from "../api/types";
import { Bets, chipsToShow } from "./betting.svelte";
import { allowed, areaOf, placed, positionsOf } from "./layout";

const wager = (name: string, more: object) => ({
  wager: name,
  area: name.toUpperCase(),
  placed: "before-deal",
  needs: [] as string[],
  units: null,
  limits: ["25.00", "1000.00"],
  clauses: [],
  ...more,
});
const terms = {
  positions: 6,
  chip: "1.00",
  denominations: ["1000.00", "100.00", "25.00", "5.00", "1.00", "0.50"],
  jackpot_unit: "5.00",
  wagers: [
    wager("jackpot", { units: [1, 5], limits: null, needs: ["ante"] }),
    wager("bonus", { limits: ["5.00", "100.00"], needs: ["ante"] }),
    wager("ante", {}),
    wager("flop", { placed: "on-decision" }),
  ],
} as unknown as Terms;
const view = { positions: {} } as TableView;
const named = (name: string) => terms.wagers.find((found) => found.wager === name)!;

describe("the layout", () => {
  it("has the areas by their names, and the first position on the right", () => {
    expect(areaOf(terms, "ante")).toBe("ANTE");
    expect(positionsOf(terms)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(placed(terms).map((found) => found.wager)).toEqual(["jackpot", "bonus", "ante"]);
  });
  it("offers no jackpot where there is none", () => {
    expect(allowed({ ...terms, jackpot_unit: null }, named("jackpot"))).toBeNull();
  });
  it("shows chips that may be bet", () => {
    expect(chipsToShow(terms)).toEqual([100, 500, 2500, 10_000, 100_000]);
  });
});

describe("bets", () => {
  it("begin at the minimum, grow by chips, and stop at the maximum", () => {
    const bets = new Bets();
    bets.add(terms, named("ante"), 500);
    expect(bets.staked["ante"]).toBe(2500);
    bets.add(terms, named("ante"), 500);
    expect(bets.staked["ante"]).toBe(3000);
    for (let n = 0; n < 3; n++) bets.add(terms, named("ante"), 100_000);
    expect(bets.staked["ante"]).toBe(100_000);
  });
  it("take the jackpot in its required sizes only", () => {
    const bets = new Bets();
    for (let n = 0; n < 9; n++) bets.add(terms, named("jackpot"), 2500);
    expect(bets.staked["jackpot"]).toBe(2500);
  });
  it("say what is missing, and place what others need first", () => {
    const bets = new Bets();
    bets.add(terms, named("bonus"), 500);
    expect(bets.missing(terms, view, 3)).toEqual(["ANTE"]);
    bets.add(terms, named("ante"), 2500);
    expect(bets.missing(terms, view, 3)).toEqual([]);
    expect(bets.acts(terms, 3)).toEqual([
      { do: "place-wager", position: 3, wager: "ante", amount: "25.00" },
      { do: "place-wager", position: 3, wager: "bonus", amount: "5.00" },
    ]);
    expect(bets.total).toBe(3000);
  });
});
