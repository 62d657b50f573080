import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { inTransaction } from "../core/transaction.ts";
import { appendEvent } from "../events/append.ts";
import type { ProviderClient } from "../provider/client.ts";
import { ProviderFailure } from "../provider/failure.ts";
import { describeHosts, findHosts } from "../provider/ucloud.ts";
import { type CurrentHost, countCurrentHosts } from "./current-hosts.ts";
import { markRows } from "./mark-gone.ts";
import { type ProviderDeps, providerScope } from "./provider-access.ts";
import { exceedsGoneGuard, isSamePlace, type Place } from "./rules.ts";
import { type SeenHost, upsertHosts } from "./write-hosts.ts";

export type RefreshDeps = ProviderDeps & Pick<Deps, "em" | "notices" | "clock">;

/** What became of a host; an AppError says why it was left as it is. */
export type Refreshed = "present" | "gone" | AppError;

export interface StoredHost extends CurrentHost, Place {
  readonly configId: string | null;
}

interface Asking {
  readonly configId: string;
  readonly client: ProviderClient;
  readonly signal: AbortSignal;
}

/** Asks for hosts of one place. Trouble with the provider is the outcome of each of them; what is gone was looked for twice. */
export async function refreshPlace(
  deps: RefreshDeps,
  asking: Asking,
  hosts: readonly StoredHost[],
): Promise<ReadonlyMap<string, Refreshed>> {
  try {
    const decidedFrom = deps.clock.now();
    const first = await look(asking, hosts);
    const second = first.missing.length === 0 ? first : await look(asking, first.missing);
    await write(deps, asking.configId, [...new Map([...first.seen, ...second.seen].map(byUcloudId)).values()]);
    const { missing } = second;
    const objection = missing.length === 0 ? null : await objectionToGone(deps, asking, missing);
    if (objection === null) await markGone(deps, asking.configId, { hosts: missing, decidedFrom });
    const missingIds = new Set(missing.map(({ id }) => id));
    return new Map(hosts.map(({ id }) => [id, missingIds.has(id) ? (objection ?? "gone") : "present"]));
  } catch (error) {
    const failure = providerTrouble(error);
    return new Map(hosts.map(({ id }) => [id, failure]));
  }
}

interface Look {
  readonly seen: readonly SeenHost[];
  readonly missing: readonly StoredHost[];
}

async function look({ client, signal }: Asking, hosts: readonly StoredHost[]): Promise<Look> {
  const [first] = hosts;
  if (first === undefined) return { seen: [], missing: [] };
  const place = { region: first.region, projectId: first.projectId };
  const page = await findHosts(client, { ...providerScope(place), ids: hosts.map(({ ucloudId }) => ucloudId) }, signal);
  // Something is there under one of these ids, even if it cannot be read.
  if (page.rejected.length > 0) {
    throw new ProviderFailure("malformed", { message: "云服务商返回的主机数据无法识别，主机保持原状，请稍后重试" });
  }
  const seen = page.hosts.map((host) => ({ host, place }));
  const found = new Set(seen.map(({ host }) => host.ucloudId));
  return { seen, missing: hosts.filter(({ ucloudId }) => !found.has(ucloudId)) };
}

/** Why hosts that were not found twice are still not taken for gone; null when nothing speaks against it. */
async function objectionToGone(
  { em }: RefreshDeps,
  { configId, client, signal }: Asking,
  missing: readonly StoredHost[],
): Promise<AppError | null> {
  const [first] = missing;
  if (first === undefined) return null;
  const counts = await countCurrentHosts(em, configId);
  const inPlace = counts.find((count) => isSamePlace(count, first))?.hosts ?? 0;
  const page = await describeHosts(client, { ...providerScope(first), offset: 0, limit: 1 }, signal);
  if (page.total === 0 && inPlace > 1) {
    return new AppError("PROVIDER_ERROR", "云服务商对该地域返回了空列表，主机保持原状；请稍后做一次完整同步确认");
  }
  const all = counts.reduce((sum, { hosts }) => sum + hosts, 0);
  if (!exceedsGoneGuard(missing.length, all)) return null;
  return new AppError("PROVIDER_ERROR", "未找到的主机过多，主机均保持原状；请到云平台核实后做一次完整同步");
}

async function write(deps: RefreshDeps, configId: string, seen: readonly SeenHost[]): Promise<void> {
  const [first] = seen;
  if (first === undefined) return;
  const at = deps.clock.now();
  const { region, projectId } = first.place;
  const reader = { configId, regions: [region], projectIds: [projectId] };
  await inTransaction(deps, async (em) => {
    const { ids: hostIds } = await upsertHosts(em, reader, seen, at);
    if (hostIds.length > 0) await appendEvent(em, { type: "hosts.changed", data: { configId, hostIds } }, at);
  });
}

async function markGone(
  deps: RefreshDeps,
  configId: string,
  { hosts, decidedFrom }: { readonly hosts: readonly StoredHost[]; readonly decidedFrom: number },
): Promise<void> {
  if (hosts.length === 0) return;
  const at = deps.clock.now();
  await inTransaction(deps, async (em) => {
    const hostIds = await markRows(em, { configId, hosts, decidedFrom, at });
    if (hostIds.length > 0) await appendEvent(em, { type: "hosts.changed", data: { configId, hostIds } }, at);
  });
}

function byUcloudId(seen: SeenHost): readonly [string, SeenHost] {
  return [seen.host.ucloudId, seen];
}

function providerTrouble(error: unknown): AppError {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof DOMException && error.name === "TimeoutError") return new ProviderFailure("timeout");
  throw error;
}
