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
    "|Client has encountered a connection error|Cannot use a pool after calling end)",
);

/**
 * Whether an error says that the database cannot be reached or cannot serve now. Such calls answer
 * 503.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const isFromDatabase = error instanceof DriverException;
  for (let current = error; current instanceof Error; current = causeOf(current)) {
    const code = "code" in current && typeof current.code === "string" ? current.code : "";
    if (UNAVAILABLE_STATES.test(code) || DRIVER_MESSAGES.test(current.message)) return true;
    // An error with a path is the file system's.
    if (NETWORK_CODES.test(code)) return isFromDatabase || !("path" in current);
  }
  return false;
}

function causeOf(error: Error): unknown {
  return error.cause ?? ("previous" in error ? error.previous : undefined);
}
