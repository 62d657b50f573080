import { createHash } from "node:crypto";

export type Params = Readonly<Record<string, string | number | readonly string[]>>;

/** What is sent and signed: dotted keys for lists (`UHostIds.0`), no empty values. */
export type FlatParams = Readonly<Record<string, string | number>>;

export function flattenParams(params: Params): FlatParams {
  const flat = Object.entries(params).flatMap(([key, value]) =>
    typeof value === "object"
      ? value.map((item, index) => [`${key}.${index}`, item] as const)
      : [[key, value] as const],
  );
  return Object.fromEntries(flat.filter(([, value]) => value !== ""));
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
