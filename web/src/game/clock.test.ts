import { describe, expect, it } from "vitest";
import { meant, moment, timeOf, zone } from "./clock";

describe("the floor's clock", () => {
  it("is called by its distance from UTC", () => {
    expect([480, 0, -210].map(zone)).toEqual(["UTC+8", "UTC", "UTC−3:30"]);
  });
  it("tells a moment without repeating which clock it is", () => {
    expect(moment("2026-01-05 18:00:00+08:00")).toBe("2026-01-05 18:00:00");
    expect(moment(undefined)).toBe("");
  });
  it("reads what is put in by the same clock as it shows, wherever the browser is", () => {
    const micros = meant("2026-01-05T18:00", 480);
    expect(micros).toBe(Date.UTC(2026, 0, 5, 10) * 1000);
    expect(timeOf(micros, 480)).toBe("18:00:00 UTC+8");
  });
});
