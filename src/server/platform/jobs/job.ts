import type { Queue } from "pg-boss";
import type { JobQueue } from "./queue.ts";

export interface Job {
  readonly name: string;
  /** The schedule in UTC; minutes are the finest step. */
  readonly cron?: string;
  /** Seconds after each time of the schedule at which it runs again, for finer steps. */
  readonly repeatAfterSeconds?: readonly number[];
  /** Seconds between two reads of the queue, 0.5 or more. */
  readonly pollSeconds: number;
  /** How many of these jobs a process handles at once; 1 by default. */
  readonly workers?: number;
  /** How many of these workers take only jobs with a priority above 0; none by default. */
  readonly keptWorkers?: number;
  readonly heartbeatRefreshSeconds?: number;
  /** How the queue keeps and redelivers these jobs; without them a failed job is not retried. */
  readonly options?: Omit<Queue, "name">;
  /** May run more than once for the same payload, on any replica. */
  handle(payload: unknown, delivery: Delivery): Promise<void>;
}

export interface Delivery {
  /** An earlier worker of this job was lost or failed. */
  readonly isRedelivery: boolean;
  /** Aborted when this process stops or the job was given to another worker. */
  readonly signal: AbortSignal;
  /** The queue that delivered it, for jobs that send others. */
  readonly jobs: JobQueue;
}
