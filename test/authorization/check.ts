import { expect } from "vitest";
import type { ListedProcedure } from "../../src/server/rest/procedures.ts";
import { MISSING } from "../hosts/host-rows.ts";
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
export function inWords(expected: Expected): string {
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
  for (const [door, { code, beside }] of await overEveryDoor(world, call)) {
    const isLetIn = row.isPublic === true && door !== "WebSocket";
    expect([door, code]).toEqual([door, isLetIn ? null : "UNAUTHENTICATED"]);
    if (beside !== undefined) expect([door, beside]).toEqual([door, "UNAUTHENTICATED"]);
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
  const answers = await overEveryDoor(world, call);
  for (const [door, answer] of answers) {
    expect([door, answer.code]).toEqual([door, code]);
    checkBeside(door, call, answer);
  }
  if (code === "FORBIDDEN") await checkNonsense(world, call, code);
  if (code !== "NOT_FOUND") return;
  // An invisible row and a missing one must give identical answers.
  const missing = await overEveryDoor(world, { ...call, input: withMissingRow(call.input) });
  expect(new Map([...answers].map(([door, { said }]) => [door, said]))).toEqual(
    new Map([...missing].map(([door, { said }]) => [door, said])),
  );
}

async function checkSuccess(world: World, call: Call, check: LiveCheck): Promise<void> {
  for (const [door, send] of transportsOf(call.procedure)) {
    await check.row.prepare?.(world);
    const answer = await send(world.app.url, call);
    expect([door, answer.code], JSON.stringify(answer.said)).toEqual([door, null]);
    if (!check.row.endsSession) checkBeside(door, call, answer);
    checkAnswer(world, { ...check, call, said: answer.said });
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
function checkBeside(door: TransportName, { procedure }: Call, { beside }: Answer): void {
  if (beside === undefined) return;
  const isSamePassword = procedure.type === "mutation" && door === "tRPC batch";
  expect([door, beside]).toEqual([door, isSamePassword ? "INVALID_INPUT" : null]);
}

/** Permissions are checked before the input. */
async function checkNonsense(world: World, call: Call, code: string): Promise<void> {
  const { input, procedure } = call;
  if (procedure.type === "subscription") return;
  const nonsense = { ...call, input: { ...(input.id === undefined ? {} : { id: "x" }), nonsense: "x" } };
  const { url } = world.app;
  expect([(await callRest(url, nonsense)).code, (await callAlone(url, nonsense)).code]).toEqual([code, code]);
}

async function overEveryDoor(world: World, call: Call): Promise<ReadonlyMap<TransportName, Answer>> {
  const answers = new Map<TransportName, Answer>();
  for (const [door, send] of transportsOf(call.procedure)) answers.set(door, await send(world.app.url, call));
  return answers;
}

function withMissingRow(input: Call["input"]): Call["input"] {
  return { ...input, [input.id === undefined ? "hostId" : "id"]: MISSING };
}
