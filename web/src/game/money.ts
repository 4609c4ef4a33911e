/** Money as the API writes it ("1234.50"), counted in cents; nothing here is a float. */

export type Amount = string;

export function cents(amount: Amount): number {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount.replaceAll(",", "").trim());
  if (!match) throw new RangeError(`not an amount: ${amount}`);
  const whole = Number(match[2]) * 100 + Number((match[3] ?? "").padEnd(2, "0"));
  return match[1] ? -whole : whole;
}

/** As the API takes it. */
export function amount(value: number): Amount {
  const whole = Math.abs(value);
  const text = `${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, "0")}`;
  return value < 0 ? `-${text}` : text;
}

/** For people: thousands grouped, cents left out where there are none unless wanted. */
export function told(value: Amount | number, whole = false): string {
  const found = typeof value === "number" ? value : cents(value);
  const [units, rest] = amount(Math.abs(found)).split(".") as [string, string];
  const grouped = units.replace(/\B(?=(\d{3})+$)/g, ",");
  const text = rest === "00" && !whole ? grouped : `${grouped}.${rest}`;
  return found < 0 ? `−${text}` : text;
}

/** With its sign, for what was won or lost. */
export function signed(value: Amount | number): string {
  const found = typeof value === "number" ? value : cents(value);
  return found > 0 ? `+${told(found, true)}` : told(found, true);
}

/** An amount in chips, the largest first: [denomination, how many]; and what no chip pays, in cents, in coin. */
export interface InChips {
  chips: [Amount, number][];
  coin: number;
}

export function inChips(value: number, denominations: Amount[]): InChips {
  const chips: [Amount, number][] = [];
  let rest = value;
  for (const chip of [...denominations].sort((a, b) => cents(b) - cents(a))) {
    const count = Math.floor(rest / cents(chip));
    if (count) chips.push([chip, count]);
    rest -= count * cents(chip);
  }
  return { chips, coin: rest };
}
