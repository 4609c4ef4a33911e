/** Who is signed in in this browser. */
import { Problem, call, get, hear, post, useCsrf } from "../api/http";
import type { Me } from "../api/types";

/** So long a look at the session may take before nobody is said to answer, in milliseconds. */
const PATIENCE = 7000;

class Session {
  me = $state<Me | null>(null);
  known = $state(false);
  /** Nobody has answered what was asked last. */
  lost = $state(false);

  constructor() {
    hear.answered = (answered) => (this.lost = !answered);
    hear.locked = () => {
      if (this.me) this.me.locked = true;
    };
  }

  async find(): Promise<void> {
    try {
      this.take(await get<Me>("/api/session"));
    } catch (problem) {
      if (!(problem instanceof Problem) || (problem.status !== 401 && problem.status !== 403)) throw problem;
      this.me = null;
    } finally {
      this.known = true;
    }
  }

  /** Whether it is still good, for screens that no socket tells of it. */
  async look(): Promise<void> {
    const late = setTimeout(() => (this.lost = true), PATIENCE);
    try {
      await this.find();
    } catch {
      // the next look may be answered
    } finally {
      clearTimeout(late);
    }
  }

  take(me: Me): void {
    useCsrf(me.csrf);
    this.me = me;
  }

  async signIn(kind: string, name: string, password: string): Promise<void> {
    this.take(await post<Me>("/api/sign-in", { kind, name, password }));
  }

  async enterDemo(kind: string, name: string): Promise<void> {
    this.take(await post<Me>("/api/demo/enter", { kind, name }));
  }

  async unlock(password: string): Promise<void> {
    this.take(await post<Me>("/api/session/unlock", { password }));
  }

  async signOut(): Promise<void> {
    await call<null>("DELETE", "/api/session");
    this.me = null;
  }
}

export const session = new Session();
