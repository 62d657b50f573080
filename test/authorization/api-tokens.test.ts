import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "../../src/server/app-router.ts";
import {
  type ListedProcedure,
  listProcedures,
} from "../../src/server/platform/http/rest/routes.ts";
import type { Role } from "../../src/shared/roles.ts";
import { makeToken, OTHER_ADDRESS } from "../harness/api-tokens.ts";
import { type Account, startTestServer, TestApp } from "../harness/app.ts";
import { connect } from "../harness/raw-client.ts";
import { assertOk, restClient } from "../harness/rest.ts";
import { callRest } from "../harness/transports.ts";
import type { Live } from "./callers.ts";
import { TABLE } from "./table.ts";

// Every call of the router that needs a caller, with every kind of credential, for a user of each
// role. Whoever is let in sends an input that is refused, so that nothing is changed and each answer
// says how far the call came.

const ROLES: readonly (readonly [role: Role, column: Live])[] = [
  ["super_admin", "superAdmin"],
  ["admin", "admin"],
  ["client", "client"],
];
const CREDENTIALS = [
  "session",
  "read token",
  "full token",
  "expired token",
  "revoked token",
  "token for another address",
] as const;
type Credential = (typeof CREDENTIALS)[number];

const DEAD: readonly Credential[] = ["expired token", "revoked token", "token for another address"];
const REFUSALS = ["UNAUTHENTICATED", "FORBIDDEN", "TOKEN_SCOPE"];
const LET_IN = "let in";
const REFUSED_INPUT = { unknownField: "x" };
const CALLS_AT_ONCE = 20;

const BatchAnswers = z.array(
  z.object({ error: z.object({ data: z.object({ code: z.string() }) }).optional() }),
);

type Outcome = readonly [path: string, outcome: string];

const procedures = listProcedures(appRouter).filter(({ meta }) => meta.policy !== "public");

