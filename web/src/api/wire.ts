/** What travels between the service and the screens, made by tools/web_types.py. */

/** An answer for each address that is asked by GET. */
export interface Get {
  "/api/demo": DemoPeople;
  "/api/disputes": Disputes;
  "/api/drill": DrillBooks;
  "/api/drill/exams": DrillClass;
  "/api/drill/exams/{exam}": DrillExam;
  "/api/drill/report": DrillReport;
  "/api/floor": Overview;
  "/api/irregularities": Kinds;
  "/api/jackpots": Jackpots;
  "/api/links/{link}": LinkView;
  "/api/lobby": Lobby;
  "/api/mathematics/{rulebook}": Priced;
  "/api/openings": Openings;
  "/api/players": Players;
  "/api/record": RecordHeads;
  "/api/reports/day": DayReport;
  "/api/rounds": FoundRounds;
  "/api/rulebooks": PricedBooks;
  "/api/session": Me;
  "/api/tables/{table}": TableView;
  "/api/tables/{table}/advice": HandAdvice;
  "/api/tables/{table}/irregularities": TableKinds;
  "/api/tables/{table}/irregularities/{kind}": Advice | NotTaken;
  "/api/tables/{table}/rounds": RoundLines;
  "/api/tables/{table}/rounds/{number}": RoundRecord;
  "/api/tables/{table}/rules": Rules;
  "/api/tables/{table}/rulings": TriedRulings;
  "/api/tables/{table}/terms": Terms;
  "/api/voids": Voids;
}

/** A body and its answer for each address that is asked by POST. */
export interface Post {
  "/api/countersign": [CountersignForm, Word];
  "/api/demo/enter": [AccountForm, Me];
  "/api/drill/exams": [DrillExamWanted, DrillExam];
  "/api/drill/exams/{exam}/answers/{place}": [DrillAnswer, DrillExam];
  "/api/drill/exams/{exam}/end": [DrillExamLeft, DrillExam];
  "/api/drill/exercises/{exercise}/answer": [DrillAnswer, DrillMarks];
  "/api/drill/{rulebook}/next": [DrillWanted, DrillProblem];
  "/api/record/verify": [null, Verified];
  "/api/session/activity": [null, null];
  "/api/session/unlock": [PasswordForm, Me];
  "/api/sign-in": [SignInForm, Me];
}

/** An answer for each address that is asked by DELETE. */
export interface Delete {
  "/api/session": null;
}

export type Message = ViewMessage | JackpotMessage | BeatMessage | ErrorMessage;

export type Act =
  | OpenBets
  | PlaceWager
  | UnnoticedWager
  | WithdrawWager
  | CloseBets
  | Deal
  | EnterCard
  | CorrectCard
  | TakeBack
  | ViewHand
  | HandleHand
  | Fold
  | Bet
  | Check
  | Continue
  | Decline
  | Establish
  | MarkAbsent
  | Reveal
  | LookAtHand
  | InformPlayer
  | OfferJackpot
  | NewPack
  | NotifyJackpot
  | Settle
  | Report
  | TakeOption
  | Rule
  | LiftOrder;

/** The requests of the floor, with their bodies. */
export interface Requests {
  "add-player": AddPlayer;
  "open-table": OpenTable;
  "close-table": CloseTable;
  "assign-staff": AssignStaff;
  "relieve-staff": RelieveStaff;
  "take-seat": TakeSeat;
  "leave-seat": LeaveSeat;
  "buy-in": BuyIn;
  "cash-out": CashOut;
  fill: Fill;
  credit: Credit;
  "set-limits": SetLimits;
  "set-dealing": SetDealing;
  "call-supervisor": CallSupervisor;
  "answer-call": AnswerCall;
  "enter-unnoticed": EnterUnnoticed;
  "commit-entropy": CommitEntropy;
  "reveal-entropy": RevealEntropy;
  "verify-claim": VerifyClaim;
  "reject-claim": RejectClaim;
  "fail-link": FailLink;
  "restore-link": RestoreLink;
  "open-dispute": OpenDispute;
  "note-dispute": NoteDispute;
  "escalate-dispute": EscalateDispute;
  "give-time-frame": GiveTimeFrame;
  "decide-dispute": DecideDispute;
  "file-complaint": FileComplaint;
  "answer-complaint": AnswerComplaint;
}

export type RequestName = keyof Requests;

/** A field of a form: what it stands for, how it is written, what it holds first. */
export interface FormField {
  name: string;
  kind: string;
  type: string;
  required?: true;
  subject?: true;
  options?: string[];
  first?: string;
}

export const SECOND_PERSON = "second-person";

