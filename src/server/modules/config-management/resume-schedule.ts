import type { AuditSubject } from "../../../shared/audit.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { ConfigEntity } from "../provider-configs/entity.ts";
import { publishConfigsChanged } from "../provider-configs/events.ts";
import { readScheduleState } from "../sync/schedule/pause.ts";
import type { ConfigsDeps } from "./deps.ts";

/**
 * The key works, so a pause because of it is over. Changes nothing when the schedule is not paused.
 */
export async function resumeSchedule(deps: ConfigsDeps, subject: AuditSubject): Promise<void> {
  const { id: configId } = subject;
  await inTransaction(deps, async (em) => {
    const now = await deps.databaseClock.now(em);
    const state = await readScheduleState(em, configId, now);
    if (state.kind !== "paused") return;

    await em.nativeUpdate(ConfigEntity, { id: configId }, { scheduleResumedAt: now });

    const at = deps.clock.now();
    const changes = [{ field: "isSchedulePaused", from: true, to: false }] as const;
    await recordAudit({ ...deps, em }, { action: "configs.test", subject, changes }, at);
    await publishConfigsChanged(em, [configId], at);
  });
}
