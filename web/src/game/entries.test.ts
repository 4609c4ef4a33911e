import { describe, expect, it } from "vitest";
import { Entries } from "./entries.svelte";

describe("cards entered here", () => {
  it("are seen again until the next one, each at its place", () => {
    const entries = new Entries();
    expect(entries.last).toBeUndefined();
    entries.put(4, "1", 1, "As");
    entries.put(4, "dealer", 1, "Td");
    expect(entries.last).toEqual({ round: 4, place: "dealer", number: 1, card: "Td" });
    expect(entries.at(4, "1", 1)).toBe("As");
    expect(entries.at(4, "1", 2)).toBe("");
    expect(entries.at(5, "1", 1)).toBe("");
  });
  it("are corrected and taken back", () => {
    const entries = new Entries();
    entries.put(4, "1", 1, "As");
    entries.put(4, "1", 1, "Ks");
    expect(entries.at(4, "1", 1)).toBe("Ks");
    expect(entries.has(4, "As")).toBe(false);
    entries.drop(4, "1", 1);
    expect(entries.at(4, "1", 1)).toBe("");
    expect(entries.has(4, "Ks")).toBe(false);
    expect(entries.last).toBeUndefined();
  });
  it("of another round are forgotten", () => {
    const entries = new Entries();
    entries.put(4, "1", 1, "As");
    expect(entries.has(4, "As")).toBe(true);
    expect(entries.has(5, "As")).toBe(false);
    entries.put(5, "1", 1, "2c");
    expect(entries.at(4, "1", 1)).toBe("");
  });
});
