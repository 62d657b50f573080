import { describe, expect, it } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import type { Fault } from "../../src/simulator/faults.ts";
import { assertOk } from "../harness/rest.ts";
import { useSync } from "./sync-fixture.ts";

const { app, clock, sync } = useSync({ hosts: 2, regions: ["hk"] });

const balanceOf = async (configId: string) =>
  (await assertOk(app.root.get("/api/hosts/configs/list"))).data.find(
    ({ id }: { readonly id: string }) => id === configId,
  ).balance;

const answer = (set: Record<string, unknown>): Fault => ({
  kind: "patchBody",
  set,
  drop: ["AccountInfo", "Amount", "AmountAvailable"].filter((name) => !(name in set)),
});

/** What the events carry; who receives them is proved by event-recipients.test.ts. */
const configEvents = async () => {
  const rows = await app.database.query(
    "select payload from events where type = 'config.changed' order by id",
  );
  return rows.map(({ payload }) => payload);
};

describe("the balance of an account", () => {
  it.each<[string, Record<string, unknown>, available: number]>([
    ["flat numbers", { Amount: 9.5, AmountAvailable: 0.29 }, 0.29],
    ["flat texts", { Amount: "9.50", AmountAvailable: "8" }, 8],
    ["an object of texts", { AccountInfo: { Amount: "9.5", AmountAvailable: "-0.10" } }, -0.1],
    ["an object of numbers", { AccountInfo: { Amount: 9.5, AmountAvailable: -3 } }, -3],
    ["more than two decimals", { Amount: "9.495", AmountAvailable: "1.005" }, 1.01],
  ])("is read from %s", async (_form, set, available) => {
    const configId = await app.config();
    app.simulator.control.addFaults({ action: "GetBalance", fault: answer(set) });

    const run = await sync(configId);

    expect(run.status).toBe("succeeded");
    expect(await balanceOf(configId)).toEqual({
      ...{ available, amount: 9.5, currency: "CNY" },
      ...{ at: expect.any(Number), isLow: false },
    });
    expect(app.simulator.control.calls().byAction.GetBalance).toBe(1);
  });

  it.each<[string, Fault]>([
    ["the key may not read it", { kind: "retCode", retCode: 299 }],
    ["the call fails", { kind: "http", status: 503 }],
    ["the answer has none", answer({})],
    ["the amount is no number", answer({ Amount: "1", AmountAvailable: "viel" })],
  ])("stays with its time when %s, and the run succeeds", async (_why, fault) => {
    const configId = await app.config();
    await sync(configId);
    const before = await balanceOf(configId);
    clock.forward(60);
    app.simulator.control.addFaults({ action: "GetBalance", fault });

    const run = await sync(configId);

    expect(run).toMatchObject({ status: "succeeded", errors: [] });
    expect(before).toMatchObject({ available: 12_345.67, amount: 13_000.5 });
    expect(await balanceOf(configId)).toEqual(before);
  });

  it("is read anew after one that a clock that was ahead has dated", async () => {
    const configId = await app.config();
    clock.forward(DAY_SECONDS);
    await sync(configId);
    clock.rewind();
    app.simulator.control.setBalance({ available: 5, amount: 5 });

    await sync(configId);

    const { available, at } = await balanceOf(configId);
    expect(available).toBe(5);
    expect(at).toBeLessThanOrEqual(clock.now());
  });

  it("is read also with a run that fails", async () => {
    const configId = await app.config();
    const fault = { kind: "retCode", retCode: 150 } as const;
    app.simulator.control.addFaults({ action: "DescribeUHostInstance", fault });

    const run = await sync(configId);

    expect(run.status).not.toBe("succeeded");
    expect(await balanceOf(configId)).toMatchObject({ available: 12_345.67 });
  });

  it("tells when it becomes low and when it is high again, and nothing between", async () => {
    const configId = await app.config();
    await assertOk(app.root.put(`/api/hosts/configs/${configId}`, { balanceAlert: 100.3 }));
    const before = (await configEvents()).length;
    const seen: unknown[] = [];

    for (const available of [100.3, 100.29, 3, -0.01, 100.3, 200]) {
      app.simulator.control.setBalance({ available, amount: available });
      await sync(configId);
      clock.forward(60);
      const events = (await configEvents()).slice(before);
      seen.push([(await balanceOf(configId)).isLow, events]);
    }

    const told = { configId };
    expect(seen).toEqual([
      [false, []],
      [true, [told]],
      [true, [told]],
      [true, [told]],
      [false, [told, told]],
      [false, [told, told]],
    ]);
  });

  // In floating point 1.1 * 3 is more than 3.3, and 8.2 - 0.2 is less than 8.
  it.each([
    ["3.3000000000000003", 3.3],
    ["7.999999999999999", 8],
    ["7.995", 8],
  ])("of %s is not below an alert of %d", async (text, balanceAlert) => {
    const configId = await app.config({ balanceAlert });
    const set = { Amount: text, AmountAvailable: text };
    app.simulator.control.addFaults({ action: "GetBalance", fault: answer(set) });

    await sync(configId);

    expect(await balanceOf(configId)).toMatchObject({ available: balanceAlert, isLow: false });
  });

  it("has an alert that is changed, switched off, and kept when it is not named", async () => {
    const configId = await app.config({ balanceAlert: 0.1 });
    const change = async (body: object) =>
      (await assertOk(app.root.put(`/api/hosts/configs/${configId}`, body))).data.balanceAlert;

    expect(await change({ name: "改名" })).toBe(0.1);
    expect(await change({ balanceAlert: 1_000_000_000 })).toBe(1_000_000_000);
    expect(await change({ balanceAlert: null })).toBeNull();
  });
});
