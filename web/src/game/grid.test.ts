import { describe, expect, it } from "vitest";
import { fraction, percent, startingHands } from "./grid";

describe("the grid of starting hands", () => {
  it("has each of the 169 once", () => {
    const hands = startingHands().flat();
    expect(new Set(hands).size).toBe(169);
    expect(hands.filter((hand) => hand.endsWith("s")).length).toBe(78);
    expect(hands[0]).toBe("AA");
    expect(startingHands()[0]![1]).toBe("AKs");
    expect(startingHands()[1]![0]).toBe("AKo");
  });
  it("reads fractions", () => {
    expect(fraction("-3/4")).toBe(-0.75);
    expect(fraction("2")).toBe(2);
    expect(percent(0.020375, 3)).toBe("2.038 %");
  });
});
