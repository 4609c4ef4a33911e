import { describe, expect, it } from "vitest";
import { Announcements } from "./hits";
import type { Hit } from "./hits";

const jackpot = (...numbers: number[]) => ({ link: "mega", hits: numbers.map((hit) => ({ hit }) as Hit) });
const drain = (told: Announcements) => {
  const found: number[] = [];
  for (let hit = told.next(); hit; hit = told.next()) found.push(hit.hit);
  return found;
};

describe("the sign", () => {
  it("announces every hit between two messages, in order, and none twice", () => {
    const told = new Announcements();
    told.hear(jackpot(1, 2));
    expect(drain(told)).toEqual([]);
    told.hear(jackpot(2, 3, 4));
    told.hear(jackpot(2, 3, 4));
    expect(drain(told)).toEqual([3, 4]);
    told.hear(jackpot(4, 5));
    expect(drain(told)).toEqual([5]);
  });
  it("announces the first hit of a jackpot that had none", () => {
    const told = new Announcements();
    told.hear(jackpot());
    told.hear(jackpot(1));
    expect(drain(told)).toEqual([1]);
  });
});
