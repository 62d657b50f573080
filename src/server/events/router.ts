import type { TrackedEnvelope } from "@trpc/server";
import { z } from "zod";
import { type StreamEvent, StreamInput } from "../../shared/events.ts";
import { router, signedInProcedure } from "../core/trpc.ts";

const TrackedEvents = z.custom<AsyncGenerator<TrackedEnvelope<StreamEvent>, void, undefined>>(
  (value) => typeof value === "object" && value !== null && Symbol.asyncIterator in value,
);

export const eventsRouter = router({
  stream: signedInProcedure
    .meta({ summary: "订阅变更事件（仅 WebSocket）" })
    .input(StreamInput)
    .output(TrackedEvents)
    .subscription(({ ctx, input, signal = AbortSignal.any([]) }) =>
      ctx.app.openEventStream({ caller: ctx.caller, lastEventId: input?.lastEventId ?? null, signal }),
    ),
});
