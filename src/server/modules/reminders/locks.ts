import { LockMode, type SqlEntityManager } from "@mikro-orm/postgresql";
import { ReminderSettingsEntity, type ReminderSettingsRow } from "./entity.ts";

/**
 * Taken before everything else by whatever writes the ledger or the rules. So no two of them look at
 * the same time what has been sent, and rules that are saved hold from the next message on.
 */
export async function lockReminderSettings(em: SqlEntityManager): Promise<ReminderSettingsRow> {
  return await em.findOneOrFail(
    ReminderSettingsEntity,
    { id: 1 },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
}
