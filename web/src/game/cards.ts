/** Cards as the API writes them: "As", "Td"; "??" is a back. */

export const FACE_DOWN = "??";
export const RANKS = "23456789TJQKA";
export const SUITS = "cdhs";
const SIGNS: Record<string, string> = { c: "♣", d: "♦", h: "♥", s: "♠" };

export const rankOf = (card: string) => (card[0] === "T" ? "10" : (card[0] ?? ""));
export const suitOf = (card: string) => card[1] ?? "";
export const signOf = (card: string) => SIGNS[suitOf(card)] ?? "";
export const isBack = (card: string) => card === FACE_DOWN;

/** A card that was typed or scanned: `as`, `10d`, `TD`; empty for what is none. */
export function typedCard(text: string): string {
  const match = /^(10|[2-9tjqka])([cdhs])$/i.exec(text.trim());
  if (!match) return "";
  const rank = match[1] === "10" ? "T" : match[1]!.toUpperCase();
  return rank + match[2]!.toLowerCase();
}

/** Takes keys one by one, from a keyboard or from a scanner that types; tells a card when one is whole. */
export class CardKeys {
  text = "";

  /** The card that a key completed, or empty. A key that fits nothing begins anew. */
  press(key: string): string {
    if (key.length !== 1) return "";
    const longer = this.text + key.toLowerCase();
    const card = typedCard(longer);
    if (card) {
      this.text = "";
      return card;
    }
    this.text = /^(1|10|[2-9tjqka])$/i.test(longer)
      ? longer
      : /^[12-9tjqka]$/i.test(key)
        ? key.toLowerCase()
        : "";
    return "";
  }

  takeBack(): void {
    this.text = this.text.slice(0, -1);
  }
}

export const DECK: string[] = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
