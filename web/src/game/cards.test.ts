import { describe, expect, it } from "vitest";
import { CardKeys, DECK, typedCard } from "./cards";

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
  it("knows what is no card", () => {
    for (const text of ["", "a", "1s", "11s", "ax", "asd"]) expect(typedCard(text)).toBe("");
  });
});
