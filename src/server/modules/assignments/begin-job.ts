import { z } from "zod";
import { Id } from "../../../shared/ids.ts";
import { DAY_SECONDS } from "../../../shared/time.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { AuditDeps } from "../audit-records/deps.ts";
import { countChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import type { NotifyDeps } from "../notice-records/deps.ts";
import { publishSharedNotices } from "../notice-records/shared-notices.ts";
import { lockActiveUser } from "../users/locks.ts";
import { awaitBeginning, BEGIN_JOB } from "./beginning.ts";
import { notifyOfBeginning } from "./notices.ts";

const BeginPayload = z.object({
  userId: Id,
  beginsAt: z.coerce.number().int(),
  batchId: Id,
});

type BeginDeps = AuditDeps & Pick<Deps, "bus" | "clock" | "transactionTurns">;

/**
 * Tells a client of its assignments that begin at a moment, once that has come. What was moved to
 * another moment or taken back meanwhile is not among them.
 *
 * The lock of the client makes it wait for whoever assigns it a host with this start. The notice has
 * the id of the job's occasion, so a job that is delivered twice tells it once.
 */
export function beginJob(deps: BeginDeps): Job {
  return {
    name: BEGIN_JOB,
    pollSeconds: 5,
    options: {
      // One waiting job of a key: see awaitBeginning.
      policy: "short",
      retryLimit: 5,
      retryDelay: 5,
      retryBackoff: true,
      retentionSeconds: 14 * DAY_SECONDS,
      deleteAfterSeconds: 3_600,
    },
    async handle(payload, { jobs }) {
      const { userId, beginsAt, batchId } = BeginPayload.parse(payload);
      const own = { ...deps, em: deps.em.fork() };
      await inTransaction(own, async (em) => {
        const now = deps.clock.now();
        if (now < beginsAt) await awaitBeginning({ em, jobs }, { userId, beginsAt }, now);
        else await tellOfBeginning({ ...own, em, jobs }, { userId, beginsAt, batchId });
      });
    },
  };
}

async function tellOfBeginning(
  deps: BeginDeps & NotifyDeps,
  { userId, beginsAt, batchId }: z.infer<typeof BeginPayload>,
): Promise<void> {
  const { em } = deps;
  const user = await lockActiveUser(em, { id: userId });
  if (user === null) return;

  const now = deps.clock.now();
  const begun = await kyselyOf(em)
    .selectFrom("assignments")
    .select(["id as assignmentId", "host as hostId"])
    .where("userId", "=", userId)
    .where("assignedAt", "=", beginsAt)
    .where("endedAt", "is", null)
    .orderBy("id")
    .execute();
  if (begun.length === 0) return;

  const record = {
    action: "job.begin-assignments",
    subject: { type: "user", id: userId, label: user.name },
    changes: countChanges({ begunAssignments: begun.length }),
  } as const;
  await recordAudit(deps, record, now);
  await notifyOfBeginning({ ...deps, batchId }, { userId, subjects: begun }, now);
  await publishSharedNotices(em, batchId, now);
}
