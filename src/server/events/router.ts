import type { TrackedEnvelope } from "@trpc/server";
import { z } from "zod";
import { type StreamEvent, StreamInput } from "../../shared/events.ts";
import { AppError } from "../core/errors.ts";
import type { OutletOf } from "../core/ports.ts";
import { router, signedInProcedure } from "../core/trpc.ts";

/** Each event is checked against StreamEvent where it is made; here only that there is a stream of them. */
const TrackedEvents = z.custom<AsyncGenerator<TrackedEnvelope<StreamEvent>, void, undefined>>(
  (value) => typeof value === "object" && value !== null && Symbol.asyncIterator in value,
);

export const eventsRouter = router({
  stream: signedInProcedure
    .meta({ summary: "订阅变更事件（仅 WebSocket）" })
    .input(StreamInput)
    .output(TrackedEvents)
    .subscription(({ ctx, input, signal = AbortSignal.any([]) }) =>
      ctx.app.eventStream.open({
        caller: ctx.caller,
        lastEventId: input?.lastEventId ?? null,
        signal,
        outletOf: socketOnly(ctx.outletOf),
      }),
    ),
});

/** Limits, keep-alive and the closing of dead sessions are made for sockets; there is no second way around them. */
function socketOnly(outletOf: OutletOf | undefined): OutletOf {
  if (outletOf === undefined) throw new AppError("METHOD_NOT_ALLOWED", "事件流只能通过 WebSocket 订阅");
  return outletOf;
}
