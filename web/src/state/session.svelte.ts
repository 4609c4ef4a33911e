/** Who is signed in in this browser. */
import { Problem, get, hear, post, remove, useCsrf } from "../api/http";
import type { Me, SignInForm } from "../api/wire";

type Kind = SignInForm["kind"];
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
      this.take(await get("/api/session"));
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

  async signIn(kind: Kind, name: string, password: string): Promise<void> {
    this.take(await post("/api/sign-in", { kind, name, password }));
  }

  async enterDemo(kind: Kind, name: string): Promise<void> {
    this.take(await post("/api/demo/enter", { kind, name }));
  }

  async unlock(password: string): Promise<void> {
    this.take(await post("/api/session/unlock", { password }));
  }

  async signOut(): Promise<void> {
    await remove("/api/session");
    this.me = null;
  }
}

export const session = new Session();
