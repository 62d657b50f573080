import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { ActContext } from "../history-records/record-acts.ts";
import { recordHostChanges } from "../history-records/record-changes.ts";
import { appendHostsChanged, MAX_NAMED_HOSTS, publishRemovals } from "./events.ts";
import { isOutsideProjects } from "./filters.ts";

const HOSTS_PER_STATEMENT = 5_000;

interface ReleasedHosts {
  readonly configId: string;
  /**
   * Hosts of these projects, and of the account's default project, stay. Absent: all hosts are
   * released.
   */
  readonly exceptProjectIds?: readonly string[];
}

/**
 * Marks the hosts of a configuration as gone; assignments and history stay. The event names those
 * that are assigned, unless they are too many. Returns how many it marked.
 */
export async function releaseHosts(
  em: SqlEntityManager,
  which: ReleasedHosts,
  { actor, at }: ActContext,
): Promise<number> {
  const { configId } = which;
  const isAnyHeld = await isAnyHostHeld(em, which);
  const assignedIds: string[] = [];
  let marked = 0;

  for (;;) {
    const hosts = await lockSomeHosts(em, which);
    if (hosts.length === 0) break;

    const ids = hosts.map(({ id }) => id);
    await markReleased(em, ids, at);
    await recordRelease(em, hosts, configId, { actor, at });
    marked += hosts.filter(({ goneAt }) => goneAt === null).length;
    if (assignedIds.length <= MAX_NAMED_HOSTS) {
      assignedIds.push(...(await findAssignedHosts(em, ids)));
    }
  }

  await appendHostsChanged(em, { configId, hostIds: assignedIds }, at);
  if (isAnyHeld) await publishRemovals(em, [configId], at);
  return marked;
}

function selectReleased(em: SqlEntityManager, { configId, exceptProjectIds }: ReleasedHosts) {
  const hosts = kyselyOf(em)
    .selectFrom("hosts as h")
    .select("h.id")
    .where("h.config", "=", configId);
  if (exceptProjectIds === undefined) return hosts;
  return hosts.where((eb) => isOutsideProjects(eb, exceptProjectIds));
}

export async function isAnyHostHeld(em: SqlEntityManager, which: ReleasedHosts): Promise<boolean> {
  const held = await selectReleased(em, which)
    .where("h.heldAt", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return held !== undefined;
}

type ReleasedHost = Awaited<ReturnType<typeof lockSomeHosts>>[number];

/** In the order of the provider's ids, as everybody does who locks hosts. */
async function lockSomeHosts(em: SqlEntityManager, which: ReleasedHosts) {
  return await selectReleased(em, which)
    .select("h.goneAt")
    .orderBy("h.ucloudId")
    .limit(HOSTS_PER_STATEMENT)
    .forUpdate()
    .execute();
}

async function markReleased(
  em: SqlEntityManager,
  ids: readonly string[],
  at: number,
): Promise<void> {
  await kyselyOf(em)
    .updateTable("hosts")
    .set((eb) => ({
      goneAt: eb.fn.coalesce("hosts.goneAt", eb.val(at)),
      config: null,
      changedAt: at,
      heldAt: null,
      heldReason: null,
      heldRunId: null,
      dismissedAt: null,
    }))
    .where("hosts.id", "=", anyOf(ids))
    .execute();
}

/** After the locks: a statement before them would not see what was assigned while it waited. */
async function findAssignedHosts(em: SqlEntityManager, ids: readonly string[]): Promise<string[]> {
  const assigned = await kyselyOf(em)
    .selectFrom("assignments as a")
    .select("a.host as hostId")
    .distinct()
    .where("a.endedAt", "is", null)
    .where("a.host", "=", anyOf(ids))
    .execute();
  return assigned.map(({ hostId }) => hostId);
}

/** Those that were gone already have it in their history. */
async function recordRelease(
  em: SqlEntityManager,
  released: readonly ReleasedHost[],
  configId: string,
  { actor, at }: ActContext,
): Promise<void> {
  const changes = [{ field: "configId", from: configId, to: null } as const];
  const entries = released
    .filter(({ goneAt }) => goneAt === null)
    .map(({ id }) => ({ hostId: id, kind: "gone", changes }) as const);
  await recordHostChanges(em, entries, { at, runId: null, decidedBy: actor });
}
