/** Round figures along an axis from nothing to `most`: about `count` of them, in steps of 1, 2 or 5. */
export function ticks(most: number, count: number): number[] {
  if (!(most > 0)) return [0];
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough * 0.999)!;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, n) => n * step);
}

/** A figure of an axis, short: 250,000 is 250k. */
export function short(value: number): string {
  const [by, unit] = value >= 1e6 ? [1e6, "M"] : value >= 1000 ? [1000, "k"] : [1, ""];
  return `${Number((value / by).toFixed(2))}${unit}`;
}
