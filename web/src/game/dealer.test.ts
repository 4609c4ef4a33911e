import { describe, expect, it } from "vitest";
import type { TableView } from "../api/wire";
import { dealerInWords } from "./dealer";

describe("the dealer's hand", () => {
  it("is said once it lies open, with whether it qualifies where the book asks that", () => {
    const hand = { dealer_ranked: { class: "one-pair", ranks: ["K", "A", "5", "2"] } } as TableView;
    expect(dealerInWords({} as TableView)).toBe("");
    expect(dealerInWords(hand)).toBe("Dealer: one pair, kings, ace-five-two high");
    expect(dealerInWords({ ...hand, dealer_qualifies: true })).toMatch(/ · qualifies$/);
    expect(dealerInWords({ ...hand, dealer_qualifies: false })).toMatch(/ · does not qualify$/);
  });
});
