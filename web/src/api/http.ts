/** Asking the service. A refusal is a `Problem`: a code, a sentence, and the clauses that say so. */
import type { Act } from "./types";

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly clauses: string[] = [],
    readonly field = "",
  ) {
    super(message);
  }
}

/** What an answer tells besides what was asked for: whether anybody answers, and that the session is locked. */
export const hear = { answered: (_: boolean): void => undefined, locked: (): void => undefined };

let csrf = "";

/** The token that came with the sign-in; it goes back with every change. */
export function useCsrf(token: string): void {
  csrf = token;
}

export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const init: RequestInit = { method, headers: { ...headers } };
  if (method !== "GET") init.headers = { ...init.headers, "x-csrf-token": csrf };
  if (body !== undefined) {
    init.headers = { ...init.headers, "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch {
    hear.answered(false);
    throw new Problem(0, "offline", "The floor does not answer.");
  }
  hear.answered(true);
  const text = await answer.text();
  let said: unknown = null;
  try {
    said = text ? JSON.parse(text) : null;
  } catch {
    throw new Problem(answer.status, "not-json", "The floor's answer cannot be read.");
  }
  if (answer.ok) return said as T;
  const problem = (said ?? {}) as { code?: string; message?: string; clauses?: string[]; field?: string };
  if (problem.code === "locked") hear.locked();
  throw new Problem(
    answer.status,
    problem.code ?? "failed",
    problem.message ?? `The floor answered ${answer.status}.`,
    problem.clauses ?? [],
    problem.field ?? "",
  );
}

export const get = <T>(path: string) => call<T>("GET", path);
export const post = <T>(path: string, body?: unknown) => call<T>("POST", path, body);

const key = () =>
  crypto.randomUUID?.() ??
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16)).join("");

/** Ask with a key until somebody answers: what was done is not done twice. */
async function surely<T>(path: string, body: unknown): Promise<T> {
  const headers = { "idempotency-key": key() };
  for (let tries = 1; ; tries++) {
    try {
      return await call<T>("POST", path, body, headers);
    } catch (problem) {
      const lost = problem instanceof Problem && (problem.status === 0 || problem.status === 503);
      if (!lost || tries >= 8) throw problem;
      await new Promise((resolve) => setTimeout(resolve, 250 * tries));
    }
  }
}

export interface Rejected {
  amount: string;
  clauses: string[];
}

/** `rejected` is what of a wager was over the maximum; of several acts, `rejected_of` has it for each. */
export interface Done {
  ok: boolean;
  versions: Record<string, number>;
  rejected?: Rejected;
  rejected_of?: Rejected[];
}

/** Act at a table; several acts of a player are all done, or none. */
export const act = (table: string, acts: Act[], expect?: number) =>
  surely<Done>(
    `/api/tables/${encodeURIComponent(table)}/acts`,
    expect === undefined ? { acts } : { acts, expect },
  );

/** An act that takes a second person, who gives their own word for it. */
export async function actWith(
  table: string,
  acts: Act[],
  second: { name: string; password: string },
): Promise<Done> {
  const asked = { acts };
  const word = await post<{ countersign: string }>("/api/countersign", {
    ...second,
    request: "acts",
    table,
    asked,
  });
  const headers = { "idempotency-key": key(), countersign: word.countersign };
  return call<Done>("POST", `/api/tables/${encodeURIComponent(table)}/acts`, asked, headers);
}

/** A request that takes a second person, who gives his own word for it. */
export async function askWith(
  request: string,
  body: Record<string, unknown>,
  second: { name: string; password: string },
): Promise<Done> {
  const word = await post<{ countersign: string }>("/api/countersign", {
    ...second,
    request,
    asked: body,
  });
  const headers = { "idempotency-key": key(), countersign: word.countersign };
  return call<Done>("POST", `/api/floor/${request}`, body, headers);
}

/** A request of the floor, such as `take-seat`. */
export const ask = (request: string, body: Record<string, unknown>) =>
  surely<Done>(`/api/floor/${request}`, body);
