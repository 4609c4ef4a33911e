/** Names for the shapes of the API's document. */
import type { components } from "./schema";

type Schemas = components["schemas"];
export type TableView = Schemas["TableView"];
export type Terms = Schemas["Terms"];
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
export type Act = Record<string, unknown> & { do: string };

/** What the socket sends. */
export type Message =
  | { kind: "view"; table: string; version: number; view: TableView | null; missed?: boolean }
  | ({ kind: "jackpot"; version: number } & Jackpot)
  | { kind: "error"; code: string; message: string; field?: string };

export interface RoundLine {
  round: number;
  status: string;
  opened_at: number;
  ended_at: number | null;
}
export interface RoundStep {
  version: number;
  at: string;
  actor?: string;
  event?: string;
  told?: string;
  views: Record<string, TableView>;
}
export interface RoundRecord {
  table: string;
  round: number;
  steps: RoundStep[];
}
