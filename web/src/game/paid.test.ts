import { expect, test } from "vitest";
import type { Line } from "../api/wire";
import { cameTo, countedBy } from "./paid";

const line = (paid: string, collected: string, pay?: Line["pay"]): Line => ({
  ...{ wager: "pair-plus", stake: "25.00", returned: "0.00", clauses: [], hand: null, ranked: null },
  paid,
  collected,
  ...(pay ? { pay } : {}),
});

test("a line says how it was counted", () => {
  const flush = { kind: "to-one", odds: 15, row: "flush", on: "25.00" };
  expect(countedBy(line("375.00", "0.00", flush))).toBe("25.00 × 15 to 1");
  expect(cameTo(line("375.00", "0.00", flush))).toBe("+375.00");
  expect(countedBy(line("10.00", "5.00", { kind: "for-one", odds: 1, on: "5.00", times: 2 }))).toBe(
    "5.00 × 1 for 1 × 2",
  );
  expect(countedBy(line("500.00", "0.00", { ...flush, capped: true }))).toBe(
    "25.00 × 15 to 1, the most that the table pays",
  );
});

test("a share of the meter names the meter where it is the whole sum", () => {
  expect(countedBy(line("30000.10", "5.00", { kind: "meter", percent: 10, on: "300001.00" }))).toBe(
    "10% of 300,001.00",
  );
  expect(countedBy(line("29000.00", "5.00", { kind: "meter", percent: 10 }))).toBe("10% of the meter");
  expect(countedBy(line("0.00", "25.00"))).toBe("");
  expect(cameTo(line("0.00", "25.00"))).toBe("−25.00");
});
