import { DriverException } from "@mikro-orm/core";

/**
 * SQLSTATE classes and codes: connection, shutdown, resources, disk, idle transaction ended,
 * read-only, statement and lock timeout.
 */
const UNAVAILABLE_STATES = /^(08|57P|53|58|F0|25P03|25006|57014|55P03)/;
const NETWORK_CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOENT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const DRIVER_MESSAGES = new RegExp(
  "^(Connection terminated|Query read timeout$|timeout expired$|timeout exceeded when trying to connect$" +
    "|Client has encountered a connection error|Client was closed and is not queryable$" +
    "|Cannot use a pool after calling end)",
);

/** SQLSTATE of a write where only reading is allowed. */
const READ_ONLY = "25006";

/**
 * Whether an error says that the database cannot be reached or cannot serve now. Such calls answer
 * 503.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (isConnectionLost(error)) return true;

  for (let current = error; current instanceof Error; current = causeOf(current)) {
    if (UNAVAILABLE_STATES.test(codeOf(current))) return true;
  }
  return false;
}

/** Whether there was no answer, because the connection was lost or could not be made. */
export function isConnectionLost(error: unknown): boolean {
  const isFromDatabase = error instanceof DriverException;
  for (let current = error; current instanceof Error; current = causeOf(current)) {
    if (DRIVER_MESSAGES.test(current.message)) return true;
    // An error with a path is the file system's.
    if (NETWORK_CODES.test(codeOf(current))) return isFromDatabase || !("path" in current);
  }
  return false;
}

export function isReadOnly(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = causeOf(current)) {
    if (codeOf(current) === READ_ONLY) return true;
  }
  return false;
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

function causeOf(error: Error): unknown {
  return error.cause ?? ("previous" in error ? error.previous : undefined);
}
