import { describe, expect, it } from "vitest";
import type { Me } from "../api/wire";
import { mayUse } from "./positions";

const me = (position: string, kind = "staff") => ({ kind, position }) as Me;
const uses = (found: Me | null) =>
  (["deal", "pit", "report", "surveillance"] as const).filter((screen) => mayUse(found, screen));

describe("screens", () => {
  it("are for those whom the floor lets use them", () => {
    expect(uses(null)).toEqual([]);
    expect(uses(me("", "player"))).toEqual([]);
    expect(uses(me("dealer"))).toEqual(["deal"]);
    expect(uses(me("pit-supervisor"))).toEqual(["deal", "pit"]);
    expect(uses(me("pit-manager"))).toEqual(["deal", "pit", "report", "surveillance"]);
    expect(uses(me("surveillance"))).toEqual(["pit", "report", "surveillance"]);
  });
});
