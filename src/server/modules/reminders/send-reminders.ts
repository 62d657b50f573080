import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { v7 as newId } from "uuid";
import type { SendReminders, SendRemindersInput } from "../../../shared/reminders.ts";
import { localDay } from "../../../shared/shanghai.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import type { AuditDeps } from "../audit-records/deps.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { hasBegun } from "../hosts/access.ts";
import { hostNotFound } from "../hosts/queries.ts";
import { addReminders } from "./add-reminders.ts";
import type { RemindersDeps } from "./deps.ts";
import { lockReminderSettings } from "./locks.ts";
import { joinReminders, type SingleReminder } from "./messages.ts";

const HOST_GONE = "主机在云服务商处已不存在，不能提醒";
const NOT_ASSIGNED = "没有用户正在使用该主机，不能提醒";
const CLIENT_DISABLED = "使用该主机的用户已停用，不能提醒";
const REMINDED_TODAY = "今天已提醒过使用该主机的用户，请明天再试";
const SOME_LEFT_OUT = "部分用户已停用或今天已提醒过，只提醒了其余用户";

type Result = SendReminders["results"][number];

/**
 * Reminds the clients who have these hosts now, of each host at most once a day. In one transaction,
 * because a client gets one message of all its hosts; a host that is refused leaves the others alone.
 */
export async function sendReminders(
  deps: RemindersDeps,
  { id, name }: Caller,
  { hostIds }: SendRemindersInput,
): Promise<SendReminders> {
  return await inTransaction(deps, async (em) => {
    await lockReminderSettings(em);
    const now = await deps.databaseClock.now(em);

    const hosts = new Map((await findHosts(em, hostIds)).map((host) => [host.id, host]));
    const holders = Map.groupBy(await findHolders(em, hostIds, now), ({ hostId }) => hostId);

    const results: Result[] = [];
    const reminders: SingleReminder[] = [];
    for (const hostId of hostIds) {
      const holdersOfHost = holders.get(hostId) ?? [];
      const refusal = refusalOf(hosts.get(hostId), holdersOfHost);
      if (refusal !== null) {
        results.push({ hostId, ok: false, code: refusal.code, message: refusal.message });
        continue;
      }

      const reminded = holdersOfHost.filter(isReminded);
      reminders.push(...reminded.map((holder) => reminderOf(holder, now)));
      const isPart = reminded.length < holdersOfHost.length;
      results.push({ hostId, ok: true, ...(isPart ? { message: SOME_LEFT_OUT } : {}) });
    }

    const occasion = { batchIdOf: batchOfEachType(), at: now, sentBy: { id, name } };
    await addReminders({ em, jobs: deps.jobs }, joinReminders(reminders), occasion);
    await recordReminders({ ...deps, em }, reminders, now);
    return { results };
  });
}

/** An entry for each host, with the clients who are reminded of it. */
async function recordReminders(
  deps: AuditDeps,
  reminders: readonly SingleReminder[],
  at: number,
): Promise<void> {
  const ofHosts = Map.groupBy(reminders, ({ end }) => end.hostId);
  for (const [hostId, ofHost] of ofHosts) {
    const label = ofHost[0]?.end.hostName ?? "";
    const remindedUsers = ofHost.map(({ recipient }) => recipient.name);
    const record = {
      action: "reminders.send",
      subject: { type: "host", id: hostId, label },
      changes: fieldChanges(null, { remindedUsers }),
    } as const;
    await recordAudit(deps, record, at);
  }
}

function findHosts(em: SqlEntityManager, hostIds: readonly string[]) {
  return kyselyOf(em)
    .selectFrom("hosts as h")
    .select(["h.id", "h.goneAt"])
    .where("h.id", "=", anyOf(hostIds))
    .execute();
}

type Holder = Awaited<ReturnType<typeof findHolders>>[number];

/** The clients who have these hosts, and whether a person reminded them today. */
function findHolders(em: SqlEntityManager, hostIds: readonly string[], now: number) {
  return kyselyOf(em)
    .selectFrom("assignments as a")
    .innerJoin("hosts as h", "h.id", "a.host")
    .innerJoin("users as u", "u.id", "a.userId")
    .select([
      "a.host as hostId",
      "h.name as hostName",
      "h.ucloudId",
      "a.id as assignmentId",
      "a.assignedExpireTime as expireTime",
      "u.id as userId",
      "u.name as userName",
      "u.isActive",
    ])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom("reminder_hosts as sent")
            .select("sent.id")
            .whereRef("sent.hostId", "=", "a.host")
            .whereRef("sent.recipientId", "=", "a.userId")
            .where("sent.day", "=", localDay(now))
            .where("sent.mark", "is", null),
        )
        .as("isRemindedToday"),
    )
    .where("a.host", "=", anyOf(hostIds))
    .where("a.endedAt", "is", null)
    .where("h.goneAt", "is", null)
    .where((eb) => hasBegun(eb, now))
    .orderBy("a.assignedExpireTime")
    .orderBy("a.id")
    .execute();
}

/** Null when somebody is reminded. */
function refusalOf(
  host: { readonly goneAt: number | null } | undefined,
  holders: readonly Holder[],
): AppError | null {
  if (host === undefined) return hostNotFound();
  if (host.goneAt !== null) return new AppError("STATE_CONFLICT", HOST_GONE);
  if (holders.length === 0) return new AppError("STATE_CONFLICT", NOT_ASSIGNED);
  if (holders.some(isReminded)) return null;

  const isAnyActive = holders.some(({ isActive }) => isActive);
  return new AppError("STATE_CONFLICT", isAnyActive ? REMINDED_TODAY : CLIENT_DISABLED);
}

function isReminded({ isActive, isRemindedToday }: Holder): boolean {
  return isActive && !isRemindedToday;
}

function reminderOf(holder: Holder, now: number): SingleReminder {
  const { hostId, hostName, ucloudId, assignmentId, expireTime } = holder;
  return {
    type: expireTime < now ? "assignment.expired" : "assignment.expiring",
    recipient: { id: holder.userId, name: holder.userName },
    isForClient: true,
    end: {
      hostId,
      hostName: hostName || ucloudId,
      assignmentId,
      expireTime,
      mark: null,
      isAutoRenewed: false,
    },
  };
}

function batchOfEachType(): (type: string) => string {
  const batchIds = new Map<string, string>();
  return (type) => {
    const batchId = batchIds.get(type) ?? newId();
    batchIds.set(type, batchId);
    return batchId;
  };
}
