/** The seal of a deck, checked in the browser: docs/fair-shuffle.md has the method. */
import type { TableView } from "../api/types";
import { hex, sha256, unhex } from "./composition";
import { COMPOSED_RULE, Mixing, type Mixed, type Own } from "./mixing";

/** What a check has found. `wrong` names cards, or what else does not hold: `root`, `seal`, `order`, `devices`, `own`,
 * `beacon` or `void`. `fixed` tells whether the root also fixes how the cards are dealt; by the first rule there was it did
 * not. `mixed` is how the order was composed, by the rule that composes it. */
export interface Checked {
  cards: number;
  wrong: string[];
  fixed: boolean;
  mixed?: Mixed;
}

type Seal = NonNullable<TableView["sealed"]>;
type Rows = Record<string, string[]>;
type Opening = Seal["openings"][number];

const PACK = 52;
const CARD = /^[2-9TJQKA][cdhs]$/;
const BACK = "??";
const FIRST_RULE = 1;

/** The beginning of a root in groups, as it is read out or written down; sixteen digits are enough to know it by. */
export const shortRoot = (root: string) => grouped(root.slice(0, 16));
export const grouped = (root: string) => root.replace(/(.{4})(?=.)/g, "$1 ");

/** The cards of a view, row by row. */
function rowsOf(view: TableView): Rows {
  const boxes = Object.entries(view.positions).map(([position, box]) => [position, box.cards] as const);
  return { dealer: view.dealer, community: view.community, ...Object.fromEntries(boxes) };
}

const clockwise = (rows: string[]) =>
  rows.filter((row) => /^\d+$/.test(row)).sort((one, other) => Number(one) - Number(other));

/** The rule that a seal was made by; views did not say it while there was one. */
export const ruleOf = (seal: Pick<Seal, "root"> & Partial<Seal>) => seal.seal ?? FIRST_RULE;

/** What a root fixes besides the cards, letter by letter: how they are dealt, at which table, in which round, and by
 * the latest rule also how their order is composed. */
function announced({ round, table }: TableView, seal: Seal): string {
  const dealing = seal.dealing.map(({ cards, to }) => ({ cards, to }));
  const rest = { dealing, hands: seal.hands, round, table };
  return JSON.stringify(ruleOf(seal) === COMPOSED_RULE ? { composition: composition(seal), ...rest } : rest);
}

/** What is announced of the composition, with its names in alphabetical order. */
function composition({ composition }: Seal): unknown {
  if (!composition) return null;
  const { beacon, reveal_seconds } = composition;
  if (!beacon) return { beacon: null, reveal_seconds };
  const { genesis, key, missing, name, period, round, wait_seconds } = beacon;
  return { beacon: { genesis, key, missing, name, period, round, wait_seconds }, reveal_seconds };
}

/** Whether a root is that of 52 commitments and, but for the first rule, of what was announced with them. */
async function sealedUnder(view: TableView, seal: Seal, hashes: Uint8Array): Promise<boolean> {
  const rule = ruleOf(seal);
  const rest = rule === FIRST_RULE ? "" : announced(view, seal);
  const all = Uint8Array.from([...hashes, ...new TextEncoder().encode(rest)]);
  return rule <= COMPOSED_RULE && hashes.length === PACK * 32 && hex(await sha256(all)) === seal.root;
}

/** The positions that are dealt a hand for what they have bet, clockwise. By the first rule a seal did not say for which
 * wagers. */
function handsOf({ positions }: TableView, seal: Seal): string[] {
  const bet = Object.entries(positions).filter(
    ([, { stakes }]) => ruleOf(seal) === FIRST_RULE || seal.hands.some((wager) => wager in stakes),
  );
  return clockwise(bet.map(([position]) => position));
}

/** Whether the places that lie are the first in the order of the deck, each once, where the dealing puts them. A card
 * that is to be burned may still lie face down where it was dealt. */
function inOrder(
  { places, dealing, drawn }: Seal,
  hands: string[],
  shown: Set<number>,
  order: readonly number[],
): boolean {
  const rows = dealing.flatMap(({ to, cards }) =>
    (to === "positions" ? hands : [to]).flatMap((row) => Array<string>(Math.min(cards, PACK)).fill(row)),
  );
  const went = Object.entries(places)
    .flatMap(([row, there]) => there.map((place) => [order.indexOf(place), place, row] as const))
    .sort(([one], [other]) => one - other);
  return (
    went.length === drawn &&
    went.every(
      ([at, place, row], n) => at === n && (rows[n] === row || (rows[n] === "burned" && !shown.has(place))),
    )
  );
}

