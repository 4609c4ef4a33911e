/** Asking the service. A refusal is a `Problem`: a code, a sentence, and the clauses that say so. */
import type { Act, ActsForm, Delete, Done, Get, Post, Refused, RequestName, Requests } from "./wire";

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly clauses: string[] = [],
    readonly field = "",
    readonly params: Record<string, string | number> = {},
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

async function call<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
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
  const problem = (said ?? {}) as Partial<Refused & { field: string }>;
  if (problem.code === "locked") hear.locked();
  throw new Problem(
    answer.status,
    problem.code ?? "failed",
    problem.message ?? `The floor answered ${answer.status}.`,
    problem.clauses ?? [],
    problem.field ?? "",
    problem.params ?? {},
  );
}

/** The blanks of an address, such as `table`. */
type Blanks<P> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Blanks<Rest> : never;
type Value = string | number | string[] | null | undefined;
/** What an address is given: each of its blanks, and what is asked besides. */
type Given<P> = [Blanks<P>] extends [never]
  ? [Record<string, Value>?]
  : [Record<Blanks<P>, string | number> & Record<string, Value>];

/** An address with its blanks filled in; what is left of `given` is its query. */
export function address(path: string, given: Record<string, Value> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else for (const one of [value ?? []].flat()) if (one !== "") query.append(name, String(one));
  }
  return query.size ? `${path}?${query.toString()}` : path;
}

export const get = <P extends keyof Get>(path: P, ...[given]: Given<P>) =>
  call<Get[P]>("GET", address(path, given));
export const post = <P extends keyof Post>(path: P, body: Post[P][0], ...[given]: Given<P>) =>
  call<Post[P][1]>("POST", address(path, given), body ?? undefined);
export const remove = <P extends keyof Delete>(path: P, ...[given]: Given<P>) =>
  call<Delete[P]>("DELETE", address(path, given));

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

const acts = (table: string) => address("/api/tables/{table}/acts", { table });

/** Act at a table; several acts of a player are all done, or none. */
export function act(table: string, asked: Act[], expect?: number): Promise<Done> {
  const body: ActsForm = expect === undefined ? { acts: asked } : { acts: asked, expect };
  return surely(acts(table), body);
}

/** Whoever signs for something beside the one who asks it. */
export interface Second {
  name: string;
  password: string;
}

/** Ask for what a second person gives their word for first. */
async function signed<T>(
  path: string,
  request: string,
  asked: Record<string, unknown>,
  second: Second,
  table = "",
): Promise<T> {
  const word = await post("/api/countersign", { ...second, request, table, asked });
  return call<T>("POST", path, asked, { "idempotency-key": key(), countersign: word.countersign });
}

/** Acts that take a second person. */
export const actWith = (table: string, asked: Act[], second: Second) =>
  signed<Done>(acts(table), "acts", { acts: asked }, second, table);

/** A request that takes a second person. */
export const askWith = <R extends RequestName>(request: R, body: Requests[R], second: Second) =>
  signed<Done>(`/api/floor/${request}`, request, { ...body }, second);

/** A request of the floor, such as `take-seat`. */
export const ask = <R extends RequestName>(request: R, body: Requests[R]) =>
  surely<Done>(`/api/floor/${request}`, body);
