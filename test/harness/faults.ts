import type { Fault } from "../../src/simulator/faults.ts";

// The answer as a whole.
export const NOT_JSON: Fault = { kind: "http", body: "<!DOCTYPE html><title>请登录</title>" };
export const NO_BODY: Fault = { kind: "http", body: "" };
/** A success of nothing but nested arrays. */
export const deepJson = (depth: number): Fault => ({
  kind: "http",
  body: `{"RetCode":0,"UHostSet":${"[".repeat(depth)}${"]".repeat(depth)}}`,
});
/** JSON that is not an object. */
export const jsonScalar = (value: unknown): Fault => ({ kind: "http", body: JSON.stringify(value) });
export const httpStatus = (status: number, retryAfterSeconds?: number): Fault => ({
  kind: "http",
  status,
  ...(retryAfterSeconds === undefined ? {} : { headers: { "Retry-After": String(retryAfterSeconds) } }),
});
export const redirect = (location: string, status = 302): Fault => ({
  kind: "http",
  status,
  headers: { Location: location },
});

// Top-level fields.
export const setField = (field: string, value: unknown): Fault => ({ kind: "patchBody", set: { [field]: value } });
export const dropField = (field: string): Fault => ({ kind: "patchBody", drop: [field] });
export const wrongTotal = (by: number): Fault => ({ kind: "patchBody", add: { TotalCount: by } });
/** The total grows with every call. */
export const growingTotal = (step: number): Fault => ({ kind: "patchBody", addPerCall: { TotalCount: step } });
/** A total that JSON cannot express, such as `NaN` and `1e999`. */
export const rawTotal = (raw: string): Fault => ({
  kind: "patchText",
  pattern: '"TotalCount":\\d+',
  by: `"TotalCount":${raw}`,
});

// The listed hosts.
export const EMPTY_ANSWER: Fault = { kind: "patchBody", set: { TotalCount: 0, UHostSet: [] } };
/** The right total without hosts. */
export const EMPTY_PAGE: Fault = setField("UHostSet", []);
export const FIRST_PAGE_ALWAYS: Fault = { kind: "patchParams", set: { Offset: "0" } };
export const shortPages = (size: number): Fault => ({ kind: "patchParams", set: { Limit: String(size) } });
/** Every later page begins too early by so many hosts. */
export const overlappingPages = (by: number): Fault => ({ kind: "patchParams", add: { Offset: -by } });

// Each n-th host of a page.
export const setHostField = (field: string, value: unknown, every = 1): Fault => ({
  kind: "patchHosts",
  set: { [field]: value },
  every,
});
export const dropHostField = (field: string, every = 1): Fault => ({ kind: "patchHosts", drop: [field], every });
export const replaceHosts = (value: unknown, every = 1): Fault => ({ kind: "patchHosts", replaceBy: value, every });
export const nameWithNul = (every = 1): Fault => setHostField("Name", "主机\u0000-01", every);
export const yearTenThousand = (every = 1): Fault => setHostField("ExpireTime", 253_402_300_800, every);
export const timeInMilliseconds = (every = 1): Fault => setHostField("CreateTime", 1_790_000_000_000, every);
