import { inTransaction } from "../../platform/database/transaction.ts";
import { ConfigEntity } from "../provider-configs/entity.ts";
import { publishConfigsChanged } from "../provider-configs/events.ts";
import { readScheduleState } from "../sync/schedule/pause.ts";
import type { ConfigsDeps } from "./deps.ts";

/**
 * The key works, so a pause because of it is over. Changes nothing when the schedule is not paused.
 */
export async function resumeSchedule(deps: ConfigsDeps, configId: string): Promise<void> {
  await inTransaction(deps, async (em) => {
    const now = await deps.databaseClock.now(em);
    const state = await readScheduleState(em, configId, now);
    if (state.kind !== "paused") return;

    await em.nativeUpdate(ConfigEntity, { id: configId }, { scheduleResumedAt: now });
    await publishConfigsChanged(em, [configId], deps.clock.now());
  });
}
