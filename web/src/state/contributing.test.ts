import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Problem } from "../api/http";
import type { Device, TableView } from "../api/wire";
import { commitmentTo } from "../game/composition";
import { Contributing } from "./contributing.svelte";
import { MOST_SECRETS, device, keepSecret, secretFor, secretOf } from "./secrets";

type Asked = [request: string, body: Record<string, string>];
type Sealed = NonNullable<TableView["sealed"]>;

const view = (stage: string, sealed: Partial<Sealed> = {}, more: object = {}) =>
  ({
    round: 3,
    stage,
    seats: { "2": "p1" },
    sealed: { seal: 3, root: "aa", drawn: 0, devices: [], composed: null, reveal_by: null, ...sealed },
    ...more,
  }) as unknown as TableView;
const settle = () => new Promise((resolve) => setTimeout(resolve, 15));
const offline = () => new Problem(0, "offline", "");

describe("this device's part in the order", () => {
  let table = 0;
  let kept: Map<string, string>;
  let asked: Asked[];
  let answers: (() => Promise<unknown>)[];
  const ask = (request: string, body: object) => {
    asked.push([request, { ...body } as Record<string, string>]);
    return (answers.shift() ?? (() => Promise.resolve()))();
  };
  const page = () => new Contributing(`t${table}`, ask, 1);

  beforeEach(() => {
    table++; // what a page has in mind outlives a test
    asked = [];
    answers = [];
    kept = new Map();
    vi.stubGlobal("localStorage", {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => kept.set(name, text),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  /** What the floor lists of the commitment that was asked for. */
  const listed = (secret = ""): Device[] => {
    const { device, commitment } = asked.find(([request]) => request === "commit-entropy")![1];
    return [{ player: "p1", device: device!, commitment: commitment!, secret }];
  };

  it("is committed once for each seal while bets are open, and revealed once they are closed", async () => {
    const own = page();
    own.hear(view("betting"), "p1");
    own.hear(view("betting"), "p1");
    await settle();
    own.hear(view("betting"), "p1");
    await settle();
    expect(asked.map(([request]) => request)).toEqual(["commit-entropy"]);
    const [, committed] = asked[0]!;
    expect(Object.keys(committed).sort()).toEqual(["commitment", "device", "table"]);
    expect(own.own).toMatchObject({ player: "p1", round: 3, root: "aa", device: device(), committed: true });
    own.hear(view("betting", { devices: listed(), reveal_by: 5 }), "p1");
    own.hear(view("closed", { devices: listed() }), "p1");
    await settle();
    expect(asked).toHaveLength(1);
    own.hear(view("closed", { devices: listed(), reveal_by: 5 }), "p1");
    own.hear(view("closed", { devices: listed(), reveal_by: 5 }), "p1");
    await settle();
    const [request, { secret, device: by }] = asked[1]!;
    expect(request).toBe("reveal-entropy");
    const made = await commitmentTo(
      { player: "p1", device: by!, secret: secret! },
      { ...own.own!, round: 3 },
    );
    expect(made).toBe(committed["commitment"]);
    expect(asked).toHaveLength(2);
    expect(own.contributed(3, "aa", "p1")).toMatchObject({
      device: by,
      secret,
      seen: listed(),
      revealed: true,
    });
    expect(own.contributed(3, "bb", "p1")).toBeUndefined();
    expect(own.contributed(3, "aa", "p2")).toBeUndefined();
  });
  it("is another one for another seal, and none of a player without a seat, of staff or by older rules", async () => {
    const own = page();
    own.hear(view("betting", { root: "bb" }), "p1");
    await settle();
    own.hear(view("betting", { root: "cc" }), "p1");
    await settle();
    expect(new Set(asked.map(([, { commitment }]) => commitment)).size).toBe(2);
    for (const [found, player] of [
      [view("betting", { root: "dd" }), "p2"],
      [view("betting", { root: "dd" }), ""],
      [view("betting", { root: "dd", seal: 2 }), "p1"],
      [view("closed", { root: "dd", reveal_by: 5 }), "p1"],
      [view("settled", { root: "dd" }), "p1"],
    ] as const)
      own.hear(found, player);
    await settle();
    expect(asked).toHaveLength(2);
  });
  it("is revealed by the page that comes after, with the same secret", async () => {
    page().hear(view("betting"), "p1");
    await settle();
    const secret = secretOf({ table: `t${table}`, round: 3, root: "aa", player: "p1" })!.secret;
    vi.resetModules(); // as another page: nothing in mind, the same storage
    const later = await import("./contributing.svelte");
    const own = new later.Contributing(`t${table}`, ask, 1);
    own.hear(view("betting", { devices: listed() }), "p1");
    own.hear(view("closed", { devices: listed(), reveal_by: 5 }), "p1");
    await settle();
    expect(asked.map(([request]) => request)).toEqual(["commit-entropy", "reveal-entropy"]);
    expect(asked[1]![1]["secret"]).toBe(secret);
  });
  it("is tried again while nobody answers, and not when it is refused", async () => {
    const own = page();
    answers = [() => Promise.reject(offline()), () => Promise.reject(new Problem(503, "", ""))];
    own.hear(view("betting"), "p1");
    await settle();
    expect(asked).toHaveLength(3);
    expect(new Set(asked.map(([, { commitment }]) => commitment)).size).toBe(1);
    answers = [() => Promise.reject(offline()), () => Promise.reject(new Problem(409, "too-late", ""))];
    own.hear(view("closed", { devices: listed(), reveal_by: 5 }), "p1");
    await settle();
    expect(asked).toHaveLength(5);
    expect(own.barred).toBe("");
  });
  it("is not tried any more once bets are closed", async () => {
    const own = page();
    answers = Array.from({ length: 99 }, () => () => Promise.reject(offline()));
    own.hear(view("betting"), "p1");
    await settle();
    own.hear(view("closed", { reveal_by: 5 }), "p1");
    const tries = asked.length;
    expect(tries).toBeGreaterThan(1);
    await settle();
    expect(asked.length - tries).toBeLessThan(2);
    expect(own.own).toBeUndefined();
    expect(own.contributed(3, "aa", "p1")).toBeUndefined();
  });
  it("says why it takes no part, until the next round", async () => {
    const own = page();
    for (const [n, code] of ["device-already", "device-withheld", "too-many-devices"].entries()) {
      answers = [() => Promise.reject(new Problem(409, code, ""))];
      own.hear(view("betting", { root: `r${n}` }), "p1");
      await settle();
      expect(own.barred).toBe(code);
      own.hear(view("closed", { root: `r${n}`, reveal_by: 5 }), "p1");
      expect(own.barred).toBe(code);
    }
    answers = [() => Promise.reject(new Problem(409, "no-seat", ""))];
    own.hear(view("betting", { root: "next" }), "p1");
    await settle();
    expect(own.barred).toBe("");
  });
  it("is not asked for where another device of the player is there already", async () => {
    const own = page();
    const devices = [{ player: "p1", device: "phone", commitment: "cc", secret: "" }];
    own.hear(view("betting", { devices }), "p1");
    await settle();
    expect([asked, own.barred]).toEqual([[], "device-already"]);
    own.hear(view("betting", { devices: [{ ...devices[0]!, player: "p2" }] }, { round: 4 }), "p1");
    await settle();
    expect([asked.length, own.barred]).toEqual([1, ""]);
  });
  it("is nothing where the page is not served securely, which is said to those who sit there", () => {
    vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const own = page();
    own.hear(view("betting"), "p2");
    expect(own.barred).toBe("");
    own.hear(view("betting"), "p1");
    expect(own.barred).toBe("insecure");
    expect(asked).toEqual([]);
  });
  it("is the same for two pages of one browser, and one device", async () => {
    const wanted = { table: `t${table}`, round: 3, root: "aa", player: "p1" };
    let queue: Promise<unknown> = Promise.resolve();
    const request = (_: string, work: () => unknown) => (queue = queue.then(work));
    vi.stubGlobal("navigator", { locks: { request } });
    const found = await Promise.all([secretFor(wanted), secretFor(wanted)]);
    expect(found[0]).toEqual(found[1]);
    expect(found[0]!.device).toBe(kept.get("pitboss-device"));
    expect(found[0]!.secret).toMatch(/^[0-9a-f]{64}$/);
  });
  it("keeps its device, unless it is written as none is", () => {
    kept.set("pitboss-device", "Phone-7");
    expect(device()).toBe("Phone-7");
    kept.set("pitboss-device", "no device!");
    expect(device()).toMatch(/^[0-9a-f]{32}$/);
    expect(device()).toBe(kept.get("pitboss-device"));
  });
  it("is not kept without end, and does without a browser that keeps things", async () => {
    const made = { table: "x", root: "aa", player: "p1", device: "d", secret: "11" };
    for (let round = 1; round <= MOST_SECRETS + 5; round++) keepSecret({ ...made, round });
    expect(JSON.parse(kept.get("pitboss-secrets")!)).toHaveLength(MOST_SECRETS);
    kept.set("pitboss-secrets", "{");
    expect(secretOf({ ...made, round: MOST_SECRETS })).toBeDefined();
    expect(secretOf({ ...made, round: 1 })).toBeUndefined();
    vi.stubGlobal("localStorage", undefined);
    const own = page();
    own.hear(view("betting"), "p1");
    await settle();
    own.hear(view("closed", { devices: listed(), reveal_by: 5 }), "p1");
    await settle();
    expect(asked.map(([request]) => request)).toEqual(["commit-entropy", "reveal-entropy"]);
  });
});
