import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { event } from "../../../shared/events.ts";
import { Id } from "../../../shared/ids.ts";
import { isSuperAdmin } from "../../../shared/roles.ts";
import { appendEvent } from "../../platform/events/append.ts";
import type { EventPresenter } from "../../platform/events/event.ts";

export const ChannelChanged = event("channel.changed", z.object({ channelId: Id }));

/** A channel was made, changed or deleted, or has another last delivery. `at` in Unix seconds. */
export async function publishChannelChanged(
  em: SqlEntityManager,
  channelId: string,
  at: number,
): Promise<void> {
  await appendEvent(em, { type: "channel.changed", data: { channelId } }, at);
}

/** Only super admins see channels. */
export function presentChannelChanged(changed: z.infer<typeof ChannelChanged>): EventPresenter {
  return ({ role }) => (isSuperAdmin(role) ? changed : null);
}
