import { StreamInput } from "../../../shared/events.ts";
import { router, signedInProcedure } from "../trpc/trpc.ts";

export const eventsRouter = router({
  stream: signedInProcedure
    .meta({ summary: "订阅变更事件（仅 WebSocket）" })
    .input(StreamInput)
    .subscription(({ ctx, input, signal = AbortSignal.any([]) }) =>
      ctx.app.openEventStream({
        caller: ctx.caller,
        lastEventId: input?.lastEventId ?? null,
        signal,
      }),
    ),
});
