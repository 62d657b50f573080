import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { type RestProcedure, restProcedures } from "../../src/server/platform/http/rest/routes.ts";
import { createLog } from "../../src/server/platform/log.ts";
import { ErrorBody } from "../../src/shared/errors.ts";
import { buildFixture, type Fixture } from "../authorization/fixture.ts";
import { TABLE } from "../authorization/table.ts";
import { apiContract } from "../harness/contract.ts";
import { type Call, callRest } from "../harness/transports.ts";
import { badInputs } from "./bad-inputs.ts";

/** Bad inputs for each operation. */
const INPUTS = Number(process.env.FUZZ_INPUTS ?? 15);
/** The same inputs at every run unless set; part of the tests' names. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);

/** Bad input is never a success, a bug, or a matter of session, role or limits. */
const REFUSALS = ["INVALID_INPUT", "NOT_FOUND", "PAYLOAD_TOO_LARGE"];
/** Words of libraries, of the database and of our own files, none of which a caller has sent. */
const LEAK =
  /zod|postgres|\bsql\b|\bselect\b|\binsert\b|stack|\bat \S+:\d+|\/work\/|node_modules|\.[jt]s\b|Error\b|\[object|\b(expected|received|invalid|unexpected|undefined|unrecognized|required)\b/i;

const CALLS = restProcedures(appRouter).map((procedure) => ({ procedure, ...procedure.route }));
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
  it.each(CALLS)(
    `is refused by $method $path (${INPUTS} inputs) and changes nothing`,
    async ({ procedure }) => {
      const valid = await validCall(procedure);
      const before = await fixture.effects();
      for (const input of fc.sample(badInputs(procedure, valid.input), {
        numRuns: INPUTS,
        seed: SEED,
      })) {
        const { body } = await callRest(fixture.url, { ...valid, input });
        expect.soft(() => expectRefusal(body), JSON.stringify(input).slice(0, 1_000)).not.toThrow();
      }

      expect(await fixture.effects()).toEqual(before);
      expect(logged).toEqual([]);
      // The call that the bad inputs were made from is a good one.
      expect((await callRest(fixture.url, valid)).code).toBeNull();
    },
  );

  // No schema says what is in a file.
  const described = CALLS.filter(({ procedure }) => procedure.meta.body === undefined);
  it.each(described)(
    `is refused by the document of $method $path as well`,
    async ({ procedure }) => {
      const { input: valid } = await validCall(procedure);
      const samples = fc.sample(badInputs(procedure, valid), { numRuns: INPUTS, seed: SEED });
      // A schema has no words for what cannot be stored as text.
      const inputs = samples.filter((input) => !UNSTORABLE.test(JSON.stringify(input)));

      const taken = inputs.filter((input) => !apiContract().refusesInput(procedure.path, input));

      expect(taken).toEqual([]);
    },
  );
});

/** A zero byte or half of a surrogate pair, as JSON writes them. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/** A call that succeeds as it is, by the super admin or by the client who may make it. */
async function validCall(procedure: RestProcedure): Promise<Call> {
  const row = TABLE.find(({ call }) => call === procedure.path);
  if (row === undefined) throw new Error(`${procedure.path} is not in the permission table`);
  const { superAdmin } = row.expected;
  const actor = superAdmin === "FORBIDDEN" || superAdmin === "NOT_FOUND" ? "client" : "superAdmin";
  await row.prepare?.(fixture);
  return { procedure, input: row.input(fixture, actor), token: fixture.people[actor].token };
}

/** Asserts a failure of the contract: a known code, Chinese messages, nothing of libraries. */
function expectRefusal(body: unknown): void {
  const failure = ErrorBody.parse(body);
  expect(REFUSALS).toContain(failure.code);
  for (const { message } of [failure, ...(failure.errors ?? [])]) {
    expect(message).toMatch(/\p{Script=Han}/u);
    expect(message).not.toMatch(LEAK);
  }
}
