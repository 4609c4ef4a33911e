import { expect, test } from "vitest";
import type { Terms } from "../api/wire";
import { columnsOf } from "./layout";

const table = (own_cards: number) => ({ positions: 6, own_cards }) as Terms;
const rows = (own_cards: number, taken: number[], width: number) =>
  6 / columnsOf(table(own_cards), new Set(taken), width).split("minmax").slice(1).length;
const ALL = [1, 2, 3, 4, 5, 6];

test("all positions stand in one row as long as their cards are legible", () => {
  expect(rows(5, ALL, 70)).toBe(1);
  expect(rows(3, ALL, 45)).toBe(1);
  expect(rows(3, [1, 2], 30)).toBe(1);
});

test("where they would not be, the rows are of like length", () => {
  expect(rows(5, ALL, 45)).toBe(2);
  expect(rows(5, ALL, 25)).toBe(3);
  expect(rows(3, ALL, 30)).toBe(2);
});

test("a column in which every position is free is narrow", () => {
  const widths = columnsOf(table(3), new Set([1, 2]), 70)
    .match(/[\d.]+(?=rem)/g)!
    .map(Number);
  expect(widths.slice(0, 4)).toEqual([3.9, 3.9, 3.9, 3.9]);
  expect(Math.min(...widths.slice(4))).toBeGreaterThan(8);
});
