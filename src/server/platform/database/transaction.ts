import type { EntityManager } from "@mikro-orm/postgresql";
import type { Deps } from "../deps.ts";
import { writeAppendedEvents } from "../events/append.ts";
import { runAfterCommit } from "./after-commit.ts";
import { isReadOnly } from "./errors.ts";

const MAX_ATTEMPTS = 4;
/** SQLSTATE of deadlock and serialization failure. */
export const RETRIED_STATES = ["40P01", "40001"];

export type TransactionDeps = Pick<Deps, "em" | "bus" | "transactionTurns">;

/** Why a transaction is run once more. */
export interface RetriedError extends Error {
  readonly code: string;
}

/**
 * Runs one change in one transaction, and writes the events that it appends as the last statement.
 * After the commit readers of events and workers of the jobs that it sent are told on the bus. A deadlock restarts `change`: it may await and change only its own `em`. That of a job waits for
 * its turn among those of all jobs.
 */
export async function inTransaction<Result>(
  { em, bus, transactionTurns = atOnce }: TransactionDeps,
  change: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      const result = await transactionTurns(() => runOnce(em, change));
      bus.emit("events.appended");
      return result;
    } catch (error) {
      if (isReadOnly(error)) bus.emit("database.read-only");
      if (!isRetried(error) || attempts >= MAX_ATTEMPTS) throw error;
      bus.emit("transaction.retried", error);
    }
  }
}

/** A read outside of a transaction. That of a job takes one of the turns of their transactions. */
export async function inTurn<Result>(
  { em, transactionTurns = atOnce }: Pick<Deps, "em" | "transactionTurns">,
  read: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  return await transactionTurns(() => read(em.fork()));
}

function atOnce<Result>(work: () => Promise<Result>): Promise<Result> {
  return work();
}

function isRetried(error: unknown): error is RetriedError {
  return error instanceof Error && "code" in error && RETRIED_STATES.includes(String(error.code));
}

/**
 * MikroORM's own `transactional` loses a pool connection that dies inside it; Kysely's releases it.
 */
async function runOnce<Result>(
  em: EntityManager,
  change: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  const transaction = em.fork().getKysely().transaction();
  const { value, context } = await transaction.execute(async (context) => {
    const inside = em.fork();
    inside.setTransactionContext(context);
    const value = await change(inside);
    await inside.flush();
    await writeAppendedEvents(inside);
    return { value, context };
  });

  runAfterCommit(context);
  return value;
}
