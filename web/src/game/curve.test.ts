import { describe, expect, it } from "vitest";
import { short, ticks } from "./curve";

describe("axes", () => {
  it("have round figures that end within what is drawn", () => {
    expect(ticks(437_000, 5)).toEqual([0, 100_000, 200_000, 300_000, 400_000]);
    expect(ticks(1.5, 3)).toEqual([0, 0.5, 1, 1.5]);
    expect(ticks(0, 5)).toEqual([0]);
  });
  it("are written short", () => {
    expect([0, 950, 250_000, 1_500_000].map(short)).toEqual(["0", "950", "250k", "1.5M"]);
  });
});
