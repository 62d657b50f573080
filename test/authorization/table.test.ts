import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { listProcedures, restProcedures } from "../../src/server/platform/http/rest/routes.ts";
import { HAS_CONCURRENT_SESSIONS } from "../harness/database.ts";
import { callAlone, procedureOf } from "../harness/transports.ts";
import { LIVE, WITHOUT_SESSION } from "./callers.ts";
import {
  checkRefusals,
  checkSuccess,
  checkWithoutSession,
  describeSuccess,
  isRefusal,
  type RefusalCheck,
} from "./check.ts";
import { buildFixture, type Fixture } from "./fixture.ts";
import { BEFORE_OWN_PASSWORD, TABLE } from "./table.ts";

const procedures = new Map(
  listProcedures(appRouter).map((procedure) => [procedure.path, procedure]),
);

describe("the permission table", () => {
  it("lists every procedure and no other", () => {
    const listed = [...new Set(TABLE.map(({ call }) => call))].sort();

    expect(listed, "the calls of test/authorization/table.ts").toEqual(
      [...procedures.keys()].sort(),
    );
  });

  it("every procedure declares a policy", () => {
    const undeclared = [...procedures].filter(([, { meta }]) => meta.policy === undefined);
    expect(undeclared.map(([name]) => name)).toEqual([]);
  });

  it("every procedure except the stream has a documented path", () => {
    const documented = restProcedures(appRouter).map(({ path }) => path);
    expect([...documented, "events.stream"].sort()).toEqual([...procedures.keys()].sort());
  });
});

/**
 * Whoever has no session or not the role is refused by the base procedure, by the same statements
 * whatever the call. So on a server one call stands for all, and the other tests are those of the
 * statements of each call.
 */
const EXAMPLE = "users.create";

function isRefusedAsEverywhere(call: string, code: unknown): boolean {
  const isByBase = code === "UNAUTHENTICATED" || code === "FORBIDDEN";
  return HAS_CONCURRENT_SESSIONS && isByBase && call !== EXAMPLE;
}

const NEWCOMER = ["newcomer", "a super admin who must change the password"] as const;

describe("permissions over every transport", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await buildFixture();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());
  // A failed test must not affect the next one.
  beforeEach(() => onTestFailed(() => fixture.restore()));

  for (const [turn, [call, procedure]] of [...procedures].entries()) {
    const rows = TABLE.filter((row) => row.call === call);

    for (const row of rows.slice(0, 1)) {
      const code = row.isPublic ? null : "UNAUTHENTICATED";
      if (isRefusedAsEverywhere(call, code)) continue;
      it(`${call}: whoever has no session ${code === null ? "is allowed" : `gets ${code}`}`, () =>
        checkWithoutSession(fixture, {
          procedure,
          row,
          turn,
          overAll: row.isPublic === true || call === EXAMPLE,
        }));
    }
    for (const row of rows) {
      const name = row.on === "" ? call : `${call}, ${row.on}`;
      const ofNewcomer = BEFORE_OWN_PASSWORD.includes(call) ? row.expected.superAdmin : "FORBIDDEN";
      const refusals: RefusalCheck[] = [];

      for (const [actor, who] of [...LIVE, NEWCOMER]) {
        const expected = actor === "newcomer" ? ofNewcomer : row.expected[actor];
        if (isRefusedAsEverywhere(call, expected)) continue;
        if (isRefusal(expected)) {
          refusals.push({ procedure, row, actor, who, expected });
          continue;
        }
        it(`${name}: ${who} ${describeSuccess(expected)}`, () =>
          checkSuccess(fixture, { procedure, row, actor, expected }));
      }

      if (refusals.length === 0) continue;
      it(`${name}: whoever may not do it is refused`, () => checkRefusals(fixture, refusals));
    }
  }

  it("events.stream is not served over plain HTTP, with or without a session", async () => {
    const procedure = procedureOf("events.stream");
    const code = async (token: string | null) =>
      (await callAlone(fixture.url, { procedure, input: {}, token })).code;

    for (const [actor] of LIVE) {
      expect(await code(fixture.people[actor].token)).toBe("NOT_FOUND");
    }
    for (const [caller] of WITHOUT_SESSION) {
      expect(await code(fixture.tokenWithoutSession(caller))).toBe("NOT_FOUND");
    }
  });
});
