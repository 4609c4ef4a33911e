import { describe, expect, it } from "vitest";
import { amount, cents, inChips, signed, told } from "./money";

describe("money", () => {
  it("reads and writes what the API writes", () => {
    for (const text of ["0.00", "25.00", "0.05", "-12.30", "312408.55"])
      expect(amount(cents(text))).toBe(text);
    expect(cents("25")).toBe(2500);
    expect(cents("2.5")).toBe(250);
  });
  it("refuses what is no amount", () => {
    for (const text of ["", "1.234", "1e3", "x", "--1"]) expect(() => cents(text)).toThrow(RangeError);
  });
  it("groups thousands and keeps the sign in no doubt", () => {
    expect(told("312408.55")).toBe("312,408.55");
    expect(told("1000.00")).toBe("1,000");
    expect(told("1000.00", true)).toBe("1,000.00");
    expect(told("999.00")).toBe("999");
    expect(signed("-50.00")).toBe("−50.00");
    expect(signed("50.00")).toBe("+50.00");
    expect(signed("0.00")).toBe("0.00");
  });
  it("pays in chips, the largest first, and never loses a cent", () => {
    const chips = ["1.00", "5.00", "25.00", "100.00"];
    expect(inChips(17_600, chips).chips).toEqual([
      ["100.00", 1],
      ["25.00", 3],
      ["1.00", 1],
    ]);
    for (const value of [0, 1, 99, 12_345, 999_999]) {
      const paid = inChips(value, chips);
      const sum = paid.chips.reduce((found, [chip, count]) => found + cents(chip) * count, 0);
      expect(sum + paid.coin).toBe(value);
    }
  });
  it("calls no chip what is none", () => {
    expect(inChips(130, ["1.00", "5.00"])).toEqual({ chips: [["1.00", 1]], coin: 30 });
    expect(inChips(200, ["1.00"]).coin).toBe(0);
  });
});
