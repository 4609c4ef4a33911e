import { describe, expect, it } from "vitest";
import type { TableView, Terms } from "../api/wire";
import { changeInWords } from "./replay";

const terms = { wagers: [], decisions: [] } as unknown as Terms;
const box = (more = {}) => ({
  player: "p1",
  stakes: { ante: "25.00" },
  fate: "in-play",
  choices: {},
  viewed: false,
  cards: ["??", "??"],
  ...more,
});
const view = (more = {}) =>
  ({
    stage: "playing",
    positions: { "1": box() },
    dealer: ["??"],
    community: [],
    ...more,
  }) as unknown as TableView;

describe("a step of a replay", () => {
  it("says what was done and shown", () => {
    const bets = view({ stage: "betting", positions: {}, dealer: [] });
    const placed = view({ stage: "betting", positions: { "1": box({ cards: [] }) }, dealer: [] });
    expect(changeInWords(undefined, bets, terms)).toBe("Bets are open");
    expect(changeInWords(bets, placed, terms)).toBe("Position 1: Ante 25");
    expect(changeInWords(placed, view(), terms)).toBe("Cards dealt");
    const looked = view({ positions: { "1": box({ viewed: true, cards: ["As", "Td"] }) } });
    expect(changeInWords(view(), looked, terms)).toBe(
      "Position 1: has looked at his cards · Position 1: A♠ 10♦",
    );
    const folded = view({ positions: { "1": box({ fate: "folded", choices: { play: "fold" } }) } });
    expect(changeInWords(view(), folded, terms)).toBe("Position 1: Fold");
    expect(changeInWords(view(), view({ dealer: ["Kh"] }), terms)).toBe("dealer: K♥");
    expect(changeInWords(view(), view({ stage: "settled" }), terms)).toBe("Settled");
    expect(changeInWords(view(), view(), terms)).toBe("");
  });
  it("says what devices did for the order", () => {
    const seal = (more: object) =>
      view({ stage: "betting", positions: {}, sealed: { root: "aa", composed: null, ...more } });
    const [open, committed, revealed] = [[], [{ secret: "" }], [{ secret: "11" }]].map((devices) =>
      seal({ devices }),
    );
    expect(changeInWords(open, committed!, terms)).toBe("Device committed to the order");
    expect(changeInWords(committed, revealed!, terms)).toBe("Device revealed its contribution");
    const composed = seal({ devices: [{ secret: "11" }], composed: {} });
    expect(changeInWords(revealed, composed, terms)).toBe("Order of the deck composed");
    expect(changeInWords(composed, composed, terms)).toBe("");
    expect(changeInWords(view(), committed!, terms)).toBe("Bets are open");
  });
});
