import type { ConsoleClient } from "../src/sdk/public-types.ts";
import type { ProviderProgram } from "../test/harness/programs.ts";

/** Of the simulated provider. */
export type Control = ProviderProgram["control"];

interface ChangedHosts {
  /** Ids at the provider: some of the first client's, which always have a story to tell. */
  readonly own: readonly string[];
  readonly others: readonly string[];
}

type Change = (control: Control, hosts: ChangedHosts) => Promise<unknown>;

/** What happened at the provider before the sync of so many days ago. */
const CHANGES: ReadonlyMap<number, Change> = new Map([
  [24, resize],
  [9, rename],
  [1, retire],
]);

/** Changes hosts and syncs them, on the days on which something happened. */
export async function syncChanges(
  { hosts }: ConsoleClient["api"],
  control: Control,
  { configId, userId, days }: { configId: string; userId: string | undefined; days: number },
): Promise<void> {
  const change = CHANGES.get(days);
  if (change === undefined) return;

  const own = await hosts.list.query({ configId, userId, sort: "name" });
  const others = await hosts.list.query({ configId, assigned: false, sort: "name" });
  const ids = ({ hosts: rows }: typeof own) => rows.map(({ ucloudId }) => ucloudId);
  await change(control, { own: ids(own), others: ids(others) });
  await hosts.sync.mutate({ configId, wait: 25 });
}

/** The first client pays for more, and the hosts of nobody are stopped. */
async function resize(control: Control, { own, others }: ChangedHosts): Promise<void> {
  await control("updateHosts", { ids: own.slice(0, 2) }, { CPU: 16, Memory: 65_536 });
  await control("updateHosts", { ids: others.slice(0, 9) }, { State: "Stopped" });
}

async function rename(control: Control, { own, others }: ChangedHosts): Promise<void> {
  await control("updateHosts", { ids: own.slice(0, 1) }, { Name: "物流跟踪-主节点" });
  await control("updateHosts", { ids: others.slice(0, 6) }, { State: "Running" });
  await control("addHosts", { region: "cn-bj2", count: 4 });
}

async function retire(control: Control, { own, others }: ChangedHosts): Promise<void> {
  const addresses = [
    { Type: "Bgp", IP: "198.51.100.77" },
    { Type: "Private", IP: "10.9.32.77" },
  ];
  await control("updateHosts", { ids: own.slice(0, 1) }, { IPSet: addresses });
  await control("removeHosts", { ids: others.slice(6, 9) });
}

/** The simulated world begins with many hosts on their way to another state; they arrive. */
export async function settleHosts(
  { hosts }: ConsoleClient["api"],
  control: Control,
): Promise<void> {
  for (const status of ["Starting", "Stopping", "Rebooting"] as const) {
    const found = await hosts.list.query({ status, limit: 100 });
    const ids = found.hosts.map(({ ucloudId }) => ucloudId);
    await control("updateHosts", { ids }, { State: status === "Stopping" ? "Stopped" : "Running" });
  }
  await hosts.sync.mutate({ wait: 25 });
}

/** One of a client's hosts is rebooting, and does not come back. */
export async function syncReboot(
  { hosts }: ConsoleClient["api"],
  control: Control,
  { configId, userId }: { configId: string; userId: string | undefined },
): Promise<void> {
  const own = await hosts.list.query({ configId, userId, status: "Running", limit: 1 });
  const ids = own.hosts.map(({ ucloudId }) => ucloudId);
  await control("updateHosts", { ids }, { State: "Rebooting" });
  await hosts.sync.mutate({ configId, wait: 25 });
}

/** Hosts of nobody, just started and stopped. */
export async function startAndStop(
  { hosts }: ConsoleClient["api"],
  control: Control,
  { configId }: { configId: string },
): Promise<void> {
  const idle = { configId, assigned: false, sort: "name", limit: 2 } as const;
  for (const [status, State] of [
    ["Stopped", "Starting"],
    ["Running", "Stopping"],
  ] as const) {
    const found = await hosts.list.query({ ...idle, status });
    await control("updateHosts", { ids: found.hosts.map(({ ucloudId }) => ucloudId) }, { State });
  }
}

/** Hosts of the account that owes were to be renewed yesterday, and were not. */
export async function failRenewals(
  { hosts }: ConsoleClient["api"],
  control: Control,
  { configId }: { configId: string | undefined },
): Promise<void> {
  const found = await hosts.list.query({ configId, autoRenew: true, assigned: true, limit: 3 });
  const ids = found.hosts.map(({ ucloudId }) => ucloudId);
  const yesterday = Math.floor(Date.now() / 1000) - 86_400;
  await control("updateHosts", { ids }, { AutoRenew: "Yes", ExpireTime: yesterday });
}