export const FORMS: Record<RequestName, FormField[]> = {
  "add-player": [{ name: "player", kind: "new-player", type: "text", required: true }],
  "open-table": [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "rulebook", kind: "rulebook", type: "text", required: true },
    { name: "count", kind: "chips", type: "chips", required: true },
    { name: "layout", kind: "text", type: "text" },
    { name: "procedure", kind: "procedure", type: "text" },
    { name: "positions", kind: "number", type: "number" },
    { name: "limits", kind: "limits", type: "limits" },
    { name: "cards", kind: "cards", type: "text", options: ["virtual", "physical"], first: "virtual" },
    { name: "practice", kind: "flag", type: "flag", first: "false" },
    { name: "link", kind: "link", type: "text", subject: true },
    { name: "decision_seconds", kind: "number", type: "number" },
    { name: "checklist", kind: "texts", type: "texts" },
    { name: "reason", kind: "reason", type: "text" },
  ],
  "close-table": [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "count", kind: "chips", type: "chips", required: true },
    { name: "drop", kind: "amount", type: "amount" },
  ],
  "assign-staff": [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "person", kind: "person-off-shift", type: "text", required: true },
  ],
  "relieve-staff": [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "person", kind: "person-on-shift", type: "text", required: true },
  ],
  "take-seat": [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "position", kind: "free-seat", type: "number", required: true },
    { name: "player", kind: "player", type: "text", required: true },
  ],
  "leave-seat": [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "position", kind: "taken-seat", type: "number", required: true },
  ],
  "buy-in": [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "player", kind: "player", type: "text", required: true },
    { name: "amount", kind: "amount", type: "amount", required: true },
  ],
  "cash-out": [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "player", kind: "player-here", type: "text", required: true },
    { name: "amount", kind: "amount", type: "amount" },
  ],
  fill: [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "count", kind: "chips", type: "chips", required: true },
    { name: "witness", kind: "second-person", type: "text", required: true },
  ],
  credit: [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "count", kind: "chips", type: "chips", required: true },
    { name: "witness", kind: "second-person", type: "text", required: true },
  ],
  "set-limits": [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "limits", kind: "limits", type: "limits", required: true },
    { name: "reason", kind: "reason", type: "text" },
  ],
  "set-dealing": [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "dealt_by", kind: "dealt-by", type: "text", required: true, options: ["person", "house"] },
    { name: "betting_seconds", kind: "number", type: "number", first: "20" },
    { name: "pause_seconds", kind: "number", type: "number", first: "8" },
    { name: "reason", kind: "reason", type: "text" },
  ],
  "call-supervisor": [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "reason", kind: "reason", type: "text" },
  ],
  "answer-call": [{ name: "table", kind: "table", type: "text", required: true, subject: true }],
  "enter-unnoticed": [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "position", kind: "seat", type: "number", required: true },
    { name: "player", kind: "player", type: "text", required: true },
    { name: "wager", kind: "wager", type: "text", required: true },
    { name: "amount", kind: "amount", type: "amount", required: true },
    { name: "approved_by", kind: "second-person", type: "text" },
  ],
  "commit-entropy": [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "device", kind: "device", type: "text", required: true },
    { name: "commitment", kind: "text", type: "text", required: true },
  ],
  "reveal-entropy": [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "device", kind: "device", type: "text", required: true },
    { name: "secret", kind: "text", type: "text", required: true },
  ],
  "verify-claim": [
    { name: "link", kind: "link", type: "text", required: true, subject: true },
    { name: "claim", kind: "claim", type: "number", required: true, subject: true },
  ],
  "reject-claim": [
    { name: "link", kind: "link", type: "text", required: true, subject: true },
    { name: "claim", kind: "claim", type: "number", required: true, subject: true },
    { name: "reason", kind: "reason", type: "text", required: true },
  ],
  "fail-link": [
    { name: "link", kind: "link", type: "text", required: true, subject: true },
    { name: "reason", kind: "reason", type: "text", required: true },
    { name: "approved_by", kind: "second-person", type: "text" },
  ],
  "restore-link": [{ name: "link", kind: "link", type: "text", required: true, subject: true }],
  "open-dispute": [
    { name: "table", kind: "table", type: "text", required: true, subject: true },
    { name: "round_number", kind: "number", type: "number", required: true },
    { name: "about", kind: "text", type: "text", required: true },
  ],
  "note-dispute": [
    { name: "dispute", kind: "dispute", type: "number", required: true, subject: true },
    { name: "text", kind: "text", type: "text", required: true },
    { name: "account_of", kind: "side", type: "text", options: ["player", "house"] },
  ],
  "escalate-dispute": [{ name: "dispute", kind: "dispute", type: "number", required: true, subject: true }],
  "give-time-frame": [
    { name: "dispute", kind: "dispute", type: "number", required: true, subject: true },
    { name: "minutes", kind: "number", type: "number", first: "30" },
  ],
  "decide-dispute": [
    { name: "dispute", kind: "dispute", type: "number", required: true, subject: true },
    { name: "decision", kind: "text", type: "text", required: true },
    { name: "basis", kind: "basis", type: "text", required: true },
    { name: "in_favour_of", kind: "side", type: "text", required: true, options: ["player", "house"] },
    { name: "complaint_explained", kind: "flag", type: "flag", first: "false" },
  ],
  "file-complaint": [
    { name: "dispute", kind: "dispute", type: "number", required: true, subject: true },
    { name: "text", kind: "text", type: "text", required: true },
    { name: "assisted_by", kind: "person", type: "text" },
  ],
  "answer-complaint": [
    { name: "dispute", kind: "dispute", type: "number", required: true, subject: true },
    { name: "answer", kind: "text", type: "text", required: true },
  ],
};

/** Somebody's account. */
export interface AccountForm {
  kind: "staff" | "player";
  name: string;
}

/** What somebody does at a table. Several acts of a player are all done, or none. */
export interface ActsForm {
  acts: Act[];
  expect?: number | null;
}

/** Makes a player known to the house. */
export interface AddPlayer {
  player: string;
}

/** What the book says about an irregularity now: what the table knows, and a branch for each finding. */
export interface Advice {
  kind: string;
  known: string[];
  asks: string[];
  branches: Branch[];
}

/** What the dealer says when bets open and when they close. */
export interface Announces {
  open: string;
  close: string;
}

/** Tells that somebody of the pit has come to a table that called. */
export interface AnswerCall {
  table: string;
}

/** Answers a formal complaint, for senior management. */
export interface AnswerComplaint {
  dispute: number;
  answer: string;
}

/** Begins somebody's shift at a table. */
export interface AssignStaff {
  table: string;
  person: string;
}

export interface Beacon {
  name: string;
  key: string;
  genesis: number;
  period: number;
  round: number;
  wait_seconds: number;
  missing: string;
}

/** What the beacon published for a round: its signature. */
export interface BeaconValue {
  round: number;
  signature: string;
}

/** The time by the floor's clock, in microseconds. */
export interface BeatMessage {
  kind: "beat";
  beat: number;
  now: number;
}

/** Places the wager of the decision now outstanding; without an amount, of the prescribed size. */
export interface Bet {
  do: "bet";
  position: number;
  wager: string;
  amount?: string | null;
  for_player?: string | null;
}

/** What the book does if `findings` are found; without any, whatever is found. */
export interface Branch {
  findings: string[];
  row: RemedyRow;
  ways: Way[];
  orders: Order[];
}

/** Cash into the drop box, chips to the player's rack. */
export interface BuyIn {
  table: string;
  player: string;
  amount: string;
}

/** Calls somebody of the pit to a table. */
export interface CallSupervisor {
  table: string;
  reason?: string;
}

/** Somebody of the pit is wanted at a table: by whom, since when (microseconds), what for. */
export interface Called {
  by: string;
  since: number;
  reason: string;
}

/** Cards that were counted at a table. */
export interface CardCount {
  at: string;
  table: string;
  round: number;
  found: string;
  by: string;
}

/** Chips for cash; without an amount all of them, and the player leaves. */
export interface CashOut {
  table: string;
  player: string;
  amount?: string | null;
}

/** A change or a correction: before, after, why, by whom. */
export interface ChangeLine {
  at: string;
  entry: string;
  kind: string;
  what: string;
  before: string | null;
  after: string | null;
  reason: string | null;
  by: string;
  clauses: string[];
}

/** Passes a bet that is optional. */
export interface Check {
  do: "check";
  position: number;
  for_player?: string | null;
}

/** Something the viewer may do now: `act` is sent back as it is; `cost` leaves their rack. */
export interface Choice {
  act: Act;
  cost: string;
}

/** A hand of this round that claims the jackpot. */
export interface Claimed {
  position: number;
  hand: string;
}

/** A hand that claims the jackpot. */
export interface ClaimedHand {
  hand: string;
  position: number;
  player: string;
}

/** Announces "No more bets". */
export interface CloseBets {
  do: "close-bets";
  for_player?: string | null;
}

