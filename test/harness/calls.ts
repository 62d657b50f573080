import { expect } from "vitest";
import type { ProviderProgram } from "./programs.ts";
import { assertOk, type RestAnswer, type RestClient } from "./rest.ts";

/** Matches the fifth and later host lists, after the first rows are written. */
const LATER_PAGES = { action: "DescribeUHostInstance", byId: false, nth: 5, times: 1_000_000 };

/**
 * Tries to create a configuration that is never called; its fields are long enough to fill pages of
 * the database.
 */
export function createInactiveConfig(root: RestClient, name: string): Promise<RestAnswer> {
  const keys = { publicKey: "a".repeat(20), privateKey: "b".repeat(200) };
  const address = { apiUrl: "https://8.8.8.8/", defaultRegion: "cn-bj2" };
  return root.post("/api/hosts/configs", {
    name,
    ...keys,
    ...address,
    remark: "满".repeat(200),
    isActive: false,
  });
}

/**
 * Starts a sync that stops after its first rows until the provider is released; returns the run's
 * id.
 */
export async function syncHalfWay(root: RestClient, provider: ProviderProgram): Promise<string> {
  await provider.control("hold", LATER_PAGES);
  const { data } = await root.post("/api/hosts/sync?wait=0");
  await provider.control("waitForHeld");
  await expect.poll(() => hostTotal(root)).toBeGreaterThan(0);
  return String(data.runs[0].id);
}

export async function hostTotal(client: RestClient, filter = ""): Promise<number> {
  const { data } = await assertOk(client.get(`/api/hosts?limit=1${filter}`));
  return Number(data.pagination.total);
}

export async function providerTotal(provider: ProviderProgram): Promise<number> {
  const answer = await provider.control("hosts");
  return Array.isArray(answer) ? answer.length : Number.NaN;
}

export async function runOf(root: RestClient, id: string): Promise<RestAnswer["data"]> {
  return (await root.get(`/api/hosts/sync-runs/${id}`)).data;
}
