import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { Id } from "../../../../shared/ids.ts";
import { kyselyOf } from "../../../platform/database/kysely.ts";
import { inTransaction } from "../../../platform/database/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/errors.ts";
import type { Job } from "../../../platform/jobs/job.ts";
import { ConfigEntity } from "../../provider-configs/entity.ts";
import { groupByPartition } from "../absence.ts";
import {
  type HostReference,
  type HostSearch,
  openSearch,
  type RefreshDeps,
} from "../refresh/host-search.ts";
import { lockRefreshedConfig, writeFindings } from "../refresh/write-findings.ts";
import { SETTLE_JOB, sendRound, UNSETTLED } from "./settling.ts";

const HOSTS_PER_ROUND = 100;
const ROUNDS_AT_ONCE = 4;
const SettlePayload = z.object({ configId: Id, round: z.coerce.number().int() });

export type SettleDeps = Omit<RefreshDeps, "jobs"> & Pick<Deps, "actor" | "log">;

/**
 * Asks again for hosts that are starting, stopping or rebooting, so that the console shows the end
 * of it without a click.
 *
 * A round asks for the unsettled hosts of one configuration by id and writes what it finds. It
 * decides nothing about what it does not find: that is for a run or a person. Each round waits
 * longer than the one before. A round is a job of the queue, enqueued in the transaction that found
 * its hosts unsettled, so it survives a restart; one whose worker was lost is delivered again.
 */
export function settleJob(deps: SettleDeps): Job {
  return {
    name: SETTLE_JOB,
    pollSeconds: 2,
    workers: ROUNDS_AT_ONCE,
    heartbeatRefreshSeconds: 3,
    options: {
      // One waiting job of a key: see sendRound.
      policy: "short",
      retryLimit: 3,
      retryDelay: 5,
      heartbeatSeconds: 15,
      expireInSeconds: 300,
      retentionSeconds: 3_600,
      deleteAfterSeconds: 3_600,
    },
    async handle(payload, { jobs, signal }) {
      const { configId, round } = SettlePayload.parse(payload);
      const own = { ...deps, jobs, em: deps.em.fork() };
      const hosts = await findUnsettledHosts(own.em, configId);
      if (hosts.length === 0) return;

      try {
        const config = await own.em.findOne(ConfigEntity, { id: configId });
        const search = openSearch(own, { config, hosts, priority: "background", signal });
        await runRound(own, search, round);
      } catch (error) {
        // The configuration was deleted or switched off, or its key is refused: a run says so.
        if (!(error instanceof AppError)) throw error;
        deps.log.info({ configId, reason: error.message }, "hosts were left unsettled");
      }
    },
  };
}

async function runRound(
  deps: SettleDeps & Pick<Deps, "jobs">,
  { configId, hosts, crawl, found }: HostSearch<HostReference>,
  round: number,
): Promise<void> {
  const startedAt = deps.clock.now();
  await Promise.all(
    groupByPartition(hosts).map(({ partition, ids }) => crawl.lookUp(partition, ids)),
  );

  const seen = [...found.values()];
  const isSettled = (ucloudId: string) => {
    const status = found.get(ucloudId)?.host.status;
    return status !== undefined && !UNSETTLED.includes(status);
  };
  await inTransaction(deps, async (em) => {
    const config = await lockRefreshedConfig(em, configId);
    const findings = { seen, gone: [], held: [], startedAt, cause: "refresh" } as const;
    await writeFindings(deps, em, config, findings);

    const areAllSettled = hosts.every(({ ucloudId }) => isSettled(ucloudId));
    // A full round may have left others unasked.
    const mayBeMore = hosts.length === HOSTS_PER_ROUND;
    if (!areAllSettled || mayBeMore) await sendRound(deps, em, { configId, round: round + 1 });
  });
}

/** The last changed ones first: one that never settles must not take the place of the others. */
async function findUnsettledHosts(em: EntityManager, configId: string): Promise<HostReference[]> {
  return await kyselyOf(em)
    .selectFrom("hosts")
    .select(["id", "ucloudId", "region", "projectId"])
    .where("config", "=", configId)
    .where("goneAt", "is", null)
    .where("status", "in", UNSETTLED)
    .orderBy("changedAt", "desc")
    .orderBy("id")
    .limit(HOSTS_PER_ROUND)
    .execute();
}
