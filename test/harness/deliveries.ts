import type { Delivery } from "../../src/server/platform/jobs/job.ts";
import type { JobQueue } from "../../src/server/platform/jobs/queue.ts";

const NO_QUEUE: JobQueue = {
  send() {
    throw new Error("this job sends no other");
  },
  raisePriority() {
    throw new Error("this job sends no other");
  },
};

/** What a job gets that is handled for the first time. */
export function firstDelivery(jobs: JobQueue = NO_QUEUE): Delivery {
  return { isRedelivery: false, signal: new AbortController().signal, jobs };
}
