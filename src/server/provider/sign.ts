import { createHash } from "node:crypto";

export type ParamValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly ParamValue[]
  | { readonly [key: string]: ParamValue };

/** What is sent and signed: one level, dotted keys (`UHostIds.0`), no empty values. */
export type FlatParams = Readonly<Record<string, string | number | boolean>>;

/**
 * Flattens arrays and objects with zero-based dotted keys, in byte order of the keys. Null, undefined and empty strings are left out.
 * @throws RangeError for NaN and infinities.
 */
export function flattenParams(params: { readonly [key: string]: ParamValue }): FlatParams {
  const entries: [string, string | number | boolean][] = [];
  for (const [key, value] of Object.entries(params)) collect(key, value, entries);
  return Object.fromEntries(entries.sort(([a], [b]) => compareBytes(a, b)));
}

/**
 * Lower-case hex SHA-1 over name + value of every parameter, sorted by name, followed by the private key.
 * Source: docs.ucloud.cn/api/summary/signature.
 */
export function signParams(params: FlatParams, privateKey: string): string {
  const text = Object.entries(params)
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([key, value]) => key + (typeof value === "number" ? decimalText(value) : String(value)))
    .join("");
  return createHash("sha1")
    .update(text + privateKey, "utf8")
    .digest("hex");
}

function collect(key: string, value: ParamValue, into: [string, string | number | boolean][]): void {
  if (value === null || value === undefined || value === "") return;
  if (typeof value === "string" || typeof value === "boolean") into.push([key, value]);
  else if (typeof value === "number") into.push([key, sendableNumber(value)]);
  else for (const [inner, item] of Object.entries(value)) collect(`${key}.${inner}`, item, into);
}

/** JSON writes 1e21 and 1e-7 in scientific form, which the gateway would sign differently: those travel as text. */
function sendableNumber(value: number): number | string {
  const text = decimalText(value);
  return JSON.stringify(value) === text ? value : text;
}

function decimalText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError("a parameter must be a finite number");
  if (Number.isInteger(value)) return BigInt(value).toString();
  const [mantissa = "", exponent] = String(value).split("e");
  if (exponent === undefined) return mantissa;
  const decimals = (mantissa.split(".")[1] ?? "").length - Number(exponent);
  return value.toFixed(Math.min(decimals, 100));
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
