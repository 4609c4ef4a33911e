/** Names for the shapes of the API's document. */
import type { components } from "./schema";

type Schemas = components["schemas"];
export type TableView = Schemas["TableView"];
export type Terms = Schemas["Terms"];
export type StepTerms = Schemas["StepTerms"];
export type WagerTerms = Schemas["WagerTerms"];
export type Rules = Schemas["Rules"];
export type Lobby = Schemas["Lobby"];
export type LobbyTable = Schemas["LobbyTable"];
export type Jackpot = Schemas["Jackpot"];
export type Choice = Schemas["Choice"];
export type Seat = Schemas["Seat"];
export type Line = Schemas["Line"];
export type Box = Schemas["Position"];
export type Me = Schemas["Me"];
export type DemoPeople = Schemas["DemoPeople"];
export type DrillBook = Schemas["DrillBook"];
export type DrillBooks = Schemas["DrillBooks"];
export type DrillProblem = Schemas["DrillProblem"];
export type DrillQuestion = Schemas["DrillQuestion"];
export type DrillRound = Schemas["DrillRound"];
export type DrillSeat = Schemas["DrillSeat"];
export type DrillWager = Schemas["DrillWager"];
export type DrillTrouble = Schemas["DrillTrouble"];
export type DrillHand = Schemas["DrillHand"];
export type DrillChoice = Schemas["DrillChoice"];
export type DrillTold = Schemas["DrillTold"];
export type DrillMarks = Schemas["DrillMarks"];
export type DrillLine = Schemas["DrillLine"];
export type DrillReport = Schemas["DrillReport"];
export type DrillSitting = Schemas["DrillSitting"];
export type DrillClass = Schemas["DrillClass"];
export type DrillExam = Schemas["DrillExam"];
export type DrillExamMark = Schemas["DrillExamMark"];
export type DrillExamWanted = Schemas["DrillExamWanted"];
export type DrillAnswer = Schemas["DrillAnswer"];
export type DrillDone = Schemas["DrillDone"];
export type Act = Record<string, unknown> & { do: string };

/** What the socket sends. */
export type Message =
  | { kind: "view"; table: string; version: number; view: TableView | null; missed?: boolean }
  | ({ kind: "jackpot"; version: number } & Jackpot)
  | { kind: "beat"; beat: number; now: number }
  | { kind: "error"; code: string; message: string; field?: string };

export interface RoundLine {
  round: number;
  status: string;
  opened_at: number;
  ended_at: number | null;
  /** What the player who asks won, or lost with a minus; null as long as it is not settled. */
  net?: string | null;
}
export interface RoundStep {
  version: number;
  at: string;
  actor?: string;
  event?: string;
  told?: string;
  hash?: string;
  money?: { account: string; amount: string }[];
  views: Record<string, TableView>;
}
export interface RoundRecord {
  table: string;
  round: number;
  steps: RoundStep[];
  /** Of a void round, for its players: all places of its deck, once the void is final. */
  void_deck?: { status: "kept" | "opened"; openings: { index: number; salt: string; card: string }[] };
}
export interface Voids {
  voids: {
    at: string;
    table: string;
    round: number;
    hands: number[];
    reason: string | null;
    reported_by: string;
    ruled_by: string | null;
    signed_by: string | null;
    saved: string | null;
  }[];
  alarms: { at: string; table: string; round: number; what: string }[];
  void_staff: {
    person: string;
    counted: number;
    saved: string;
    by_chance: string;
    deviation: string;
    stands_out: boolean;
  }[];
}
