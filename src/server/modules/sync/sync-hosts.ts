import type { SyncHostsInput, SyncRuns } from "../../../shared/sync.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { noteSeveral } from "../audit-records/note-subject.ts";
import { ConfigEntity } from "../provider-configs/entity.ts";
import type { SyncDeps } from "./deps.ts";
import { waitForRuns } from "./queries.ts";
import { startRun } from "./start-run.ts";

interface SyncRequest extends SyncHostsInput {
  /** Aborted when the caller leaves: the runs go on without it. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts or finds the live run of one configuration, or of each active one, and waits for their
 * ends up to `wait` seconds.
 */
export async function syncHosts(
  deps: SyncDeps & Pick<Deps, "stopping">,
  caller: Caller,
  { configId, wait, signal }: SyncRequest,
): Promise<SyncRuns> {
  if (configId === undefined) noteSeveral(deps);
  const configIds = configId === undefined ? await findActiveConfigs(deps) : [configId];
  const requestedBy = { id: caller.id, name: caller.name };

  const runIds: string[] = [];
  for (const id of configIds) {
    runIds.push(await startRun(deps, { configId: id, requestedBy }));
  }
  return { runs: await waitForRuns(deps, runIds, { seconds: wait, signal }) };
}

async function findActiveConfigs({ em }: SyncDeps): Promise<string[]> {
  const configs = await em.find(
    ConfigEntity,
    { isActive: true },
    { orderBy: { isDefault: "desc", id: "asc" } },
  );
  if (configs.length === 0) {
    throw new AppError("STATE_CONFLICT", "没有启用的云服务商配置，请先添加或启用配置");
  }
  return configs.map(({ id }) => id);
}
