import type { WebSocket } from "ws";
import type { ErrorCode } from "../../../shared/error-kinds.ts";

/**
 * How this server ends a socket, and what the client should do about it. The reason is the
 * contract's code.
 */
export const CLOSE = {
  /** The session is missing or dead, or no token came in time: sign in again. */
  unauthenticated: { code: 4401, reason: "UNAUTHENTICATED" },
  /** Too many sockets, frames or calls: come back later. */
  tooMany: { code: 4429, reason: "TOO_MANY_REQUESTS" },
  /** The database is unavailable: reconnect. */
  unavailable: { code: 1013, reason: "UNAVAILABLE" },
  /** This process stops: reconnect to another one or to its successor. */
  restarting: { code: 1012, reason: "UNAVAILABLE" },
} as const;

type CloseReason = (typeof CLOSE)[keyof typeof CLOSE];

export function closeReason(code: ErrorCode): CloseReason {
  if (code === "TOO_MANY_REQUESTS") return CLOSE.tooMany;
  return code === "UNAVAILABLE" || code === "INTERNAL" ? CLOSE.unavailable : CLOSE.unauthenticated;
}

const RECONNECT = JSON.stringify({ id: null, method: "reconnect" });

export function close(socket: WebSocket, reason: CloseReason): void {
  if (socket.readyState !== socket.OPEN) return;
  // Only together with the closing: a tRPC client that gets this message alone reconnects twice.
  if (reason === CLOSE.restarting) socket.send(RECONNECT);
  socket.close(reason.code, reason.reason);
}
