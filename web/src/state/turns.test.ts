import { describe, expect, it } from "vitest";
import { Turns } from "./turns";

function slow(log: string[], name: string): () => Promise<boolean> {
  return async () => {
    log.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    log.push(`${name} ends`);
    return true;
  };
}

describe("turns", () => {
  it("loses nothing that is asked while something is under way, and does one after the other", async () => {
    const [turns, log] = [new Turns(), [] as string[]];
    const both = [turns.take("a", slow(log, "a")), turns.take("b", slow(log, "b"))];
    expect(await Promise.all(both)).toEqual([true, true]);
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });
  it("does once what is pressed twice, and again what is asked after the answer", async () => {
    const [turns, log] = [new Turns(), [] as string[]];
    await Promise.all([turns.take("a", slow(log, "a")), turns.take("a", slow(log, "a"))]);
    expect(log.length).toBe(2);
    await turns.take("a", slow(log, "a"));
    expect(log.length).toBe(4);
  });
  it("goes on after something that failed", async () => {
    const turns = new Turns();
    const failed = turns.take("a", () => Promise.reject(new Error("no")));
    const next = turns.take("b", () => Promise.resolve(true));
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe(true);
  });
});
