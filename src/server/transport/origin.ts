import type { IncomingMessage } from "node:http";

const LOGGED_LENGTH = 200;

/** A page may open a socket from its own host or a listed origin. No Origin means no browser, and whoever has the token may. */
export function isOriginAllowed(request: IncomingMessage, publicOrigins: readonly string[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (publicOrigins.includes(origin)) return true;
  if (host === undefined || !URL.canParse(origin)) return false;
  const { protocol, host: originHost } = new URL(origin);
  // The host header leaves out the default port of the scheme that the browser used, which a proxy may have ended.
  const own = `${protocol}//${host}`;
  return /^https?:$/.test(protocol) && URL.canParse(own) && new URL(own).host === originHost;
}

/** What the browser said, cut to what a log line bears. */
export function originForLog(request: IncomingMessage): string {
  return (request.headers.origin ?? "").slice(0, LOGGED_LENGTH);
}