/** Closes a table with its count; the drop as counted, if it is not what the books expect. */
export interface CloseTable {
  table: string;
  count: Record<string, number>;
  drop?: string | null;
}

/** Commits a device of a seated player to a secret that the order of the round's deck is composed with. */
export interface CommitEntropy {
  table: string;
  device: string;
  commitment: string;
}

/** What the order of the deck was composed with; `independent` counts the contributions. */
export interface Composed {
  contributions: Contribution[];
  withheld: Withheld[];
  beacon: BeaconValue | null;
  independent: number;
}

/** How the order of the deck is composed: for how long devices may reveal, and with which beacon. */
export interface Composition {
  reveal_seconds: number;
  beacon: Beacon | null;
}

/** Stays in with a hand that has no Ante. */
export interface Continue {
  do: "continue";
  position: number;
  for_player?: string | null;
}

/** A secret that the order was composed with. */
export interface Contribution {
  player: string;
  device: string;
  secret: string;
}

/** A card of a physical table was entered wrongly: the card that lies there, by its number at the place. */
export interface CorrectCard {
  do: "correct-card";
  place: string;
  number: number;
  card?: string | null;
  reason?: string;
  for_player?: string | null;
}

/** A second person, his password, and the request he gives his word for, as it will be sent. */
export interface CountersignForm {
  name: string;
  password: string;
  request: string;
  asked: Record<string, unknown>;
  table?: string;
}

/** Chips from the float to the cage, seen by a second person. */
export interface Credit {
  table: string;
  count: Record<string, number>;
  witness: string;
}

/** What a time came to: tables, games, jackpots, wins, slips, changes, shifts, errors, voids. */
export interface DayReport {
  tables: TableDay[];
  games: GameDay[];
  links: LinkDay[];
  large_wins: LargeWin[];
  slips: PayoutSlip[];
  changes: ChangeLine[];
  staffing: StaffedTable[];
  shuffles: Shuffled[];
  card_counts: CardCount[];
  errors: ShiftErrors[];
  rulings: number;
  voids: VoidRow[];
  alarms: SealAlarm[];
  void_staff: VoidsOfPerson[];
}

/** Deals as far as the procedure goes before a decision. `cards` are next in the device, in order. */
export interface Deal {
  do: "deal";
  for_player?: string | null;
}

export interface DealtTo {
  to: string;
  cards: number;
}

/** Decides a dispute, on a basis that the book names and that is on file. */
export interface DecideDispute {
  dispute: number;
  decision: string;
  basis: string;
  in_favour_of: string;
  complaint_explained?: boolean;
}

/** A decision of the game: the wager it costs, and what else may be done. */
export interface DecisionTerms {
  decision: string;
  bet: string;
  times: number;
  of: string;
  otherwise: string;
  clauses: string[];
  otherwise_clauses: string[];
}

/** Will not expose the cards for comparison. */
export interface Decline {
  do: "decline";
  position: number;
  for_player?: string | null;
}

/** Who may be entered as with one click; nobody but on a demo floor. */
export interface DemoPeople {
  staff: string[];
  player: string[];
}

/** A device that has committed to a secret; `secret` is empty until it is revealed. */
export interface Device {
  player: string;
  device: string;
  commitment: string;
  secret: string;
}

/** What was decided, on which basis and for whom. */
export interface DisputeDecision {
  decision: string;
  basis: string;
  in_favour_of: string;
  clauses: string[];
}

/** A note on a dispute. */
export interface DisputeNote {
  by: string;
  text: string;
}

/** A dispute. Evidence, notes and bases are for the house; `may` are the requests that are taken now. */
export interface DisputeView {
  dispute: number;
  bases?: string[];
  minutes: number | null;
  missing?: Record<string, string[]>;
  table: string;
  round: number;
  about: string;
  opened_by: string;
  opened: string;
  status: string;
  with: string;
  surveillance_informed: boolean;
  until: string | null;
  evidence?: string[];
  notes?: DisputeNote[];
  decision: DisputeDecision | null;
  complaint: string | null;
  answer: string | null;
  may?: string[];
}

/** Disputes: all of them for staff, their own for a player. */
export interface Disputes {
  disputes: DisputeView[];
}

/** Done. `versions` are those of the streams it moved on; what else there is depends on the request. */
export interface Done {
  ok: boolean;
  versions: Record<string, number>;
  rejected?: Rejected;
  rejected_of?: Rejected[];
  waits?: string;
  paid?: string;
  over_short?: string;
  hit?: number;
  slip?: number;
  claim?: number;
  fixed?: number;
  dispute?: number;
  with?: string;
  rulebook?: string;
  in_force?: boolean;
  holds_from?: string;
}

/** An answer: what becomes of every wager, or the name of the remedy. */
export interface DrillAnswer {
  wagers?: DrillDone[];
  remedy?: string;
}

/** A rulebook that is drilled, and how the asker does in it. `problems` is 0 where they have no end. */
export interface DrillBook {
  rulebook: string;
  title: string;
  game: string;
  readings: Record<string, string>;
  asked: number;
  right: number;
  level: number;
  comes_back: number;
  problems: number;
}

/** A trainee in one rulebook. */
export interface DrillBookReport {
  rulebook: string;
  title: string;
  asked: number;
  right: number;
  level: number;
  clauses: DrillScore[];
  traps: DrillTrap[];
  comes_back: string[];
}

/** Every rulebook that is drilled. `exam` is the examination that the asker sits now, else empty. */
export interface DrillBooks {
  books: DrillBook[];
  exam: string;
}

/** A remedy; one that waits for a ruling says who rules, by their title in the book, and what. */
export interface DrillChoice {
  name: string;
  remedy: string;
  decides: string;
  title: string;
  rulings: string[];
}

/** Everybody's examinations with one number. */
export interface DrillClass {
  number: number;
  exams: DrillSitting[];
}

/** A clause behind a problem, and whether what it rules was got right. */
export interface DrillClause {
  clause: string;
  gist: string;
  right: boolean;
}

/** What becomes of one wager. Of `take` and `return` an amount is that part of the stake. */
export interface DrillDone {
  position: number;
  wager: string;
  do: "take" | "return" | "pay" | "none";
  amount?: string | null;
}

/** An examination: the problem that is open, or, once it has ended, every mark. */
export interface DrillExam extends DrillSitting {
  place: number;
  problem: DrillQuestion | null;
  marks: DrillExamMark[];
  clauses: DrillExamClause[];
}

/** A clause behind an examination: how often it was asked about, and how often it was got right. */
export interface DrillExamClause {
  rulebook: string;
  clause: string;
  gist: string;
  asked: number;
  right: number;
}

/** Leave an examination; what is not answered by then is not answered. */
export interface DrillExamLeft {}

