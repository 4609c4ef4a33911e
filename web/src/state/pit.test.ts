import { describe, expect, it } from "vitest";
import type { TableView } from "../api/wire";
import { span, urgency } from "./pit.svelte";

const line = (more = {}) => ({ table: "t1", open: true, ...more });
const view = (more = {}) => more as unknown as TableView;

describe("the pit", () => {
  it("puts what waits for a ruling first, then calls, claims, idle dealers", () => {
    const call = { by: "dora", since: 1, reason: "" };
    const ranks = [
      urgency(line(), view({ suspended: { kind: "misdeal", clauses: [] } }), false),
      urgency(line({ called: call }), undefined, false),
      urgency(line(), view({ claim: [{}] }), false),
      urgency(line({ waits: "options" }), undefined, false),
      urgency(line(), undefined, true),
      urgency(line(), undefined, false),
      urgency({ table: "t2", open: false }, undefined, false),
    ];
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    expect(new Set(ranks).size).toBe(ranks.length);
  });
  it("tells spans of time", () => {
    expect([span(5), span(600), span(7200)]).toEqual(["5 s", "10 min", "2 h"]);
  });
});
