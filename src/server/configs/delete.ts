import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { IdInput, Nothing } from "../../shared/ids.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { kyselyOf } from "../database/kysely.ts";
import { takeAdvisoryLock } from "../database/sql.ts";
import { inTransaction } from "../database/transaction.ts";
import { releaseHosts } from "../hosts/release.ts";
import { countEndedRuns, endRuns, lockLiveRun } from "../sync/end-run.ts";
import { ConfigEntity } from "./entity.ts";
import { configNotFound } from "./queries.ts";

export async function deleteConfig(
  deps: Pick<Deps, "em" | "bus" | "clock" | "metrics">,
  { id: configId }: IdInput,
): Promise<Nothing> {
  const at = deps.clock.now();
  const ended = await inTransaction(deps, async (em) => {
    await takeAdvisoryLock(em, "defaultConfig");
    await lockDeletable(em, configId);
    // A sync locks its run, then hosts, then the event log: the same order here, all rows before the first event.
    await lockLiveRun(em, configId);
    await releaseHosts(em, { configId, at });
    const ended = await endRuns(em, { where: sql`config_id = ${configId}`, status: "cancelled", at });
    await em.nativeDelete(ConfigEntity, { id: configId });
    return ended;
  });
  countEndedRuns(deps, ended);
  return {};
}

/** The lock keeps new runs from starting, and lets the live run insert hosts that refer to the configuration. */
async function lockDeletable(em: SqlEntityManager, id: string): Promise<void> {
  const config = await kyselyOf(em)
    .selectFrom("configs")
    .select("isDefault")
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (config === undefined) throw configNotFound();
  if (config.isDefault) throw new AppError("CONFLICT", "不能删除默认配置，请先把另一个配置设为默认");
}