describe("API tokens", () => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  const app = new TestApp();
  const tokens = new Map<string, string | null>();

  beforeAll(async () => {
    server = await startTestServer({});
    await app.open(server);
    for (const [role] of ROLES) {
      const credentials = await makeCredentials(await app.account(role));
      for (const credential of CREDENTIALS) {
        tokens.set(`${role} ${credential}`, credentials[credential]);
      }
    }
  });
  afterAll(() => server[Symbol.asyncDispose]());

  for (const [role, column] of ROLES) {
    for (const credential of CREDENTIALS) {
      const expected = procedures.map(
        (procedure): Outcome => [procedure.path, expectedOutcome(procedure, column, credential)],
      );

      it(`${role}, ${credential}: every call over REST, tRPC and WebSocket`, async () => {
        const token = tokens.get(`${role} ${credential}`) ?? null;

        expect(await overRest(token)).toEqual(withoutStream(expected));
        expect(await inBatches(token)).toEqual(withoutStream(expected));
        expect(await overSocket(token)).toEqual(expected);
      });
    }
  }

  async function makeCredentials(owner: Account) {
    const { url, database } = app;
    const expired = await makeToken(url, owner);
    await database.query("update api_tokens set expires_at = 1 where id = $1", [expired.id]);
    const revoked = await makeToken(url, owner);
    await assertOk(owner.delete(`/api/auth/tokens/${revoked.id}`));
    const elsewhere = await makeToken(url, owner, { allowedAddresses: [OTHER_ADDRESS] });
    return {
      session: owner.token,
      "read token": (await makeToken(url, owner, { scope: "read" })).token,
      "full token": (await makeToken(url, owner)).token,
      "expired token": expired.token,
      "revoked token": revoked.token,
      "token for another address": elsewhere.token,
    } satisfies Record<Credential, string | null>;
  }

  async function overRest(token: string | null) {
    const outcomes: Outcome[] = [];
    for (const procedure of procedures) {
      if (procedure.type === "subscription") continue;
      const { code } = await callRest(app.url, { procedure, input: REFUSED_INPUT, token });
      outcomes.push([procedure.path, outcomeOf(code)]);
    }
    return outcomes;
  }

  /** Over tRPC, where a batch has queries or mutations. */
  async function inBatches(token: string | null) {
    const outcomes = new Map<string, string>();
    for (const type of ["query", "mutation"] as const) {
      const paths = procedures.filter((each) => each.type === type).map(({ path }) => path);
      for (let first = 0; first < paths.length; first += CALLS_AT_ONCE) {
        const called = paths.slice(first, first + CALLS_AT_ONCE);
        const codes = await callBatch(token, type, called);
        for (const [index, path] of called.entries()) {
          outcomes.set(path, outcomeOf(codes[index] ?? null));
        }
      }
    }
    return procedures.flatMap(({ path }): Outcome[] => {
      const outcome = outcomes.get(path);
      return outcome === undefined ? [] : [[path, outcome]];
    });
  }

  async function callBatch(
    token: string | null,
    type: "query" | "mutation",
    paths: readonly string[],
  ): Promise<(string | null)[]> {
    const client = restClient(app.url, token);
    const target = `/trpc/${paths.join()}?batch=1`;
    const inputs = Object.fromEntries(paths.map((_, index) => [index, REFUSED_INPUT]));
    const { body } =
      type === "query"
        ? await client.get(`${target}&input=${encodeURIComponent(JSON.stringify(inputs))}`)
        : await client.post(target, inputs);
    return BatchAnswers.parse(body).map(({ error }) => error?.data.code ?? null);
  }

  async function overSocket(token: string | null) {
    await using client = await connect(app.url, token);
    const calls = procedures.map(({ path, type }, index) => ({
      id: index,
      method: type,
      params: { path, input: REFUSED_INPUT },
    }));
    for (let first = 0; first < calls.length; first += CALLS_AT_ONCE) {
      client.send(calls.slice(first, first + CALLS_AT_ONCE));
    }

    const answerTo = (index: number) => client.messages.find(({ id }) => id === index);
    const isAnswered = () => procedures.every((_, index) => answerTo(index) !== undefined);
    const closed = client.closed.then(({ reason }) => reason);
    const answered = client.until(isAnswered).then(
      () => null,
      () => null,
    );
    const refusal = await Promise.race([closed, answered]);
    return procedures.map(({ path }, index): Outcome => {
      const code = refusal ?? answerTo(index)?.error?.data.code ?? null;
      return [path, outcomeOf(code)];
    });
  }
});

/** The order of the checks: credential, role, scope, input. */
function expectedOutcome(procedure: ListedProcedure, column: Live, credential: Credential): string {
  if (DEAD.includes(credential)) return "UNAUTHENTICATED";
  if (!mayCall(procedure, column)) return "FORBIDDEN";
  if (credential === "session") return LET_IN;
  if (isForSessionsOnly(procedure)) return "TOKEN_SCOPE";

  const isRead = procedure.type !== "mutation";
  return credential === "full token" || isRead ? LET_IN : "TOKEN_SCOPE";
}

function mayCall({ path }: ListedProcedure, column: Live): boolean {
  return TABLE.some(({ call, expected }) => call === path && expected[column] !== "FORBIDDEN");
}

/**
 * What no token may do, by the names of the calls, so that a new one of these is found. A call that
 * is refused here takes its base procedure from those for sessions (`platform/trpc/trpc.ts`).
 */
function isForSessionsOnly({ path, type }: ListedProcedure): boolean {
  if (path === "auth.me") return false;
  if (path.startsWith("auth.")) return true;
  if (/token|password|secondFactor|security/i.test(path)) return true;

  return /channel/i.test(path) && type === "mutation";
}

function outcomeOf(code: string | null): string {
  return code !== null && REFUSALS.includes(code) ? code : LET_IN;
}

function withoutStream(expected: readonly Outcome[]) {
  return expected.filter(([path]) => path !== "events.stream");
}
