import { afterEach, describe, expect, it, vi } from "vitest";
import vectors from "./composition.json";
import {
  AS_SEALED,
  canCompose,
  commitmentTo,
  composed,
  firstRoundAfter,
  hex,
  isSigned,
  newDevice,
  newSecret,
  orderOf,
  seedOf,
  sha256,
  unhex,
} from "./composition";

const { bound, commitments, orders, beacon } = vectors;

/** tests/unit/test_composition_in_browsers.py has the same vectors from the house's own code. */
describe("the composed order", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("commits as the house does, whatever a player is called", async () => {
    for (const { contribution, commitment } of commitments)
      expect(await commitmentTo(contribution, bound)).toBe(commitment);
  });
  it("binds a commitment to table, round and root", async () => {
    const { contribution, commitment } = commitments[0]!;
    for (const other of [{ table: "t2" }, { round: 4 }, { root: "00".repeat(32) }])
      expect(await commitmentTo(contribution, { ...bound, ...other })).not.toBe(commitment);
  });
  it("follows from what was contributed, in whatever order it came", async () => {
    for (const { contributions, beacon, seed, order } of orders) {
      for (const given of [contributions, [...contributions].reverse()]) {
        expect(hex(await seedOf(given, beacon, bound))).toBe(seed);
        expect(await composed(given, beacon, bound)).toEqual(order);
      }
    }
  });
  it("has each place once, and is the sealed one where nothing was mixed in", async () => {
    for (const { order } of orders) expect([...order].sort((a, b) => a - b)).toEqual(AS_SEALED);
    expect(await composed([], null, bound)).toBe(AS_SEALED);
  });
  it("passes over words that would favour a place", async () => {
    const { seed, order } = orders[0]!;
    const real = crypto.subtle;
    const digest = (name: string, bytes: Uint8Array<ArrayBuffer>) => {
      const block = new DataView(bytes.buffer).getUint32(bytes.length - 4);
      if (block === 0) return Promise.resolve(new Uint8Array(32).fill(255).buffer);
      new DataView(bytes.buffer).setUint32(bytes.length - 4, block - 1);
      return real.digest(name, bytes);
    };
    vi.stubGlobal("crypto", { subtle: { digest } });
    expect(await orderOf(unhex(seed))).toEqual(order);
  });
});

describe("a beacon", () => {
  const { name, key, round, signature } = beacon;

  it("is believed by its signature", async () => {
    expect(await isSigned(name, key, { round, signature })).toBe(true);
    expect(await isSigned(name, key, { round, signature: signature.toUpperCase() })).toBe(false);
    expect(await isSigned("another", key, { round, signature })).toBe(false);
    expect(await isSigned(name, key, { round: round + 1, signature })).toBe(false);
    expect(await isSigned(name, "00".repeat(32), { round, signature })).toBe(false);
    for (const unreadable of ["", "zz".repeat(64), signature.slice(2), `${signature}00`])
      expect(await isSigned(name, key, { round, signature: unreadable })).toBe(false);
    expect(await isSigned(name, "", { round, signature })).toBe(false);
  });
  it("is left open where the browser does not know Ed25519", async () => {
    const importKey = () => Promise.reject(new DOMException("unknown", "NotSupportedError"));
    vi.stubGlobal("crypto", { subtle: { importKey } });
    expect(await isSigned(name, key, { round, signature })).toBeUndefined();
    vi.unstubAllGlobals();
  });
  it("publishes its rounds at their times", () => {
    for (const [micros, number] of beacon.rounds as [number, number][])
      expect(firstRoundAfter(micros, beacon.genesis, beacon.period)).toBe(number);
  });
});

describe("what a browser makes up", () => {
  it("is long enough, and another one each time", async () => {
    expect(canCompose()).toBe(true);
    expect(newSecret()).toMatch(/^[0-9a-f]{64}$/);
    expect(newDevice()).toMatch(/^[A-Za-z0-9-]{1,40}$/);
    expect(newSecret()).not.toBe(newSecret());
    expect(hex(await sha256(new Uint8Array()))).toMatch(/^e3b0c44298fc1c14/);
  });
});
