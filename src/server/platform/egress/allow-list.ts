/** What may be called although it is private, or without encryption: the operator named it. */
export interface AllowList {
  hasOrigin(endpoint: URL): boolean;
  hasServer(hostname: string, port: number): boolean;
}

/**
 * `origins` are exact (`http://127.0.0.1:4999`). `servers` are `host:port`: whatever speaks there,
 * over either scheme of a URL or another protocol such as SMTP.
 */
export function createAllowList(origins: readonly string[], servers: readonly string[]): AllowList {
  const allowedOrigins = new Set(origins.map((origin) => new URL(origin).origin));
  const allowedServers = new Set(servers.map((server) => serverOf(new URL(`http://${server}`))));

  return {
    hasOrigin(endpoint) {
      return allowedOrigins.has(endpoint.origin) || allowedServers.has(serverOf(endpoint));
    },
    hasServer(hostname, port) {
      const url = `http://${bracketed(hostname)}:${port}`;
      return URL.canParse(url) && allowedServers.has(serverOf(new URL(url)));
    },
  };
}

/** A literal address of IPv6 as a URL needs it. */
export function bracketed(hostname: string): string {
  return hostname.includes(":") && !hostname.startsWith("[") ? `[${hostname}]` : hostname;
}

/** A URL does not show the default port of its scheme. */
function serverOf({ protocol, hostname, port }: URL): string {
  const defaultPort = protocol === "https:" ? "443" : "80";
  return `${hostname}:${port || defaultPort}`;
}
