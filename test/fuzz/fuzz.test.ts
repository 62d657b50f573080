import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { createLog } from "../../src/server/core/log.ts";
import { type RestProcedure, restProcedures } from "../../src/server/transport/rest/routes.ts";
import { ERROR_KINDS, ErrorBody } from "../../src/shared/errors.ts";
import { buildFixture, type Fixture } from "../authorization/fixture.ts";
import { TABLE } from "../authorization/table.ts";
import type { RestAnswer, RestClient } from "../harness/rest.ts";
import { badRequests, takeApart, type Wire, wire } from "./bad-requests.ts";
import type { Input } from "./bad-values.ts";

/** Bad inputs for each operation. */
const INPUTS = Number(process.env.FUZZ_INPUTS ?? 15);
/** The same inputs at every run unless set; part of the tests' names. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);

/** Bad input is never a success, a bug, or a matter of session, role or limits. */
const REFUSALS = ["INVALID_INPUT", "NOT_FOUND", "PAYLOAD_TOO_LARGE"];
/** Words of libraries, of the database and of our own files, none of which a caller has sent. */
const LEAK =
  /zod|postgres|\bsql\b|\bselect\b|\binsert\b|stack|\bat \S+:\d+|\/work\/|node_modules|\.[jt]s\b|Error\b|\[object|\b(expected|received|invalid|unexpected|undefined|unrecognized|required)\b/i;

const procedures = restProcedures(appRouter);
const logged: string[] = [];
let fixture: Fixture;

beforeAll(async () => {
  const destination = { write: (line: string) => void logged.push(line) };
  fixture = await buildFixture({ log: createLog({ level: "error", pretty: false, destination }) });
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(async () => {
  await fixture.restore();
  logged.length = 0;
});

describe(`bad input (seed ${SEED})`, { timeout: 60_000 + INPUTS * 120 }, () => {
  it.each(procedures.map((procedure) => ({ procedure, ...procedure.route })))(
    `is refused by $method $path (${INPUTS} requests) with the contract's failures and changes nothing`,
    async ({ procedure }) => {
      const { as, input } = await validCall(procedure);
      const before = await fixture.effects();
      const requests = fc.sample(badRequests(procedure, input), { numRuns: INPUTS, seed: SEED });
      await sendAll(as, requests, ({ body, status, headers, data }) => {
        expectRefusal(body, status);
        expect(headers.get("x-request-id")).toBe(data.requestId);
      });
      expect(await fixture.effects()).toEqual(before);
      expect(logged).toEqual([]);
      // The call that the bad requests were made from is a good one.
      expect([200, 201]).toContain((await send(as, wire(takeApart(procedure, input)))).status);
    },
  );
});

/** A call that succeeds as it is, by the super admin or by the client who may make it. */
async function validCall({ path }: RestProcedure): Promise<{ as: RestClient; input: Input }> {
  const row = TABLE.find(({ call }) => call === path);
  if (row === undefined) throw new Error(`${path} is not in the permission table`);
  const { operator } = row.expected;
  const actor = operator === "FORBIDDEN" || operator === "NOT_FOUND" ? "owner" : "operator";
  await row.prepare?.(fixture);
  return { as: fixture.people[actor], input: row.input?.(fixture, actor) ?? {} };
}

function send(as: RestClient, { method, path, body }: Wire): Promise<RestAnswer> {
  return as.raw(method, path, body === undefined ? {} : { body, headers: { "content-type": "application/json" } });
}

/** Sends every request, some at a time; a failed check reports what was sent. */
async function sendAll(as: RestClient, requests: readonly Wire[], check: (answer: RestAnswer) => void) {
  const waiting = requests.values();
  async function sendNext(): Promise<void> {
    for (const request of waiting) {
      const answer = await send(as, request);
      try {
        check(answer);
      } catch (cause) {
        const sent = JSON.stringify(request).slice(0, 1000);
        throw new Error(`${sent} answered ${answer.status} ${JSON.stringify(answer.body)}`, { cause });
      }
    }
  }
  await Promise.all(Array.from({ length: 16 }, sendNext));
}

/** Asserts a failure of the contract: a known code with its status, Chinese messages, nothing of libraries. */
function expectRefusal(body: unknown, status: number): void {
  const failure = ErrorBody.parse(body);
  expect(REFUSALS).toContain(failure.code);
  expect(status).toBe(ERROR_KINDS[failure.code].status);
  expect(failure.requestId).toMatch(/^[0-9a-f-]{36}$/);
  for (const { message } of [failure, ...(failure.errors ?? [])]) {
    expect(message).toMatch(/\p{Script=Han}/u);
    expect(message).not.toMatch(LEAK);
  }
}
