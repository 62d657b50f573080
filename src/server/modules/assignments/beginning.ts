import { v7 as newId } from "uuid";
import type { NotifyDeps } from "../notice-records/deps.ts";

export const BEGIN_JOB = "begin-assignments";

interface Beginning {
  readonly userId: string;
  /** In Unix seconds, by the clock of the process. */
  readonly beginsAt: number;
}

/**
 * Enqueues the notice of an assignment that begins later, in the transaction that writes it. One
 * waiting job is enough for all assignments of a user that begin at the same moment.
 */
export async function awaitBeginning(
  { em, jobs }: NotifyDeps,
  { userId, beginsAt }: Beginning,
  at: number,
): Promise<void> {
  const payload = { userId, beginsAt: String(beginsAt), batchId: newId() };
  await jobs.send(em, BEGIN_JOB, payload, {
    singletonKey: `${userId}/${beginsAt}`,
    // Counted from now: the queue goes by the database's clock, and starts are of this one.
    startAfter: Math.max(1, beginsAt - at),
  });
}
