import type { IncomingMessage } from "node:http";

/** Whether the caller used https, as far as a trusted proxy tells: `request.secure` for what Express never sees. */
export function cameByHttps(request: IncomingMessage, trust: (address: string, hop: number) => boolean): boolean {
  if (!trust(request.socket.remoteAddress ?? "", 0)) return false;
  const [first = ""] = String(request.headers["x-forwarded-proto"] ?? "").split(",");
  return first.trim() === "https";
}
