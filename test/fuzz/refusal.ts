import { expect } from "vitest";
import { ERROR_KINDS, ErrorBody } from "../../src/shared/errors.ts";
import type { TestApp } from "../harness/app.ts";

/** What bad input may be called: never a success, never a bug, never a matter of session, role, or too many tries. */
const REFUSALS = ["INVALID_INPUT", "NOT_FOUND", "METHOD_NOT_ALLOWED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];
/** Words of libraries, of the database and of our own files, none of which a caller has sent. */
const LEAK =
  /zod|postgres|\bsql\b|\bselect\b|\binsert\b|stack|\bat \S+:\d+|\/work\/|node_modules|\.[jt]s\b|Error\b|\[object|\b(expected|received|invalid|unexpected|undefined|unrecognized|required)\b/i;

/** Holds when this is the contract's failure: our code with its status, a Chinese sentence, nothing from below. */
export function expectRefusal(body: unknown, status: number): void {
  const failure = ErrorBody.parse(body);
  expect(REFUSALS).toContain(failure.code);
  expect(status).toBe(ERROR_KINDS[failure.code].status);
  expect(failure.requestId).toMatch(/^[0-9a-f-]{36}$/);
  for (const { message } of [failure, ...(failure.errors ?? [])]) {
    expect(message).toMatch(/\p{Script=Han}/u);
    expect(message).not.toMatch(LEAK);
  }
}

const TABLES = [
  "users",
  "sessions",
  "login_failures",
  "settings",
  "configs",
  "hosts",
  "assignments",
  "renewals",
  "sync_runs",
  "sync_partitions",
  "events",
];

/** A fingerprint of every row of every domain. */
export async function fingerprints({ database }: Pick<TestApp, "database">): Promise<Record<string, unknown>> {
  const entries: [string, unknown][] = [];
  for (const table of TABLES) {
    const [row] = await database.query(
      `select md5(string_agg(t::text, '|' order by t::text)) as print from ${table} t`,
    );
    entries.push([table, row?.print]);
  }
  return Object.fromEntries(entries);
}

/** All of them, some at a time. */
export async function sixteenAtATime<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
}
