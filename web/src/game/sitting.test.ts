import { afterEach, describe, expect, it, vi } from "vitest";
import type { DrillExam } from "../api/wire";
import { Sitting } from "./sitting.svelte";

const ante = { position: 1, wager: "ante", area: "Ante", stake: "25.00" };
const question = { kind: "settlement", settlement: { asked: [ante] }, irregularity: null };
const exam = (place: number, more: object = {}) =>
  ({ exam: "x1", place, problems: 2, answered: place - 1, problem: question, marks: [], ...more }) as unknown;

/** Answers of the service, one after the other; what it was asked. */
function served(...answers: [number, unknown][]): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    asked.push(`${init.method} ${path}`);
    const [status, body] = answers.shift()!;
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
  return asked;
}

describe("an examination", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("goes from problem to problem and forgets what was said about the last one", async () => {
    const asked = served([200, exam(1)], [200, exam(2)], [200, exam(2, { problem: null, answered: 2 })]);
    const sitting = new Sitting();
    await sitting.begin({ rulebook: "b", problems: 2, only: "" });
    expect([sitting.isOpen, sitting.isReady, sitting.left]).toEqual([true, false, 2]);
    sitting.drafts["1 ante"]!.do = "take";
    expect(sitting.isReady).toBe(true);
    await sitting.answer();
    expect([sitting.exam!.place, sitting.isReady, sitting.left]).toEqual([2, false, 1]);
    await sitting.answer();
    expect(sitting.isOpen).toBe(false);
    expect(asked.slice(1)).toEqual([
      "POST /api/drill/exams/x1/answers/1",
      "POST /api/drill/exams/x1/answers/2",
    ]);
  });
  it("looks where it stands when an answer had arrived already", async () => {
    const asked = served([200, exam(1)], [409, { code: "exam-answered" }], [200, exam(2)]);
    const sitting = new Sitting();
    await sitting.resume("x1");
    await sitting.answer();
    expect(sitting.exam!.place).toBe(2);
    expect(asked.at(-1)).toBe("GET /api/drill/exams/x1");
  });
  it("keeps what was said when an answer cannot be understood", async () => {
    served([200, exam(1)], [400, { code: "bad-input", message: "no" }]);
    const sitting = new Sitting();
    await sitting.resume("x1");
    sitting.drafts["1 ante"]!.do = "take";
    await expect(sitting.answer()).rejects.toThrow("no");
    expect(sitting.isReady).toBe(true);
  });
  it("is left when that was asked for twice", async () => {
    const asked = served([200, exam(1)], [200, exam(2, { problem: null })]);
    const sitting = new Sitting();
    await sitting.resume("x1");
    await sitting.leave();
    expect([sitting.sure, sitting.isOpen]).toEqual([true, true]);
    await sitting.leave();
    expect((sitting.exam as DrillExam).problem).toBeNull();
    expect(asked.at(-1)).toBe("POST /api/drill/exams/x1/end");
    sitting.close();
    expect([sitting.exam, sitting.left, sitting.isReady]).toEqual([null, 0, false]);
  });
});
