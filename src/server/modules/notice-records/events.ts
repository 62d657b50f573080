import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { event } from "../../../shared/events.ts";
import { Id } from "../../../shared/ids.ts";
import { CreatedNotice } from "../../../shared/notices.ts";
import { appendEvent, appendEvents } from "../../platform/events/append.ts";
import type { EventPresenter, StoredEvent } from "../../platform/events/event.ts";

export const NoticeCreated = event("notice.created", CreatedNotice.extend({ userId: Id }));

export const NoticesRead = event("notices.read", z.object({ userId: Id }));

/** `at` in Unix seconds. */
export async function publishNoticesCreated(
  em: SqlEntityManager,
  notices: readonly z.infer<typeof NoticeCreated>["data"][],
  at: number,
): Promise<void> {
  const events = notices.map((data): StoredEvent => ({ type: "notice.created", data }));
  await appendEvents(em, events, at);
}

/** The user has read or deleted notices, or one was withdrawn. `at` in Unix seconds. */
export async function publishNoticesRead(
  em: SqlEntityManager,
  data: z.infer<typeof NoticesRead>["data"],
  at: number,
): Promise<void> {
  await appendEvent(em, { type: "notices.read", data }, at);
}

/** The owner alone hears of a notice. */
export function presentNoticeCreated({
  type,
  data,
}: z.infer<typeof NoticeCreated>): EventPresenter {
  const { userId, ...notice } = data;
  return ({ id }) => (id === userId ? { type, data: notice } : null);
}
