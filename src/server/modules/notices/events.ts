import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { z } from "zod";
import type { EventPresenter } from "../../platform/events/event.ts";
import type { NoticesRead } from "../notice-records/events.ts";
import { countUnread } from "./queries.ts";

/** The user alone, for its other windows. The count is that of now, so the last one is right. */
export async function presentNoticesRead(
  em: SqlEntityManager,
  { type, data: { userId } }: z.infer<typeof NoticesRead>,
): Promise<EventPresenter> {
  const shown = { type, data: { unreadCount: await countUnread(em, userId) } };
  return ({ id }) => (id === userId ? shown : null);
}
