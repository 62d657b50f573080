import { expect } from "vitest";
import { MAIN_KEYS } from "../../../src/simulator/options.ts";
import type { RestClient } from "../../harness/rest.ts";

interface Writes {
  readonly prefix: string;
  /** Names that were acknowledged; added to as they are. */
  readonly acknowledged: Set<string>;
  /** Whether syncs touch what is made here; true by default. */
  readonly isActive?: boolean;
}

/** Makes configurations, one after the other, until the server does not answer any more. */
export async function writeUntilItDies(
  root: RestClient,
  apiUrl: string,
  { prefix, acknowledged, isActive = true }: Writes,
): Promise<void> {
  for (let n = 0; ; n++) {
    const name = `${prefix}-${n}`;
    const input = { name, ...MAIN_KEYS, apiUrl, defaultRegion: "cn-bj2", isActive };
    const answer = await root.post("/api/hosts/configs", input).catch(() => null);
    if (answer === null) return;
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    acknowledged.add(name);
  }
}

/** All that was acknowledged is there, and one configuration is the default. */
export async function expectConfigs(root: RestClient, acknowledged: ReadonlySet<string>): Promise<void> {
  const { data } = await root.get("/api/hosts/configs/list");
  const names = new Set(data.map(({ name }: { readonly name: string }) => name));
  expect([...acknowledged].filter((name) => !names.has(name))).toEqual([]);
  expect(data.filter(({ isDefault }: { readonly isDefault: boolean }) => isDefault)).toHaveLength(1);
}
