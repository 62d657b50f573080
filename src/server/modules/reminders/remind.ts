import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { inTransaction, inTurn } from "../../platform/database/transaction.ts";
import { countChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { addReminders } from "./add-reminders.ts";
import type { RemindersDeps } from "./deps.ts";
import { findDueReminders } from "./due-reminders.ts";
import { ReminderSettingsEntity, type ReminderSettingsRow } from "./entity.ts";
import { batchIdOf, countSent, endIdOf, withoutSent } from "./ledger.ts";
import { lockReminderSettings } from "./locks.ts";
import { type DueDays, dueDays } from "./marks.ts";
import { joinReminders, type ReminderMessage } from "./messages.ts";
import { tellGroups } from "./tell-groups.ts";

/*
 * A day is looked at in several transactions, because it may have thousands of recipients. Each
 * takes some of them, locks the rules, reads again what is due and what the ledger has already, and
 * writes ledger and messages. What a recipient is to hear is in one transaction with all its hosts,
 * so it is there as a whole or not at all. The day is covered when all are through, and in that
 * transaction groups are told of the whole day.
 *
 * A process that is killed in between leaves the day uncovered, and the next minute goes on with the
 * recipients who have no message yet. Two replicas that do it at once take turns at the lock, and
 * who comes second finds the messages of the first.
 */

/** So that a transaction takes some tenths of a second. One recipient may have more. */
const ENDS_PER_TRANSACTION = 1_000;

/** What is looked at, by which rules. */
interface Plan {
  readonly settings: ReminderSettingsRow;
  readonly days: DueDays;
}

/** What one transaction writes. */
interface Portion {
  readonly recipientIds: ReadonlySet<string>;
  /** Of the assignments and hosts that they are to hear of. */
  readonly endIds: readonly string[];
}

/** Sends what is due: nothing, but for one call of a day. */
export async function sendDueReminders(deps: RemindersDeps): Promise<void> {
  const plan = await inTurn(deps, (em) => readPlan({ ...deps, em }));
  if (plan === null) return;

  const due = await inTurn(deps, (em) => findDueReminders(em, plan.settings, plan.days));
  for (const portion of portionsOf(joinReminders(due))) {
    // Otherwise the rules were changed, or the day is over: the next minute begins anew.
    if (!(await sendPortion(deps, plan, portion))) return;
  }
  await coverDay(deps, plan);
}

async function readPlan({
  em,
  databaseClock,
}: Pick<RemindersDeps, "em" | "databaseClock">): Promise<Plan | null> {
  const settings = await em.findOneOrFail(ReminderSettingsEntity, { id: 1 });
  const days = dueDays(settings, await databaseClock.now(em));
  return days === null ? null : { settings, days };
}

function portionsOf(messages: readonly ReminderMessage[]): Portion[] {
  const byRecipient = Map.groupBy(messages, ({ recipient }) => recipient.id);
  const portions: Portion[] = [];
  let recipientIds = new Set<string>();
  let endIds: string[] = [];

  for (const [recipientId, own] of byRecipient) {
    recipientIds.add(recipientId);
    for (const { ends } of own) endIds.push(...ends.map(endIdOf));
    if (endIds.length < ENDS_PER_TRANSACTION) continue;

    portions.push({ recipientIds, endIds });
    recipientIds = new Set();
    endIds = [];
  }
  if (recipientIds.size > 0) portions.push({ recipientIds, endIds });
  return portions;
}

/** False when the plan holds no longer. */
async function sendPortion(
  deps: RemindersDeps,
  plan: Plan,
  { recipientIds, endIds }: Portion,
): Promise<boolean> {
  return await inTransaction(deps, async (em) => {
    const days = await lockPlan({ ...deps, em }, plan);
    if (days === null) return false;

    const due = await findDueReminders(em, plan.settings, days, endIds);
    const ofPortion = due.filter(({ recipient }) => recipientIds.has(recipient.id));
    const left = await withoutSent(em, ofPortion, plan);

    const occasion = { batchIdOf: batchIdOf(plan), at: days.now, sentBy: null };
    await addReminders({ em, jobs: deps.jobs }, joinReminders(left), occasion);
    return true;
  });
}

/** The days as of now, with the rules locked. Null when the plan holds no longer. */
async function lockPlan(
  { em, databaseClock }: Pick<RemindersDeps, "databaseClock"> & { readonly em: SqlEntityManager },
  { settings, days }: Plan,
): Promise<DueDays | null> {
  const present = await lockReminderSettings(em);
  const due = dueDays(present, await databaseClock.now(em));
  const holds = present.savedAt === settings.savedAt && due?.today === days.today;
  return holds ? due : null;
}

async function coverDay(deps: RemindersDeps, plan: Plan): Promise<void> {
  await inTransaction(deps, async (em) => {
    const days = await lockPlan({ ...deps, em }, plan);
    if (days === null) return;

    await tellGroups({ em, jobs: deps.jobs }, days);
    await em.nativeUpdate(ReminderSettingsEntity, { id: 1 }, { coveredDay: plan.days.today });
    const changes = countChanges({ sentReminders: await countSent(em, plan) });
    const at = await deps.databaseClock.now(em);
    await recordAudit({ ...deps, em }, { action: "job.reminders", changes }, at);
  });
}
