/** Cards that were entered on this screen in a round: what a dealer typed, to be seen again and to be corrected. */

export interface Entry {
  round: number;
  place: string;
  number: number;
  card: string;
}

export class Entries {
  private made = $state.raw<Entry[]>([]);
  /** Cards on their way, so that one that is read twice at once is noticed. */
  private sent = new Map<string, number>();

  /** The last card that was taken. */
  get last(): Entry | undefined {
    return this.made.at(-1);
  }

  begun(round: number, card: string): void {
    this.sent.set(card, round);
  }

  has(round: number, card: string): boolean {
    return this.sent.get(card) === round;
  }

  put(round: number, place: string, number: number, card: string): void {
    this.drop(round, place, number);
    this.begun(round, card);
    this.made = [...this.without(round, place, number), { round, place, number, card }];
  }

  /** An entry that was taken back. */
  drop(round: number, place: string, number: number): void {
    const gone = this.made.find((entry) => this.is(entry, round, place, number));
    if (gone) this.sent.delete(gone.card);
    this.made = this.without(round, place, number);
  }

  /** The card that was entered here as the one of this number at a place; empty if it was not entered here. */
  at(round: number, place: string, number: number): string {
    return this.made.find((entry) => this.is(entry, round, place, number))?.card ?? "";
  }

  private without(round: number, place: string, number: number): Entry[] {
    return this.made.filter((entry) => entry.round === round && !this.is(entry, round, place, number));
  }

  private is(entry: Entry, round: number, place: string, number: number): boolean {
    return entry.round === round && entry.place === place && entry.number === number;
  }
}
