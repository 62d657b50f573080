import { errors } from "undici";
import { ProviderFailure, type ProviderFailureKind } from "./failure.ts";

const KINDS: readonly (readonly [RegExp, ProviderFailureKind])[] = [
  [/^ADDRESS_REFUSED$/, "address-refused"],
  [/^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/, "timeout"],
  [/^(ENOTFOUND|ENODATA|EAI_\w+)$/, "dns"],
  [
    /^(ERR_(TLS|SSL|OSSL)_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_|INVALID_|PATH_LENGTH_|EPROTO)/,
    "tls",
  ],
  [/^UND_ERR_HEADERS_OVERFLOW$/, "too-large"],
  [/^(HPE_INVALID_EOF_STATE|UND_ERR_(SOCKET|CLOSED|DESTROYED|RES_CONTENT_LENGTH_MISMATCH|INFO)|E[A-Z]+)$/, "network"],
  [/^HPE_/, "malformed"],
];

/** The failure for what undici or Node threw. Any other error is a bug and is returned as it is. */
export function networkFailure(error: unknown): unknown {
  if (error instanceof ProviderFailure) return error;
  const code = errorCode(error);
  if (code === null) return error instanceof errors.HTTPParserError ? new ProviderFailure("malformed") : error;
  const kind = KINDS.find(([pattern]) => pattern.test(code))?.[1];
  return kind === undefined ? error : new ProviderFailure(kind);
}

/** When several addresses of a name were tried, the first failure counts. */
function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  return error instanceof AggregateError ? errorCode(error.errors[0]) : null;
}