/** Whether the cards went to the hands that had bet (`bets`), in the order of dealing. */
function dealtToBets(
  seal: Seal,
  bets: string[] | undefined,
  shown: Set<number>,
  order: readonly number[],
): boolean {
  if (!seal.drawn) return inOrder(seal, [], shown, order);
  if (ruleOf(seal) !== FIRST_RULE) return bets !== undefined && inOrder(seal, bets, shown, order);
  const hands = clockwise(Object.keys(seal.places));
  return inOrder(seal, hands, shown, order) && (!bets || hands.every((hand) => bets.includes(hand)));
}

/**
 * Check that every view with cards has the one seal, that the cards lie where the order of dealing puts them, that
 * each card lying open is the opening of its own place, every opening fits the commitment there, no card is at two
 * places, and the commitments and the dealing are those of the one root: the one that was seen when bets were
 * opened, where it is known, and of the rule that was seen then. By the latest rule also that the order is the one
 * that the devices' contributions make, `own` among them, which is what this browser contributed. `opened` is the
 * deck of a void round, once it is opened to its players: the 52 cards that were sealed, as they were shown.
 */
export async function checkSeals(
  views: (TableView | null | undefined)[],
  root = "",
  rule = 0,
  own?: Own,
  opened?: Opening[],
): Promise<Checked> {
  const wrong = new Set<string>();
  const cards = new Map<number, string>();
  const placeOf = new Map<string, number>();
  const mixing = new Mixing();
  let said = "";
  let bets: string[] | undefined;
  let dealt = false;
  let commitments = "";
  for (const view of views) {
    if (!view) continue;
    const rows = rowsOf(view);
    const seal = view.sealed;
    if (!seal) {
      if (Object.values(rows).some((row) => row.length)) wrong.add("seal");
      continue;
    }
    root ||= seal.root;
    rule ||= ruleOf(seal);
    said ||= announced(view, seal);
    commitments ||= seal.commitments;
    const hashes = hashesOf(seal.commitments);
    if (seal.root !== root || ruleOf(seal) !== rule || !(await sealedUnder(view, seal, hashes)))
      wrong.add("root");
    dealt ||= seal.drawn > 0;
    if (!dealt) bets = handsOf(view, seal);
    const lying = lyingOpen(rows, seal.places, wrong);
    if (rule === COMPOSED_RULE) await mixing.see(view, seal, wrong).catch(() => wrong.add("devices"));
    const shown = new Set(lying.keys());
    if (said !== announced(view, seal) || !dealtToBets(seal, bets, shown, mixing.order)) wrong.add("order");
    for (const opening of seal.openings) {
      const { index, card } = opening;
      if (!(await opens(opening, hashes))) wrong.add(card);
      if (lying.get(index) !== card || (cards.has(index) && cards.get(index) !== card)) wrong.add(card);
      if (!CARD.test(card) || (placeOf.get(card) ?? index) !== index) wrong.add(card);
      lying.delete(index);
      cards.set(index, card);
      placeOf.set(card, index);
    }
    for (const card of lying.values()) wrong.add(card);
  }
  if (opened && !(await isWholeDeck(opened, hashesOf(commitments), cards))) wrong.add("void");
  const mixed = rule === COMPOSED_RULE ? mixing.outcome(own, wrong) : undefined;
  return { cards: cards.size, wrong: [...wrong], fixed: rule !== FIRST_RULE, mixed };
}

const hashesOf = (commitments: string) =>
  Uint8Array.from(atob(commitments), (letter) => letter.charCodeAt(0));

/** Whether an opening is the card that was committed to at its place. */
async function opens({ index, salt, card }: Opening, hashes: Uint8Array): Promise<boolean> {
  const rest = new TextEncoder().encode(`|${index}|${card}`);
  const made = await sha256(Uint8Array.from([...unhex(salt), ...rest]));
  return hex(made) === hex(hashes.slice(32 * index, 32 * index + 32));
}

/** Whether what was opened is the whole deck, place by place as it was sealed, and as its cards were `shown`. */
async function isWholeDeck(
  opened: Opening[],
  hashes: Uint8Array,
  shown: Map<number, string>,
): Promise<boolean> {
  const right = await Promise.all(
    opened.map(async (one, place) => one.index === place && CARD.test(one.card) && opens(one, hashes)),
  );
  const whole = opened.length === PACK && new Set(opened.map(({ card }) => card)).size === PACK;
  return whole && right.every(Boolean) && [...shown].every(([place, card]) => opened[place]?.card === card);
}

/** The cards that lie open, by their places; a row that has more or fewer cards than places is out of order. */
function lyingOpen(rows: Rows, places: Seal["places"], wrong: Set<string>): Map<number, string> {
  const lying = new Map<number, string>();
  for (const [row, cards] of Object.entries(rows)) {
    const there = places[row] ?? [];
    if (there.length !== cards.length) wrong.add("order");
    for (const [n, card] of cards.entries()) {
      const place = there[n];
      if (card === BACK) continue;
      if (place === undefined || lying.has(place)) wrong.add(card);
      else lying.set(place, card);
    }
  }
  return lying;
}
