import { beforeAll, describe, expect, it } from "vitest";
import type { TableView } from "../api/types";
import { checkSeals } from "./sealed";

type Shown = { index: number; salt: string; card: string };

const salt = (n: number) => n.toString(16).padStart(32, "0");
const deck = Array.from({ length: 52 }, (_, n) => `${"23456789TJQKA"[n % 13]}${"cdhs"[Math.floor(n / 13)]}`);
const opening = (n: number, card = deck[n]!): Shown => ({ index: n, salt: salt(n), card });
let commitments = "";
let root = "";

async function sha256(bytes: number[]): Promise<number[]> {
  return [...new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes)))];
}

beforeAll(async () => {
  const all: number[] = [];
  for (const [n, card] of deck.entries()) {
    const secret = [...Array<number>(15).fill(0), n]; // the bytes of salt(n)
    const rest = [...`|${n}|${card}`].map((letter) => letter.charCodeAt(0));
    all.push(...(await sha256([...secret, ...rest])));
  }
  commitments = btoa(String.fromCharCode(...all));
  root = (await sha256(all)).map((byte) => byte.toString(16).padStart(2, "0")).join("");
});

const view = (openings: Shown[], of = root, dealer = openings.map((found) => found.card)) =>
  ({
    dealer: ["??", ...dealer],
    community: [],
    positions: {},
    sealed: { root: of, commitments, drawn: 52, openings },
  }) as unknown as TableView;

describe("the seal", () => {
  it("holds for the cards that were sealed", async () => {
    const found = await checkSeals([view([]), view([opening(3)]), view([opening(3), opening(51)]), null]);
    expect(found).toEqual({ cards: 2, wrong: [] });
  });
  it("does not hold for another card, another salt, or another root", async () => {
    expect((await checkSeals([view([opening(3, "As")])])).wrong).toEqual(["As"]);
    expect((await checkSeals([view([{ ...opening(3), salt: salt(4) }])])).wrong).toEqual([deck[3]]);
    expect((await checkSeals([view([]), view([], "00".repeat(32))])).wrong).toEqual(["root"]);
    expect((await checkSeals([view([])], "00".repeat(32))).wrong).toEqual(["root"]);
  });
  it("does not hold for a card that lies open and was not opened", async () => {
    expect((await checkSeals([view([], root, ["As"])])).wrong).toEqual(["As"]);
    expect((await checkSeals([view([opening(3)], root, [])])).wrong).toEqual([deck[3]]);
  });
});
