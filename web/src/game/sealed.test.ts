import { beforeAll, describe, expect, it } from "vitest";
import type { TableView } from "../api/types";
import { checkSeals, shortRoot } from "./sealed";

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

const dealing = [
  { to: "positions", cards: 2 },
  { to: "dealer", cards: 2 },
  { to: "community", cards: 1 },
  { to: "burned", cards: 1 },
];
const places = { "1": [0, 1], dealer: [2, 3], community: [4], burned: [5] };
type Changes = Partial<Record<"dealer" | "community", string[]>> & {
  own?: string[];
  sealed?: Record<string, unknown> | null;
};

/** A view at the end of a round of one hand: the dealer's cards lie open. */
function view(changes: Changes = {}): TableView {
  const {
    dealer = [deck[2]!, deck[3]!],
    community = ["??"],
    own = [deck[0]!, deck[1]!],
    sealed = {},
  } = changes;
  const openings = [opening(0), opening(1), opening(2), opening(3)];
  const seal = { root, commitments, dealing, drawn: 6, places, openings };
  return {
    dealer,
    community,
    positions: { "1": { cards: own } },
    ...(sealed ? { sealed: { ...seal, ...sealed } } : {}),
  } as unknown as TableView;
}

/** A view when bets are open. */
const before = (positions = ["1"]) =>
  ({
    dealer: [],
    community: [],
    positions: Object.fromEntries(positions.map((n) => [n, { cards: [] }])),
    sealed: { root, commitments, dealing, drawn: 0, places: {}, openings: [] },
  }) as unknown as TableView;

const wrong = async (...views: TableView[]) => (await checkSeals(views)).wrong;

describe("the seal", () => {
  it("holds for the cards that were sealed, dealt in their order", async () => {
    expect(await checkSeals([before(), view(), null])).toEqual({ cards: 4, wrong: [] });
    expect(await checkSeals([before(), view()], root)).toEqual({ cards: 4, wrong: [] });
  });
  it("holds while a card that is to be burned lies where it was dealt", async () => {
    const early = { "1": [0, 1], dealer: [2, 3], community: [4, 5] };
    expect(await wrong(view({ community: ["??", "??"], sealed: { places: early } }))).toEqual([]);
  });
  it("does not hold for another card, another salt, or another root", async () => {
    const rest = [opening(1), opening(2), opening(3)];
    const other = { openings: [opening(0, "As"), ...rest] };
    expect(await wrong(view({ own: ["As", deck[1]!], sealed: other }))).toEqual(["As"]);
    const salted = { openings: [{ ...opening(0), salt: salt(4) }, ...rest] };
    expect(await wrong(view({ sealed: salted }))).toEqual([deck[0]]);
    expect(await wrong(before(), view({ sealed: { root: "00".repeat(32) } }))).toEqual(["root"]);
    expect((await checkSeals([view()], "00".repeat(32))).wrong).toEqual(["root"]);
  });
  it("does not hold for a card that lies open and was not opened", async () => {
    expect(await wrong(view({ sealed: { openings: [opening(0), opening(1), opening(2)] } }))).toEqual([
      deck[3],
    ]);
    expect(await wrong(view({ dealer: ["??", deck[3]!] }))).toEqual([deck[2]]);
  });
  it("does not hold for one card shown twice, or hands exchanged", async () => {
    expect(await wrong(view({ dealer: [deck[0]!, deck[0]!] }))).not.toEqual([]);
    const swapped = { dealer: [deck[0]!, deck[1]!], own: [deck[2]!, deck[3]!] };
    expect(await wrong(view(swapped))).not.toEqual([]);
    const there = { ...places, "1": [2, 3], dealer: [0, 1] };
    expect(await wrong(view({ ...swapped, sealed: { places: there } }))).toEqual(["order"]);
  });
  it("does not hold for a view that has lost its seal", async () => {
    expect(await wrong(before(), view({ sealed: null }))).toEqual(["seal"]);
    expect(await wrong(before(), { ...before(), sealed: undefined } as unknown as TableView)).toEqual([]);
  });
  it("does not hold for places out of their turn, or for more drawn than lie", async () => {
    expect(await wrong(view({ sealed: { places: { ...places, burned: [6] } } }))).toEqual(["order"]);
    expect(await wrong(view({ sealed: { drawn: 52 } }))).toEqual(["order"]);
    const later = [...dealing, { to: "dealer", cards: 1 }];
    expect(await wrong(before(), view({ sealed: { dealing: later } }))).toEqual(["order"]);
  });
  it("does not hold for a hand that had not bet", async () => {
    expect(await wrong(before(["2"]), view())).toEqual(["order"]);
  });
  it("is known by its first digits", () => {
    expect(shortRoot("0123456789abcdef".repeat(4))).toBe("0123 4567 89ab cdef");
  });
});
