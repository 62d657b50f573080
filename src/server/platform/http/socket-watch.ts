import type { WebSocket } from "ws";
import { isEndedBy, type SessionsEnded } from "../local-bus.ts";
import type { Caller } from "../trpc/caller.ts";
import type { App } from "../trpc/context.ts";
import { CLOSE, close } from "./close-codes.ts";

const MAX_SOCKETS_PER_USER = 10;
const MAX_UNAUTHENTICATED_PER_ADDRESS = 50;
const MAX_FRAMES_PER_MINUTE = 120;
/** Counted in sweeps, so that a pause of this process makes no socket late or idle. */
const SIGN_IN_SECONDS = 4;
const PING_AFTER_SECONDS = 25;
const DEAD_AFTER_SECONDS = 40;
/** Sessions that another replica ended, or that expired, are found by polling. */
const SESSION_CHECK_SECONDS = 2;
/** A call that ends its own session still gets its answer over the socket. */
const LAST_ANSWER_MS = 300;

export interface OpenSocket {
  readonly socket: WebSocket;
  readonly network: string;
  readonly unanswered: Set<string | number>;
  /** Its token came; whether that is valid is not known yet while `caller` is null. */
  hasToken: boolean;
  caller: Caller | null;
  ageSeconds: number;
  idleSeconds: number;
  framesThisMinute: number;
}

export type SocketWatchOptions = Pick<App, "orm" | "bus" | "log" | "metrics" | "findLiveSessions">;

/**
 * All open sockets. Once a second it closes those without a sign-in, with a dead session, or whose
 * other side is gone.
 */
export class SocketWatch implements Disposable {
  readonly #options: SocketWatchOptions;
  readonly sockets = new Set<OpenSocket>();
  readonly #timer: NodeJS.Timeout;
  #sweeps = 0;
  #isChecking = false;

  constructor(options: SocketWatchOptions) {
    this.#options = options;
    options.bus.on("sessions.ended", this.#onEnded);
    this.#timer = setInterval(() => this.sweep(), 1_000);
  }

  /** Whether an address has too many sockets that have not signed in. */
  isFull(network: string): boolean {
    const waiting = [...this.sockets].filter(
      (each) => each.caller === null && each.network === network,
    );
    if (waiting.length < MAX_UNAUTHENTICATED_PER_ADDRESS) return false;
    this.#countLimit();
    return true;
  }

  add(socket: WebSocket, network: string): OpenSocket {
    const added: OpenSocket = {
      socket,
      network,
      unanswered: new Set(),
      hasToken: false,
      caller: null,
      ageSeconds: 0,
      idleSeconds: 0,
      framesThisMinute: 0,
    };
    this.sockets.add(added);
    socket.once("close", () => this.sockets.delete(added));
    const onFrame = () => this.#countFrame(added);
    socket.on("message", onFrame).on("ping", onFrame).on("pong", onFrame);
    return added;
  }

  signIn(signing: OpenSocket, caller: Caller): boolean {
    const own = [...this.sockets].filter((each) => each.caller?.id === caller.id);
    if (own.length >= MAX_SOCKETS_PER_USER) {
      this.#countLimit();
      return false;
    }
    signing.caller = caller;
    return true;
  }

  /** tRPC's adapter limits neither frames nor calls in a frame. */
  refuseFlood({ socket }: OpenSocket): void {
    if (socket.readyState !== socket.OPEN) return;
    this.#countLimit();
    close(socket, CLOSE.tooMany);
  }

  sweep(): void {
    this.#sweeps += 1;
    for (const each of this.sockets) {
      each.ageSeconds += 1;
      each.idleSeconds += 1;
      if (each.ageSeconds % 60 === 0) each.framesThisMinute = 0;
      if (each.caller === null && each.ageSeconds >= SIGN_IN_SECONDS) closeUnknown(each);
      if (each.idleSeconds === PING_AFTER_SECONDS) each.socket.ping();
      if (each.idleSeconds >= DEAD_AFTER_SECONDS) each.socket.terminate();
    }
    if (this.#sweeps % SESSION_CHECK_SECONDS === 0) void this.#checkSessions();
  }

  #countLimit(): void {
    this.#options.metrics.limited.inc({ surface: "socket" });
  }

  #countFrame(open: OpenSocket): void {
    open.idleSeconds = 0;
    open.framesThisMinute += 1;
    if (open.framesThisMinute > MAX_FRAMES_PER_MINUTE) this.refuseFlood(open);
  }

  readonly #onEnded = (ended: SessionsEnded) => {
    closeAfterLastAnswer(
      [...this.sockets].filter(({ caller }) => caller !== null && isEndedBy(ended, caller)),
    );
  };

  async #checkSessions(): Promise<void> {
    const signedIn = [...this.sockets].filter(({ caller }) => caller !== null);
    if (this.#isChecking || signedIn.length === 0) return;
    this.#isChecking = true;
    const { orm, findLiveSessions, log } = this.#options;
    try {
      const ids = new Set(signedIn.flatMap(({ caller }) => caller?.credentialId ?? []));
      const live = await findLiveSessions(orm.em.fork(), [...ids]);
      closeAfterLastAnswer(signedIn.filter(({ caller }) => !live.has(caller?.credentialId ?? "")));
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

/** A token that nobody can check, as while the database does not answer, is no refused one. */
function closeUnknown({ socket, hasToken }: OpenSocket): void {
  close(socket, hasToken ? CLOSE.unavailable : CLOSE.unauthenticated);
}

function closeAfterLastAnswer(dead: readonly OpenSocket[]): void {
  setTimeout(() => {
    for (const { socket } of dead) close(socket, CLOSE.unauthenticated);
  }, LAST_ANSWER_MS);
}
