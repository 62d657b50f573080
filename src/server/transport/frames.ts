import type { Duplex } from "node:stream";
import type { Encoder } from "@trpc/server/adapters/ws";
import type { WebSocket } from "ws";
import { z } from "zod";
import { AppError } from "../core/errors.ts";
import { assertBoundedJson } from "../rest/bounded-json.ts";
import { CLOSE, type CloseReason, close } from "./close-codes.ts";
import { createCork } from "./cork.ts";
import { createMessageRate } from "./message-rate.ts";

/** Bytes that may wait for a reader; past this it is cut, and resumes with what it saw last. */
export const MAX_WAITING_BYTES = 1024 * 1024;
export const MAX_CALLS_PER_FRAME = 20;

const Call = z.object({ id: z.union([z.string(), z.number()]), method: z.enum(["query", "mutation"]) });
const Answer = z.object({ id: z.union([z.string(), z.number()]) });

/** What passes through one socket, both ways, kept within bounds. */
export interface Frames {
  /** For the tRPC adapter: every message in or out goes through it. */
  readonly encoder: Encoder;
  /** Takes no further call and closes as soon as those under way are answered, at the latest after so many milliseconds. */
  closeWhenAnswered(reason: CloseReason, limitMs: number): void;
}

interface FramesOptions {
  readonly socket: WebSocket;
  /** What the socket writes to. */
  readonly connection: Duplex;
  /** Is told once, when the other side sends more than it may. */
  onFlood(): void;
}

export function guardFrames({ socket, connection, onFlood }: FramesOptions): Frames {
  const rate = createMessageRate();
  const pongs = createMessageRate();
  const cork = createCork(connection);
  const unanswered = new Set<string | number>();
  let closing: CloseReason | undefined;
  let isFlooded = false;

  const refuseFlood = () => {
    if (!isFlooded) onFlood();
    isFlooded = true;
    close(socket, CLOSE.tooMany);
  };
  const count = () => {
    if (!rate.take()) refuseFlood();
  };
  socket.on("message", count);
  socket.on("ping", count);
  // By themselves: those that answer our own pings take nothing from what may be sent.
  socket.on("pong", () => {
    if (!pongs.take()) refuseFlood();
  });

  function noteAnswer(message: unknown): void {
    const answer = Answer.safeParse(message);
    if (answer.success && unanswered.delete(answer.data.id)) closeIfAnswered();
  }

  function closeIfAnswered(): void {
    const reason = closing;
    // A turn later, so that streams say UNAUTHENTICATED and the last answer is on its way.
    if (reason !== undefined && unanswered.size === 0) setImmediate(() => close(socket, reason));
  }

  /** Before something is sent. */
  function makeRoom(bytes: number): void {
    cork.hold();
    if (socket.bufferedAmount > 0 && socket.bufferedAmount + bytes > MAX_WAITING_BYTES) socket.terminate();
  }

  return {
    encoder: {
      decode(frame) {
        if (typeof frame !== "string") throw new AppError("INVALID_INPUT");
        if (closing !== undefined) throw new AppError(closing.reason);
        if (socket.readyState !== socket.OPEN) throw new AppError("UNAVAILABLE");
        assertBoundedJson(frame);
        const message: unknown = JSON.parse(frame);
        const calls: unknown[] = Array.isArray(message) ? message : [message];
        // The frame itself was counted when it came in.
        if (calls.length > MAX_CALLS_PER_FRAME || !calls.slice(1).every(() => rate.take())) {
          refuseFlood();
          throw new AppError("TOO_MANY_REQUESTS");
        }
        for (const call of calls) {
          const parsed = Call.safeParse(call);
          if (parsed.success) unanswered.add(parsed.data.id);
        }
        return message;
      },
      encode(message) {
        const text = JSON.stringify(message);
        makeRoom(Buffer.byteLength(text));
        if (unanswered.size > 0) noteAnswer(message);
        return text;
      },
    },
    closeWhenAnswered(reason, limitMs) {
      if (closing !== undefined) return;
      closing = reason;
      closeIfAnswered();
      const limit = setTimeout(() => close(socket, reason), limitMs);
      socket.once("close", () => clearTimeout(limit));
    },
  };
}
