import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { waitingFor } from "../game/waiting";
import { Live } from "./live.svelte";
import type { TableView } from "./wire";

class Fake {
  static OPEN = 1;
  static made: Fake[] = [];
  readyState = 0;
  said: unknown[] = [];
  onopen = () => {};
  onmessage = (_: { data: string }) => {};
  onclose = (_: { code: number }) => {};
  constructor(readonly url: string) {
    Fake.made.push(this);
  }
  send(text: string) {
    this.said.push(JSON.parse(text));
  }
  close() {}
  open() {
    this.readyState = 1;
    this.onopen();
  }
  hears(message: object) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}
const view = (round: number) => ({ round, stage: "betting" });

beforeEach(() => {
  Fake.made = [];
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Fake);
  vi.stubGlobal("location", { protocol: "http:", host: "floor" });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("live views", () => {
  it("come back by themselves and resume at the version that was seen", () => {
    const live = new Live("/api/live", ["t1"]);
    Fake.made[0]!.open();
    expect(Fake.made[0]!.said).toEqual([{ beat: 1 }, { watch: "t1" }]);
    Fake.made[0]!.hears({ kind: "view", table: "t1", version: 7, view: view(1) });
    Fake.made[0]!.onclose({ code: 1006 });
    expect(live.line).toBe("lost");
    vi.advanceTimersByTime(1000);
    Fake.made[1]!.open();
    expect(Fake.made[1]!.said).toEqual([{ beat: 1 }, { watch: "t1", after: 7 }]);
    expect(live.line).toBe("live");
  });
  it("show no version twice and none that is older", () => {
    const live = new Live("/api/live", ["t1"]);
    const seen: number[] = [];
    live.onView((_, found) => seen.push(found.round));
    Fake.made[0]!.open();
    for (const version of [5, 5, 4, 6])
      Fake.made[0]!.hears({ kind: "view", table: "t1", version, view: view(version) });
    expect(seen).toEqual([5, 6]);
  });
  it("go back where what was shown is not in the record any more", () => {
    const live = new Live("/api/live", ["t1"]);
    const seen: number[] = [];
    live.onView((_, found) => seen.push(found.round));
    Fake.made[0]!.open();
    Fake.made[0]!.hears({ kind: "view", table: "t1", version: 9, view: view(9) });
    Fake.made[0]!.hears({ kind: "view", table: "t1", version: 7, view: view(7), missed: true });
    expect(seen).toEqual([9, 7]);
    Fake.made[0]!.hears({ kind: "error", code: "record-broken", message: "Look again." });
    expect(live.views).toEqual({});
    Fake.made[0]!.hears({ kind: "view", table: "t1", version: 5, view: view(5) });
    expect(seen).toEqual([9, 7, 5]);
  });
  it("wait for the password when the session is locked", () => {
    const live = new Live("/api/live", ["t1"]);
    Fake.made[0]!.open();
    Fake.made[0]!.onclose({ code: 4423 });
    vi.advanceTimersByTime(60_000);
    expect([live.line, Fake.made.length]).toEqual(["locked", 1]);
    live.again();
    expect(Fake.made.length).toBe(2);
  });
  it("tell the time by the floor's clock, on a device whose own is an hour fast", () => {
    const floor = Date.UTC(2026, 0, 5, 10);
    vi.setSystemTime(floor + 3_600_000);
    const live = new Live("/api/live", ["t1"]);
    Fake.made[0]!.open();
    vi.advanceTimersByTime(400);
    Fake.made[0]!.hears({ kind: "beat", beat: 1, now: (floor + 200) * 1000 });
    expect(live.now).toBe(floor + 400);
    const shown = { open: true, stage: "betting", bets_close_at: (floor + 10_400) * 1000 };
    const bets = () => waitingFor(shown as unknown as TableView, "", live.now);
    expect(bets()).toBe("Bets close in 10 s");
    vi.setSystemTime(floor - 3_600_000); // somebody sets it right, and too far
    vi.advanceTimersByTime(1200);
    expect(bets()).toBe("Bets close in 9 s");
  });
});
