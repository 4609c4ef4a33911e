/** What a sign announces: every hit that is paid while it hangs there, one after the other. */
import type { Jackpot } from "../api/wire";

export type Hit = Jackpot["hits"][number];

export class Announcements {
  private readonly last = new Map<string, number>();
  private waiting: Hit[] = [];

  /** Hear of a jackpot. What was paid before the sign was put up is no news. */
  hear({ link, hits }: Pick<Jackpot, "link" | "hits">): void {
    const seen = this.last.get(link);
    if (seen !== undefined) this.waiting.push(...hits.filter((hit) => hit.hit > seen));
    this.last.set(link, Math.max(seen ?? 0, ...hits.map((hit) => hit.hit)));
  }

  next(): Hit | null {
    return this.waiting.shift() ?? null;
  }
}
