import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { InferResult } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { type ListRemindersInput, MAX_REMINDER_HOSTS } from "../../../shared/reminders.ts";
import { arrayOf } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";

/** A reminder before it is shown. */
export type FoundReminder = InferResult<ReturnType<typeof selectReminders>>[number];
export type FoundDelivery = InferResult<ReturnType<typeof selectDeliveries>>[number];

interface FoundPage {
  /** In order. */
  readonly ids: readonly string[];
  /** How many reminders the whole list has. */
  readonly total: number;
}

export async function findPage(
  em: SqlEntityManager,
  { page, limit, ...filter }: ListRemindersInput,
): Promise<FoundPage> {
  return await kyselyOf(em)
    .with("found", () => filterReminders(em, filter))
    .selectNoFrom((eb) => [
      arrayOf(
        eb
          .selectFrom("found")
          .select("found.id")
          .orderBy("found.id", "desc")
          .limit(limit)
          .offset((page - 1) * limit),
      ).as("ids"),
      eb
        .selectFrom("found")
        .select((of) => of.fn.countAll<number>().as("count"))
        .$asScalar()
        .$notNull()
        .as("total"),
    ])
    .executeTakeFirstOrThrow();
}

type Filter = Pick<ListRemindersInput, "userId" | "hostId" | "status">;

function filterReminders(em: SqlEntityManager, { userId, hostId, status }: Filter) {
  let reminders = kyselyOf(em).selectFrom("reminders as r").select("r.id");
  if (userId !== undefined) reminders = reminders.where("r.recipientId", "=", userId);
  if (hostId !== undefined) {
    reminders = reminders.where("r.id", "in", (eb) =>
      eb
        .selectFrom("reminder_hosts as host")
        .select("host.reminderId")
        .where("host.hostId", "=", hostId),
    );
  }
  if (status !== undefined) {
    reminders = reminders.where((eb) =>
      eb.or([
        eb("r.noticeId", "in", (inner) =>
          inner
            .selectFrom("notice_deliveries as d")
            .select((delivery) => delivery.ref("d.noticeId").$notNull().as("noticeId"))
            .where("d.noticeId", "is not", null)
            .where("d.status", "=", status),
        ),
        eb("r.batchId", "in", (inner) =>
          inner
            .selectFrom("notice_deliveries as d")
            .select("d.batchId")
            .where("d.noticeId", "is", null)
            .where("d.status", "=", status),
        ),
      ]),
    );
  }
  return reminders;
}

/** Newest first. */
export async function readReminders(
  em: SqlEntityManager,
  ids: readonly string[],
): Promise<FoundReminder[]> {
  if (ids.length === 0) return [];
  return await selectReminders(em, ids).execute();
}

function selectReminders(em: SqlEntityManager, ids: readonly string[]) {
  return kyselyOf(em)
    .selectFrom("reminders as r")
    .selectAll("r")
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom("reminder_hosts as host")
          .select([
            "host.hostId as hostId",
            "host.hostName as hostName",
            "host.expireTime as expireTime",
            "host.mark",
          ])
          .whereRef("host.reminderId", "=", "r.id")
          .orderBy("host.expireTime")
          .orderBy("host.id")
          .limit(MAX_REMINDER_HOSTS),
      ).as("hosts"),
    )
    .where("r.id", "=", anyOf(ids))
    .orderBy("r.id", "desc");
}

/** Those of the notices, and those that tell of a whole batch at once. */
export async function readDeliveries(
  em: SqlEntityManager,
  reminders: readonly FoundReminder[],
): Promise<FoundDelivery[]> {
  if (reminders.length === 0) return [];
  return await selectDeliveries(em, reminders).execute();
}

/**
 * A batch may have a delivery for each of thousands of recipients, so they are read once for a page:
 * along the index of their batches, which has the notice, too.
 */
function selectDeliveries(em: SqlEntityManager, reminders: readonly FoundReminder[]) {
  const batchIds = [...new Set(reminders.map(({ batchId }) => batchId))];
  const noticeIds = reminders.map(({ noticeId }) => noticeId);

  return kyselyOf(em)
    .selectFrom("notice_deliveries as d")
    .select([
      "d.batchId",
      "d.noticeId",
      "d.channelId",
      "d.channelName",
      "d.status",
      "d.attempts",
      "d.lastAttemptAt",
      "d.error",
    ])
    .where("d.batchId", "=", anyOf(batchIds))
    .where((eb) =>
      eb(eb.fn.coalesce("d.noticeId", "d.batchId"), "=", anyOf([...noticeIds, ...batchIds])),
    )
    .orderBy("d.channelName", (name) => name.collate("name_order").asc())
    .orderBy("d.channelId");
}
