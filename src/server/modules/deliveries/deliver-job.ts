import { z } from "zod";
import { Id } from "../../../shared/ids.ts";
import { MAX_CHANNELS } from "../../../shared/notice-channels.ts";
import type { Job } from "../../platform/jobs/job.ts";
import { DELIVER_JOB } from "../channels/queue-deliveries.ts";
import { sendMessage } from "../channels/send-message.ts";
import { type ClaimedDelivery, claimDelivery } from "./claim-delivery.ts";
import { composeMessage } from "./compose-message.ts";
import { type DeliveryOutcome, decideDelivery } from "./decide-delivery.ts";
import type { DeliveriesDeps } from "./deps.ts";
import { GAP_MS } from "./pace.ts";

/** What is left then is taken up again by the job `due-deliveries`. */
const LONGEST_RUN_MS = 10 * 60_000;
const Payload = z.object({ channelId: Id });

/**
 * Sends what is due through one channel, one message after the other.
 *
 * A channel has one worker, because its job is the only one of its key, and there are as many
 * workers as channels: one that is slow or dead holds up its own messages alone. A job is no record
 * of what is to be sent: that is the row of each delivery. So a job may be lost, or not be sent
 * because one works already; `due-deliveries` sends another within 20 s.
 */
export function deliverJob(deps: DeliveriesDeps): Job {
  return {
    name: DELIVER_JOB,
    workers: MAX_CHANNELS,
    // A job that is due at once wakes them. This is for those that waited, and for other replicas.
    pollSeconds: 10,
    heartbeatRefreshSeconds: 3,
    options: {
      policy: "exclusive",
      retryLimit: 3,
      retryDelay: 1,
      heartbeatSeconds: 15,
      expireInSeconds: 15 * 60,
      retentionSeconds: 3_600,
      deleteAfterSeconds: 3_600,
    },
    async handle(payload, { signal }) {
      const { channelId } = Payload.parse(payload);
      await deliverDue({ ...deps, em: deps.em.fork() }, channelId, signal);
    },
  };
}

async function deliverDue(
  deps: DeliveriesDeps,
  channelId: string,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = deps;
  const until = clock.monotonic() + LONGEST_RUN_MS;
  while (clock.monotonic() < until) {
    signal.throwIfAborted();
    const claim = await claimDelivery(deps, channelId);
    if (claim.kind === "nothing") return;

    if (claim.kind === "full") {
      await clock.sleep(claim.seconds * 1000, signal);
    } else {
      await deliver(deps, claim.delivery, signal);
      await clock.sleep(GAP_MS, signal);
    }
  }
}

async function deliver(
  deps: DeliveriesDeps,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { id, channelId, type, attempts, setup } = delivery;
  const started = performance.now();
  const outcome = await tryToSend(deps, delivery, signal);
  const status = await decideDelivery(deps, delivery, outcome);

  const ms = Math.round(performance.now() - started);
  const line = { delivery: id, channelId, type, attempts, status, ms };
  deps.metrics.deliveries.inc({ type: setup.type, outcome: outcome.kind });
  if (outcome.kind === "sent") deps.log.info(line, "message sent");
  else deps.log.warn({ ...line, reason: outcome.error }, "message not sent");
}

/** Read at the last moment: what the recipient may not know any more is not sent. */
async function tryToSend(
  deps: DeliveriesDeps,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  try {
    const composed = await composeMessage(deps, delivery);
    if (composed.kind === "nothing") return { kind: "skipped", error: composed.reason };

    const { message, recipient } = composed;
    const outcome = await sendMessage({ ...deps, signal }, delivery.setup, message, recipient);
    if (outcome.kind === "refused" && outcome.isBug) {
      deps.log.error({ delivery: delivery.id, reason: outcome.error }, "a channel found a bug");
    }
    return outcome;
  } catch (error) {
    // What a stop has cut off is sent again, with the same id.
    signal.throwIfAborted();
    deps.log.error({ err: error, delivery: delivery.id }, "unhandled error in a delivery");
    return { kind: "retry", error: "服务器内部错误" };
  }
}
