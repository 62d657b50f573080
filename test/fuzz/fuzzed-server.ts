import { beforeEach, expect } from "vitest";
import { createLog } from "../../src/server/core/log.ts";
import { ERROR_KINDS, ErrorBody } from "../../src/shared/errors.ts";
import { type TestApp, useApp } from "../harness/app.ts";
import { fixedClock } from "../harness/fixed-clock.ts";
import type { RestAnswer, RestClient } from "../harness/rest.ts";
import type { Wire } from "./bad-requests.ts";

/** Bad inputs for each operation. */
export const INPUTS = Number(process.env.FUZZ_INPUTS ?? 15);
/** The same inputs at every run unless set; part of the tests' names. */
export const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
/** Timeout for one operation, in ms. */
export const FUZZ_LIMIT = 60_000 + INPUTS * 120;

/** Bad input is never a success, a bug, or a matter of session, role or limits. */
const REFUSALS = ["INVALID_INPUT", "NOT_FOUND", "METHOD_NOT_ALLOWED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];
/** Words of libraries, of the database and of our own files, none of which a caller has sent. */
const LEAK =
  /zod|postgres|\bsql\b|\bselect\b|\binsert\b|stack|\bat \S+:\d+|\/work\/|node_modules|\.[jt]s\b|Error\b|\[object|\b(expected|received|invalid|unexpected|undefined|unrecognized|required)\b/i;
const TABLES =
  "users sessions login_failures settings configs hosts assignments renewals sync_runs sync_partitions events";

/** A server with its error log. Its clock stands still, so that no call changes a time. */
export function useFuzzedServer(): { readonly app: TestApp; readonly logged: readonly string[] } {
  const logged: string[] = [];
  const destination = { write: (line: string) => void logged.push(line) };
  const log = createLog({ level: "error", pretty: false, destination });
  beforeEach(() => {
    logged.length = 0;
  });
  return { app: useApp({ overrides: { log, clock: fixedClock() } }), logged };
}

export async function send(as: RestClient, { method, path, headers, body }: Wire): Promise<RestAnswer> {
  return await as.raw(method, path, { headers, ...(body === undefined ? {} : { body }) });
}

/** Sends every request, some at a time; a failed check reports what was sent. */
export async function sendAll(
  as: RestClient,
  requests: readonly Wire[],
  check: (answer: RestAnswer) => void,
): Promise<void> {
  const waiting = requests.values();
  async function sendNext(): Promise<void> {
    for (const request of waiting) {
      const answer = await send(as, request);
      try {
        check(answer);
      } catch (cause) {
        const sent = JSON.stringify({ ...request, body: String(request.body).slice(0, 500) });
        throw new Error(`${sent} answered ${answer.status} ${JSON.stringify(answer.body)}`, { cause });
      }
    }
  }
  await Promise.all(Array.from({ length: 16 }, sendNext));
}

/** Asserts a failure of the contract: a known code with its status, Chinese messages, nothing of libraries. */
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

/** A digest of every table. */
export async function digests({ database }: Pick<TestApp, "database">): Promise<Record<string, unknown>> {
  const entries: [string, unknown][] = [];
  for (const table of TABLES.split(" ")) {
    const [row] = await database.query(
      `select md5(string_agg(t::text, '|' order by t::text)) as digest from ${table} t`,
    );
    entries.push([table, row?.digest]);
  }
  return Object.fromEntries(entries);
}
