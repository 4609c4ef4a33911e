import { describe, expect, it } from "vitest";
import { askedFor, mayCome } from "./rulings";

const misdeal = [
  { findings: ["reconstructable"] },
  { findings: ["not-reconstructable"] },
  { findings: ["reconstruction-not-judged"] },
];
const shown = [{ findings: ["intentional"] }, { findings: ["unintentional"] }];
const left = (branches: typeof misdeal, put: string, intent = "") =>
  branches.filter((branch) => mayCome(branch.findings, { put, intent })).map((branch) => branch.findings[0]);

describe("what is answered about an irregularity", () => {
  it("leaves only what may still come", () => {
    expect(left(misdeal, "yes")).toEqual(["reconstructable"]);
    expect(left(misdeal, "no")).toEqual(["not-reconstructable"]);
    expect(left(misdeal, "").length).toBe(3);
    expect(left(shown, "", "yes")).toEqual(["intentional"]);
    expect(left(shown, "", "no")).toEqual(["unintentional"]);
    expect(mayCome(["reconstructable", "not-reconstructable"], { put: "no", intent: "" })).toBe(true);
    expect(mayCome([], { put: "no", intent: "yes" })).toBe(true);
  });
  it("counts only where it is asked", () => {
    const said = { put: "no", intent: "yes" };
    expect(askedFor(misdeal, said)).toEqual({ put: "no", intent: "" });
    expect(askedFor(shown, said)).toEqual({ put: "", intent: "yes" });
    expect(askedFor([], said)).toEqual({ put: "", intent: "" });
  });
});
