import { expect } from "vitest";
import type { ListedProcedure } from "../../src/server/transport/rest/routes.ts";
import { MISSING } from "../harness/data.ts";
import type { Dead } from "./actors.ts";
import { checkAnswer } from "./check-answer.ts";
import type { Expected, TableRow } from "./table.ts";
import { type Answer, type Call, callAlone, callRest, type TransportName, transportsOf } from "./transports.ts";
import type { Actor, World } from "./world.ts";

interface DeadCheck {
  readonly procedure: ListedProcedure;
  readonly row: TableRow;
  readonly dead: Dead;
}

export interface LiveCheck {
  readonly procedure: ListedProcedure;
  readonly row: TableRow;
  readonly actor: Actor;
  readonly expected: Expected;
}

/** The expected result in the title of a test. */
export function describeExpected(expected: Expected): string {
  if (expected === "ok") return "is allowed";
  if (expected === "FORBIDDEN") return "gets FORBIDDEN";
  if (expected === "NOT_FOUND") return "gets NOT_FOUND";
  if (typeof expected === "string") return `gets ${expected}`;
  if ("counts" in expected) return `counts ${expected.counts}`;
  return expected.sees.length === 0 ? "sees none" : `sees ${expected.sees.join(", ")}`;
}

/** Without a session every transport rejects the call, except public calls over HTTP. */
export async function checkDead(world: World, { procedure, row, dead }: DeadCheck): Promise<void> {
  const call = { procedure, input: row.input?.(world) ?? {}, token: world.deadTokens[dead] };
  for (const [transport, { code, otherCode }] of await callEveryTransport(world, call)) {
    const isAllowed = row.isPublic === true && transport !== "WebSocket";
    expect([transport, code]).toEqual([transport, isAllowed ? null : "UNAUTHENTICATED"]);
    if (otherCode !== undefined) expect([transport, otherCode]).toEqual([transport, "UNAUTHENTICATED"]);
  }
  if (row.isPublic) return await world.restore();
  if (dead === "nobody") await checkNonsense(world, call, "UNAUTHENTICATED");
  expect(await world.effects()).toEqual(world.untouched);
}

export async function checkLive(world: World, check: LiveCheck): Promise<void> {
  const { procedure, row, actor, expected } = check;
  const call = { procedure, input: row.input?.(world) ?? {}, token: world.people[actor].token };
  if (typeof expected === "string" && expected !== "ok") await checkRefusal(world, call, expected);
  else await checkSuccess(world, call, check);
  expect(await world.effects()).toEqual(world.untouched);
}

async function checkRefusal(world: World, call: Call, code: string): Promise<void> {
  const answers = await callEveryTransport(world, call);
  for (const [transport, answer] of answers) {
    expect([transport, answer.code]).toEqual([transport, code]);
    checkOtherCall(transport, call, answer);
  }
  if (code === "FORBIDDEN") await checkNonsense(world, call, code);
  if (code !== "NOT_FOUND") return;
  // An invisible row and a missing one must give identical answers.
  const missing = await callEveryTransport(world, { ...call, input: withMissingRow(call.input) });
  expect(new Map([...answers].map(([transport, { body }]) => [transport, body]))).toEqual(
    new Map([...missing].map(([transport, { body }]) => [transport, body])),
  );
}

async function checkSuccess(world: World, call: Call, check: LiveCheck): Promise<void> {
  for (const [transport, send] of transportsOf(call.procedure)) {
    await check.row.prepare?.(world);
    const answer = await send(world.app.url, call);
    expect([transport, answer.code], JSON.stringify(answer.body)).toEqual([transport, null]);
    if (!check.row.endsSession) checkOtherCall(transport, call, answer);
    checkAnswer(world, { ...check, call, body: answer.body });
    if (call.procedure.type !== "mutation") continue;
    await checkEffects(world, check);
    await world.restore();
  }
}

/** A successful mutation must have an effect, or the check for rejected calls would prove nothing. */
async function checkEffects(world: World, { row, actor }: LiveCheck): Promise<void> {
  const effects = await world.effects();
  expect(effects).not.toEqual(world.untouched);
  if (row.touches !== "own") return;
  const { id } = world.people[actor];
  const ofOthers = ({ users, sessions, ...rest }: typeof effects) => ({
    ...rest,
    users: users.filter((user) => user.id !== id),
    sessions: sessions.filter((session) => session.user_id !== id),
  });
  expect(ofOthers(effects)).toEqual(ofOthers(world.untouched));
}

/** The other call of the batch succeeds regardless. */
function checkOtherCall(transport: TransportName, { procedure }: Call, { otherCode }: Answer): void {
  if (otherCode === undefined) return;
  const isSamePassword = procedure.type === "mutation" && transport === "tRPC batch";
  expect([transport, otherCode]).toEqual([transport, isSamePassword ? "INVALID_INPUT" : null]);
}

/** Permissions are checked before the input. */
async function checkNonsense(world: World, call: Call, code: string): Promise<void> {
  const { input, procedure } = call;
  if (procedure.type === "subscription") return;
  const nonsense = { ...call, input: { ...(input.id === undefined ? {} : { id: "x" }), nonsense: "x" } };
  const { url } = world.app;
  expect([(await callRest(url, nonsense)).code, (await callAlone(url, nonsense)).code]).toEqual([code, code]);
}

async function callEveryTransport(world: World, call: Call): Promise<ReadonlyMap<TransportName, Answer>> {
  const answers = new Map<TransportName, Answer>();
  for (const [transport, send] of transportsOf(call.procedure)) answers.set(transport, await send(world.app.url, call));
  return answers;
}

function withMissingRow(input: Call["input"]): Call["input"] {
  return { ...input, [input.id === undefined ? "hostId" : "id"]: MISSING };
}