/** A problem of an examination that has ended; of one that was not answered nothing is told. */
export interface DrillExamMark {
  place: number;
  question: DrillQuestion | null;
  given: DrillAnswer | null;
  marks: DrillTold | null;
}

/** An examination to sit. The number that an examiner announces makes its problems; else one is drawn. */
export interface DrillExamWanted {
  rulebook: string;
  problems: number;
  number?: number | null;
  only?: "" | "settlement" | "irregularity";
  level?: number | null;
}

/** A hand at a table under way, as its dealer sees it. */
export interface DrillHand {
  position: number;
  player: string;
  cards: string[];
  fate: string;
  viewed: boolean;
  handled: boolean;
  choices: Record<string, string>;
  stakes: DrillStake[];
}

/** A wager, marked, with what is right. */
export interface DrillLine {
  position: number;
  wager: string;
  area: string;
  stake: string;
  right: boolean;
  returned: string;
  collected: string;
  paid: string;
  says: string;
  clauses: string[];
}

/** A problem of practice, marked, and how it goes on. */
export interface DrillMarks extends DrillTold {
  level: number;
  comes_back: number;
}

/** The jackpot when winners are paid. */
export interface DrillPool {
  meter: string;
  reset: string;
  unit: string;
}

/** A problem of practice, and the name by which it is answered. */
export interface DrillProblem extends DrillQuestion {
  exercise: string;
}

/** A problem; its answer stays with the service until it was answered. */
export interface DrillQuestion {
  rulebook: string;
  title: string;
  currency: string;
  comes_back: boolean;
  kind: string;
  settlement: DrillRound | null;
  irregularity: DrillTrouble | null;
}

/** A report on a trainee. `others` are those on whom the asker may have one, too. */
export interface DrillReport extends TraineeReport {
  others: string[];
  exams: DrillSitting[];
}

/** What was reported. */
export interface DrillReported {
  kind: string;
  positions: number[];
  count: number;
  findings: string[];
  what: string;
}

/** A finished round. */
export interface DrillRound {
  dealer: string[];
  community: string[];
  void: string | null;
  limits: Record<string, string[]>;
  jackpot: DrillPool | null;
  seats: DrillSeat[];
  asked: DrillWager[];
}

/** How a trainee does on a clause. */
export interface DrillScore {
  clause: string;
  gist: string;
  attempts: number;
  right: number;
  last: string;
}

/** A hand to settle. Cards that were not turned over are backs. */
export interface DrillSeat {
  position: number;
  player: string;
  cards: string[];
  status: string;
  away_at: string;
  warned: boolean;
  established: boolean;
}

/** An examination that a trainee sits or has sat. `right` is null, and `ended` empty, before its end. */
export interface DrillSitting {
  exam: string;
  trainee: string;
  rulebook: string;
  game: string;
  title: string;
  readings: Record<string, string>;
  number: number;
  problems: number;
  only: string;
  level: number | null;
  began: string;
  ended: string;
  answered: number;
  right: number | null;
}

/** What lies on an area. */
export interface DrillStake {
  area: string;
  stake: string;
}

/** A problem, marked. */
export interface DrillTold {
  right: boolean;
  title: string;
  note: string;
  trap: boolean;
  lines: DrillLine[];
  clauses: DrillClause[];
  chosen: DrillChoice | null;
  remedy: DrillChoice | null;
}

/** A known error of dealers, and how often a trainee has avoided it. */
export interface DrillTrap {
  title: string;
  attempts: number;
  right: number;
}

/** A table at which something has gone wrong. */
export interface DrillTrouble {
  procedure: string;
  stage: string;
  decision: string;
  dealer: string[];
  community: string[];
  hands: DrillHand[];
  reported: DrillReported;
  choices: DrillChoice[];
}

/** A wager that has to be settled; nothing is staked on one that goes with another. */
export interface DrillWager {
  position: number;
  wager: string;
  area: string;
  stake: string;
}

/** What is to be asked: any kind of problem, or only one; `level` begins anew at that difficulty. */
export interface DrillWanted {
  only?: "" | "settlement" | "irregularity";
  level?: number | null;
}

/** A card of a physical table, scanned or exposed: at a position, at `dealer`, or at a community part. */
export interface EnterCard {
  do: "enter-card";
  place: string;
  card: string;
  for_player?: string | null;
}

/** Enters a stake that lay unnoticed when bets closed. */
export interface EnterUnnoticed {
  table: string;
  position: number;
  player: string;
  wager: string;
  amount: string;
  approved_by?: string;
}

/** What must be there to open a table with some procedures. */
export interface EquipmentItem {
  item: string;
  procedures: string[];
  clauses: string[];
}

/** What a message of the client's, or the record, has met with. */
export interface ErrorMessage {
  kind: "error";
  code: string;
  message: string;
  field?: string;
}

/** Passes a dispute up; Surveillance is informed with it. */
export interface EscalateDispute {
  dispute: number;
}

/** Establishes a hand that was not exposed, for what may still be won with it. */
export interface Establish {
  do: "establish";
  position: number;
  for_player?: string | null;
}

export type ExposedAt = "deal" | "later";

export type ExposedBy = "dealer" | "player";

/** Puts a jackpot out of order; member tables are told, each by its own book. */
export interface FailLink {
  link: string;
  reason: string;
  approved_by?: string;
}

/** Files the player's formal complaint about a decision. */
export interface FileComplaint {
  dispute: number;
  text: string;
  assisted_by?: string;
}

/** Chips from the cage to the float, seen by a second person. */
export interface Fill {
  table: string;
  count: Record<string, number>;
  witness: string;
}

/** Gives a hand up. */
export interface Fold {
  do: "fold";
  position: number;
  for_player?: string | null;
}

/** A round that was found. What it moved at most is left out while it is in play. */
export interface FoundRound {
  table: string;
  round: number;
  status: string;
  opened: string;
  ended: string | null;
  rulebook: string;
  largest?: string;
  irregularities?: string[];
}

/** Rounds that fit, the newest first, and whether there may be more. */
export interface FoundRounds {
  rounds: FoundRound[];
  more: boolean;
}

/** The return of a game's main wager; with the mathematics beside the exact one and its band. */
export interface GameDay {
  game: string;
  rulebook: string;
  hands: number;
  staked: number;
  actual_return: number | null;
  side_wagers: Record<string, SideReturn>;
  theoretical_return?: number;
  band?: number[];
  within_band?: boolean;
}

/** A clause in our own words. */
export interface Gist {
  kind: string;
  gist: string;
}

/** Tells the player by when his dispute should be settled. */
export interface GiveTimeFrame {
  dispute: number;
  minutes?: number;
}

/** What each choice is worth for a hand, in antes. */
export interface HandAdvice {
  decision: string;
  best: string;
  values: Record<string, number>;
  exact: Record<string, string>;
}

