import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { UNSETTLED_STATUSES } from "../../../../shared/hosts.ts";
import { Id } from "../../../../shared/ids.ts";
import { kyselyOf } from "../../../platform/database/kysely.ts";
import { inTransaction } from "../../../platform/database/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import type { Job } from "../../../platform/jobs/job.ts";
import { countChanges } from "../../audit-records/field-changes.ts";
import { recordAudit } from "../../audit-records/record-audit.ts";
import { ConfigEntity } from "../../provider-configs/entity.ts";
import { groupByPartition } from "../absence.ts";
import type { SyncDeps, SyncJobDeps } from "../deps.ts";
import { type HostReference, type HostSearch, openSearch } from "../refresh/host-search.ts";
import { lockRefreshedConfig, writeFindings } from "../refresh/write-findings.ts";
import { type HostPosition, SETTLE_JOB, sendRound } from "./settling.ts";

const HOSTS_PER_ROUND = 100;
const ROUNDS_AT_ONCE = 4;
const SettlePayload = z.object({
  configId: Id,
  round: z.coerce.number().int(),
  changedAt: z.coerce.number().int().optional(),
  hostId: Id.optional(),
});

interface UnsettledHost extends HostReference, HostPosition {}

/**
 * Asks again for hosts that are starting, stopping or rebooting, so that the console shows the end
 * of it without a click.
 *
 * A round asks for the unsettled hosts of one configuration by id and writes what it finds. It
 * decides nothing about what it does not find: that is for a run or a person. Each round waits
 * longer than the one before.
 *
 * A round asks for some hosts only, the last changed ones first: these are what people watch. The
 * next round goes on after the last of them, and from the end to the beginning, so that hosts that
 * never settle do not take the place of the others.
 *
 * A round is a job of the queue, enqueued in the transaction that found its hosts unsettled, so it
 * survives a restart; one whose worker was lost is delivered again.
 */
export function settleJob(deps: SyncJobDeps): Job {
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
      const { configId, round, changedAt, hostId } = SettlePayload.parse(payload);
      const own = { ...deps, jobs, em: deps.em.fork() };
      const isFirst = changedAt === undefined || hostId === undefined;
      const hosts = await findUnsettledHosts(own.em, configId, {
        after: isFirst ? null : { changedAt, id: hostId },
      });
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
  deps: SyncDeps,
  { configId, hosts, crawl, found }: HostSearch<UnsettledHost>,
  round: number,
): Promise<void> {
  const startedAt = deps.clock.now();
  await Promise.all(
    groupByPartition(hosts).map(({ partition, ids }) => crawl.lookUp(partition, ids)),
  );

  const seen = [...found.values()];
  const isSettled = (ucloudId: string) => {
    const status = found.get(ucloudId)?.host.status;
    return status !== undefined && !UNSETTLED_STATUSES.includes(status);
  };
  await inTransaction(deps, async (em) => {
    const config = await lockRefreshedConfig(em, configId);
    const findings = { seen, gone: [], held: [], startedAt, cause: "refresh" } as const;
    const { updated } = await writeFindings(deps, em, config, findings);
    await recordRound({ ...deps, em }, config, updated.size);

    const areAllSettled = hosts.every(({ ucloudId }) => isSettled(ucloudId));
    // A full round may have left others unasked.
    const mayBeMore = hosts.length === HOSTS_PER_ROUND;
    if (areAllSettled && !mayBeMore) return;

    await sendRound(deps, em, { configId, round: round + 1, after: hosts.at(-1) });
  });
}

/** A round that found all as it was is no act. */
async function recordRound(
  deps: SyncDeps,
  { id, name }: { readonly id: string; readonly name: string },
  updatedHosts: number,
): Promise<void> {
  if (updatedHosts === 0) return;

  const subject = { type: "config", id, label: name } as const;
  const changes = countChanges({ updatedHosts });
  await recordAudit(deps, { action: "job.settle-hosts", subject, changes }, deps.clock.now());
}

/** Those after the position first, then those before it. */
async function findUnsettledHosts(
  em: EntityManager,
  configId: string,
  { after }: { readonly after: HostPosition | null },
): Promise<UnsettledHost[]> {
  let unsettled = kyselyOf(em)
    .selectFrom("hosts")
    .select(["id", "ucloudId", "region", "projectId", "changedAt"])
    .where("config", "=", configId)
    .where("goneAt", "is", null)
    .where("status", "in", UNSETTLED_STATUSES);
  if (after !== null) {
    const { changedAt, id } = after;
    unsettled = unsettled.orderBy(
      (eb) =>
        eb.or([
          eb("changedAt", "<", changedAt),
          eb.and([eb("changedAt", "=", changedAt), eb("id", ">", id)]),
        ]),
      "desc",
    );
  }
  return await unsettled
    .orderBy("changedAt", "desc")
    .orderBy("id")
    .limit(HOSTS_PER_ROUND)
    .execute();
}
