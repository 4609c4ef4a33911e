import { beforeAll, describe, expect, it } from "vitest";
import type { TableView } from "../api/types";
import { checkSeals, shortRoot } from "./sealed";

type Shown = { index: number; salt: string; card: string };

const salt = (n: number) => n.toString(16).padStart(32, "0");
const deck = Array.from({ length: 52 }, (_, n) => `${"23456789TJQKA"[n % 13]}${"cdhs"[Math.floor(n / 13)]}`);
const opening = (n: number, card = deck[n]!): Shown => ({ index: n, salt: salt(n), card });
let all: number[] = [];
let commitments = "";
let root = "";
let firstRoot = "";

async function sha256(bytes: number[]): Promise<number[]> {
  return [...new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes)))];
}

const letters = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const base64 = (bytes: number[]) => btoa(String.fromCharCode(...bytes));
const hex = (bytes: number[]) => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
const ANNOUNCED =
  '{"dealing":[{"cards":2,"to":"positions"},{"cards":2,"to":"dealer"},{"cards":1,"to":"community"},' +
  '{"cards":1,"to":"burned"}],"hands":["ante"],"round":3,"table":"t1"}';

beforeAll(async () => {
  all = [];
  for (const [n, card] of deck.entries()) {
    const secret = [...Array<number>(15).fill(0), n]; // the bytes of salt(n)
    all.push(...(await sha256([...secret, ...letters(`|${n}|${card}`)])));
  }
  commitments = base64(all);
  root = hex(await sha256([...all, ...letters(ANNOUNCED)]));
  firstRoot = hex(await sha256(all));
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
  const seal = { seal: 2, root, commitments, dealing, hands: ["ante"], drawn: 6, places, openings };
  return {
    table: "t1",
    round: 3,
    dealer,
    community,
    positions: { "1": { cards: own, stakes: { ante: "25.00" } } },
    ...(sealed ? { sealed: { ...seal, ...sealed } } : {}),
  } as unknown as TableView;
}

/** A view when bets are open. */
const before = (bets: Record<string, string> = { "1": "ante" }, sealed: Record<string, unknown> = {}) =>
  ({
    table: "t1",
    round: 3,
    dealer: [],
    community: [],
    positions: Object.fromEntries(
      Object.entries(bets).map(([n, wager]) => [n, { cards: [], stakes: { [wager]: "25.00" } }]),
    ),
    sealed: {
      seal: 2,
      root,
      commitments,
      dealing,
      hands: ["ante"],
      drawn: 0,
      places: {},
      openings: [],
      ...sealed,
    },
  }) as unknown as TableView;

const wrongIn = async (...views: TableView[]) => (await checkSeals(views)).wrong;
/** What is wrong with a round that ends with a view. */
const wrong = async (last: TableView) => wrongIn(before(), last);

describe("the seal", () => {
  it("holds for the cards that were sealed, dealt in their order", async () => {
    expect(await checkSeals([before(), view(), null])).toEqual({ cards: 4, wrong: [], fixed: true });
    expect(await checkSeals([before(), view()], root, 2)).toEqual({ cards: 4, wrong: [], fixed: true });
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
    expect(await wrong(view({ sealed: { root: "00".repeat(32) } }))).toEqual(["root"]);
    expect((await checkSeals([before(), view()], "00".repeat(32))).wrong).toEqual(["root"]);
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
    expect(await wrong(view({ sealed: null }))).toEqual(["seal"]);
    expect(await wrong({ ...before(), sealed: undefined } as unknown as TableView)).toEqual([]);
  });
  it("does not hold for places out of their turn, or for more drawn than lie", async () => {
    expect(await wrong(view({ sealed: { places: { ...places, burned: [6] } } }))).toEqual(["order"]);
    expect(await wrong(view({ sealed: { drawn: 52 } }))).toEqual(["order"]);
    const later = [...dealing, { to: "dealer", cards: 1 }];
    expect(await wrong(view({ sealed: { dealing: later } }))).toEqual(["root", "order"]);
  });
  it("does not hold for hands that had not bet, that are left out, or that nobody saw bet", async () => {
    expect(await wrongIn(before({ "2": "ante" }), view())).toEqual(["order"]);
    expect(await wrongIn(before({ "1": "ante", "2": "ante" }), view())).toEqual(["order"]);
    expect(await wrongIn(before({ "1": "ante", "2": "jackpot" }), view())).toEqual([]);
    expect(await wrongIn(view())).toEqual(["order"]);
  });
  it("does not hold for an order of dealing that is not under the root", async () => {
    const dealerFirst = [dealing[1], dealing[0], ...dealing.slice(2)];
    const other = { dealing: dealerFirst, places: { ...places, "1": [2, 3], dealer: [0, 1] } };
    const swapped = { dealer: [deck[0]!, deck[1]!], own: [deck[2]!, deck[3]!], sealed: other };
    expect(await wrongIn(before({ "1": "ante" }, { dealing: dealerFirst }), view(swapped))).toEqual(["root"]);
    const everybody = { hands: ["ante", "jackpot"] };
    expect(await wrongIn(before({ "1": "ante" }, everybody), view({ sealed: everybody }))).toEqual(["root"]);
    for (const other of [{ round: 4 }, { table: "t2" }]) {
      const views = [before(), view()].map((shown) => ({ ...shown, ...other }));
      expect(await wrongIn(...views)).toEqual(["root"]);
    }
  });
  it("does not hold for a card that was sealed twice, or is none", async () => {
    for (const card of [deck[0]!, "1x"]) {
      const twice = [...all];
      const made = await sha256([...Array<number>(15).fill(0), 2, ...letters(`|2|${card}`)]);
      twice.splice(64, 32, ...made);
      const sealed = {
        commitments: base64(twice),
        root: hex(await sha256([...twice, ...letters(ANNOUNCED)])),
      };
      const openings = [opening(0), opening(1), opening(2, card), opening(3)];
      const last = view({ dealer: [card, deck[3]!], sealed: { ...sealed, openings } });
      expect(await wrongIn(before({ "1": "ante" }, sealed), last)).toEqual([card]);
    }
  });
  it("holds by the first rule for what was sealed so, and says what that does not fix", async () => {
    const first = { seal: undefined, root: firstRoot, hands: undefined };
    const views = [before({ "1": "ante" }, first), view({ sealed: first })];
    expect(await checkSeals(views, firstRoot)).toEqual({ cards: 4, wrong: [], fixed: false });
    expect((await checkSeals(views, firstRoot, 2)).wrong).toEqual(["root"]);
    expect((await checkSeals(views, root)).wrong).toEqual(["root"]);
  });
  it("does not pass off a root of the second rule as one of the first", async () => {
    for (const shown of [commitments, base64([...all, ...letters(ANNOUNCED)])]) {
      const first = { seal: 1, root, commitments: shown };
      expect(await wrongIn(before({ "1": "ante" }, first), view({ sealed: first }))).toEqual(["root"]);
    }
    expect(await wrong(view({ sealed: { seal: 1, root: firstRoot } }))).toEqual(["root"]);
  });
  it("is known by its first digits", () => {
    expect(shortRoot("0123456789abcdef".repeat(4))).toBe("0123 4567 89ab cdef");
  });
});

describe("the deck of a void round", () => {
  const whole = deck.map((_, n) => opening(n));
  const wrongIn = async (opened: Shown[]) =>
    (await checkSeals([before(), view()], root, 2, undefined, opened)).wrong;

  it("is the 52 cards that were sealed, as they were shown", async () => {
    expect(await wrongIn(whole)).toEqual([]);
  });
  it("is not whole, in another order, of other cards or with other salts", async () => {
    const [first, second, ...rest] = whole as [Shown, Shown, ...Shown[]];
    const forged = [
      [],
      whole.slice(0, -1),
      [...whole, first],
      [second, first, ...rest],
      [{ ...first, card: second.card }, { ...second, card: first.card }, ...rest],
      [{ ...first, salt: second.salt }, second, ...rest],
      [first, first, ...rest],
    ];
    for (const opened of forged) expect(await wrongIn(opened)).toEqual(["void"]);
  });
});
