import { expect } from "vitest";
import { z } from "zod";
import type { LiveCheck } from "./check.ts";
import { type Fixture, hiddenFrom } from "./fixture.ts";
import type { Call } from "./transports.ts";

interface Answered extends LiveCheck {
  readonly call: Call;
  readonly body: unknown;
}

const Identified = z.looseObject({ id: z.string() });
const Page = z.object({ pagination: z.object({ total: z.int() }) });

/** Checks rows, totals, and that nothing outside the caller's scope appears. */
export function checkAnswer(fixture: Fixture, { call, row, actor, expected, body }: Answered): void {
  const person = fixture.people[actor];
  if (row.returns !== undefined) expect(body).toMatchObject(row.returns(person));
  if (typeof expected === "string") {
    const one = Identified.safeParse(body);
    if (one.success && call.input.id !== undefined) expect(one.data.id).toBe(call.input.id);
  } else if ("counts" in expected) {
    expect(body).toMatchObject({ total: expected.counts });
  } else {
    checkRows(body, { ids: expected.lists.map(fixture.id), limit: Number(call.input.limit ?? expected.lists.length) });
  }
  if (row.isPublic) return;
  const text = JSON.stringify(body) ?? "";
  expect(hiddenFrom(fixture, actor).filter((mark) => text.includes(mark))).toEqual([]);
}

function checkRows(body: unknown, { ids, limit }: { readonly ids: readonly string[]; readonly limit: number }): void {
  const listed = rowsOf(body).map(({ id }) => id);
  expect(listed).toHaveLength(Math.min(limit, ids.length));
  expect(listed.filter((id) => !ids.includes(id))).toEqual([]);
  const page = Page.safeParse(body);
  if (page.success) expect(page.data.pagination.total).toBe(ids.length);
}

/** The rows of a bare list or of the only field that is a list. */
function rowsOf(body: unknown) {
  const list = Array.isArray(body) ? body : Object.values(z.looseObject({}).parse(body)).find(Array.isArray);
  return z.array(Identified).parse(list);
}
