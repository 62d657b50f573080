import pg from "pg";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

// Of every transaction in every test: after its events nothing follows but the commit. Whoever
// appends events makes all others wait until the commit, and may not wait for anybody meanwhile.

const BEGIN = /^\s*(begin|start transaction)\b/i;
const END = /^\s*(commit|rollback)\b/i;
const EVENTS = /\binsert into "?events\b/i;

const inTransaction = new WeakSet<object>();
const withEvents = new WeakSet<object>();
/** Statements that followed events. */
const late: string[] = [];
const { query } = pg.Client.prototype;

function watchedQuery(this: pg.Client, ...parameters: unknown[]): unknown {
  note(this, textOf(parameters[0]));
  return Reflect.apply(query, this, parameters);
}

function note(client: pg.Client, text: string): void {
  if (BEGIN.test(text)) inTransaction.add(client);

  if (END.test(text)) {
    inTransaction.delete(client);
    withEvents.delete(client);
  }

  if (withEvents.has(client)) late.push(text.trim());
  if (inTransaction.has(client) && EVENTS.test(text)) withEvents.add(client);
}

function textOf(statement: unknown): string {
  if (typeof statement === "string") return statement;
  const isObject = typeof statement === "object" && statement !== null;
  return isObject && "text" in statement ? String(statement.text) : "";
}

beforeAll(() => void Object.assign(pg.Client.prototype, { query: watchedQuery }));
afterAll(() => void Object.assign(pg.Client.prototype, { query }));
afterEach(() => {
  expect(late.splice(0), "statements after the events of their transaction").toEqual([]);
});
