import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { isIPv6, type LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { isPublicAddress, isRefusedHost, literalAddress, parseEndpoint } from "./address.ts";
import { type AllowList, bracketed, createAllowList } from "./allow-list.ts";

export type CheckedAddresses = readonly [LookupAddress, ...LookupAddress[]];

export interface Outbound {
  readonly dispatcher: Dispatcher;
  checkUrl(
    url: string,
  ): Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }>;
  /** Whether the operator allows this origin, which may then be private and without TLS. */
  isAllowed(url: string): boolean;
  /**
   * For another protocol than HTTP: the addresses of a server to connect to, as they were checked, in
   * the resolver's order. Who connects to one must not resolve the name again. Throws AddressRefused,
   * or the resolver's error.
   */
  resolveChecked(hostname: string, port: number): Promise<CheckedAddresses>;
}

/**
 * Connects only to public addresses and to what the operator allows, to the very address that
 * was checked. Follows no redirects.
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
  /** The same for `host:port`, whatever the protocol. */
  readonly allowedServers?: readonly string[];
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
  message: "地址不能指向内网、本机或保留地址，请填写公网地址",
};
const UNREADABLE: Verdict = {
  ok: false,
  message: "地址格式不正确，请填写 http 或 https 地址，且不要包含用户名和密码",
};

export function createOutboundGuard(options: OutboundGuardOptions): OutboundGuard {
  const {
    connectTimeoutMs = 5_000,
    maxResponseSize = 8 * 1024 * 1024,
    resolve = resolveWithSystem,
  } = options;
  const allowed = createAllowList(options.allowedOrigins, options.allowedServers ?? []);
  const connect = guardedConnector(allowed, resolve, connectTimeoutMs);
  const dispatcher = new Agent({ connect, allowH2: false, maxResponseSize });

  return {
    dispatcher,
    async checkUrl(url) {
      const endpoint = parseEndpoint(url);
      if (endpoint === null) return UNREADABLE;
      if (allowed.hasOrigin(endpoint)) return { ok: true };
      if (isRefusedHost(endpoint.hostname)) return REFUSED;
      if (literalAddress(endpoint.hostname) !== null) return { ok: true };
      const addresses = await resolveIfPossible(resolve, endpoint.hostname, connectTimeoutMs);
      return addresses.every(({ address }) => isPublicAddress(address)) ? { ok: true } : REFUSED;
    },
    isAllowed(url) {
      const endpoint = parseEndpoint(url);
      return endpoint !== null && allowed.hasOrigin(endpoint);
    },
    async resolveChecked(hostname, port) {
      const isAllowed = allowed.hasServer(hostname, port);
      if (!isAllowed && isRefusedHost(hostname)) throw new AddressRefused("host refused");

      const literal = literalAddress(hostname);
      if (literal !== null) return [{ address: literal, family: isIPv6(literal) ? 6 : 4 }];

      const addresses = await resolveWithin(resolve, hostname, connectTimeoutMs);
      const [first, ...others] = addresses;
      const areFit = isAllowed || addresses.every(({ address }) => isPublicAddress(address));
      if (first === undefined || !areFit) throw new AddressRefused("resolved address refused");
      return [first, ...others];
    },
    async [Symbol.asyncDispose]() {
      await dispatcher.destroy();
    },
  };
}

function guardedConnector(
  allowed: AllowList,
  resolve: ResolveAll,
  timeout: number,
): buildConnector.connector {
  // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED would otherwise switch verification off.
  const common = { timeout, allowH2: false, rejectUnauthorized: true } as const;
  const toAllowed = buildConnector(common);
  const toPublic = buildConnector({ ...common, lookup: publicLookup(resolve) });

  return (options, callback) => {
    if (allowed.hasOrigin(endpointOf(options))) return toAllowed(options, callback);
    // A literal IP never reaches `lookup`, so the host itself is checked here, before each
    // connection.
    if (isRefusedHost(options.hostname)) {
      return queueMicrotask(() => callback(new AddressRefused("host refused"), null));
    }
    toPublic(options, callback);
  };
}

function endpointOf({ protocol, hostname, port }: buildConnector.Options): URL {
  return new URL(`${protocol}//${bracketed(hostname)}${port === "" ? "" : `:${port}`}`);
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

/** Every address of a name; none when it cannot be resolved now. */
async function resolveIfPossible(
  resolve: ResolveAll,
  hostname: string,
  timeoutMs: number,
): Promise<LookupAddress[]> {
  return await resolveWithin(resolve, hostname, timeoutMs).catch(() => []);
}

async function resolveWithin(
  resolve: ResolveAll,
  hostname: string,
  timeoutMs: number,
): Promise<LookupAddress[]> {
  return await new Promise((settle, fail) => {
    const timer = setTimeout(() => fail(lookupTimedOut()), timeoutMs);
    resolve(hostname, (error, addresses) => {
      clearTimeout(timer);
      if (error === null) settle(addresses);
      else fail(error);
    });
  });
}

function lookupTimedOut(): Error {
  return Object.assign(new Error("DNS lookup timed out"), { code: "ETIMEDOUT" });
}
