import { expect } from "vitest";
import { z } from "zod";
import type { ListedProcedure } from "../../src/server/platform/http/rest/routes.ts";
import { MISSING } from "../harness/data.ts";
import { rowsOf } from "../harness/snapshot.ts";
import {
  type Answer,
  answeringTransportsOf,
  type Call,
  callAlone,
  callRest,
  transportsOf,
} from "../harness/transports.ts";
import { WITHOUT_SESSION } from "./callers.ts";
import { forbiddenFields } from "./client-fields.ts";
import { type Actor, type Fixture, hiddenFrom } from "./fixture.ts";
import type { Row } from "./rows.ts";
import type { Expected, Refusal, TableRow } from "./table.ts";

interface Check {
  readonly procedure: ListedProcedure;
  readonly row: TableRow;
}

interface SessionCheck extends Check {
  /** Of the call among all calls. */
  readonly turn: number;
  readonly overAll: boolean;
}

interface LiveCheck extends Check {
  readonly actor: Actor;
  readonly expected: Expected;
}

export interface RefusalCheck extends LiveCheck {
  /** The caller in a failure. */
  readonly who: string;
  readonly expected: Refusal;
}

/** Those who are refused are in one test; the others each have their own. */
export function isRefusal(expected: Expected): expected is Refusal {
  return typeof expected === "string" && expected !== "ok";
}

/** The expected success in the title of a test. */
export function describeSuccess(expected: Exclude<Expected, Refusal>): string {
  if (expected === "ok") return "is allowed";
  if ("counts" in expected) return `counts ${expected.counts}`;
  return expected.lists.length === 0 ? "sees none" : `sees ${expected.lists.join(", ")}`;
}

/**
 * Without a session every transport rejects the call, except public calls over HTTP. All ways to
 * have none are tried in one test: to look at every table after each of them takes longer than the
 * calls. Sessions are looked up before the call is, so each way is tried over one transport, and
 * over another one for the next call; `overAll` tries each over all of them.
 */
export async function checkWithoutSession(
  fixture: Fixture,
  { procedure, row, turn, overAll }: SessionCheck,
): Promise<void> {
  const call = { procedure, input: row.input(fixture) };
  const transports = transportsOf(procedure);
  for (const [index, [caller, who]] of WITHOUT_SESSION.entries()) {
    const token = fixture.tokenWithoutSession(caller);
    const chosen = (index + turn) % transports.length;
    const tried = overAll ? transports : transports.slice(chosen, chosen + 1);
    for (const [transport, send] of tried) {
      if (row.isPublic) await row.prepare?.(fixture);
      const { code } = await send(fixture.url, { ...call, token });
      const isAllowed = row.isPublic === true && transport !== "WebSocket";
      const expected = isAllowed ? null : "UNAUTHENTICATED";
      expect([who, transport, code]).toEqual([who, transport, expected]);
    }
    if (row.isPublic) await fixture.restore();
  }
  if (row.isPublic) return;

  const refusal = { who: "a caller without a token", code: "UNAUTHENTICATED" };
  await checkInvalidInput(fixture, { ...call, token: null }, refusal);
  expect(await fixture.effects()).toEqual(fixture.untouched);
}

/** All who are refused, in one test, as those without a session are. */
export async function checkRefusals(
  fixture: Fixture,
  checks: readonly RefusalCheck[],
): Promise<void> {
  for (const check of checks) await checkRefusal(fixture, check);

  const refused = checks.map(({ who }) => who).join(", ");
  expect(await fixture.effects(), `effects of ${refused}`).toEqual(fixture.untouched);
}

async function checkRefusal(fixture: Fixture, check: RefusalCheck): Promise<void> {
  const { who, expected: code } = check;
  const call = callOf(fixture, check);
  const answers = await callEveryTransport(fixture, call);
  for (const [transport, answer] of Object.entries(answers)) {
    expect([who, transport, answer.code]).toEqual([who, transport, code]);
  }
  if (code === "FORBIDDEN") {
    await checkInvalidInput(fixture, call, { who, code });
    expect(await denialsOf(fixture, call), `denials of ${who}`).toHaveLength(1);
  }
  if (code !== "NOT_FOUND") return;
  // An invisible row and a missing one must give identical answers.
  const input = { ...call.input, [call.input.id === undefined ? "hostId" : "id"]: MISSING };
  expect(answers, who).toEqual(await callEveryTransport(fixture, { ...call, input }));
}

function callOf(fixture: Fixture, { procedure, row, actor }: LiveCheck): Call {
  return { procedure, input: row.input(fixture, actor), token: fixture.people[actor].token };
}

/** One entry, however often and by whichever transport the same caller was refused. */
async function denialsOf({ app }: Fixture, { procedure, token }: Call): Promise<unknown[]> {
  return await app.database.query(
    `select e.outcome
     from audit_entries e
     join sessions s on s.user_id = e.actor_id
     where e.action = $1 and e.outcome = 'denied' and s.token_hash = sha256(convert_to($2, 'UTF8'))`,
    [procedure.path, token],
  );
}

