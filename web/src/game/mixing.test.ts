import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { TableView } from "../api/types";
import { type BeaconValue, commitmentTo, composed, hex, sha256 } from "./composition";
import { type Device, mixingOf, type Own } from "./mixing";
import { checkSeals } from "./sealed";

const TABLE = "t1";
const ROUND = 3;
const CLOSED_AT = 1_763_000_000_000_000;
const REVEAL_BY = CLOSED_AT + 2_000_000;
const deck = Array.from({ length: 52 }, (_, n) => `${"23456789TJQKA"[n % 13]}${"cdhs"[Math.floor(n / 13)]}`);
const salt = (n: number) => n.toString(16).padStart(32, "0");
const bytes = (text: string) => new TextEncoder().encode(text);
const dealing = [
  { cards: 2, to: "positions" },
  { cards: 2, to: "dealer" },
  { cards: 1, to: "burned" },
];
const GENESIS = 1_700_000_000;
const hashes: number[] = [];
let commitments = "";
let pair: CryptoKeyPair;
let key = "";

beforeAll(async () => {
  for (const [n, card] of deck.entries()) {
    const secret = Uint8Array.from([...Array<number>(15).fill(0), n, ...bytes(`|${n}|${card}`)]);
    hashes.push(...(await sha256(secret)));
  }
  commitments = btoa(String.fromCharCode(...hashes));
  pair = (await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"])) as CryptoKeyPair;
  key = hex(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
});

async function rootOf(composition: unknown): Promise<string> {
  const rest = JSON.stringify({ composition, dealing, hands: ["ante"], round: ROUND, table: TABLE });
  return hex(await sha256(Uint8Array.from([...hashes, ...bytes(rest)])));
}

type Secret = { player: string; device: string; secret: string; withheld?: boolean };
const OWN: Secret = { player: "p1", device: "mine", secret: "11".repeat(32) };
const OTHER: Secret = { player: "p2", device: "theirs", secret: "22".repeat(32) };
const LATE: Secret = { player: "p3", device: "late", secret: "33".repeat(32), withheld: true };

interface Round {
  views: TableView[];
  root: string;
}
/** How a house that forges may go on from what an honest one has. */
interface Ways {
  devices?: Secret[];
  beacon?: "wait" | "without" | null;
  value?: (round: number) => BeaconValue | null | Promise<BeaconValue | null>;
  order?: (honest: readonly number[]) => readonly number[];
  wrongCommitment?: boolean;
}

const sign = async (name: string, round: number): Promise<BeaconValue> => ({
  round,
  signature: hex(
    new Uint8Array(await crypto.subtle.sign({ name: "Ed25519" }, pair.privateKey, bytes(`${name}|${round}`))),
  ),
});
const DUE = Math.floor(REVEAL_BY / 1e6 - GENESIS) / 10;
const FIRST = Math.floor(DUE) + 2;

/** A round of one hand, view by view: bets are open, closed, all revealed, composed, dealt, shown. */
async function played(ways: Ways = {}): Promise<Round> {
  const { devices: secrets = [OWN, OTHER], beacon = null, order: turned = (same) => same } = ways;
  const announced = beacon && {
    genesis: GENESIS,
    key,
    missing: beacon,
    name: "local",
    period: 10,
    round: FIRST,
    wait_seconds: 5,
  };
  const composition = { beacon: announced, reveal_seconds: 2 };
  const root = await rootOf(composition);
  const bound = { table: TABLE, round: ROUND, root };
  const committed: Device[] = await Promise.all(
    secrets.map(async ({ player, device, secret }) => ({
      player,
      device,
      commitment: await commitmentTo(
        { player, device, secret },
        { ...bound, round: ways.wrongCommitment ? 4 : ROUND },
      ),
      secret: "",
    })),
  );
  const revealed = committed.map((one, n) => ({
    ...one,
    secret: secrets[n]!.withheld ? "" : secrets[n]!.secret,
  }));
  const contributions = secrets
    .filter((one) => !one.withheld)
    .map(({ player, device, secret }) => ({ player, device, secret }));
  const withheld = secrets.filter((one) => one.withheld).map(({ player, device }) => ({ player, device }));
  const value = announced ? await (ways.value ?? ((round: number) => sign("local", round)))(FIRST) : null;
  const done =
    secrets.length || announced
      ? { contributions, withheld, beacon: value, independent: contributions.length }
      : null;
  const order = turned(await composed(contributions, value, bound));
  const places = { "1": [order[0]!, order[1]!], dealer: [order[2]!, order[3]!], burned: [order[4]!] };
  const view = (stage: string, more: object, cards: string[][] = [[], []]) =>
    ({
      table: TABLE,
      round: ROUND,
      stage,
      seats: { "1": "p1" },
      dealer: cards[1],
      community: [],
      positions: { "1": { player: "p1", cards: cards[0], stakes: { ante: "25.00" } } },
      sealed: {
        ...{
          seal: 3,
          root,
          commitments,
          dealing,
          hands: ["ante"],
          drawn: 0,
          places: {},
          openings: [],
          composition,
        },
        ...{ devices: committed, reveal_by: null, composed: null, ...more },
      },
    }) as unknown as TableView;
  const there = [...places["1"], ...places.dealer];
  const openings = there.map((index) => ({ index, salt: salt(index), card: deck[index]! }));
  const dealt = { devices: revealed, composed: done, drawn: 5, places };
  const [own, dealers] = [places["1"], places.dealer].map((row) => row.map((place) => deck[place]!)) as [
    string[],
    string[],
  ];
  return {
    root,
    views: [
      view("betting", { devices: [] }),
      view("betting", {}),
      view("closed", { reveal_by: REVEAL_BY }),
      view("closed", { reveal_by: REVEAL_BY, devices: revealed }),
      view("closed", { devices: revealed, composed: done, reveal_by: done ? null : REVEAL_BY }),
      view("playing", { ...dealt, openings: openings.slice(0, 2) }, [own, ["??", "??"]]),
      view("settled", { ...dealt, openings }, [own, dealers]),
    ],
  };
}

type Sealed = NonNullable<TableView["sealed"]>;
/** The round with some of its views changed. */
function forged(
  { views, root }: Round,
  which: (view: TableView) => boolean,
  change: (seal: Sealed) => void,
): Round {
  const copies = views.map((view) => structuredClone(view));
  for (const view of copies.filter(which)) change(view.sealed!);
  return { views: copies, root };
}
const check = ({ views, root }: Round, own?: Own) => checkSeals(views, root, 3, own);
const wrong = async (round: Round, own?: Own) => (await check(round, own)).wrong;
const all = () => true;
const afterBets = (view: TableView) => view.stage !== "betting";
const dealt = (view: TableView) => view.sealed!.drawn > 0;
const done = (view: TableView) => view.sealed!.composed !== null;
const mine: Own = { player: "p1", device: OWN.device, secret: OWN.secret };

afterEach(() => vi.unstubAllGlobals());

describe("the composed order of a round", () => {
  it("holds, and says what it was mixed with", async () => {
    expect(await check(await played(), mine)).toEqual({
      cards: 4,
      wrong: [],
      fixed: true,
      mixed: { devices: 2, own: "mixed", beacon: "" },
    });
    expect((await check(await played())).mixed).toEqual({ devices: 2, own: "", beacon: "" });
  });
  it("is that of the sealing where nobody contributed, and says so", async () => {
    const found = await check(await played({ devices: [] }));
    expect(found).toMatchObject({ wrong: [], mixed: { devices: 0 } });
    const turned = await played({ devices: [], order: (same) => [...same].reverse() });
    expect(await wrong(turned)).toEqual(["order"]);
  });
  it("leaves out what was withheld, and tells this device so", async () => {
    const late = { player: "p3", device: LATE.device, secret: LATE.secret };
    const found = await check(await played({ devices: [OWN, LATE] }), late);
    expect(found).toMatchObject({ wrong: [], mixed: { devices: 1, own: "withheld" } });
    expect((await check(await played({ devices: [LATE] }))).wrong).toEqual([]);
    const inTime = { ...late, revealed: true };
    expect(await wrong(await played({ devices: [OWN, LATE] }), inTime)).toEqual(["own"]);
  });
  it("does not hold for another order than that of the contributions", async () => {
    for (const order of [
      (same: readonly number[]) => [same[0]!, same[2]!, same[1]!, ...same.slice(3)],
      (same: readonly number[]) => [...same.slice(2), ...same.slice(0, 2)],
      () => Array.from({ length: 52 }, (_, n) => n),
    ])
      expect(await wrong(await played({ order }))).toEqual(["order"]);
  });
  it("does not hold for a secret that was not committed to", async () => {
    expect(await wrong(await played({ wrongCommitment: true }))).toEqual(["devices"]);
    const other = forged(
      await played(),
      done,
      (seal) => (seal.composed!.contributions[1]!.secret = "44".repeat(32)),
    );
    expect(await wrong(other)).toEqual(["devices", "order"]);
    const later = forged(await played(), dealt, (seal) => (seal.devices![1]!.secret = "44".repeat(32)));
    expect(await wrong(later)).toEqual(["devices"]);
  });
  it("does not hold for a device that came when bets were closed", async () => {
    const round = await played({ devices: [OWN, OTHER] });
    const alone = forged(
      round,
      (view) => !afterBets(view),
      (seal) => seal.devices!.splice(1),
    );
    expect(await wrong(alone)).toEqual(["devices"]);
    const moved = { ...round, views: [round.views[0]!, round.views[2]!, ...round.views.slice(1)] };
    expect(await wrong(moved)).toContain("devices");
  });
  it("does not hold for a commitment that was exchanged, or taken back", async () => {
    const round = await played();
    const first = round.views[1]!;
    const exchanged = forged(
      round,
      (view) => view.sealed!.root === round.root && view.sealed!.devices!.length > 0,
      (seal) => {
        if (seal.devices![1]!.secret) seal.devices![1]!.commitment = "55".repeat(32);
      },
    );
    expect(await wrong(exchanged)).toEqual(["devices"]);
    const before = forged(
      { ...round, views: [first, first] },
      all,
      (seal) => (seal.devices![1]!.commitment = "55".repeat(32)),
    );
    expect(await wrong({ ...round, views: [before.views[0]!, ...round.views.slice(1)] })).toContain(
      "devices",
    );
    const gone = forged(round, afterBets, (seal) => {
      seal.devices!.splice(1);
      seal.composed?.contributions.splice(1);
      if (seal.composed) seal.composed.independent = 1;
    });
    expect(await wrong(gone)).toContain("devices");
  });
  it("does not hold for a device that vanished, or that stands twice", async () => {
    const ways: ((seal: Sealed) => void)[] = [
      (seal) => seal.composed!.contributions.splice(1),
      (seal) => seal.composed!.contributions.push(seal.composed!.contributions[0]!),
      (seal) => seal.composed!.withheld.push({ player: "p2", device: "theirs" }),
      (seal) => seal.composed!.withheld.push({ player: "p4", device: "nobody" }),
      (seal) => (seal.composed!.independent = 3),
      (seal) => seal.devices!.push(seal.devices![0]!),
    ];
    for (const way of ways) expect(await wrong(forged(await played(), done, way))).toContain("devices");
  });
  it("does not hold where what was revealed was left out", async () => {
    const round = await played({ devices: [OWN, { ...OTHER, withheld: true }] });
    expect(await wrong(round)).toEqual([]);
    const seen = forged(
      round,
      (view) => view.stage === "closed" && !view.sealed!.composed,
      (seal) => {
        if (seal.devices![0]!.secret) seal.devices![1]!.secret = OTHER.secret;
      },
    );
    expect(await wrong(seen)).toEqual(["devices"]);
  });
  it("does not hold for secrets shown before bets were closed", async () => {
    const early = forged(
      await played(),
      (view) => view.sealed!.devices!.length > 0,
      (seal) => {
        seal.devices![1]!.secret = OTHER.secret;
      },
    );
    expect(await wrong(early)).toEqual(["devices"]);
  });
  it("does not hold for cards without the composition that was owed, or with another one later", async () => {
    expect(await wrong(forged(await played(), all, (seal) => (seal.composed = null)))).toContain("devices");
    const late = forged(
      await played(),
      (view) => view.stage === "closed",
      (seal) => (seal.composed = null),
    );
    expect(await wrong({ ...late, views: late.views.filter((view) => view.stage !== "playing") })).toEqual(
      [],
    );
    const gone = forged(
      await played(),
      (view) => view.stage === "settled",
      (seal) => (seal.composed = null),
    );
    expect(await wrong(gone)).toEqual(["devices"]);
    const other = forged(
      await played(),
      (view) => view.stage === "settled",
      (seal) => seal.composed!.withheld.push(OWN),
    );
    expect(await wrong(other)).toEqual(["devices"]);
    const early = await played();
    early.views.splice(1, 0, structuredClone(early.views[4]!));
    early.views[1]!.stage = "betting";
    expect(await wrong(early)).toContain("devices");
    const none = forged(await played({ devices: [] }), dealt, (seal) => {
      seal.composed = { contributions: [], withheld: [], beacon: null, independent: 0 };
    });
    expect(await wrong(none)).toEqual(["devices"]);
  });
  it("does not hold where this device's own contribution is missing, or where it saw others", async () => {
    expect(await wrong(await played({ devices: [OTHER] }), mine)).toEqual(["own"]);
    expect(await wrong(await played(), { ...mine, secret: "66".repeat(32) })).toEqual(["own"]);
    expect(await wrong(await played({ devices: [] }), mine)).toEqual(["own"]);
    const round = await played();
    const seen = round.views[1]!.sealed!.devices!;
    expect(await wrong(round, { ...mine, seen })).toEqual([]);
    expect(await wrong(round, { ...mine, seen: [...seen].reverse() })).toEqual([]);
    expect(await wrong(round, { ...mine, seen: seen.slice(0, 1) })).toEqual(["devices"]);
  });
  it("does not hold for another time to reveal than was announced, or for a rule of long ago", async () => {
    expect(
      await wrong(forged(await played(), all, (seal) => (seal.composition!.reveal_seconds = 3))),
    ).toEqual(["root"]);
    expect(await wrong(forged(await played(), all, (seal) => delete seal.composition))).toContain("root");
    for (const rule of [1, 2, 4]) {
      const older = forged(await played(), all, (seal) => (seal.seal = rule));
      expect(await wrong(older)).toContain("root");
      expect((await checkSeals(older.views, older.root)).wrong).toContain("root");
    }
  });
  it("does not hold for what cannot be read", async () => {
    const way = (seal: Sealed) => (seal.composed!.contributions = null as never);
    expect(await wrong(forged(await played(), done, way))).toContain("devices");
  });
  it("is nothing to complain of where no card was dealt", async () => {
    const { views, root } = await played();
    const off = { views: [...views.slice(0, 3), { ...views[2]!, stage: "void" }], root };
    expect(await wrong(off, mine)).toEqual([]);
  });
});

describe("a beacon that is mixed in", () => {
  it("holds by its signature, and is said", async () => {
    const found = await check(await played({ beacon: "wait" }), mine);
    expect(found).toMatchObject({ wrong: [], mixed: { devices: 2, beacon: "checked" } });
    const alone = await check(await played({ beacon: "wait", devices: [] }));
    expect(alone).toMatchObject({ wrong: [], mixed: { devices: 0, beacon: "checked" } });
  });
  it("is said to be unchecked where the browser does not know its signatures", async () => {
    const round = await played({ beacon: "wait" });
    const digest = crypto.subtle.digest.bind(crypto.subtle);
    const importKey = () => Promise.reject(new DOMException("unknown", "NotSupportedError"));
    vi.stubGlobal("crypto", { subtle: { digest, importKey } });
    expect(await check(round)).toMatchObject({ wrong: [], mixed: { beacon: "unchecked" } });
  });
  it("may be missing only where that was announced", async () => {
    const value = () => null;
    const found = await check(await played({ beacon: "without", value }));
    expect(found).toMatchObject({ wrong: [], mixed: { beacon: "missing" } });
    expect(await wrong(await played({ beacon: "wait", value }))).toEqual(["beacon"]);
  });
  it("does not hold for another signature, name, or round", async () => {
    const values: Ways["value"][] = [
      (round) => ({ round, signature: "00".repeat(64) }),
      (round) => ({ round, signature: "" }),
      (round) => sign("another", round),
      (round) => sign("local", round + 1),
      (round) => sign("local", round - 1),
      async (round) => ({ ...(await sign("local", round + 1)), round }),
    ];
    for (const value of values)
      expect(await wrong(await played({ beacon: "wait", value }))).toEqual(["beacon"]);
  });
  it("does not hold where none was announced, or where another one was", async () => {
    const value = await sign("local", FIRST);
    expect(await wrong(forged(await played(), done, (seal) => (seal.composed!.beacon = value)))).toContain(
      "beacon",
    );
    const changes: ((seal: Sealed) => void)[] = [
      (seal) => (seal.composition!.beacon!.missing = "without"),
      (seal) => (seal.composition!.beacon!.key = "00".repeat(32)),
      (seal) => (seal.composition!.beacon!.round -= 5),
      (seal) => (seal.composition!.beacon = null),
    ];
    for (const change of changes)
      expect(await wrong(forged(await played({ beacon: "wait" }), all, change))).toContain("root");
  });
  it("does not hold where the time to reveal was moved", async () => {
    const round = await played({ beacon: "wait" });
    const moved = forged(
      round,
      (view) => view.sealed!.reveal_by !== null,
      (seal) => (seal.reveal_by! += 20_000_000),
    );
    expect(await wrong(moved)).toEqual(["beacon"]);
    const never = forged(round, all, (seal) => (seal.reveal_by = null));
    expect(await wrong(never)).toEqual(["beacon"]);
    const twice = structuredClone(round);
    twice.views[3]!.sealed!.reveal_by! += 1;
    expect(await wrong(twice)).toEqual(["beacon"]);
  });
  it("does not hold where the time to reveal is shown too early, or is no time", async () => {
    const early = structuredClone(await played());
    early.views[0]!.sealed!.reveal_by = REVEAL_BY;
    expect(await wrong(early)).toEqual(["devices"]);
    const closed = (view: TableView) => view.sealed!.reveal_by !== null;
    const text = forged(await played(), closed, (seal) => (seal.reveal_by = "soon" as unknown as number));
    expect(await wrong(text)).toEqual(["devices"]);
  });
});

describe("what the screen says of it", () => {
  const said = (view: TableView, own?: Secret & { revealed?: boolean }, now = CLOSED_AT / 1000) =>
    mixingOf(view, own, now).map(({ key, n, bad }) => [key, n, ...(bad ? ["!"] : [])].join(" "));

  it("follows the round", async () => {
    const { views } = await played();
    expect(views.map((view) => said(view, OWN).join())).toEqual([
      "seal.waiting 0",
      "seal.devices 2",
      "seal.waiting 0",
      "seal.devices 2",
      "seal.mixed 2",
      "seal.mixed 2",
      "seal.mixed 2",
    ]);
    expect(said((await played({ devices: [OTHER] })).views.at(-1)!)).toEqual(["seal.mixed.one 1"]);
  });
  it("waits for devices as long as they may reveal", async () => {
    const { views } = await played({ devices: [OWN, LATE] });
    expect(said(views[3]!)).toEqual(["seal.waiting 0"]);
    expect(said(views[3]!, OWN, REVEAL_BY / 1000)).toEqual(["seal.devices 1"]);
  });
  it("says when no device is independent of the house", async () => {
    const { views } = await played({ devices: [] });
    expect(views.slice(2).map((view) => said(view).join())).toEqual(Array<string>(5).fill("seal.alone 0"));
  });
  it("warns of a contribution that was left out, and more so of one that vanished", async () => {
    expect(said((await played({ devices: [OWN, LATE] })).views.at(-1)!, LATE)).toEqual([
      "seal.mixed.one 1",
      "seal.late 0 !",
    ]);
    const inTime = { ...LATE, revealed: true };
    expect(said((await played({ devices: [OWN, LATE] })).views.at(-1)!, inTime)).toEqual([
      "seal.mixed.one 1",
      "seal.own 0 !",
    ]);
    expect(said((await played({ devices: [OWN, LATE] })).views.at(-1)!, OWN)).toEqual([
      "seal.mixed.one 1",
      "seal.left p3",
    ]);
    expect(said((await played({ devices: [OTHER] })).views.at(-1)!, OWN)).toEqual([
      "seal.mixed.one 1",
      "seal.own 0 !",
    ]);
    expect(said((await played({ devices: [] })).views.at(-1)!, OWN)).toEqual(["seal.own 0 !"]);
  });
  it("names the beacon", async () => {
    const { views } = await played({ beacon: "without" });
    expect(said(views[3]!)).toEqual(["seal.waiting.beacon 0"]);
    expect(said(views.at(-1)!)).toEqual(["seal.mixed 2", `seal.mixed.beacon ${FIRST}`]);
    const without = await played({ beacon: "without", value: () => null });
    expect(said(without.views.at(-1)!)).toEqual(["seal.mixed 2", "seal.missing.beacon 0 !"]);
  });
  it("has nothing to say of older seals, or of none", async () => {
    const [older] = forged(await played(), all, (seal) => (seal.seal = 2)).views;
    expect(said(older!)).toEqual([]);
    expect(said({ ...older!, sealed: undefined })).toEqual([]);
  });
});
