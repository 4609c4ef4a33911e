import { describe, expect, it } from "vitest";
import type { TableView, Terms } from "../api/wire";
import { nextRow, procedureOf } from "./procedure";

const step = (what: string, place: string, cards = 0, rounds = 1) => ({
  do: what,
  place,
  cards,
  rounds,
  words: "",
  clauses: ["4.1"],
});
const terms = {
  steps: [step("deal", "positions", 1, 3), step("decide", "play"), step("reveal", "dealer")],
} as unknown as Terms;
const at = (stage: string, n: number, waiting: number[] = []) =>
  ({ stage, step: n, waiting_for: waiting }) as unknown as TableView;

describe("the procedure", () => {
  it("begins with the bets and ends with the settlement", () => {
    expect(nextRow(terms, at("idle", 0))).toBe(0);
    expect(nextRow(terms, at("betting", 0))).toBe(1);
    expect(nextRow(terms, at("closed", 0))).toBe(2);
    expect(nextRow(terms, at("playing", 3))).toBe(5);
    expect(procedureOf(terms, at("settled", 3)).every((row) => row.when === "done")).toBe(true);
  });
  it("waits at a decision until all have decided", () => {
    expect(nextRow(terms, at("playing", 1, [2]))).toBe(3);
    expect(nextRow(terms, at("playing", 1))).toBe(4);
  });
  it("says each step in words", () => {
    expect(procedureOf(terms, at("playing", 1, [2])).map((row) => [row.words, row.when])).toEqual([
      ["“Place your bets, please”", "done"],
      ["“No more bets”", "done"],
      ["Deal 1 to each position, 3 times round", "done"],
      ["Players decide: play", "next"],
      ["Show the dealer", "later"],
      ["Settle", "later"],
    ]);
  });
});
