/** Live views over one socket: it comes back by itself, and resumes at the version that was seen last. */
import { hear } from "./http";
import type { Jackpot, Message, TableView } from "./wire";

export type Line = "joining" | "live" | "lost" | "locked" | "out";
const LOCKED = 4423;
const NOT_SIGNED_IN = 4401;
const RECORD_BROKEN = "record-broken";
const LONGEST_PAUSE = 4000;
const BEAT = 3000;
const SILENCE = 7000;
const TICK = 500;
/** So often the other end is asked whether it is there, and after so long a silence it is not. */

export class Live {
  line = $state<Line>("joining");
  views = $state.raw<Record<string, TableView>>({});
  versions: Record<string, number> = {};
  jackpots = $state.raw<Record<string, Jackpot>>({});
  problem = $state("");
  /** Counts every message, so that screens can follow what changes. */
  beats = $state(0);
  private socket: WebSocket | null = null;
  private tries = 0;
  private over = false;
  private heard = 0;
  /** The time by the floor's clock in milliseconds, told with every beat: a device's own clock may be wrong. */
  now = $state(Date.now());
  private told: { floor: number; at: number } | null = null;
  private asked = 0;
  private seen: ((table: string, view: TableView, before: TableView | undefined) => void)[] = [];

  constructor(
    private readonly path: "/api/live" | "/api/jackpots/live",
    private readonly tables: string[] = [],
  ) {
    this.join();
    setInterval(() => this.beat(), BEAT);
    setInterval(() => this.tick(), TICK);
    globalThis.addEventListener?.("offline", () => this.drop());
    globalThis.addEventListener?.("online", () => this.again());
  }

  /** Nobody was heard for too long: the line is dead, whatever the browser thinks of it. */
  private beat(): void {
    if (this.line !== "live" || this.socket?.readyState !== WebSocket.OPEN) return;
    if (performance.now() - this.heard > SILENCE) this.drop();
    else this.askTime();
  }

  private askTime(): void {
    this.asked = performance.now();
    this.socket?.send('{"beat":1}');
  }

  /** Half of the way there and back is over when the answer comes. */
  private learnTime(micros: number): void {
    const at = performance.now();
    this.told = { floor: micros / 1000 + (at - this.asked) / 2, at };
    this.tick();
  }

  private tick(): void {
    const told = this.told;
    this.now = told ? told.floor + performance.now() - told.at : Date.now();
  }

  private drop(): void {
    const socket = this.socket;
    if (this.over || !socket || this.line !== "live") return;
    this.line = "lost";
    socket.onclose = null;
    socket.onmessage = null;
    socket.close();
    this.tries = 0;
    setTimeout(() => this.socket === socket && this.join(), 200);
  }

  /** Hear of every view that comes, with the one before it. */
  onView(hear: (table: string, view: TableView, before: TableView | undefined) => void): void {
    this.seen.push(hear);
  }

  watch(table: string): void {
    if (!this.tables.includes(table)) this.tables.push(table);
    if (this.socket?.readyState === WebSocket.OPEN) this.say(table);
  }

  close(): void {
    this.over = true;
    this.socket?.close();
  }

  /** Try at once, for instance after the session was unlocked. */
  again(): void {
    if (this.line === "live" || this.socket?.readyState === WebSocket.CONNECTING) return;
    this.tries = 0;
    if (this.line === "locked") this.line = "joining";
    this.join();
  }

  private say(table: string): void {
    const after = this.versions[table];
    this.socket?.send(JSON.stringify(after === undefined ? { watch: table } : { watch: table, after }));
  }

  private join(): void {
    if (this.over) return;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.path}`);
    this.socket = socket;
    socket.onopen = () => {
      if (this.socket !== socket) return socket.close();
      this.tries = 0;
      this.heard = performance.now();
      this.line = "live";
      this.askTime();
      for (const table of this.tables) this.say(table);
    };
    socket.onmessage = (event) => this.hear(JSON.parse(event.data as string) as Message);
    socket.onclose = (event) => {
      if (this.over || this.socket !== socket) return;
      this.line = event.code === LOCKED ? "locked" : event.code === NOT_SIGNED_IN ? "out" : "lost";
      if (this.line === "locked") return hear.locked();
      const pause = Math.min(LONGEST_PAUSE, 200 * 2 ** this.tries++);
      setTimeout(() => this.socket === socket && this.join(), pause);
    };
  }

  private hear(message: Message): void {
    this.heard = performance.now();
    if (message.kind === "beat") return this.learnTime(message.now);
    this.beats++;
    if (message.kind === "view") {
      const had = this.versions[message.table];
      // what is marked so does not follow what is shown: rounds lie between, or it is not in the record any more
      if (had !== undefined && message.version <= had && !message.missed) return;
      this.versions[message.table] = message.version;
      if (message.view === null) return;
      const before = this.views[message.table];
      this.views = { ...this.views, [message.table]: message.view };
      for (const hear of this.seen) hear(message.table, message.view, before);
    } else if (message.kind === "jackpot") {
      this.jackpots = { ...this.jackpots, [message.link]: message };
    } else {
      if (message.code === RECORD_BROKEN) this.forget();
      this.problem = message.message;
    }
  }

  /** What is shown is not in the record any more: nothing of it is to stay on a screen. */
  private forget(): void {
    this.versions = {};
    this.views = {};
    this.jackpots = {};
  }
}
