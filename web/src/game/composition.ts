/**
 * The order in which the places of a sealed deck are dealt, composed with what devices of players contribute:
 * docs/fair-shuffle.md has the method. It is `pitboss.floor.composition` in the browser, and gives the same bytes.
 */

import type { BeaconValue, Contribution } from "../api/wire";

/** The seal that a contribution is bound to. */
export interface Bound {
  table: string;
  round: number;
  root: string;
}

const PLACES = 52;
const SECRET_BYTES = 32;
const DEVICE_BYTES = 16;
const WORDS = 2 ** 32;
const DIGITS = /^[0-9a-f]+$/;

/** The order where nobody contributed and no beacon was mixed in: that of the sealed deck. */
export const AS_SEALED: readonly number[] = Array.from({ length: PLACES }, (_, place) => place);

export const hex = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
export const unhex = (text: string) =>
  Uint8Array.from({ length: text.length / 2 }, (_, n) => parseInt(text.slice(2 * n, 2 * n + 2), 16));
const isHex = (text: string, bytes: number) => text.length === 2 * bytes && DIGITS.test(text);

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** Whether this browser can compute and check: only pages that are served securely may. */
export const canCompose = () => globalThis.crypto?.subtle !== undefined;

const random = (bytes: number) => hex(crypto.getRandomValues(new Uint8Array(bytes)));
export const newSecret = () => random(SECRET_BYTES);
export const newDevice = () => random(DEVICE_BYTES);

/** Texts by their code points, as other languages compare them. */
function compared(one: string, other: string): number {
  const [ones, others] = [one, other].map((text) => Array.from(text, (letter) => letter.codePointAt(0)!)) as [
    number[],
    number[],
  ];
  const at = ones.findIndex((point, n) => point !== others[n]);
  return at < 0 ? ones.length - others.length : ones[at]! - (others[at] ?? -1);
}

const inOrder = (one: Contribution, other: Contribution) =>
  compared(one.player, other.player) ||
  compared(one.device, other.device) ||
  compared(one.secret, other.secret);

/** The commitment of a device, bound to the seal of one round. The names are in alphabetical order. */
export async function commitmentTo(
  { player, device, secret }: Contribution,
  { table, round, root }: Bound,
): Promise<string> {
  const said = JSON.stringify({ device, player, root, round, secret, table });
  return hex(await sha256(new TextEncoder().encode(said)));
}

/** What the order follows from. The order in which devices revealed makes no difference. */
export async function seedOf(
  given: readonly Contribution[],
  beacon: BeaconValue | null,
  { table, round, root }: Bound,
): Promise<Uint8Array<ArrayBuffer>> {
  const said = {
    beacon: beacon && { round: beacon.round, signature: beacon.signature },
    contributions: [...given].sort(inOrder).map(({ device, player, secret }) => ({ device, player, secret })),
    root,
    round,
    table,
  };
  return sha256(new TextEncoder().encode(JSON.stringify(said)));
}

/** Numbers of 32 bits without end: SHA-256 of the seed and a counter, eight big-endian words a block. */
async function* words(seed: Uint8Array): AsyncGenerator<number> {
  for (let block = 0; ; block++) {
    const counter = new Uint8Array(4);
    new DataView(counter.buffer).setUint32(0, block);
    const found = new DataView((await sha256(Uint8Array.from([...seed, ...counter]))).buffer);
    for (let at = 0; at < found.byteLength; at += 4) yield found.getUint32(at);
  }
}

/** The permutation that a seed makes, by Fisher and Yates, each order as likely as another. */
export async function orderOf(seed: Uint8Array): Promise<number[]> {
  const order = [...AS_SEALED];
  let last = PLACES - 1;
  for await (const word of words(seed)) {
    const bound = last + 1;
    if (word >= WORDS - (WORDS % bound)) continue;
    const other = word % bound;
    [order[last], order[other]] = [order[other]!, order[last]!];
    if (--last === 0) break;
  }
  return order;
}

/** The order in which the places are dealt; the sealed one where there is nothing to mix in. */
export async function composed(
  given: readonly Contribution[],
  beacon: BeaconValue | null,
  bound: Bound,
): Promise<readonly number[]> {
  return given.length || beacon ? orderOf(await seedOf(given, beacon, bound)) : AS_SEALED;
}

/** What a beacon signs for one of its rounds. */
const beaconMessage = (name: string, round: number) => new TextEncoder().encode(`${name}|${round}`);

/** Whether a beacon's value is signed by its key (Ed25519); undefined where the browser does not know how to check. One
 * signature has one text, in small letters, or a house could choose among orders by how it writes it. */
export async function isSigned(name: string, key: string, value: BeaconValue): Promise<boolean | undefined> {
  if (!isHex(key, 32) || !isHex(value.signature, 64)) return false;
  try {
    const made = await crypto.subtle.importKey("raw", unhex(key), { name: "Ed25519" }, false, ["verify"]);
    const message = beaconMessage(name, value.round);
    return await crypto.subtle.verify({ name: "Ed25519" }, made, unhex(value.signature), message);
  } catch (problem) {
    return problem instanceof DOMException && problem.name === "NotSupportedError" ? undefined : false;
  }
}

/** The first round of a beacon that is published later than a moment, in microseconds since 1970. */
export function firstRoundAfter(micros: number, genesis: number, period: number): number {
  return Math.max(1, Math.floor((micros - genesis * 1e6) / (period * 1e6)) + 2);
}
