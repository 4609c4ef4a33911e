/** The grid of the 169 starting hands: pairs on the diagonal, suited above it, unsuited below. */

const HIGH_FIRST = "AKQJT98765432";

export function startingHands(): string[][] {
  return [...HIGH_FIRST].map((row, r) =>
    [...HIGH_FIRST].map((column, c) =>
      r === c ? row + row : r < c ? `${row}${column}s` : `${column}${row}o`,
    ),
  );
}

/** A fraction as the API writes it ("-3/25" or "2"), as a number. */
export function fraction(text: string): number {
  const [above, below] = text.split("/");
  return Number(above) / Number(below ?? 1);
}

export const percent = (value: number, places = 3): string => `${(100 * value).toFixed(places)} %`;
