import type { IncomingMessage } from "node:http";

export interface OriginRules {
  /** Allowed besides the server's own. */
  readonly publicOrigins: readonly string[];
  /** Whether a proxy that is trusted sent the request. */
  readonly isProxied: boolean;
}

/**
 * True for the server's own host, a listed origin, and requests without Origin, which no browser's
 * page sent.
 */
export function isOriginAllowed(
  { headers }: IncomingMessage,
  { publicOrigins, isProxied }: OriginRules,
): boolean {
  const { origin, host } = headers;
  if (origin === undefined || publicOrigins.includes(origin)) return true;
  if (host === undefined || !URL.canParse(origin)) return false;

  const page = new URL(origin);
  // The Host header leaves out the default port of the scheme that the browser used; a proxy may
  // have ended TLS.
  const own = `${page.protocol}//${host}`;
  if (!/^https?:$/.test(page.protocol) || !URL.canParse(own)) return false;

  const { host: ownHost, hostname } = new URL(own);
  if (ownHost === page.host) return true;

  // Many proxies pass the name alone, as nginx does for `$host`.
  const isNameAlone = !/:\d+$/.test(host);
  return isProxied && isNameAlone && hostname === page.hostname;
}
