import { errors } from "undici";

export type NetworkFailureKind =
  | "address-refused"
  | "timeout"
  | "dns"
  | "tls"
  | "too-large"
  | "network"
  | "malformed";

/** By the code of what undici or Node threw; the first that matches. */
const KINDS: readonly (readonly [RegExp, NetworkFailureKind])[] = [
  [/^ADDRESS_REFUSED$/, "address-refused"],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, "timeout"],
  [/^(ENOTFOUND|ENODATA|EAI_\w+)$/, "dns"],
  [
    /^(ERR_(TLS|SSL|OSSL)_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_|INVALID_|PATH_LENGTH_|EPROTO)/,
    "tls",
  ],
  [/^UND_ERR_(HEADERS_OVERFLOW|RES_EXCEEDED_MAX_SIZE)$/, "too-large"],
  [
    /^(HPE_INVALID_EOF_STATE|UND_ERR_(SOCKET|CLOSED|DESTROYED|RES_CONTENT_LENGTH_MISMATCH|INFO)|E[A-Z]+)$/,
    "network",
  ],
  [/^HPE_/, "malformed"],
];

/** Why a call got no answer that could be read. Null for any other error, which is a bug. */
export function networkFailureKind(error: unknown): NetworkFailureKind | null {
  const code = errorCode(error);
  if (code === null) return error instanceof errors.HTTPParserError ? "malformed" : null;
  return networkFailureOfCode(code);
}

/** For a library that has put the code of Node somewhere else. */
export function networkFailureOfCode(code: string): NetworkFailureKind | null {
  return KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  return error instanceof AggregateError ? errorCode(error.errors[0]) : null;
}
