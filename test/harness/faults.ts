import type { Fault } from "../../src/simulator/faults.ts";

export const httpStatus = (status: number): Fault => ({ kind: "httpStatus", status });
export const NOT_JSON: Fault = { kind: "notJson" };

export const setField = (field: string, value: string | number | null | Record<string, string>[]): Fault => ({
  kind: "setField",
  field,
  value,
});
export const wrongTotal = (by: number): Fault => ({ kind: "totalCountOff", by });
/** The total grows with every call. */
export const growingTotal = (step: number): Fault => ({ kind: "totalCountMoves", step });

export const EMPTY_ANSWER: Fault = { kind: "emptyAnswer" };
/** The right total without hosts. */
export const EMPTY_PAGE: Fault = { kind: "emptyPage" };
export const shortPages = (size: number): Fault => ({ kind: "shortPages", size });
export const overlappingPages = (by: number): Fault => ({ kind: "overlappingPages", by });

export const setHostField = (field: string, value: string, every = 1): Fault => ({
  kind: "setHostField",
  field,
  value,
  every,
});
export const dropHostField = (field: string, every = 1): Fault => ({ kind: "dropHostField", field, every });
export const replaceHosts = (value: null, every = 1): Fault => ({ kind: "notAHost", value, every });
