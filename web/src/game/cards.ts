/** Cards as the API writes them: "As", "Td"; "??" is a back. */

export const FACE_DOWN = "??";
export const RANKS = "23456789TJQKA";
export const SUITS = "cdhs";
const SIGNS: Record<string, string> = { c: "♣", d: "♦", h: "♥", s: "♠" };

export const rankOf = (card: string) => (card[0] === "T" ? "10" : (card[0] ?? ""));
export const suitOf = (card: string) => card[1] ?? "";
export const signOf = (card: string) => SIGNS[suitOf(card)] ?? "";
/** A card as it is printed: `A♠`. */
export const printed = (card: string) => rankOf(card) + signOf(card);
export const isBack = (card: string) => card === FACE_DOWN;

/** A card that was typed or scanned: `as`, `10d`, `TD`; empty for what is none. */
export function typedCard(text: string): string {
  const match = /^(10|[2-9tjqka])([cdhs])$/i.exec(text.trim());
  if (!match) return "";
  const rank = match[1] === "10" ? "T" : match[1]!.toUpperCase();
  return rank + match[2]!.toLowerCase();
}

/** How long a half-typed card waits for its suit, in milliseconds. */
export const LAPSE = 2000;

/** Takes keys one by one, from a keyboard or from a scanner that types; tells a card when one is whole. What is half
 * typed lapses, so that a key pressed later is a key of its own. */
export class CardKeys {
  private typed = "";
  private last = 0;

  constructor(private readonly now: () => number = Date.now) {}

  /** What is typed of a card that is not whole yet. */
  get text(): string {
    if (this.now() - this.last >= LAPSE) this.typed = "";
    return this.typed;
  }

  /** The card that a key completed, or empty. A key that fits nothing begins anew. */
  press(key: string): string {
    if (key.length !== 1) return "";
    const longer = this.text + key.toLowerCase();
    this.last = this.now();
    const card = typedCard(longer);
    if (card) {
      this.typed = "";
      return card;
    }
    this.typed = /^(1|10|[2-9tjqka])$/i.test(longer)
      ? longer
      : /^[12-9tjqka]$/i.test(key)
        ? key.toLowerCase()
        : "";
    return "";
  }

  takeBack(): void {
    this.typed = this.text.slice(0, -1);
  }

  forget(): void {
    this.typed = "";
  }
}

export const DECK: string[] = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
