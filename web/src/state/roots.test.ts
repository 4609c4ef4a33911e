import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MOST_ROOTS, Roots } from "./roots";

const view = (round: number, root: string, staked = false) =>
  ({
    round,
    stage: "betting",
    positions: staked ? { "1": {} } : {},
    sealed: { root, seal: 2 },
  }) as unknown as Parameters<Roots["keep"]>[0];

describe("roots that were seen first", () => {
  let kept: Map<string, string>;
  beforeEach(() => {
    kept = new Map();
    vi.stubGlobal("localStorage", {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => kept.set(name, text),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it("outlive the page", () => {
    new Roots("t1").keep(view(3, "aa"));
    expect(new Roots("t1").get(3)).toBe("aa");
    expect(new Roots("t1").ruleOf(3)).toBe(2);
    expect(new Roots("t1").get(4)).toBeUndefined();
    expect(new Roots("t2").get(3)).toBeUndefined();
  });
  it("stay what they were once somebody has bet", () => {
    const roots = new Roots("t1");
    roots.keep(view(3, "aa"));
    roots.keep(view(3, "bb"));
    expect(roots.get(3)).toBe("bb");
    roots.keep(view(3, "cc", true));
    expect(roots.get(3)).toBe("bb");
  });
  it("were seen while bets were open", () => {
    const roots = new Roots("t1");
    for (const stage of ["closed", "playing", "settled", "void"]) {
      roots.keep({ ...view(3, "aa"), stage } as Parameters<Roots["keep"]>[0]);
      expect(roots.get(3)).toBeUndefined();
    }
    roots.keep(view(3, "aa", true));
    expect(roots.get(3)).toBe("aa");
  });
  it("are not kept without end", () => {
    const roots = new Roots("t1");
    for (let round = 1; round <= MOST_ROOTS + 5; round++) roots.keep(view(round, String(round)));
    expect(JSON.parse(kept.get("pitboss-roots")!)).toHaveLength(MOST_ROOTS);
    expect(roots.get(5)).toBeUndefined();
    expect(roots.get(6)).toBe("6");
  });
  it("do without a browser that keeps things, and with one that keeps nonsense", () => {
    kept.set("pitboss-roots", "{");
    const roots = new Roots("t1");
    expect(roots.get(1)).toBeUndefined();
    vi.stubGlobal("localStorage", undefined);
    roots.keep(view(1, "aa"));
    expect(roots.get(1)).toBe("aa");
  });
});