/** Touches the cards without looking. */
export interface HandleHand {
  do: "handle-hand";
  position: number;
  for_player?: string | null;
}

/** A jackpot that was paid. `hit` is the jackpot's own number of it; `slip` is its name of before. */
export interface Hit {
  hit: number;
  slip: number;
  table: string;
  paid: string;
  amounts: string[];
  hands: string[];
  new_value: string;
}

/** Informs the player of a position, who has several hands, that one of them may be viewed. */
export interface InformPlayer {
  do: "inform-player";
  position: number;
  for_player?: string | null;
}

export type Irregularity =
  | "foreign-card"
  | "missing-card"
  | "extra-card"
  | "unshuffled"
  | "insufficient-cards"
  | "shuffler-jam"
  | "disruption"
  | "misdeal"
  | "wrong-count-community"
  | "wrong-count-dealer"
  | "wrong-count-position"
  | "exposed"
  | "missed-burn"
  | "face-up"
  | "simultaneous-draw"
  | "count-doubt"
  | "confidentiality"
  | "multiple-hands"
  | "extra-view"
  | "power-failure"
  | "jackpot-failure"
  | "uncovered";

/** A jackpot as its signs show it. */
export interface Jackpot {
  link: string;
  currency: string;
  meter: string;
  reset: string;
  shares: Share[];
  out_of_order: boolean;
  pending: Pending[];
  hits: Hit[];
}

/** A jackpot at one version of its link. */
export interface JackpotMessage extends Jackpot {
  kind: "jackpot";
  version: number;
}

/** Every jackpot of the floor. */
export interface Jackpots {
  jackpots: Jackpot[];
}

/** A kind of irregularity in plain words. */
export interface KindLine {
  kind: Irregularity;
  what: string;
}

/** Kinds of irregularities. */
export interface Kinds {
  kinds: KindLine[];
}

/** A large win, with who confirmed and authorised it. */
export interface LargeWin {
  at: string;
  table: string;
  round: number;
  game: string;
  pay_table: string;
  player: string;
  amount: string;
  won_in_round: string;
  payout_slips: string[];
  jackpot: string | null;
  hit: number | null;
  slip: number | null;
  confirmed_by: string | null;
  authorised_by: string | null;
  undone: boolean;
}

/** The last checkpoint that was signed. */
export interface LastCheckpoint {
  number: number;
  at: number;
}

/** A layout of a rulebook, with how many positions it may have. */
export interface LayoutOption {
  layout: string;
  positions: [number, number];
  clauses: string[];
  drawn: string[];
}

/** Frees a position. */
export interface LeaveSeat {
  table: string;
  position: number;
}

/** Takes back an order that lasted: restrict, bar, block, close-table, suspend-jackpot. */
export interface LiftOrder {
  do: "lift-order";
  order: Ruling;
  argument?: string;
  for_player?: string | null;
}

/** A wager of a settlement: what was returned, taken and paid, and the clauses that say so. */
export interface Line {
  wager: string;
  stake: string;
  returned: string;
  collected: string;
  paid: string;
  clauses: string[];
  hand: string | null;
  ranked: Ranked | null;
  pay?: PaidBy;
}

/** A claim on a jackpot, with what its hands get once that is fixed. */
export interface LinkClaim {
  claim: number;
  table: string;
  round: number;
  status: string;
  ordered_by: string;
  entered: string;
  dealt: string;
  hands: ClaimedHand[];
  shares: string[];
}

/** A jackpot reconciled: where it came from and where it went. */
export interface LinkDay {
  link: string;
  currency: string;
  brought_forward: string;
  startup: string;
  increments: string;
  returned: string;
  funded_by_house: string;
  corrected: string;
  paid: string;
  displayed: string;
  reserve: string;
  overflow: string;
  held_for_claims: string;
  unexplained: string;
}

/** A jackpot that was paid. `hit` is the jackpot's own number of it; `slip` is its name of before. */
export interface LinkHit {
  hit: number;
  slip: number;
  table: string;
  round: number;
  paid: string;
  verified_by: string;
  shares: PaidShare[];
  new_value: string;
  undone: boolean;
}

/** A link at a glance; `out_of_order` says why it is offline, or nothing. */
export interface LinkLine {
  link: string;
  meter: string;
  members: string[];
  claims: number;
  out_of_order: string;
}

/** A link with its meters, parameters, claims, history and warnings. */
export interface LinkView {
  link: string;
  currency: string;
  out_of_order: string;
  meters: Meters;
  parameters: Parameters;
  members: string[];
  claims: LinkClaim[];
  history: LinkHit[];
  warnings: string[];
}

/** What is played where, for how much, and the jackpots. */
export interface Lobby {
  floor: string;
  tables: LobbyTable[];
  jackpots: Jackpot[];
}

/** A table as the lobby tells of it; of a closed one only its name. */
export interface LobbyTable {
  table: string;
  open: boolean;
  game?: string;
  title?: string;
  cards?: string;
  procedure?: string;
  practice?: boolean;
  currency?: string;
  link?: string;
  limits?: Record<string, string[]>;
  areas?: Record<string, string>;
  positions?: number;
  seats_free?: number;
  round?: number;
  stage?: string;
  waits?: string;
}

/** Staff look at a hand that was not exposed. */
export interface LookAtHand {
  do: "look-at-hand";
  position: number;
  for_player?: string | null;
}

/** Records that nobody is there to make the decision now outstanding. */
export interface MarkAbsent {
  do: "mark-absent";
  position: number;
  for_player?: string | null;
}

/** What waits for a ruling, the positions it is about, who may rule, and what. */
export interface Matter {
  what: string;
  kind: string;
  positions: number[];
  decides: string;
  rulings: Ruling[];
  note: string;
}

/** Who is signed in. `csrf` goes back in X-CSRF-Token with every change; `token` is for programs. */
export interface Me {
  kind: string;
  name: string;
  position: string;
  locked: boolean;
  ends_at: number;
  csrf: string;
  utc_offset_minutes: number;
  token?: string | null;
}

/** The meters of a link, and what has gone in and out. */
export interface Meters {
  displayed: string;
  reserve: string;
  overflow: string;
  held_for_claims: string;
  wagers_in: string;
  hits: number;
  total_won: string;
}

/** A line of the ledger. */
export interface MoneyMoved {
  account: string;
  amount: string;
}

/** Removes the cards from the table and puts a new pack into play. */
export interface NewPack {
  do: "new-pack";
  for_player?: string | null;
}

/** Why a report would not be taken now. */
export interface NotTaken {
  refused: Refused;
}

/** Adds a note to a dispute: an account of the incident, or other evidence. */
export interface NoteDispute {
  dispute: number;
  text: string;
  account_of?: string;
}

/** What a table displays for everybody, and the positions it is about. */
export interface Notice {
  notice: string;
  text: string;
  clauses: string[];
  positions?: number[];
}

