import type { Encoder } from "@trpc/server/adapters/ws";
import type { WebSocket } from "ws";
import { z } from "zod";
import { AppError } from "../core/errors.ts";
import { assertBoundedJson } from "../rest/bounded-json.ts";
import { CLOSE, type CloseReason, close } from "./close-codes.ts";

/** Bytes that may wait for a reader; past this it is cut, and resumes after the last event it received. */
export const MAX_WAITING_BYTES = 1024 * 1024;
export const MAX_CALLS_PER_FRAME = 20;
export const MAX_FRAMES_PER_MINUTE = 120;
/** With the sweep a little under the 5 s of the contract. Milliseconds, as all below. */
export const AUTHENTICATION_LIMIT_MS = 4_400;
const WINDOW_MS = 60_000;
const PING_AFTER_MS = 25_000;
const DEAD_AFTER_MS = 35_000;

const Call = z.object({ id: z.union([z.string(), z.number()]), method: z.enum(["query", "mutation"]) });
const Answer = z.object({ id: z.union([z.string(), z.number()]) });

/** One open socket, with its limits and what it still has to answer. */
export class Socket {
  readonly #socket: WebSocket;
  readonly #onLimit: () => void;
  readonly #openedAt = performance.now();
  readonly #unanswered = new Set<string | number>();
  #frameTimes: number[] = [];
  #lastHeardAt = performance.now();
  #isPinged = false;
  #closing: CloseReason | undefined;
  isSignedIn = false;

  /** `onLimit` is called once, when the other side sends more than it may. */
  constructor(socket: WebSocket, onLimit: () => void) {
    this.#socket = socket;
    this.#onLimit = onLimit;
    for (const event of ["message", "ping", "pong"] as const) socket.on(event, () => this.#countFrame());
  }

  get isAnswered(): boolean {
    return this.#unanswered.size === 0;
  }

  close(reason: CloseReason): void {
    close(this.#socket, reason);
  }

  /** Takes no further call. */
  refuseCalls(reason: CloseReason): void {
    this.#closing = reason;
  }

  /** Closes a socket that does not sign in and one whose other side is gone; pings one that has been silent. */
  sweep(now: number): void {
    if (!this.isSignedIn && now - this.#openedAt > AUTHENTICATION_LIMIT_MS) this.close(CLOSE.unauthenticated);
    const silent = now - this.#lastHeardAt;
    if (silent > DEAD_AFTER_MS && this.#isPinged) this.#socket.terminate();
    else if (silent > PING_AFTER_MS && !this.#isPinged) {
      this.#isPinged = true;
      this.#socket.ping();
    }
  }

  /** For the tRPC adapter: every message passes through it. */
  readonly encoder: Encoder = {
    decode: (frame) => {
      if (typeof frame !== "string") throw new AppError("INVALID_INPUT");
      if (this.#closing !== undefined) throw new AppError(this.#closing.reason);
      assertBoundedJson(frame);
      const message: unknown = JSON.parse(frame);
      const calls: unknown[] = Array.isArray(message) ? message : [message];
      if (calls.length > MAX_CALLS_PER_FRAME) {
        this.#refuseFlood();
        throw new AppError("TOO_MANY_REQUESTS");
      }
      for (const call of calls) {
        const { data } = Call.safeParse(call);
        if (data !== undefined) this.#unanswered.add(data.id);
      }
      return message;
    },
    encode: (message) => {
      const text = JSON.stringify(message);
      const { bufferedAmount } = this.#socket;
      if (bufferedAmount > 0 && bufferedAmount + Buffer.byteLength(text) > MAX_WAITING_BYTES) this.#socket.terminate();
      const { data } = this.#unanswered.size === 0 ? {} : Answer.safeParse(message);
      if (data !== undefined) this.#unanswered.delete(data.id);
      return text;
    },
  };

  #countFrame(): void {
    const now = performance.now();
    this.#lastHeardAt = now;
    this.#isPinged = false;
    this.#frameTimes = this.#frameTimes.filter((time) => time > now - WINDOW_MS);
    this.#frameTimes.push(now);
    if (this.#frameTimes.length > MAX_FRAMES_PER_MINUTE) this.#refuseFlood();
  }

  #refuseFlood(): void {
    if (this.#closing === undefined) this.#onLimit();
    this.#closing = CLOSE.tooMany;
    this.close(CLOSE.tooMany);
  }
}
