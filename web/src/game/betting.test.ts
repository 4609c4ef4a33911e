import { describe, expect, it } from "vitest";
import type { Jackpot, TableView, Terms } from "../api/wire";
import { Bets, chipsToShow } from "./betting.svelte";
import { allowed, areaOf, netOf, placed, positionsOf, takesBets } from "./layout";

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
    expect(areaOf(terms, "ante-bonus")).toBe("Ante Bonus");
    expect(positionsOf(terms)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(placed(terms, view).map((found) => found.wager)).toEqual(["jackpot", "bonus", "ante"]);
  });
  it("offers no jackpot where there is none", () => {
    expect(allowed({ ...terms, jackpot_unit: null }, named("jackpot"), view)).toBeNull();
  });
  it("offers no jackpot while it is suspended, noticed as dead or out of order", () => {
    const dead = [{ notice: "no-jackpot", text: "", clauses: [] }];
    expect(allowed(terms, named("jackpot"), view)).toEqual({ least: 500, most: 2500, step: 500 });
    expect(allowed(terms, named("jackpot"), { ...view, jackpot_suspended: true })).toBeNull();
    expect(allowed(terms, named("jackpot"), { ...view, notices: dead })).toBeNull();
    expect(allowed(terms, named("jackpot"), view, { out_of_order: true } as Jackpot)).toBeNull();
    expect(placed(terms, { ...view, notices: dead }).map((found) => found.wager)).toEqual(["bonus", "ante"]);
    expect(allowed(terms, named("ante"), { ...view, notices: dead })).not.toBeNull();
  });
  it("takes no bets while play waits for somebody", () => {
    const open = { ...view, open: true, stage: "betting" };
    expect(takesBets(open)).toBe(true);
    expect(takesBets({ ...open, suspended: { kind: "x", clauses: [] } })).toBe(false);
    expect(takesBets({ ...open, options: { waiting: [1], clauses: [] } })).toBe(false);
    expect(takesBets({ ...open, stage: "playing" })).toBe(false);
    expect(takesBets({ ...open, open: false })).toBe(false);
  });
  it("knows what a position came to, once it is settled", () => {
    const seat = { position: 3, player: "p", hand: null, ranked: null, net: "-75.00", lines: [] };
    expect(netOf(view, 3)).toBeNull();
    expect(netOf({ ...view, settlement: [seat] }, 3)).toBe(-7500);
    expect(netOf({ ...view, settlement: [seat] }, 2)).toBeNull();
  });
  it("shows chips that may be bet", () => {
    expect(chipsToShow(terms)).toEqual([100, 500, 2500, 10_000, 100_000]);
  });
});

describe("bets", () => {
  it("begin at the minimum, grow by chips, and stop at the maximum", () => {
    const bets = new Bets();
    bets.add(terms, named("ante"), 500, view);
    expect(bets.staked["ante"]).toBe(2500);
    bets.add(terms, named("ante"), 500, view);
    expect(bets.staked["ante"]).toBe(3000);
    for (let n = 0; n < 3; n++) bets.add(terms, named("ante"), 100_000, view);
    expect(bets.staked["ante"]).toBe(100_000);
  });
  it("take the jackpot in its required sizes only", () => {
    const bets = new Bets();
    for (let n = 0; n < 9; n++) bets.add(terms, named("jackpot"), 2500, view);
    expect(bets.staked["jackpot"]).toBe(2500);
  });
  it("say what is missing, and place what others need first", () => {
    const bets = new Bets();
    bets.add(terms, named("bonus"), 500, view);
    expect(bets.missing(terms, view, 3)).toEqual(["ANTE"]);
    bets.add(terms, named("ante"), 2500, view);
    expect(bets.missing(terms, view, 3)).toEqual([]);
    expect(bets.acts(terms, view, 3)).toEqual([
      { do: "place-wager", position: 3, wager: "ante", amount: "25.00" },
      { do: "place-wager", position: 3, wager: "bonus", amount: "5.00" },
    ]);
    expect(bets.total).toBe(3000);
  });
  it("let go of what is not taken any more", () => {
    const bets = new Bets();
    bets.add(terms, named("ante"), 2500, view);
    bets.add(terms, named("jackpot"), 500, view);
    bets.keepTo(placed(terms, { ...view, jackpot_suspended: true }));
    expect(bets.staked).toEqual({ ante: 2500 });
    expect(bets.total).toBe(2500);
  });
});
