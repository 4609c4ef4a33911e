/** Who is signed in in this browser. */
import { Problem, call, get, post, useCsrf } from "../api/http";
import type { Me } from "../api/types";

class Session {
  me = $state<Me | null>(null);
  known = $state(false);

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
