import type { AliasableExpression, Expression, ExpressionBuilder, SqlBool } from "kysely";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import type { Tables } from "../../platform/database/kysely.ts";
import { LONGEST_WAIT } from "./retry-waits.ts";

type DeliveryExpressions = ExpressionBuilder<Tables & { d: Tables["notice_deliveries"] }, "d">;
type ChannelExpressions = ExpressionBuilder<Tables & { c: Tables["notice_channels"] }, "c">;

/** A time further ahead than anything waits was written by a clock that was ahead. */
const farAhead = (now: number) => now + LONGEST_WAIT + MAX_CLOCK_SKEW_SECONDS;

/** Deliveries `d` that are to be sent now. */
export function isDue(eb: DeliveryExpressions, now: number): Expression<SqlBool> {
  return eb.and([
    eb("d.status", "=", "queued"),
    eb.or([eb("d.nextAttemptAt", "<=", now), eb("d.nextAttemptAt", ">", farAhead(now))]),
  ]);
}

/** Channels `c` that have been asked to wait. */
export function isPaused(eb: ChannelExpressions, now: number): AliasableExpression<SqlBool> {
  return eb.and([eb("c.pausedUntil", ">", now), eb("c.pausedUntil", "<=", farAhead(now))]);
}
