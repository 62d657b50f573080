import type { Fault } from "../../src/simulator/faults.ts";

// The answer as a whole.
export const NOT_JSON: Fault = { kind: "http", body: "<!DOCTYPE html><title>请登录</title>" };
export const httpStatus = (status: number, retryAfterSeconds?: number): Fault => ({
  kind: "http",
  status,
  ...(retryAfterSeconds === undefined
    ? {}
    : { headers: { "Retry-After": String(retryAfterSeconds) } }),
});
export const redirect = (Location: string): Fault => ({
  kind: "http",
  status: 302,
  headers: { Location },
});

// Top-level fields.
export const setField = (field: string, value: unknown): Fault => ({
  kind: "patchBody",
  set: { [field]: value },
});
export const wrongTotal = (by: number): Fault => ({ kind: "patchBody", add: { TotalCount: by } });
/** The total grows with every call. */
export const growingTotal = (step: number): Fault => ({
  kind: "patchBody",
  addPerCall: { TotalCount: step },
});

// The listed hosts.
export const EMPTY_ANSWER: Fault = { kind: "patchBody", set: { TotalCount: 0, UHostSet: [] } };
/** The right total without hosts. */
export const EMPTY_PAGE: Fault = setField("UHostSet", []);
export const FIRST_PAGE_ALWAYS: Fault = { kind: "patchParams", set: { Offset: "0" } };
export const shortPages = (size: number): Fault => ({
  kind: "patchParams",
  set: { Limit: String(size) },
});
/** Every later page begins too early by so many hosts. */
export const overlappingPages = (by: number): Fault => ({
  kind: "patchParams",
  add: { Offset: -by },
});

// Each n-th host of a page.
export const setHostField = (field: string, value: unknown, every = 1): Fault => ({
  kind: "patchHosts",
  set: { [field]: value },
  every,
});
export const dropHostField = (field: string, every = 1): Fault => ({
  kind: "patchHosts",
  drop: [field],
  every,
});
export const replaceHosts = (value: unknown, every = 1): Fault => ({
  kind: "patchHosts",
  replaceBy: value,
  every,
});
