/** This device's part in the order of the rounds: committed while bets are open, revealed once they are closed, without
 * being asked. Nothing waits for it, and what goes wrong with it is tried again or left. */
import { ask as asked, Problem } from "../api/http";
import type { TableView } from "../api/types";
import { canCompose, commitmentTo } from "../game/composition";
import { COMPOSED_RULE, type Device, type Own } from "../game/mixing";
import { type For, type Kept, device, keepSecret, secretFor, secretOf } from "./secrets";

const PAUSE = 400;
const INSECURE = "insecure";
const CODES = ["device-already", "device-withheld", "entered-by-staff", "too-many-devices"] as const;
export type Barred = "" | typeof INSECURE | (typeof CODES)[number];
type Ask = (request: string, body: Record<string, unknown>) => Promise<unknown>;
type Seal = NonNullable<TableView["sealed"]>;

/** Whether a problem may be another one, or none, in a moment. */
const passes = (problem: unknown) =>
  !(problem instanceof Problem) || problem.status === 0 || problem.status === 429 || problem.status >= 500;

export class Contributing {
  /** Why this device takes no part in the round. */
  barred = $state<Barred>("");
  /** What it has committed to the round that is on. */
  own = $state.raw<Kept | undefined>(undefined);
  private view: TableView | undefined;
  private player = "";
  private about = "";
  private under = new Set<string>();
  private given = new Set<string>();

  constructor(
    private readonly table: string,
    private readonly ask: Ask = asked,
    private readonly pause = PAUSE,
  ) {}

  /** A view has come: do what is to be done now. */
  hear(view: TableView, player: string): void {
    this.view = view;
    this.player = player;
    const seal = view.sealed;
    if (!player || seal?.seal !== COMPOSED_RULE) {
      this.own = undefined;
      this.barred = "";
      return;
    }
    const wanted = this.wanted(seal);
    const about = JSON.stringify(wanted);
    if (about !== this.about) this.barred = "";
    this.about = about;
    if (!canCompose()) {
      this.barred = this.seated() ? INSECURE : "";
      return;
    }
    const kept = secretOf(wanted);
    const mine = kept && seal.devices?.find((one) => this.is(one, kept));
    if (mine && !kept.committed && view.stage === "betting") keepSecret({ ...kept, committed: true });
    this.own = mine || kept?.committed ? kept : undefined;
    if (this.own) this.barred = "";
    else if (seal.devices?.some((one) => one.player === player && one.device !== device()))
      this.barred = "device-already";
    if (this.mayCommit(wanted)) void this.once("commit", wanted, () => this.commit(wanted));
    if (kept && this.mayReveal(kept)) void this.once("reveal", wanted, () => this.reveal(kept));
  }

  /** What this device contributed to a round, for its check. */
  contributed(round: number, root: string, player: string): Own | undefined {
    const kept = secretOf({ table: this.table, round, root, player });
    return kept?.committed ? kept : undefined;
  }

  private wanted(seal: Seal): For {
    return { table: this.table, round: this.view?.round ?? 0, root: seal.root, player: this.player };
  }

  private is(one: Pick<Device, "player" | "device">, kept: Kept): boolean {
    return one.player === kept.player && one.device === kept.device;
  }

  private seated(): boolean {
    return Object.values(this.view?.seats ?? {}).includes(this.player);
  }

  /** Whether a view of the round still has the seal that a secret was made for. */
  private still({ round, root, player }: For): Seal | undefined {
    const seal = this.view?.sealed;
    const same = this.view?.round === round && seal?.root === root && this.player === player;
    return same ? seal : undefined;
  }

  private mayCommit(wanted: For): boolean {
    const seal = this.still(wanted);
    if (!seal || this.view?.stage !== "betting" || !this.seated()) return false;
    return !seal.devices?.some((one) => one.player === wanted.player);
  }

  /** A secret is given away once bets are closed, and not before. */
  private mayReveal(kept: Kept): boolean {
    const seal = this.still(kept);
    if (!seal?.reveal_by || seal.composed || this.view?.stage === "betting") return false;
    return seal.devices?.some((one) => this.is(one, kept) && !one.secret) ?? false;
  }

  /** Ask for something once for each seal, again while nothing is answered, and never twice at a time. */
  private async once(what: "commit" | "reveal", wanted: For, work: () => Promise<boolean>): Promise<void> {
    const name = JSON.stringify([what, wanted.round, wanted.root, wanted.player]);
    if (this.under.has(name) || this.given.has(name)) return;
    this.under.add(name);
    try {
      while (await work()) {
        await new Promise((resolve) => setTimeout(resolve, this.pause));
      }
    } finally {
      this.under.delete(name);
      this.given.add(name);
    }
  }

  /** Whether to try again. */
  private async commit(wanted: For): Promise<boolean> {
    if (!this.mayCommit(wanted)) return false;
    const kept = await secretFor(wanted);
    const commitment = await commitmentTo(kept, wanted);
    try {
      await this.ask("commit-entropy", { table: this.table, device: kept.device, commitment });
    } catch (problem) {
      if (passes(problem)) return this.mayCommit(wanted);
      const code = CODES.find((known) => problem instanceof Problem && known === problem.code);
      if (code && this.still(wanted)) this.barred = code;
      return false;
    }
    const taken = { ...(secretOf(wanted) ?? kept), committed: true };
    keepSecret(taken);
    if (this.still(wanted)) this.own = taken;
    return false;
  }

  private async reveal(kept: Kept): Promise<boolean> {
    const seal = this.still(kept);
    if (!seal || !this.mayReveal(kept)) return false;
    const bare = (seal.devices ?? []).map(({ player, device, commitment }) => ({
      player,
      device,
      commitment,
      secret: "",
    }));
    const before = secretOf(kept) ?? kept;
    keepSecret({ ...before, committed: true, seen: before.seen ?? bare });
    try {
      await this.ask("reveal-entropy", { table: this.table, device: kept.device, secret: kept.secret });
    } catch (problem) {
      return passes(problem) && this.mayReveal(kept);
    }
    const taken = { ...(secretOf(kept) ?? kept), revealed: true };
    keepSecret(taken);
    if (this.still(kept)) this.own = taken;
    return false;
  }
}
