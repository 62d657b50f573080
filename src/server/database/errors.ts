import { DriverException } from "@mikro-orm/core";

/** "Read-only transaction": we never ask for one, so this is a database that takes no writes for now (failed over, full), or a stand-by. */
export const READ_ONLY = "25006";
/** SQLSTATE classes and codes that mean "the database is away, starting, stopping or full, or took us for frozen", not "the statement is wrong". */
const AWAY = /^(08|57P|53|58|F0|25P03|25006)/;
const NODE_NETWORK_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOENT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
const DRIVER_SENTENCES = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect$/,
  /^Query read timeout$/,
  /^Client has encountered a connection error/,
  /^Cannot use a pool after calling end/,
  /^timeout expired$/,
];
/** PostgreSQL's own words for a statement that ran into its time limit. */
const STATEMENT_TIMEOUT = "57014";

/** True when an error from the driver says that the database could not be reached or could not serve; such calls answer 503. */
export function isDatabaseAway(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = originOf(current), depth++) {
    const code = "code" in current && typeof current.code === "string" ? current.code : "";
    if (code === STATEMENT_TIMEOUT || AWAY.test(code) || NODE_NETWORK_CODES.has(code))
      return isFromDriver(error) || !("path" in current);
    if (DRIVER_SENTENCES.some((sentence) => sentence.test(current.message))) return true;
  }
  return false;
}

function isFromDriver(error: unknown): boolean {
  return error instanceof DriverException;
}

function originOf(error: Error): unknown {
  return error.cause ?? ("previous" in error ? error.previous : undefined);
}
