import { type LookupAddress, lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { isPublicAddress, isRefusedHost, literalAddress, parseEndpoint } from "./address.ts";

export interface Outbound {
  readonly dispatcher: Dispatcher;
  checkUrl(
    url: string,
  ): Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }>;
}

/**
 * Connects only to public addresses and allowed origins, to the very address that was checked.
 * Follows no redirects.
 */
export type OutboundGuard = Outbound & AsyncDisposable;
type Verdict = Awaited<ReturnType<Outbound["checkUrl"]>>;

export type ResolveAll = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface OutboundGuardOptions {
  /** Exact origins (`http://127.0.0.1:4999`) that may be called although they are private. */
  readonly allowedOrigins: readonly string[];
  /** DNS lookup and TLS handshake included. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** A larger body ends the call. Default 8 MiB. */
  readonly maxResponseSize?: number;
  /** Default: the system's resolver, all addresses of both families. */
  readonly resolve?: ResolveAll;
}

export class AddressRefused extends Error {
  readonly code = "ADDRESS_REFUSED";
}

const REFUSED: Verdict = {
  ok: false,
  message: "API 地址不能指向内网、本机或保留地址，请填写公网地址",
};
const UNREADABLE: Verdict = {
  ok: false,
  message: "API 地址格式不正确，请填写 http 或 https 地址，且不要包含用户名和密码",
};

export function createOutboundGuard(options: OutboundGuardOptions): OutboundGuard {
  const {
    connectTimeoutMs = 5_000,
    maxResponseSize = 8 * 1024 * 1024,
    resolve = resolveWithSystem,
  } = options;
  const allowed = new Set(options.allowedOrigins.map((origin) => new URL(origin).origin));
  const connect = guardedConnector(allowed, resolve, connectTimeoutMs);
  const dispatcher = new Agent({ connect, allowH2: false, maxResponseSize });

  return {
    dispatcher,
    async checkUrl(url) {
      const endpoint = parseEndpoint(url);
      if (endpoint === null) return UNREADABLE;
      if (allowed.has(endpoint.origin)) return { ok: true };
      if (isRefusedHost(endpoint.hostname)) return REFUSED;
      if (literalAddress(endpoint.hostname) !== null) return { ok: true };
      const addresses = await resolveWithin(resolve, endpoint.hostname, connectTimeoutMs);
      return addresses.every((address) => isPublicAddress(address)) ? { ok: true } : REFUSED;
    },
    async [Symbol.asyncDispose]() {
      await dispatcher.destroy();
    },
  };
}

function guardedConnector(
  allowed: ReadonlySet<string>,
  resolve: ResolveAll,
  timeout: number,
): buildConnector.connector {
  // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED would otherwise switch verification off.
  const common = { timeout, allowH2: false, rejectUnauthorized: true } as const;
  const toAllowed = buildConnector(common);
  const toPublic = buildConnector({ ...common, lookup: publicLookup(resolve) });

  return (options, callback) => {
    if (allowed.has(originOf(options))) return toAllowed(options, callback);
    // A literal IP never reaches `lookup`, so the host itself is checked here, before each
    // connection.
    if (isRefusedHost(options.hostname)) {
      return queueMicrotask(() => callback(new AddressRefused("host refused"), null));
    }
    toPublic(options, callback);
  };
}

function originOf({ protocol, hostname, port }: buildConnector.Options): string {
  const host = hostname.includes(":") && !hostname.startsWith("[") ? `[${hostname}]` : hostname;
  return new URL(`${protocol}//${host}${port === "" ? "" : `:${port}`}`).origin;
}

/**
 * One private address among several refuses the name: which one is tried is the resolver's choice.
 */
function publicLookup(resolve: ResolveAll): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses;
      if (error !== null) return callback(error, "", 0);
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(new AddressRefused("resolved address refused"), "", 0);
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

const resolveWithSystem: ResolveAll = (hostname, done) => {
  systemLookup(hostname, { all: true }, (error, addresses) =>
    done(error, error === null ? addresses : []),
  );
};

async function resolveWithin(
  resolve: ResolveAll,
  hostname: string,
  timeoutMs: number,
): Promise<string[]> {
  return await new Promise((settle) => {
    const timer = setTimeout(() => settle([]), timeoutMs);
    resolve(hostname, (error, addresses) => {
      clearTimeout(timer);
      settle(error === null ? addresses.map(({ address }) => address) : []);
    });
  });
}
