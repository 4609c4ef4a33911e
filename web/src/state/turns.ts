/** What is asked while something else is under way waits for its turn. The same, asked again before it was
 * answered, is a button pressed twice: it is done once. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();
  private asked = new Map<string, Promise<boolean>>();

  take(what: string, work: () => Promise<boolean>): Promise<boolean> {
    const same = this.asked.get(what);
    if (same) return same;
    const turn = this.last.then(work).finally(() => this.asked.delete(what));
    this.asked.set(what, turn);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
