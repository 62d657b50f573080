import type { MikroORM } from "@mikro-orm/postgresql";
import type { LocalBus, SessionsEnded } from "../core/local-bus.ts";
import type { Log } from "../core/log.ts";
import type { FindLiveSessions } from "../core/ports.ts";

export const MAX_SOCKETS_PER_USER = 10;
/** Sessions that another replica ended, or that expired, are found by polling. Milliseconds. */
const POLL_MS = 2_000;

export interface WatchedSession {
  readonly sessionId: string;
  readonly userId: string;
  /** The session is dead. */
  end(): void;
}

export interface SessionWatchOptions {
  readonly orm: MikroORM;
  readonly bus: LocalBus;
  readonly log: Log;
  readonly findLiveSessions: FindLiveSessions;
}

/** Ends sockets whose session is dead: at once when this process ended it, within seconds otherwise. */
export class SessionWatch implements Disposable {
  readonly #options: SessionWatchOptions;
  readonly #watched = new Set<WatchedSession>();
  readonly #timer: NodeJS.Timeout;
  #isChecking = false;

  constructor(options: SessionWatchOptions) {
    this.#options = options;
    options.bus.on("sessions.ended", this.#onEnded);
    this.#timer = setInterval(() => void this.#check(), POLL_MS);
  }

  /** False when the user has too many sockets. */
  add(session: WatchedSession): boolean {
    const own = [...this.#watched].filter(({ userId }) => userId === session.userId);
    if (own.length >= MAX_SOCKETS_PER_USER) return false;
    this.#watched.add(session);
    return true;
  }

  remove(session: WatchedSession): void {
    this.#watched.delete(session);
  }

  readonly #onEnded = ({ userId, sessionId, exceptSessionId }: SessionsEnded) => {
    for (const session of this.#watched) {
      if (session.sessionId === exceptSessionId) continue;
      if (sessionId === undefined ? session.userId === userId : session.sessionId === sessionId) session.end();
    }
  };

  async #check(): Promise<void> {
    if (this.#isChecking || this.#watched.size === 0) return;
    this.#isChecking = true;
    const { orm, findLiveSessions, log } = this.#options;
    const watched = [...this.#watched];
    try {
      const live = await findLiveSessions(orm.em.fork(), [...new Set(watched.map(({ sessionId }) => sessionId))]);
      for (const session of watched) if (!live.has(session.sessionId)) session.end();
    } catch (error) {
      // While the database is unavailable nothing is delivered either.
      log.debug({ err: error }, "sessions of open sockets could not be checked");
    } finally {
      this.#isChecking = false;
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#options.bus.off("sessions.ended", this.#onEnded);
  }
}
