import { isConnectionLost } from "../../platform/database/errors.ts";

/** A call that has waited in vain for the database does not wait for it a second time. */
export function goOnUnlessLost(error: unknown): void {
  if (isConnectionLost(error)) throw error;
}
