import { describe, expect, it } from "vitest";
import { CardKeys, DECK, LAPSE, printed, typedCard } from "./cards";

const typing = (text: string) => {
  const keys = new CardKeys();
  return [...text].map((key) => keys.press(key)).filter(Boolean);
};

describe("cards", () => {
  it("has fifty-two, each once, each as it can be typed", () => {
    expect(new Set(DECK).size).toBe(52);
    for (const card of DECK) expect(typedCard(card.toLowerCase())).toBe(card);
  });
  it("takes cards from the keyboard and from a scanner that types", () => {
    expect(typing("astd10h")).toEqual(["As", "Td", "Th"]);
    expect(typing("AS TD")).toEqual(["As", "Td"]);
  });
  it("begins anew after a key that fits nothing", () => {
    expect(typing("xxaxks")).toEqual(["Ks"]);
    expect(typing("aas")).toEqual(["As"]);
    expect(typing("1z2c")).toEqual(["2c"]);
  });
  it("forgets what is half typed, so that S alone is S again", () => {
    let time = 10_000;
    const keys = new CardKeys(() => time);
    keys.press("a");
    expect(keys.text).toBe("a");
    time += LAPSE - 1;
    expect(keys.press("s")).toBe("As");
    expect(keys.text).toBe("");
    keys.press("a");
    time += LAPSE;
    expect(keys.text).toBe("");
    expect(keys.press("s")).toBe("");
    expect(keys.text).toBe("");
    keys.press("k");
    keys.forget();
    expect(keys.press("s")).toBe("");
  });
  it("takes back a key, and goes on from there", () => {
    const keys = new CardKeys();
    keys.press("1");
    keys.press("0");
    keys.takeBack();
    expect(keys.text).toBe("1");
    keys.takeBack();
    expect(keys.press("s")).toBe("");
  });
  it("prints a card", () => {
    expect([printed("As"), printed("Td")]).toEqual(["A♠", "10♦"]);
  });
  it("knows what is no card", () => {
    for (const text of ["", "a", "1s", "11s", "ax", "asd"]) expect(typedCard(text)).toBe("");
  });
});
