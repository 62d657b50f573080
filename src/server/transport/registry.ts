import type { MikroORM } from "@mikro-orm/postgresql";
import type { LocalBus, SessionsEnded } from "../core/local-bus.ts";
import type { Log } from "../core/log.ts";
import type { FindLiveSessions } from "../core/ports.ts";

interface SessionIdentity {
  readonly sessionId: string;
  readonly userId: string;
}

function isEndedBy(notice: SessionsEnded, { sessionId, userId }: SessionIdentity): boolean {
  if (notice.exceptSessionId === sessionId) return false;
  return notice.sessionId === undefined ? notice.userId === userId : notice.sessionId === sessionId;
}

function createWake() {
  let isRung = false;
  let resume: (() => void) | undefined;
  return {
    wake() {
      isRung = true;
      resume?.();
    },
    async wait(ms: number) {
      if (!isRung) {
        const rung = Promise.withResolvers<void>();
        resume = rung.resolve;
        const timer = setTimeout(rung.resolve, ms);
        await rung.promise;
        clearTimeout(timer);
        resume = undefined;
      }
      isRung = false;
    },
  };
}

export const MAX_SOCKETS_PER_USER = 10;
/** How often the sessions of open sockets are looked at; another replica may have ended them. */
const CHECK_MS = 2_000;
const MIN_GAP_MS = 200;

export interface SignedInSocket extends SessionIdentity {
  /** The session is dead. */
  end(): void;
}

/** The sockets of this process that have a caller. */
export interface SocketRegistry {
  /** False when the user has too many already. */
  add(socket: SignedInSocket): boolean;
  remove(socket: SignedInSocket): void;
}

export interface SocketRegistryOptions {
  readonly orm: MikroORM;
  readonly findLiveSessions: FindLiveSessions;
  readonly bus: LocalBus;
  readonly log: Log;
}

/** Ends sockets whose session is dead: at once when this process ended it, within seconds when another did or time ran out. */
export function createSocketRegistry(options: SocketRegistryOptions): SocketRegistry & AsyncDisposable {
  const { orm, findLiveSessions, bus, log } = options;
  const sockets = new Set<SignedInSocket>();
  const wake = createWake();
  let isStopped = false;

  const onEnded = (notice: Parameters<typeof isEndedBy>[0]) => {
    for (const socket of sockets) if (isEndedBy(notice, socket)) socket.end();
  };
  bus.on("sessions.ended", onEnded);
  const checking = keepChecking();

  async function keepChecking(): Promise<void> {
    while (!isStopped) {
      await wake.wait(CHECK_MS);
      if (isStopped) return;
      try {
        await check();
      } catch (error) {
        // With the database away nobody can be checked, and nothing is delivered either.
        log.debug({ err: error }, "sessions of open sockets could not be checked");
      }
      await pause(MIN_GAP_MS);
    }
  }

  async function check(): Promise<void> {
    const checked = [...sockets];
    const live = await findLiveSessions(orm.em.fork(), [...new Set(checked.map(({ sessionId }) => sessionId))]);
    for (const socket of checked) if (!live.has(socket.sessionId)) socket.end();
  }

  return {
    add(socket) {
      let count = 0;
      for (const { userId } of sockets) if (userId === socket.userId) count++;
      if (count >= MAX_SOCKETS_PER_USER) return false;
      sockets.add(socket);
      // The session may have ended between the look that let it in and now.
      wake.wake();
      return true;
    },
    remove(socket) {
      sockets.delete(socket);
    },
    async [Symbol.asyncDispose]() {
      isStopped = true;
      bus.off("sessions.ended", onEnded);
      wake.wake();
      await checking;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
