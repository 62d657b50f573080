import { createHash, timingSafeEqual } from "node:crypto";

/** A request's parameters as received: flat, or nested when the caller sent nested JSON. */
export type ReceivedParams = Readonly<Record<string, unknown>>;

/** Recomputes the signature from what arrived: sorted names and values without separators, then the private key; SHA-1, hex. */
export function signatureOf(params: ReceivedParams, privateKey: string): string {
  const { Signature: _, ...signed } = params;
  return createHash("sha1")
    .update(concatenate(signed) + privateKey, "utf8")
    .digest("hex");
}

export function isSignedWith(params: ReceivedParams, privateKey: string): boolean {
  const given = Buffer.from(String(params.Signature));
  const expected = Buffer.from(signatureOf(params, privateKey));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function concatenate(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(concatenate).join("");
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .filter(([, child]) => child !== null && child !== undefined)
    .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([name, child]) => name + concatenate(child))
    .join("");
}
