import fc from "fast-check";
import { expect, it } from "vitest";
import { createConsoleClient } from "../../src/sdk/index.ts";
import { appRouter } from "../../src/server/app-router.ts";
import { listProcedures } from "../../src/server/platform/http/rest/routes.ts";
import { type Account, useApp, useTeam } from "../harness/app.ts";
import { assign, insertHosts, requestRenewal, unassign } from "../harness/data.ts";
import { follow } from "../harness/raw-client.ts";
import { assertOk } from "../harness/rest.ts";
import { within } from "../harness/time-limits.ts";
import { transportsOf } from "../harness/transports.ts";

/** Multiplies the number of runs. */
const MORE_RUNS = Number(process.env.PROPERTY_RUNS ?? 1);
const RUNS = 2 * MORE_RUNS;
const app = useApp();
const team = useTeam(app);

/** Marks every note and every tag, so that what a person receives can be searched for them. */
const NOTE = "q7z-note";
const TAG = "q7z-tag";
const HOSTS = 3;
const QUERIES = listProcedures(appRouter).filter(({ type }) => type === "query");

const host = fc.nat({ max: HOSTS - 1 });
const holder = fc.constantFrom("client", "otherClient");
const person = fc.constantFrom("admin", "client", "otherClient");
const tags = fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 4 });
const number = fc.nat({ max: 99 });
const act = fc.oneof(
  fc.record({ kind: fc.constant("assign"), host, holder }),
  fc.record({ kind: fc.constant("unassign"), host, holder }),
  fc.record({ kind: fc.constant("annotate"), host, tags, number }),
  fc.record({ kind: fc.constant("tag"), host, tags }),
  fc.record({ kind: fc.constant("noteUser"), person, number }),
);
type Act = ReturnType<typeof act.generate>["value"];

/** So that there is something to receive. */
const FIRST_ACTS: readonly Act[] = [
  { kind: "annotate", host: 0, tags: [1], number: 1 },
  { kind: "noteUser", person: "client", number: 1 },
];

const tagsNamed = (numbers: readonly number[]) => numbers.map((each) => `${TAG}-${each}`);

async function perform(each: Act, hostIds: readonly string[]): Promise<void> {
  const { root } = app;
  const hostId = "host" in each ? (hostIds[each.host] ?? "") : "";
  if ("person" in each) {
    const { id } = team[each.person];
    await assertOk(root.put(`/api/users/${id}`, { note: `${NOTE}-${each.number}` }));
  } else if ("holder" in each) {
    const { id } = team[each.holder];
    // One that is not assigned cannot be taken back.
    if (each.kind === "assign") await assign(app, hostId, id);
    else await unassign(app, hostId, id);
  } else if ("number" in each) {
    const annotations = { tags: tagsNamed(each.tags), note: `${NOTE}-${each.number}` };
    await assertOk(root.put(`/api/hosts/${hostId}/annotations`, annotations));
  } else {
    const body = { operation: "tag", hostIds: [hostId], add: [...tagsNamed(each.tags), TAG] };
    await assertOk(root.post("/api/hosts/batch", body));
  }
}

/** Everything that the caller can read by any call and transport, and with the SDK. */
async function readEverything({ token }: Account, ids: readonly string[]): Promise<string> {
  const read: unknown[] = [];
  for (const procedure of QUERIES) {
    const inputs = [{}, ...ids.map((id) => ({ id }))];
    for (const input of inputs.filter((each) => procedure.input.safeParse(each).success)) {
      for (const [, send] of transportsOf(procedure)) {
        read.push(await send(app.url, { procedure, input, token }));
      }
    }
  }

  const sdk = createConsoleClient({ url: app.url, token });
  read.push(await sdk.api.hosts.list.query());
  await sdk.close();
  return JSON.stringify(read);
}

it(
  "whatever is annotated, no admin or client ever receives a note, and no client a tag",
  async () => {
    const property = fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      const hostIds = await insertHosts(app, Array(HOSTS).fill({}));
      const people = [team.admin, team.otherAdmin, team.client, team.otherClient];
      await using streams = new AsyncDisposableStack();
      const opened = people.map(({ token }) => follow(app.url, token));
      const followers = (await Promise.all(opened)).map((each) => streams.use(each));
      const [first = ""] = hostIds;
      await assign(app, first, team.client.id);
      await requestRenewal(team.client, first);

      for (const each of [...FIRST_ACTS, ...acts]) await perform(each, hostIds);
      const ids = [...hostIds.slice(0, 1), team.client.id];
      const { data } = await assertOk(app.root.get("/api/hosts"));
      expect(JSON.stringify(data)).toMatch(/q7z-note.*q7z-tag|q7z-tag.*q7z-note/);

      for (const [index, each] of people.entries()) {
        const isAdmin = index < 2;
        const received = await readEverything(each, ids);
        const events = followers[index]?.events ?? [];
        expect(received).not.toContain(NOTE);
        expect(JSON.stringify(events)).not.toMatch(/q7z/);
        if (isAdmin) continue;

        expect(received).not.toContain(TAG);
        const types = events.map(({ event }) => event.type);
        expect(types).not.toContain("annotations.changed");
      }

      await expectStoredOnlyInTheirPlaces();
      await app.database.query("delete from renewals");
    });

    await fc.assert(property, { numRuns: RUNS });
  },
  within(120_000),
);

/** What others read is made of these tables: of what is not in them nothing can be told. */
async function expectStoredOnlyInTheirPlaces(): Promise<void> {
  for (const table of ["notices", "notice_deliveries", "host_acts", "host_changes", "events"]) {
    const found = await app.database.query(
      `select from ${table} as stored where stored::text like '%q7z-%'`,
    );
    expect([table, found.length]).toEqual([table, 0]);
  }
}
