import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Actor } from "../../../platform/actor.ts";
import { kyselyOf } from "../../../platform/database/kysely.ts";
import type { HeldHost, MissingHost } from "../absence.ts";
import type { SyncDeps } from "../deps.ts";
import { publishChanges } from "../events.ts";
import { holdMissingHosts } from "../hold-missing.ts";
import { lockHosts, noteObservations, removeHosts, type SeenHost } from "../host-store.ts";
import { writeHosts } from "../write-hosts.ts";
import { configDeleted, configSwitchedOff } from "./host-search.ts";

/** What is written only as long as the configuration stays as it is. */
interface RefreshedConfig {
  readonly id: string;
  readonly name: string;
  readonly projectIds: readonly string[];
}

/**
 * Locks the configuration and reads it again: it may have been changed while the provider was
 * asked. Throws when it was deleted or switched off meanwhile.
 */
export async function lockRefreshedConfig(
  em: SqlEntityManager,
  id: string,
): Promise<RefreshedConfig> {
  const config = await kyselyOf(em)
    .selectFrom("configs")
    .select(["id", "name", "isActive", "projectIds"])
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (config === undefined) throw configDeleted();
  if (!config.isActive) throw configSwitchedOff();
  return config;
}

interface Findings {
  readonly seen: readonly SeenHost[];
  readonly gone: readonly Pick<MissingHost, "id">[];
  readonly held: readonly HeldHost[];
  /** Before the provider was asked, in Unix seconds. */
  readonly startedAt: number;
  readonly cause: "refresh" | "confirmation";
  /** Who confirmed. */
  readonly decidedBy?: Actor | undefined;
}

export interface WrittenFindings {
  /** Ids of the hosts that are new, or other than before. */
  readonly updated: ReadonlySet<string>;
  /** Ids of the hosts that are gone now. */
  readonly removed: ReadonlySet<string>;
  /** Provider's ids of hosts that were found in projects that the configuration names no longer. */
  readonly unnamed: ReadonlySet<string>;
}

/**
 * Writes what was found with the key of a configuration that `lockRefreshedConfig` has locked.
 *
 * Several statements follow one another, so all hosts are locked before the first of them. A run
 * of the configuration may be under way: it goes by the times of the rows, so a host that is found
 * here is not marked gone by a run that had asked for it before (`noteObservations`).
 */
export async function writeFindings(
  { clock, jobs }: Pick<SyncDeps, "clock" | "jobs">,
  em: SqlEntityManager,
  config: RefreshedConfig,
  { seen, gone, held, startedAt: before, cause, decidedBy }: Findings,
): Promise<WrittenFindings> {
  const configId = config.id;
  const at = clock.now();
  const named = seen.filter(({ partition }) => isNamed(config, partition.projectId));
  const unnamed = seen.filter(({ partition }) => !isNamed(config, partition.projectId));

  const runId = null;
  await lockHosts(em, {
    ucloudIds: named.map(({ host }) => host.ucloudId),
    ids: [...gone, ...held].map(({ id }) => id),
  });
  const changes = await writeHosts(em, { configId, runId, hosts: named, now: at });
  await noteObservations(em, configId, named);
  const removal = { configId, hosts: gone, before, at, cause, runId, decidedBy };
  const removed = await removeHosts(em, removal);
  const hold = { configId, hosts: held, before, at, cause, runId };
  const isAnyHeld = await holdMissingHosts({ jobs, em }, hold, held.length);
  await publishChanges(em, { configId, hosts: [...changes, ...removed], isAnyHeld }, at);

  return {
    updated: new Set(changes.map(({ id }) => id)),
    removed: new Set(removed.map(({ id }) => id)),
    unnamed: new Set(unnamed.map(({ host }) => host.ucloudId)),
  };
}

/** The hosts of unnamed projects are released; to write them would bring them back. */
function isNamed({ projectIds }: RefreshedConfig, projectId: string): boolean {
  return projectIds.length === 0 || projectId === "" || projectIds.includes(projectId);
}
