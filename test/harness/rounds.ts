import { TEST_SERVER_URL } from "./storage.ts";

export const ROUNDS_LIMIT = 60 * 60_000;
export const DATABASES: readonly { readonly name: string; readonly server: string | null }[] = [
  { name: "embedded", server: null },
  ...(TEST_SERVER_URL === null ? [] : [{ name: "PostgreSQL", server: TEST_SERVER_URL }]),
];

/** A few rounds of everything; FAULT_ROUNDS=long runs all of them, FAULT_ROUNDS=5 five of each. */
export function rounds(full: number, short: number): number {
  const setting = process.env.FAULT_ROUNDS ?? "";
  if (setting === "long") return full;
  return Number(setting) || short;
}
