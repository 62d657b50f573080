import type { SqlEntityManager } from "@mikro-orm/postgresql";

type Action = () => void;

/** By transaction, so that every EntityManager that works in it adds to the same ones. */
const notedActions = new WeakMap<object, Action[]>();

/**
 * Runs the action once the transaction is committed, and never if it is rolled back. Inside
 * `inTransaction`; for what cannot be rolled back, such as a line of the log.
 */
export function afterCommit(em: SqlEntityManager, action: Action): void {
  const transaction = em.getTransactionContext();
  if (transaction === undefined) throw new Error("there is no transaction to be committed");

  const noted = notedActions.get(transaction) ?? [];
  noted.push(action);
  notedActions.set(transaction, noted);
}

/** Only for `inTransaction`, just after the commit. */
export function runAfterCommit(transaction: object): void {
  for (const action of notedActions.get(transaction) ?? []) action();
}
