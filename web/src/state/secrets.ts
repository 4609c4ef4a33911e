/**
 * What this device contributes to the order of rounds: a secret for each, kept when the page is closed, so that it can
 * still be revealed, and afterwards to check the round by. A secret tells nothing about any card.
 */
import { newDevice, newSecret } from "../game/composition";
import type { Device } from "../api/wire";

const DEVICE = "pitboss-device";
const NAME = "pitboss-secrets";
export const MOST_SECRETS = 200;

/** The seal and the player that a secret was made for. */
export interface For {
  table: string;
  round: number;
  root: string;
  player: string;
}

/** `committed` once the floor has taken the commitment, `revealed` once it has taken the secret; `seen` are all
 * commitments that it showed before the secret was given. */
export interface Kept extends For {
  device: string;
  secret: string;
  committed?: boolean;
  revealed?: boolean;
  seen?: Device[];
}

/** What a browser that keeps nothing knows until the page is closed. */
let inMind: Kept[] = [];
let deviceInMind = "";

function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function store(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // then it is known as long as the page is open
  }
}

/** This device, made up at its first contribution. */
export function device(): string {
  const kept = stored(DEVICE) ?? "";
  if (/^[A-Za-z0-9-]{1,40}$/.test(kept)) return kept;
  deviceInMind ||= newDevice();
  store(DEVICE, deviceInMind);
  return deviceInMind;
}

const same = (one: For, other: For) =>
  one.table === other.table &&
  one.round === other.round &&
  one.root === other.root &&
  one.player === other.player;

/** All of them, those of this page before what another one has written since. */
function all(): Kept[] {
  let found: unknown = null;
  try {
    found = JSON.parse(stored(NAME) ?? "[]");
  } catch {
    // what cannot be read is as good as none
  }
  const others = (Array.isArray(found) ? (found as Kept[]) : []).filter(
    (one) => !inMind.some((own) => same(own, one)),
  );
  return [...others, ...inMind];
}

/** What was made for a seal, if anything was. */
export const secretOf = (wanted: For): Kept | undefined => all().find((kept) => same(kept, wanted));

export function keepSecret(kept: Kept): void {
  inMind = [...inMind.filter((other) => !same(other, kept)), kept].slice(-MOST_SECRETS);
  store(NAME, JSON.stringify([...all().filter((other) => !same(other, kept)), kept].slice(-MOST_SECRETS)));
}

/** What this device contributes to a round: as it is kept, or made now. Of two pages of one browser the second one
 * takes what the first has made. */
export async function secretFor(wanted: For): Promise<Kept> {
  const make = () => {
    const kept = secretOf(wanted) ?? {
      table: wanted.table,
      round: wanted.round,
      root: wanted.root,
      player: wanted.player,
      device: device(),
      secret: newSecret(),
    };
    keepSecret(kept);
    return kept;
  };
  const locks = globalThis.navigator?.locks;
  return locks ? locks.request(NAME, make) : make();
}
