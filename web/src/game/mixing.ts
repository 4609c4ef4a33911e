/** What devices of players contribute to the order of a round, as its views show it, held against each other. */
import type { TableView } from "../api/types";
import {
  AS_SEALED,
  type BeaconValue,
  commitmentTo,
  composed as composedOf,
  firstRoundAfter,
  isSigned,
} from "./composition";

type Seal = NonNullable<TableView["sealed"]>;
export type Device = NonNullable<Seal["devices"]>[number];
export type Beacon = NonNullable<NonNullable<Seal["composition"]>["beacon"]>;
type Composed = NonNullable<Seal["composed"]>;
type Named = Pick<Device, "player" | "device">;

/** The rule of seals whose order is composed with contributions. */
export const COMPOSED_RULE = 3;

/** What this browser contributed to a round: `seen` are the commitments that it saw before it gave its secret away;
 * `revealed` is whether the floor took the secret in time. */
export interface Own {
  player?: string;
  device: string;
  secret: string;
  revealed?: boolean;
  seen?: Device[];
}

/** How the order of a round came about. `beacon` is empty where none was announced. */
export interface Mixed {
  devices: number;
  own: "" | "mixed" | "withheld";
  beacon: "" | "checked" | "unchecked" | "missing";
}

const SECRET = /^[0-9a-f]{64}$/;
const idOf = ({ player, device }: Named) => JSON.stringify([player, device]);
const listed = (devices: readonly Device[]) =>
  devices
    .map((one) => JSON.stringify([one.player, one.device, one.commitment]))
    .sort()
    .join();

/** What views of one round say of the devices that took part, view by view. What does not hold is one of `devices`,
 * `beacon`, `own`. */
export class Mixing {
  /** The order in which the places of the deck are dealt. */
  order: readonly number[] = AS_SEALED;
  private closed = false;
  private committed = new Map<string, Device>();
  private secrets = new Map<string, string>();
  private composed = "";
  private last: Composed | null = null;
  private dealt = false;
  private revealBy = 0;
  private beacon: Mixed["beacon"] = "";

  async see(view: TableView, seal: Seal, wrong: Set<string>): Promise<void> {
    const { devices = [], composed = null } = seal;
    const bound = { table: view.table, round: view.round, root: seal.root };
    if (new Set(devices.map(({ player }) => player)).size !== devices.length) wrong.add("devices");
    if (view.stage === "betting") this.whileBetsAreOpen(devices, wrong);
    else this.closed = true;
    if (listed(devices) !== listed([...this.committed.values()])) wrong.add("devices");
    for (const { player, device, commitment, secret } of devices) {
      const before = this.secrets.get(idOf({ player, device })) ?? "";
      if (before && before !== secret) wrong.add("devices");
      if (!secret || before) continue;
      this.secrets.set(idOf({ player, device }), secret);
      if (
        !this.closed ||
        !SECRET.test(secret) ||
        (await commitmentTo({ player, device, secret }, bound)) !== commitment
      )
        wrong.add("devices");
    }
    if (seal.reveal_by) {
      if (this.revealBy && this.revealBy !== seal.reveal_by) wrong.add("beacon");
      if (!this.closed || typeof seal.reveal_by !== "number") wrong.add("devices");
      this.revealBy = seal.reveal_by;
    }
    this.dealt ||= seal.drawn > 0;
    const said = composed ? JSON.stringify(composed) : "";
    if (this.composed && said !== this.composed) wrong.add("devices");
    const announced = seal.composition?.beacon ?? null;
    const owed = this.committed.size > 0 || announced !== null;
    if (composed ? !this.closed || !owed : this.dealt && owed) wrong.add("devices");
    if (!composed || this.composed) return;
    this.composed = said;
    this.whoContributed(composed, wrong);
    this.last = composed;
    await this.throughBeacon(announced, composed.beacon, wrong);
    this.order = await composedOf(composed.contributions, composed.beacon, bound);
  }

  /** Commitments are made while bets are open, and are not taken back. */
  private whileBetsAreOpen(devices: readonly Device[], wrong: Set<string>): void {
    if (this.closed) wrong.add("devices");
    for (const one of devices) {
      if ((this.committed.get(idOf(one)) ?? one).commitment !== one.commitment) wrong.add("devices");
      this.committed.set(idOf(one), one);
    }
  }

