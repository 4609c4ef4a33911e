/** The seal of a deck, checked in the browser: docs/fair-shuffle.md has the method. */
import type { TableView } from "../api/types";

export interface Checked {
  cards: number;
  wrong: string[];
}

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text: string) =>
  Uint8Array.from({ length: text.length / 2 }, (_, n) => parseInt(text.slice(2 * n, 2 * n + 2), 16));

/** Whether this browser can check: only pages that are served securely may. */
export const canCheck = () => globalThis.crypto?.subtle !== undefined;

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** The cards that lie open in a view. */
const lying = (view: TableView) =>
  new Set(
    [...view.dealer, ...view.community, ...Object.values(view.positions).flatMap((box) => box.cards)].filter(
      (card) => card !== "??",
    ),
  );

/**
 * Check that every card lying open was opened, every opening fits the commitment at its place, and the
 * commitments are those of the one root: the one that was seen when bets were opened, where it is known.
 */
export async function checkSeals(views: (TableView | null | undefined)[], root = ""): Promise<Checked> {
  const wrong = new Set<string>();
  const cards = new Map<number, string>();
  for (const view of views) {
    const sealed = view?.sealed;
    if (!view || !sealed) continue;
    root ||= sealed.root;
    const hashes = Uint8Array.from(atob(sealed.commitments), (letter) => letter.charCodeAt(0));
    if (sealed.root !== root || hashes.length !== 52 * 32 || hex(await sha256(hashes)) !== root)
      wrong.add("root");
    const lies = lying(view);
    for (const { index, salt, card } of sealed.openings) {
      const rest = new TextEncoder().encode(`|${index}|${card}`);
      const made = await sha256(Uint8Array.from([...unhex(salt), ...rest]));
      if (hex(made) !== hex(hashes.slice(32 * index, 32 * index + 32))) wrong.add(card);
      if (index >= sealed.drawn || (cards.has(index) && cards.get(index) !== card)) wrong.add(card);
      if (!lies.delete(card)) wrong.add(card);
      cards.set(index, card);
    }
    for (const card of lies) wrong.add(card);
  }
  return { cards: cards.size, wrong: [...wrong] };
}