/** Notifies the dealer of a hand that the jackpot pays; its cards are left face up. */
export interface NotifyJackpot {
  do: "notify-jackpot";
  position: number;
  for_player?: string | null;
}

/** Offers the players the jackpot wager. */
export interface OfferJackpot {
  do: "offer-jackpot";
  for_player?: string | null;
}

/** Announces "Place your bets": a round commences. */
export interface OpenBets {
  do: "open-bets";
  for_player?: string | null;
}

/** Disputes a round; what the record says about it is gathered at once. */
export interface OpenDispute {
  table: string;
  round_number: number;
  about: string;
}

/** Opens a table. What is left out is as the rulebook's house figures have it. */
export interface OpenTable {
  table: string;
  rulebook: string;
  count: Record<string, number>;
  layout?: string;
  procedure?: string;
  positions?: number | null;
  limits?: Record<string, string[]> | null;
  cards?: string;
  practice?: boolean;
  link?: string;
  decision_seconds?: number | null;
  checklist?: string[];
  reason?: string;
}

/** Opens the commitment of a card that the viewer was shown. */
export interface Opening {
  index: number;
  salt: string;
  card: string;
}

/** What tables may be opened with: rulebooks in force, and links. */
export interface Openings {
  openings: TableOpening[];
  links: string[];
}

/** Positions whose players choose whether they stay in. */
export interface Options {
  waiting: number[];
  clauses: string[];
}

/** A measure that may follow, and who may order it. */
export interface Order {
  ruling: string;
  position: string;
  clauses: string[];
}

/** The floor at a glance, for its staff. */
export interface Overview {
  floor: string;
  gaming_day: string;
  people: Record<string, string>;
  players: number;
  rulebooks: RulebookLine[];
  tables: TableLine[];
  links: LinkLine[];
}

/** The pay of a table: `odds` to one or for one, a fixed award, `percent` of the meter. */
export interface PaidBy {
  kind: string;
  odds?: number;
  percent?: number;
  row?: string;
  on?: string;
  times?: number;
  capped?: boolean;
}

/** What a player was paid of a jackpot. */
export interface PaidShare {
  player: string;
  hand: string;
  amount: string;
}

/** The parameters of a link; `change_waits` tells that others are planned for after the next hit. */
export interface Parameters {
  unit: string;
  reset: string;
  increment_bp: number;
  reserve_bp: number;
  ceiling: string | null;
  most_stake: string;
  change_waits: boolean;
}

/** A password. */
export interface PasswordForm {
  password: string;
}

/** A payout slip of a table. */
export interface PayoutSlip {
  slip: string;
  at: string;
  round: number;
  position: number;
  positions: number[];
  player: string;
  amount: string;
  of_it_jackpot: string;
  corrects: string | null;
  reason: string | null;
  authorised_by: string;
  confirmed_by: string | null;
  clauses: string[];
}

/** A jackpot claim that waits, and whether its table may pay it now. */
export interface Pending {
  table: string;
  status: string;
  payable: boolean;
}

/** Puts chips on an area before the deal. The floor tells who is `seated` there. */
export interface PlaceWager {
  do: "place-wager";
  position: number;
  wager: string;
  amount: string;
  for_player?: string | null;
}

/** Every player the house knows, by name. */
export interface Players {
  players: string[];
}

/** A position at the table: whose it is, what is staked, its cards as far as the viewer may see them. */
export interface Position {
  player: string;
  stakes: Record<string, string>;
  fate: string;
  choices: Record<string, string>;
  viewed: boolean;
  cards: string[];
}

/** A rulebook priced exactly; `curve` is the jackpot's return along its meter. */
export interface Priced {
  rulebook: string;
  readings: Record<string, string>;
  wagers: Record<string, PricedWager>;
  starting_hands?: Record<string, Record<string, string | boolean>>;
  strategies: Record<string, PricedStrategy>;
  seconds: number;
  curve?: [number, number][];
}

/** A rulebook that can be priced: its readings with their letters, its pay tables, its areas. */
export interface PricedBook {
  rulebook: string;
  title: string;
  readings: ReadingLetters[];
  pays: Record<string, Record<string, string>>;
  areas: Record<string, string>;
}

/** Every rulebook that can be priced. */
export interface PricedBooks {
  rulebooks: PricedBook[];
}

/** What a strategy is worth, and what it costs beside the best one. */
export interface PricedStrategy {
  ev: string;
  cost: string;
  average_wager: string;
}

/** The price of a wager: of the main game, of a side wager, or of the jackpot. */
export interface PricedWager {
  ev?: string;
  house_edge?: number;
  average_wager?: string;
  element_of_risk?: number;
  standard_deviation?: number;
  outcomes?: Record<string, number>;
  cycle?: number;
  decisions?: Record<string, string>;
  strategy?: Record<string, unknown>;
  hit_frequency?: Record<string, string>;
  stake?: string;
  unit?: string;
  multiple?: number;
  fixed_return?: string;
  meter_share?: string;
  break_even_meter?: string | null;
}

/** A hand: its class, and the ranks that decide within it, the most important first. */
export interface Ranked {
  class: string;
  ranks: string[];
}

/** A question the text leaves open, and how it is read here. */
export interface ReadingInForce {
  reading: string;
  question: string;
  chosen: string;
  holds: string;
  clauses: string[];
}

/** A reading and the letters that it may be given. */
export interface ReadingLetters {
  reading: string;
  question: string;
  default: string | null;
  letters: Record<string, string>;
}

/** The streams of the record with their heads, and the last checkpoint. */
export interface RecordHeads {
  streams: Record<string, StreamHead>;
  checkpoint: LastCheckpoint | null;
}

export interface Refused {
  code: string;
  message: string;
  clauses: string[];
  params?: Record<string, string | number>;
  act?: number;
}

/** Does not uphold a claim: the meter has it back. */
export interface RejectClaim {
  link: string;
  claim: number;
  reason: string;
}

/** What of a wager was over the maximum and went back; of several acts, `act` is which one. */
export interface Rejected {
  amount: string;
  clauses: string[];
  act?: number;
}

/** Ends somebody's shift at a table. */
export interface RelieveStaff {
  table: string;
  person: string;
}

/** A row of a book's remedies; what it does not say is left out. */
export interface RemedyRow {
  kind: string;
  when?: string[];
  mode: string;
  remedy: string;
  finding?: string | null;
  decides?: string | null;
  rulings?: string[];
  orders?: string[];
  withdrawal?: Withdrawal | null;
  "choice-after"?: string[];
  clauses: string[];
  "choice-clauses"?: string[];
  affected?: boolean;
  "second-signature"?: boolean;
  note?: string;
}

