import { createHash } from "node:crypto";

type Scalar = string | number | boolean;
export type ParamValue = Scalar | null | undefined | readonly ParamValue[] | { readonly [key: string]: ParamValue };

export type Params = Readonly<Record<string, ParamValue>>;

/** What is sent and signed: one level, dotted keys (`UHostIds.0`), no empty values. */
export type FlatParams = Readonly<Record<string, Scalar>>;

/** @throws RangeError for a number that JSON does not write as a plain decimal: the gateway would sign it differently. */
export function flattenParams(params: Params): FlatParams {
  return Object.fromEntries(Object.entries(params).flatMap(([key, value]) => flatten(key, value)));
}

/** Source: docs.ucloud.cn/api/summary/signature. */
export function signParams(params: FlatParams, privateKey: string): string {
  const text = Object.entries(params)
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, value]) => key + value)
    .join("");
  return createHash("sha1")
    .update(text + privateKey, "utf8")
    .digest("hex");
}

function flatten(key: string, value: ParamValue): [string, Scalar][] {
  if (value === null || value === undefined || value === "") return [];
  if (typeof value === "object") {
    return Object.entries(value).flatMap(([inner, item]) => flatten(`${key}.${inner}`, item));
  }
  if (typeof value === "number" && !/^-?\d+(\.\d+)?$/.test(String(value))) {
    throw new RangeError(`${key} is not a plain decimal number`);
  }
  return [[key, value]];
}
