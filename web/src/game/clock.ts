/** Times by the floor's own clock, which is so many minutes from UTC; the browser's does not matter here. */

const two = (n: number): string => String(n).padStart(2, "0");

/** How a clock is called: `UTC+8`, `UTC−3:30`. */
export function zone(minutes: number): string {
  if (!minutes) return "UTC";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? "−" : "+"}${hours}${rest ? `:${two(rest)}` : ""}`;
}

/** A moment as the API writes it (`2026-01-05 18:00:00+08:00`) without its clock, which is said once elsewhere. */
export const moment = (at: string | undefined): string => (at ?? "").replace(/[+-]\d\d:\d\d$/, "");

/** What somebody has put into a field for date and time, meant by the floor's clock, in microseconds UTC. */
export const meant = (field: string, minutes: number): number =>
  (Date.parse(`${field}Z`) - minutes * 60_000) * 1000;

/** The time of day of a moment in microseconds, by the floor's clock, with its name. */
export function timeOf(micros: number, minutes: number): string {
  const there = new Date(micros / 1000 + minutes * 60_000);
  const time = [there.getUTCHours(), there.getUTCMinutes(), there.getUTCSeconds()].map(two).join(":");
  return `${time} ${zone(minutes)}`;
}