/** Staff report an irregularity: which hands it is about, how many cards, and what was found. */
export interface Report {
  do: "report";
  kind: Irregularity;
  positions?: number[];
  count?: number;
  reconstructable?: boolean | null;
  intentional?: boolean | null;
  what?: string;
  seats?: number[];
  by?: ExposedBy | null;
  at?: ExposedAt | null;
  approved_by?: string;
  for_player?: string | null;
}

/** Puts a jackpot back in order, with the meter and the parameters it had. */
export interface RestoreLink {
  link: string;
}

/** Turns over a place, first burning and dealing what the procedure has not dealt yet. */
export interface Reveal {
  do: "reveal";
  place: string;
  for_player?: string | null;
}

/** Reveals the secret that a device has committed to, once bets are closed: 64 hexadecimal digits. */
export interface RevealEntropy {
  table: string;
  device: string;
  secret: string;
}

/** A round in one line. `net` is what the player who asks won, or lost with a minus; null while open. */
export interface RoundLine {
  round: number;
  status: string;
  opened_at: number;
  dealt_at: number | null;
  ended_at: number | null;
  rulebook: string;
  net?: string | null;
}

/** The last rounds of a table; `before` is where to go on, null where there are no more. */
export interface RoundLines {
  table: string;
  rounds: RoundLine[];
  before: number | null;
}

/** A round of the record, step by step. */
export interface RoundRecord {
  replay: boolean;
  table: string;
  round: number;
  steps: RoundStep[];
  void_deck?: VoidDeck;
}

/** A step of a round: the table after it as viewers saw it; for staff, with what was done by whom. */
export interface RoundStep {
  version: number;
  at: string;
  actor?: string;
  event?: string;
  told?: string;
  hash?: string;
  money?: MoneyMoved[];
  views: Record<string, TableView>;
}

/** A round as one viewer sees it. */
export interface RoundView {
  round: number;
  stage: string;
  positions: Record<string, Position>;
  community: string[];
  dealer: string[];
  decision: string | null;
  waiting_for: number[];
  meter?: string;
  suspended?: Suspended;
  options?: Options;
  may_withdraw?: number[];
  void?: string[];
  settlement?: Seat[];
  dealer_hand?: string;
  dealer_ranked?: Ranked;
  dealer_qualifies?: boolean;
  notices?: Notice[];
  claim?: Claimed[];
  rack?: string;
  racks?: Record<string, string>;
  looked_at?: number[];
  warned?: string[];
  restricted?: string[];
  barred?: string[];
  blocked?: number[];
  closed?: boolean;
  jackpot_suspended?: boolean;
  cards_exposed?: number;
  jackpot_stopped?: boolean;
  next?: string | null;
  step?: number;
  entered?: Record<string, number>;
  burned?: number;
  handled?: number[];
  to_read?: ToRead[];
  to_mend?: ToMend[];
  corrections?: number;
  matter?: Matter;
  may_still_rule?: Record<string, string>;
}

/** A ruling, with its argument where it has one: a player's name, a position's number, cards in order. */
export interface Rule {
  do: "rule";
  ruling: Ruling;
  argument?: string;
  approved_by?: string;
  for_player?: string | null;
}

/** A rulebook of the floor: its hash, its id, how it is read, and whether it is in force. */
export interface RulebookLine {
  rulebook: string;
  id: string;
  readings: Record<string, string>;
  approved_by: string[];
  in_force: boolean;
}

/** The rules in force at a table; `points` name the topics a player should know first. */
export interface Rules {
  game: string;
  title: string;
  points: string[];
  topics: Topic[];
  readings: ReadingInForce[];
  clauses: Record<string, Gist>;
}

export type Ruling =
  | "void"
  | "continue"
  | "reconstruct"
  | "invalidate"
  | "permit-withdrawal"
  | "order"
  | "bar"
  | "restrict"
  | "close-table"
  | "block"
  | "suspend-jackpot";

/** A sealed deck that was not what was sealed. */
export interface SealAlarm {
  at: string;
  table: string;
  round: number;
  what: string;
}

export interface Sealed {
  seal: number;
  root: string;
  commitments: string;
  dealing: DealtTo[];
  hands: string[];
  drawn: number;
  places: Record<string, number[]>;
  openings: Opening[];
  composition?: Composition;
  devices?: Device[];
  reveal_by?: number | null;
  composed?: Composed | null;
}

/** The settlement of one position; `hand` and `ranked` are the one compared with the dealer's, or null. */
export interface Seat {
  position: number;
  player: string;
  hand: string | null;
  ranked: Ranked | null;
  net: string;
  lines: Line[];
}

/** Says who deals a virtual table: a person, or the house's clock. */
export interface SetDealing {
  table: string;
  dealt_by: string;
  betting_seconds?: number;
  pause_seconds?: number;
  reason?: string;
}

/** Sets a table's limits, between rounds. */
export interface SetLimits {
  table: string;
  limits: Record<string, string[]>;
  reason?: string;
}

/** Settles the round. `fixed` is what a link has fixed for the shares of its meter that were claimed. */
export interface Settle {
  do: "settle";
  for_player?: string | null;
}

/** What a hand wins that takes a part of the meter, now. */
export interface Share {
  hand: string;
  percent: number;
  amount: string;
}

/** Errors at a table in a shift, by kind. */
export interface ShiftErrors {
  table: string;
  shift: string;
  kinds: Record<string, number>;
}

/** How many packs were shuffled at a table in a shift. */
export interface Shuffled {
  table: string;
  shift: string | null;
  packs: number;
}

/** What came back of a side wager. */
export interface SideReturn {
  bets: number;
  actual_return: number | null;
}

/** Who signs in, and as what. */
export interface SignInForm {
  kind: "staff" | "player";
  name: string;
  password: string;
}

/** Somebody's time at a table. */
export interface StaffedTable {
  table: string;
  person: string;
  position: string;
  from: string;
  until: string | null;
}

/** A step of the procedure: what is done, where, with how many cards, how often round; and in words. */
export interface StepTerms {
  do: string;
  place: string;
  cards: number;
  rounds: number;
  words: string;
  clauses: string[];
}

/** The head of a stream of the record. */
export interface StreamHead {
  version: number;
  hash: string;
}

/** Play waits for a ruling. */
export interface Suspended {
  kind: string;
  clauses: string[];
}

/** A table's day: its chips and cash, what it won, and what was counted. */
export interface TableDay {
  table: string;
  game: string;
  title: string;
  currency: string;
  rounds: number;
  voids: number;
  opening_float: string;
  fills: string;
  credits: string;
  closing_float: string;
  drop: string;
  cashed_out: string;
  win: string;
  hold: number | null;
  drop_counted: string;
  over_short: string;
  jackpot_stakes_less_fixed_awards: string;
}

/** What may go wrong at a table and be reported. */
export interface TableKinds {
  table: string;
  kinds: KindLine[];
}

