import type { IncomingMessage } from "node:http";

/**
 * True for the server's own host, a listed origin, and requests without Origin, which no browser's
 * page sent.
 */
export function isOriginAllowed(
  { headers }: IncomingMessage,
  publicOrigins: readonly string[],
): boolean {
  const { origin, host } = headers;
  if (origin === undefined || publicOrigins.includes(origin)) return true;
  if (host === undefined || !URL.canParse(origin)) return false;
  const { protocol, host: originHost } = new URL(origin);
  // The Host header leaves out the default port of the scheme that the browser used; a proxy may
  // have ended TLS.
  const own = `${protocol}//${host}`;
  return /^https?:$/.test(protocol) && URL.canParse(own) && new URL(own).host === originHost;
}
