import type { WebSocket } from "ws";

/** How this server ends a socket, and what the other side should do about it. The reason sent along is the contract's code. */
export const CLOSE = {
  /** The session is missing, dead, or did not say its name in time: sign in again, do not just reconnect. */
  unauthenticated: { code: 4401, reason: "UNAUTHENTICATED" },
  /** Too many sockets, messages or calls: come back later. */
  tooMany: { code: 4429, reason: "TOO_MANY_REQUESTS" },
  /** The database is away: reconnect. */
  unavailable: { code: 1013, reason: "UNAVAILABLE" },
  /** This process stops: reconnect, another one or its successor answers. */
  restarting: { code: 1012, reason: "UNAVAILABLE" },
} as const;

export type CloseReason = (typeof CLOSE)[keyof typeof CLOSE];

/** What the tRPC client understands as "connect anew". */
const RECONNECT = JSON.stringify({ id: null, method: "reconnect" });

export function close(socket: WebSocket, reason: CloseReason): void {
  if (socket.readyState !== socket.OPEN) return;
  // Together with the closing itself: a client that closes only when told so reconnects twice.
  if (reason === CLOSE.restarting) socket.send(RECONNECT);
  socket.close(reason.code, reason.reason);
}