/** A table as its staff see it at a glance; of one that was never opened only its name. */
export interface TableLine {
  table: string;
  open: boolean;
  game?: string;
  title?: string;
  rulebook?: string;
  cards?: string;
  practice?: boolean;
  currency?: string;
  link?: string;
  staff?: Record<string, string>;
  since?: number;
  round?: number;
  stage?: string;
  waits?: string;
  called?: Called | null;
  broken_seals?: number[];
  corrections?: number;
  drop?: string;
  win?: string;
  dealt_by?: string;
  players?: number;
  version?: number;
}

/** What a table may be opened with under a rulebook, and what the house sets unless told otherwise. */
export interface TableOpening {
  rulebook: string;
  game: string;
  title: string;
  readings: Record<string, string>;
  layouts: LayoutOption[];
  positions: number;
  procedures: string[];
  currency: string;
  decision_seconds: number;
  denominations: string[];
  limits: Record<string, string[]>;
  areas: Record<string, string>;
  jackpot: boolean;
  equipment: EquipmentItem[];
}

/** A table as one viewer sees it. */
export interface TableView extends RoundView {
  table: string;
  open: boolean;
  game: string;
  rulebook: string;
  practice: boolean;
  cards: string;
  link: string;
  currency: string;
  seats: Record<string, string>;
  version?: number;
  replay?: boolean;
  choices?: Choice[];
  to_enter?: ToEnter[];
  called?: Called | null;
  bets_close_at?: number;
  decide_by?: number;
  claim_payable?: boolean;
  claims_pending?: Pending[];
  sealed?: Sealed;
}

/** What was recorded last of a hand was recorded wrongly: it is as if it had not been. */
export interface TakeBack {
  do: "take-back";
  position: number;
  reason?: string;
  for_player?: string | null;
}

/** A player who may leave the round says whether he stays. */
export interface TakeOption {
  do: "take-option";
  position: number;
  stay: boolean;
  for_player?: string | null;
}

/** Seats a player at a position. */
export interface TakeSeat {
  table: string;
  position: number;
  player: string;
}

/** What a table offers to whoever sits down. */
export interface Terms {
  table: string;
  game: string;
  title: string;
  rulebook: string;
  readings: Record<string, string>;
  layout: string;
  procedure: string;
  positions: number;
  own_cards: number;
  dealer_cards: number;
  community_cards: number;
  parts: Record<string, number[]>;
  cards: string;
  practice: boolean;
  currency: string;
  chip: string;
  denominations: string[];
  link: string;
  jackpot_unit: string | null;
  decision_seconds: number;
  dealt_by: string;
  betting_seconds: number | null;
  wagers: WagerTerms[];
  announces: Announces;
  steps: StepTerms[];
  decisions: DecisionTerms[];
}

/** A place of a physical table where cards lie that were not entered yet. */
export interface ToEnter {
  place: string;
  cards: number;
}

/** What was recorded at a hand and can still be taken back. */
export interface ToMend {
  position: number;
  decision: string;
  choice: string;
}

/** A folded hand that is read before it is cleared: for which wagers, and how many cards were entered. */
export interface ToRead {
  position: number;
  wagers: string[];
  entered: number;
}

/** One thing a rulebook says, in English; `about`, `says` and `blanks` are its codes for other words. */
export interface Topic {
  chapter: string;
  name: string;
  text: string;
  clauses: string[];
  about: string;
  says: string;
  blanks: Record<string, string>;
}

/** A report on a trainee, book by book. */
export interface TraineeReport {
  trainee: string;
  books: DrillBookReport[];
}

/** A ruling that may be given now, tried out: what each player gets back by it, and what may follow. */
export interface Tried {
  ruling: Ruling;
  argument: string;
  racks: Record<string, string>;
  then: Way[];
  second_signature?: boolean;
}

/** What may be ruled at a table now, and what each player would get back or give. */
export interface TriedRulings {
  table: string;
  rulings: Tried[];
}

/** Staff enter chips that lay on an area when bets closed, and that nobody had noticed. */
export interface UnnoticedWager {
  do: "unnoticed-wager";
  position: number;
  wager: string;
  amount: string;
  approved_by?: string;
  for_player?: string | null;
}

/** What the verification of the whole record has found. */
export interface Verified {
  ok: boolean;
  events: number;
  seconds: number;
  problems: string[];
}

/** Says that a pit manager has seen the jackpot hand. */
export interface VerifyClaim {
  link: string;
  claim: number;
}

/** Looks at the cards of a position. */
export interface ViewHand {
  do: "view-hand";
  position: number;
  for_player?: string | null;
}

/** A version of a table as its watcher may see it; null before it was ever opened. */
export interface ViewMessage {
  kind: "view";
  table: string;
  version: number;
  view: TableView | null;
  missed?: boolean;
}

/** The deck of a void round, for its players: kept, or opened once the void is final. */
export interface VoidDeck {
  status: string;
  openings: Opening[];
}

/** A void of a sealed round, and what it saved the house. */
export interface VoidRow {
  at: string;
  table: string;
  round: number;
  hands: number[];
  game: string;
  currency: string;
  practice: boolean;
  reported_by: string;
  ruled_by: string | null;
  signed_by: string | null;
  kind: string | null;
  reason: string | null;
  stage: string;
  cards: number;
  staked: string | null;
  house_would_have_won: string | null;
  saved: string | null;
  deck: string;
}

/** Voids of sealed rounds, alarms, and whose voids they were. */
export interface Voids {
  voids: VoidRow[];
  alarms: SealAlarm[];
  void_staff: VoidsOfPerson[];
}

/** The voids of one person beside what chance gives. */
export interface VoidsOfPerson {
  person: string;
  reported: number;
  ruled: number;
  signed: number;
  counted: number;
  saved: string;
  by_chance: string;
  deviation: string;
  score: number | null;
  stands_out: boolean;
}

/** A wager that the table offers: where it is placed, when, how much, and by which clauses. */
export interface WagerTerms {
  wager: string;
  area: string;
  placed: string;
  needs: string[];
  units: number[] | null;
  limits: string[] | null;
  clauses: string[];
}

/** One way a matter can end, and what each player gets back, or gives with a minus. */
export interface Way {
  what: string;
  does: string;
  about: string;
  racks: Record<string, string>;
}

/** Takes a wager back while bets are open. */
export interface WithdrawWager {
  do: "withdraw-wager";
  position: number;
  wager: string;
  for_player?: string | null;
}

/** Who may let the others go once a hand was removed. */
export interface Withdrawal {
  position: string;
  clauses: string[];
}

/** A device that had committed and did not reveal in time. */
export interface Withheld {
  player: string;
  device: string;
}

/** A second person's word, good once within two minutes, for the Countersign header. */
export interface Word {
  countersign: string;
}