export async function checkSuccess(fixture: Fixture, check: LiveCheck): Promise<void> {
  const call = callOf(fixture, check);
  for (const [transport, send] of answeringTransportsOf(call.procedure)) {
    await check.row.prepare?.(fixture);
    const answer = await send(fixture.url, call);
    expect([transport, answer.code], JSON.stringify(answer.body)).toEqual([transport, null]);
    checkAnswer(fixture, check, { call, body: answer.body });
    if (call.procedure.type !== "mutation") continue;
    await checkEffects(fixture, check);
    await fixture.restore();
  }
  if (call.procedure.type === "mutation") return;

  expect(await fixture.effects()).toEqual(fixture.untouched);
}

/**
 * A successful mutation must have an effect, or the check for rejected calls would prove nothing.
 */
async function checkEffects(fixture: Fixture, { row, actor }: LiveCheck): Promise<void> {
  const effects = await fixture.effects();
  expect(effects).not.toEqual(fixture.untouched);
  if (row.touches !== "own") return;
  const { id } = fixture.people[actor];
  // A user who had to change the password publishes that: events-of-mutations.test.ts looks at
  // events.
  const ofOthers = ({ tables, newestEvent: _, ...more }: typeof effects) => ({
    ...more,
    tables: {
      ...tables,
      users: rowsOf({ tables }, "users").filter((user) => user.id !== id),
      sessions: rowsOf({ tables }, "sessions").filter((session) => session.user_id !== id),
      notices: rowsOf({ tables }, "notices").filter((notice) => notice.user_id !== id),
      api_tokens: rowsOf({ tables }, "api_tokens").filter((token) => token.user_id !== id),
    },
  });
  expect(ofOthers(effects)).toEqual(ofOthers(fixture.untouched));
}

/** Permissions are checked before the input. */
async function checkInvalidInput(
  fixture: Fixture,
  call: Call,
  { who, code }: { readonly who: string; readonly code: string },
): Promise<void> {
  if (call.procedure.type === "subscription") return;

  const wrongId = call.input.id === undefined ? {} : { id: "x" };
  const invalid = { ...call, input: { ...wrongId, unknownField: "x" } };
  const overRest = await callRest(fixture.url, invalid);
  const overTrpc = await callAlone(fixture.url, invalid);

  expect([who, overRest.code, overTrpc.code]).toEqual([who, code, code]);
}

async function callEveryTransport(
  fixture: Fixture,
  call: Call,
): Promise<Readonly<Record<string, Answer>>> {
  const answers: Record<string, Answer> = {};
  for (const [transport, send] of transportsOf(call.procedure)) {
    answers[transport] = await send(fixture.url, call);
  }
  return answers;
}

const CLIENTS: readonly Actor[] = ["client", "sibling", "otherClient"];

const Identified = z.looseObject({ id: z.string() });
const Page = z.object({ pagination: z.object({ total: z.int() }) });

/** Checks rows, totals, a client's fields, and that nothing outside the caller's scope appears. */
function checkAnswer(
  fixture: Fixture,
  { row, actor, expected }: LiveCheck,
  { call, body }: { readonly call: Call; readonly body: unknown },
): void {
  const person = fixture.people[actor];
  if (row.returns !== undefined) expect(body).toMatchObject(row.returns(person));
  if (typeof expected === "string") {
    const one = Identified.safeParse(body);
    if (one.success && call.input.id !== undefined) expect(one.data.id).toBe(call.input.id);
  } else if ("counts" in expected) {
    expect(body).toMatchObject({ total: expected.counts });
  } else if (call.procedure.meta.answer === "csv") {
    checkFile(body, expected.lists.map(fixture.row));
  } else {
    checkRows(body, {
      ids: expected.lists.map(fixture.id),
      limit: Number(call.input.limit ?? expected.lists.length),
    });
  }
  if (CLIENTS.includes(actor)) {
    const where = `fields of ${row.call} that test/authorization/client-fields.ts does not list`;
    expect(forbiddenFields(row.call, body), where).toEqual([]);
  }
  if (row.isPublic) return;
  const text = JSON.stringify(body) ?? "";
  expect(hiddenFrom(fixture, actor).filter((marker) => text.includes(marker))).toEqual([]);
}

function checkRows(
  body: unknown,
  { ids, limit }: { readonly ids: readonly string[]; readonly limit: number },
): void {
  const listed = listedRows(body).map(({ id }) => id);
  expect(listed).toHaveLength(Math.min(limit, ids.length));
  expect(listed.filter((id) => !ids.includes(id))).toEqual([]);
  const page = Page.safeParse(body);
  if (page.success) expect(page.data.pagination.total).toBe(ids.length);
}

/** A file has no ids: a row is known by the texts that are its own. */
function checkFile(body: unknown, rows: readonly Row[]): void {
  const records = z
    .array(z.unknown())
    .parse(body)
    .map((record) => JSON.stringify(record));
  const unlisted = rows.filter(({ markers }) =>
    records.every((record) => !markers.some((marker) => record.includes(marker))),
  );

  expect(unlisted).toEqual([]);
  expect(records).toHaveLength(rows.length);
}

/** The rows of a bare list or of the only field that is a list. */
function listedRows(body: unknown) {
  const list = Array.isArray(body)
    ? body
    : Object.values(z.looseObject({}).parse(body)).find(Array.isArray);
  return z.array(Identified).parse(list);
}
