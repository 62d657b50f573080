import type { StageOptions } from "../../harness/stage.ts";
import { TEST_SERVER_URL } from "../../harness/storage.ts";

/** A few rounds of everything unless FAULT_ROUNDS=long. */
export const IS_SHORT = process.env.FAULT_ROUNDS !== "long";
export const ROUNDS_LIMIT = 60 * 60_000;

export interface Database extends Required<Pick<StageOptions, "server">> {
  readonly name: "embedded" | "PostgreSQL";
}

export const ON_SERVER: readonly Database[] =
  TEST_SERVER_URL === null ? [] : [{ name: "PostgreSQL", server: TEST_SERVER_URL }];
export const DATABASES: readonly Database[] = [{ name: "embedded", server: null }, ...ON_SERVER];

export function rounds(full: number, short: number): number {
  return IS_SHORT ? short : full;
}

/** So many lanes side by side, each on a stage of its own, share the rounds. */
export async function inLanes(
  { lanes, total }: { readonly lanes: number; readonly total: number },
  lane: (rounds: number) => Promise<void>,
): Promise<void> {
  const share = (index: number) => Math.floor(total / lanes) + (index < total % lanes ? 1 : 0);
  await Promise.all(Array.from({ length: Math.min(lanes, total) }, (_, index) => lane(share(index))));
}
