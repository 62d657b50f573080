import { describe, expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "../../src/server/app-router.ts";
import { restProcedures } from "../../src/server/platform/http/rest/routes.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { fixedClock } from "../harness/clocks.ts";
import { now } from "../harness/data.ts";
import { inputFields, objectsOf } from "../harness/input-fields.ts";
import { callRest, procedureOf } from "../harness/transports.ts";
import { useWorld } from "../harness/world.ts";

// A batch repeats what one call does, and may forget one of its fields. So each field of each batch
// is given two values, which must not do the same, and where there is a call for one row, a batch of
// one must do what that does.

const clock = fixedClock(now());
const world = useWorld({ overrides: { clock } });

type Input = Readonly<Record<string, unknown>>;
/** Two ways to fill in a field, beside what the batch is called with. */
type TwoValues = readonly [Input, Input];

interface Batch {
  readonly name: string;
  readonly call: string;
  readonly caller?: "client";
  readonly input: () => Input;
  readonly fields: Readonly<Record<string, () => TwoValues>>;
  readonly single?: Single;
}

/** The call that does the same with one row. */
interface Single {
  readonly call: string;
  /** Its field for the row, and that of the batch for all rows. */
  readonly row: readonly [one: string, all: string];
  /** What only the batch has, so that it does the same. */
  readonly only?: Input;
  /** Fields that the batch lacks, each with the reason. */
  readonly without?: Readonly<Record<string, string>>;
}

const day = (days: number) => clock.now() + days * DAY_SECONDS;
const first = () => [world.host("first")];
const userId = (name: "client" | "stranger" | "foreigner") => world.account(name).id;

const BATCHES: readonly Batch[] = [
  {
    name: "hosts.batch, assigning",
    call: "hosts.batch",
    input: () => ({ operation: "assign", hostIds: first(), userId: userId("client"), days: 90 }),
    fields: {
      userId: () => [{ userId: userId("client") }, { userId: userId("foreigner") }],
      assignedAt: () => [{}, { assignedAt: day(-3) }],
      assignedExpireTime: () => [
        { days: undefined, assignedExpireTime: day(90) },
        { days: undefined, assignedExpireTime: day(91) },
      ],
      days: () => [{ days: 90 }, { days: 91 }],
      allowShorter: () => [{ days: 7 }, { days: 7, allowShorter: true }],
      remark: () => [{}, { remark: "合同 2026-18" }],
    },
    single: {
      call: "hosts.assign",
      row: ["hostId", "hostIds"],
      only: { allowShorter: true },
      without: { expectedExpireTime: "hosts end at different times" },
    },
  },
  {
    name: "hosts.batch, unassigning",
    call: "hosts.batch",
    input: () => ({ operation: "unassign", hostIds: first(), userId: userId("client") }),
    fields: { userId: () => [{ userId: userId("client") }, { userId: userId("stranger") }] },
    single: { call: "hosts.unassign", row: ["hostId", "hostIds"] },
  },
  {
    name: "hosts.batch, transferring",
    call: "hosts.batch",
    input: () => ({
      operation: "transfer",
      hostIds: first(),
      fromUserId: userId("client"),
      userId: userId("foreigner"),
    }),
    fields: {
      fromUserId: () => [{ fromUserId: userId("client") }, { fromUserId: userId("stranger") }],
      userId: () => [{ userId: userId("foreigner") }, { userId: userId("stranger") }],
      assignedExpireTime: () => [{}, { assignedExpireTime: day(91) }],
      days: () => [{}, { days: 91 }],
    },
  },
  {
    name: "hosts.batch, tagging",
    call: "hosts.batch",
    input: () => ({ operation: "tag", hostIds: first(), add: ["生产"] }),
    fields: {
      add: () => [{ add: ["生产"] }, { add: ["测试"] }],
      remove: () => [{}, { remove: ["首批"] }],
    },
  },
  {
    name: "hosts.confirmRemovals",
    call: "hosts.confirmRemovals",
    input: () => ({ all: true, configId: world.config("config") }),
    fields: {
      configId: () => [
        { configId: world.config("config") },
        { configId: world.config("otherConfig") },
      ],
    },
  },
  {
    name: "hosts.dismissRemovals",
    call: "hosts.dismissRemovals",
    input: () => ({ all: true, configId: world.config("config") }),
    fields: {
      configId: () => [
        { configId: world.config("config") },
        { configId: world.config("otherConfig") },
      ],
    },
  },
  {
    name: "renewals.createBatch",
    call: "renewals.createBatch",
    caller: "client",
    input: () => ({ hostIds: [world.host("third")], requestedDuration: 30 }),
    fields: {
      requestedDuration: () => [{ requestedDuration: 30 }, { requestedDuration: 31 }],
      untilDate: () => [
        { requestedDuration: undefined, untilDate: day(60) },
        { requestedDuration: undefined, untilDate: day(61) },
      ],
      remark: () => [{}, { remark: "请续到年底" }],
    },
    single: { call: "renewals.create", row: ["hostId", "hostIds"] },
  },
  {
    name: "renewals.processBatch",
    call: "renewals.processBatch",
    input: () => ({ ids: [world.renewal("first/client")], status: "approved" }),
    fields: {
      status: () => [{ status: "approved" }, { status: "completed" }],
      adminRemark: () => [{}, { adminRemark: "已核对" }],
      expectedStatus: () => [{ expectedStatus: "approved" }, { expectedStatus: "pending" }],
    },
    single: { call: "renewals.process", row: ["id", "ids"] },
  },
];

const PLACE = "BATCHES in test/api/batch-fields.test.ts";
/** The fields of every form of every call on several rows, beside those that say on which. */
const FORMS = restProcedures(appRouter)
  .filter(({ type, input }) => type === "mutation" && inputFields(input).some(isOfRows))
  .flatMap(({ path, input }) =>
    objectsOf(input).map(({ shape }) => ({
      path,
      fields: Object.keys(shape).filter((name) => !isOfRows(name) && !isFixed(shape[name])),
    })),
  )
  .filter(({ fields }) => fields.length > 0);

const FIELDS = BATCHES.flatMap((batch) =>
  Object.entries(batch.fields).map(([field, values]) => ({
    name: batch.name,
    field,
    batch,
    values,
  })),
);
const SINGLES = BATCHES.flatMap(({ single, ...batch }) =>
  single === undefined ? [] : [{ name: batch.name, batch, single }],
);
/** Those that both have. */
const COMMON_FIELDS = SINGLES.flatMap(({ single, ...each }) =>
  FIELDS.filter(
    ({ name, field }) => name === each.name && fieldsOf(single.call).includes(field),
  ).map(({ field, values }) => ({ ...each, single, field, values })),
);

it.each(FORMS)("two values are given to each of the fields of $path: $fields", (form) => {
  const tried = BATCHES.filter(({ call }) => call === form.path).map(({ fields }) =>
    Object.keys(fields).toSorted(),
  );

  expect(tried, PLACE).toContainEqual(form.fields.toSorted());
});

it.each(SINGLES)("$name has every field of $single.call, or a reason", ({ batch, single }) => {
  const { row, without = {} } = single;
  const known = [row[0], ...Object.keys(batch.fields), ...Object.keys(without)];

  const missing = fieldsOf(single.call).filter((field) => !known.includes(field));

  expect(missing, `add them to src/shared/batch.ts, or a reason to ${PLACE}`).toEqual([]);
});

describe("a batch", () => {
  it.each(FIELDS)("$name heeds its field $field", async ({ batch, values }) => {
    const [one, other] = values();

    const ofOne = await world.rowsAfter(() => send(batch, one));
    const ofOther = await world.rowsAfter(() => send(batch, other));

    expect(ofOther).not.toEqual(ofOne);
  });

  it.each(COMMON_FIELDS)(
    "$name does with $field what $single.call does",
    async ({ batch, single, values }) => {
      const [one, all] = single.row;
      const [, value] = values();
      const { operation: _, [all]: rows, ...input } = { ...batch.input(), ...value };
      const [row] = z.array(z.string()).parse(rows);

      const ofBatch = await world.rowsAfter(() => send(batch, { ...value, ...single.only }));
      const ofSingle = await world.rowsAfter(() =>
        call(single.call, batch.caller, { ...input, [one]: row }),
      );

      expect(ofBatch).toEqual(ofSingle);
    },
  );
});

async function send(batch: Batch, field: Input): Promise<void> {
  const body = await call(batch.call, batch.caller, { ...batch.input(), ...field });

  const { results } = z.object({ results: z.array(z.unknown()) }).parse(body);
  expect(results.length).toBeGreaterThan(0);
}

async function call(path: string, caller: Batch["caller"], input: Input): Promise<unknown> {
  const { app } = world;
  const { token } = caller === undefined ? app.root : world.account(caller);
  const { code, body } = await callRest(app.url, { procedure: procedureOf(path), input, token });

  expect([code, body]).toEqual([null, body]);
  return body;
}

function fieldsOf(path: string): string[] {
  return inputFields(procedureOf(path).input);
}

function isOfRows(field: string): boolean {
  return ["hostIds", "ids"].includes(field);
}

/** A field with one value says which form it is. */
function isFixed(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional) return isFixed(schema.unwrap());
  return schema instanceof z.ZodLiteral;
}