  /** Every device that committed is either mixed in with what it revealed, or has withheld it. */
  private whoContributed({ contributions, withheld, independent }: Composed, wrong: Set<string>): void {
    const all = [...contributions, ...withheld].map(idOf);
    if (all.length !== this.committed.size || new Set(all).size !== all.length) wrong.add("devices");
    if (!all.every((id) => this.committed.has(id))) wrong.add("devices");
    if (contributions.some((one) => !one.secret || this.secrets.get(idOf(one)) !== one.secret))
      wrong.add("devices");
    if (withheld.some((one) => this.secrets.has(idOf(one)))) wrong.add("devices");
    if (independent !== contributions.length) wrong.add("devices");
  }

  /** The value is of the first round that is published after the reveals, and is missing only as announced. */
  private async throughBeacon(announced: Beacon | null, value: BeaconValue | null, wrong: Set<string>) {
    if (!announced) {
      if (value) wrong.add("beacon");
      return;
    }
    this.beacon = value ? "checked" : "missing";
    if (!value) {
      if (announced.missing !== "without") wrong.add("beacon");
      return;
    }
    const { name, key, genesis, period, round } = announced;
    const due = Math.max(round, firstRoundAfter(this.revealBy, genesis, period));
    if (!this.revealBy || value.round !== due) wrong.add("beacon");
    const signed = await isSigned(name, key, value);
    if (signed === false) wrong.add("beacon");
    if (signed === undefined) this.beacon = "unchecked";
  }

  /** What became of it; `own` is what this browser contributed, if it did. */
  outcome(own: Own | undefined, wrong: Set<string>): Mixed {
    const mixed: Mixed = { devices: this.last?.contributions.length ?? 0, own: "", beacon: this.beacon };
    if (!own || !this.dealt) return mixed;
    const is = (one: Named) => one.device === own.device && (!own.player || own.player === one.player);
    if (this.last?.contributions.some((one) => is(one) && one.secret === own.secret)) mixed.own = "mixed";
    else if (this.last?.withheld.some(is) && !own.revealed) mixed.own = "withheld";
    else wrong.add("own");
    if (own.seen && listed(own.seen) !== listed([...this.committed.values()])) wrong.add("devices");
    return mixed;
  }
}

export interface Said {
  key:
    | "seal.alone"
    | "seal.devices"
    | "seal.late"
    | "seal.left"
    | "seal.missing.beacon"
    | "seal.mixed"
    | "seal.mixed.beacon"
    | "seal.mixed.one"
    | "seal.own"
    | "seal.waiting"
    | "seal.waiting.beacon";
  /** How many devices, which round of the beacon, or whose devices. */
  n: number | string;
  /** Whether it is a warning. */
  bad: boolean;
}

/** What a screen says of the mixing while the round is on; `own` is the commitment that this device made, `now` the
 * time by the floor's clock in milliseconds. */
export function mixingOf(
  view: TableView,
  own: (Named & Pick<Own, "revealed">) | undefined,
  now: number,
): Said[] {
  const seal = view.sealed;
  if (!seal || seal.seal !== COMPOSED_RULE) return [];
  const { devices = [], composed, composition, reveal_by } = seal;
  const said = (key: Said["key"], n: number | string = 0, bad = false): Said => ({ key, n, bad });
  const counted = (n: number) => (n ? said("seal.devices", n) : said("seal.alone"));
  if (composed) {
    const { contributions, withheld, beacon } = composed;
    const n = contributions.length;
    const found = [n ? said(n === 1 ? "seal.mixed.one" : "seal.mixed", n) : said("seal.alone")];
    if (beacon) found.push(said("seal.mixed.beacon", beacon.round));
    else if (composition?.beacon) found.push(said("seal.missing.beacon", 0, true));
    const is = (one: Named) => one.player === own?.player && one.device === own.device;
    const left = withheld.filter((one) => !is(one)).map(({ player }) => player);
    if (left.length) found.push(said("seal.left", left.join(", ")));
    if (own && !own.revealed && withheld.some(is)) found.push(said("seal.late", 0, true));
    else if (own && !contributions.some(is)) found.push(said("seal.own", 0, true));
    return found;
  }
  if (view.stage === "betting") return [devices.length ? counted(devices.length) : said("seal.waiting")];
  if (seal.drawn) return own ? [said("seal.own", 0, true)] : [said("seal.alone")];
  if (!reveal_by) return [];
  const revealed = devices.filter(({ secret }) => secret).length;
  if (revealed < devices.length && now * 1000 < reveal_by) return [said("seal.waiting")];
  return composition?.beacon ? [said("seal.waiting.beacon")] : [counted(revealed)];
}
