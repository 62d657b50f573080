import { sql } from "kysely";
import type { BatchHostResult, BatchHosts } from "../../../shared/batch.ts";
import type { HeldHostsInput } from "../../../shared/held-hosts.ts";
import type { Deps } from "../../core/deps.ts";
import { AppError } from "../../core/errors.ts";
import { failedResult } from "../../core/one-by-one.ts";
import { inTransaction } from "../../database/transaction.ts";
import { hostNotFound } from "../../hosts/queries.ts";
import { ProviderFailure } from "../../provider/failure.ts";
import { findHosts, MAX_PAGE_SIZE } from "../../provider/uhost-api.ts";
import { groupByPartition, type PartitionHosts } from "../absence.ts";
import type { SeenHost } from "../host-store.ts";
import { isUnavailable } from "../read-partition.ts";
import { UNREADABLE, writeRefreshed } from "../refresh/refresh-hosts.ts";
import { type Connection, type RefreshDeps, type StoredHost, throughConfigs } from "../refresh/through-configs.ts";
import { publishRemovals } from "./publish.ts";
import { findNamedHosts } from "./queries.ts";

type Outcome = Omit<BatchHostResult, "hostId"> | AppError;

const DONE: Outcome = { ok: true };
const FOUND: Outcome = { ok: true, message: "云平台上仍有这台主机，已恢复为正常" };
const NOT_HELD = new AppError("STATE_CONFLICT", "该主机不在待确认之列，可能已处理或已重新出现");
const TIME_IS_UP = new AppError("PROVIDER_TIMEOUT", "时间不足，本次没有处理到这台主机，请再次确认");

/** Marks held hosts gone that the provider does not find by id, and ends the hold of the others. A failed call changes nothing. */
export async function confirmRemovals(deps: RefreshDeps, input: HeldHostsInput): Promise<BatchHosts> {
  const named = await findNamedHosts(deps.em, input);
  const held = named.filter(({ heldSince }) => heldSince !== null);
  const outcomes = await throughConfigs(deps, held, (connection, hosts) => confirmThrough(deps, connection, hosts));
  return resultsOf(input, named, outcomes);
}

/** Keeps held hosts as present. Until they were seen, runs neither hold them again nor mark them gone. */
export async function dismissRemovals(
  deps: Pick<Deps, "em" | "bus" | "clock">,
  input: HeldHostsInput,
): Promise<BatchHosts> {
  const at = deps.clock.now();
  const named = await findNamedHosts(deps.em, input);
  const dismissed = await inTransaction(deps, async (em) => {
    const { rows } = await sql<{ id: string; configId: string | null }>`
      update hosts set dismissed_at = ${at}, missing_since = null, held_reason = null, held_run_id = null
      where id in (
        select id from hosts where id = any(${named.map(({ id }) => id)}::uuid[]) and missing_since is not null
        order by ucloud_id for update
      ) returning id, config_id as "configId"
    `.execute(em.getKysely());
    const configIds = rows.map(({ configId }) => configId);
    await publishRemovals(em, configIds, at);
    return rows;
  });
  return resultsOf(input, named, new Map(dismissed.map(({ id }) => [id, DONE])));
}

/** One result for each named host. A host without an outcome is not held, or not any more. */
function resultsOf(
  input: HeldHostsInput,
  named: readonly StoredHost[],
  outcomes: ReadonlyMap<string, Outcome>,
): BatchHosts {
  const known = new Set(named.map(({ id }) => id));
  const results = (input.all ? [...known] : input.hostIds).map((hostId) => {
    const outcome = known.has(hostId) ? (outcomes.get(hostId) ?? NOT_HELD) : hostNotFound();
    return { hostId, ...(outcome instanceof AppError ? failedResult(outcome) : outcome) };
  });
  return { results };
}

async function confirmThrough(
  deps: RefreshDeps,
  connection: Connection,
  hosts: readonly StoredHost[],
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  await Promise.all(
    groupByPartition(hosts).map(async ({ hosts: wanted, ...partition }) => {
      for (let start = 0; start < wanted.length; start += MAX_PAGE_SIZE) {
        const chunk = { ...partition, hosts: wanted.slice(start, start + MAX_PAGE_SIZE) };
        for (const [id, outcome] of await confirmChunk(deps, connection, chunk)) outcomes.set(id, outcome);
      }
    }),
  );
  return outcomes;
}

async function confirmChunk(
  deps: RefreshDeps,
  connection: Connection,
  chunk: PartitionHosts<StoredHost>,
): Promise<ReadonlyMap<string, Outcome>> {
  const now = deps.clock.now();
  const seen = await findByIds(connection, chunk);
  if (seen instanceof AppError) return new Map(chunk.hosts.map(({ id }) => [id, seen]));
  const foundIds = new Set(seen.map(({ host }) => host.ucloudId));
  const { found = [], gone = [] } = Object.groupBy(chunk.hosts, ({ ucloudId }) =>
    foundIds.has(ucloudId) ? "found" : "gone",
  );
  const removed = await writeRefreshed(deps, connection.configId, { seen, gone, held: [], now });
  return new Map([...found.map(({ id }) => [id, FOUND] as const), ...[...removed].map((id) => [id, DONE] as const)]);
}

/** Those of the hosts that the provider finds, none in a closed region or an unknown project; an error when it gave no answer. */
async function findByIds(
  { client, signal }: Connection,
  { hosts, ...partition }: PartitionHosts<StoredHost>,
): Promise<readonly SeenHost[] | AppError> {
  try {
    const ids = hosts.map(({ ucloudId }) => ucloudId);
    const page = await findHosts(client, { ...partition, ids }, signal);
    if (page.rejected.length > 0) return UNREADABLE;
    return page.hosts.map((host) => ({ host, partition, requestedAt: page.requestedAt }));
  } catch (error) {
    if (signal.aborted) return TIME_IS_UP;
    if (error instanceof ProviderFailure && isUnavailable(error)) return [];
    if (error instanceof AppError) return error;
    throw error;
  }
}
