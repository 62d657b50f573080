import { expect, it } from "vitest";
import { START } from "../harness/clocks.ts";
import { useSync } from "./sync-fixture.ts";

const HOUR = 3_600;
const CHARGE_TYPES = ["Month", "Year", "Dynamic", "Postpay", "Preemptive", "Trial"];

const { app, clock, sync } = useSync({ hosts: 200, now: START });

it("two syncs two hours apart write no row, no history and no event of what stayed", async () => {
  const { control } = app.simulator;
  const { query } = app.database;
  const records = () => control.hosts().map(({ id }) => control.host(id));
  const configId = await app.config();
  await sync(configId);
  const rows = () => query("select ucloud_id, xmin, ctid from hosts order by ucloud_id");
  const before = await rows();
  const recordsBefore = records();
  const [last] = await query("select max(id) as id from events");

  clock.forward(2 * HOUR);
  control.setTime(START + 2 * HOUR);
  const run = await sync(configId);

  const types = new Set(recordsBefore.map((record) => record?.ChargeType));
  expect([...types].toSorted()).toEqual(CHARGE_TYPES.toSorted());
  expect(records(), "the ends of hours have moved").not.toEqual(recordsBefore);
  expect(run).toMatchObject({ status: "succeeded", created: 0, updated: 0, unchanged: 200 });
  expect(await rows()).toEqual(before);
  const history = await query("select kind, count(*)::int as n from host_changes group by kind");
  expect(history).toEqual([{ kind: "created", n: 200 }]);
  const events = await query("select distinct type from events where id > $1", [last?.id]);
  expect(events.map(({ type }) => type)).not.toContain("hosts.changed");
});
