import { z } from "zod";
import { Id } from "./ids.ts";
import { CreatedNotice } from "./notices.ts";
import { RenewalStatus } from "./renewal-status.ts";
import { SecuritySettings } from "./security-settings.ts";
import { SettingsChanged } from "./settings.ts";
import { SyncRun } from "./sync.ts";
import { limitedText } from "./text.ts";

export function event<Type extends string, Carried extends z.ZodType>(
  type: Type,
  carried: Carried,
) {
  return z.object({ type: z.literal(type), data: carried });
}

const RenewalReference = z.object({ id: Id, status: RenewalStatus });

/**
 * What `events.stream` yields: `{type, data}`, where data is what the receiving caller may see of
 * it.
 */
export const StreamEvent = z
  .discriminatedUnion("type", [
    event("stream.ready", z.object({ resumed: z.boolean() })),
    event("sync.progress", SyncRun),
    event("sync.finished", SyncRun),
    event("hosts.changed", z.object({ configId: Id.optional() })),
    event("assignment.changed", z.object({ hostId: Id })),
    event("annotations.changed", z.object({ hostId: Id })),
    event("removals.changed", z.object({ configId: Id })),
    event("settings.changed", SettingsChanged),
    event("securitySettings.changed", SecuritySettings),
    event("config.changed", z.object({ configId: Id })),
    event("user.changed", z.object({ id: Id })),
    event("renewal.created", RenewalReference),
    event("renewal.processed", RenewalReference),
    event("renewal.cancelled", RenewalReference),
    event("notice.created", CreatedNotice),
    event("notices.read", z.object({ unreadCount: z.int() })),
    event("reminders.changed", z.object({})),
    event("channel.changed", z.object({ channelId: Id })),
  ])
  .meta({ id: "StreamEvent" });
export type StreamEvent = z.infer<typeof StreamEvent>;

/**
 * `lastEventId` is the id of the last event the caller handled; what came after it is sent again.
 */
export const StreamInput = z
  .strictObject({ lastEventId: limitedText("事件编号", 100).nullish() })
  .meta({ id: "StreamInput" })
  .optional();
