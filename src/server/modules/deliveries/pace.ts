import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { ChannelType } from "../../../shared/notice-channels.ts";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";

const MINUTE = 60;
/** Between two messages of one channel, in ms: Feishu takes five a second. */
export const GAP_MS = 250;

/** What each kind takes in a minute; more would be refused, and be blocked by some. */
const MESSAGES_A_MINUTE: Readonly<Record<ChannelType, number>> = {
  email: 60,
  wecom: 20,
  dingtalk: 20,
  feishu: 100,
  webhook: 100,
};

/**
 * Seconds until the channel may send its next message; 0 when it may now. The tries of the last
 * minute are counted where they are recorded, so the pace holds across restarts and replicas.
 */
export async function secondsUntilNext(
  em: SqlEntityManager,
  { id, type }: { readonly id: string; readonly type: ChannelType },
  now: number,
): Promise<number> {
  const oldest = await kyselyOf(em)
    .selectFrom("notice_deliveries")
    .select("lastAttemptAt")
    .where("channelId", "=", id)
    .where("lastAttemptAt", ">", now - MINUTE)
    // Those of a clock that was ahead would hold the channel up until then.
    .where("lastAttemptAt", "<=", now + MAX_CLOCK_SKEW_SECONDS)
    .orderBy("lastAttemptAt", "desc")
    .offset(MESSAGES_A_MINUTE[type] - 1)
    .limit(1)
    .executeTakeFirst();
  return oldest?.lastAttemptAt == null ? 0 : oldest.lastAttemptAt + MINUTE - now;
}
