import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { answering, startReceiver } from "../harness/receiver.ts";
import { useDeliveries } from "./fixture.ts";

const MINUTE = 60;
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const receiver = await startReceiver();
afterAll(() => receiver[Symbol.asyncDispose]());
const world = useDeliveries([receiver.origin]);
const { clock } = world;

let root: string;
beforeEach(async () => {
  receiver.reset();
  root = await world.user("super_admin", { name: "管理员" });
});

const url = `${receiver.origin}/hook`;
const webhook = () => world.channel({ type: "webhook", config: { url, secret: SECRET } });
const wecom = () => world.channel({ type: "wecom", config: { url } });
const idsSent = () => receiver.calls.map(({ headers }) => headers["webhook-id"]);

describe("a message that cannot be delivered", () => {
  it("is tried again with growing waits for a day, with one id", async () => {
    receiver.reset(answering(500));
    const channel = await webhook();
    await world.notify({ userId: root });
    const waits: number[] = [];

    for (let attempts = 1; attempts < 40; attempts++) {
      const before = receiver.calls.length;
      await world.deliver(channel);
      const [delivery] = await world.deliveries();
      expect(receiver.calls.length).toBe(before + 1);
      if (delivery?.status !== "queued") break;

      expect(delivery).toMatchObject({ attempts, error: expect.stringContaining("HTTP 500") });
      const wait = Number(delivery.next_attempt_at) - Number(delivery.last_attempt_at);
      waits.push(Math.round(wait / MINUTE));
      clock.forward(wait);
    }

    expect(waits.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(waits.reduce((sum, wait) => sum + wait)).toBeGreaterThan(22 * MINUTE);
    expect(await world.deliveries()).toMatchObject([{ status: "failed", next_attempt_at: null }]);
    expect(new Set(idsSent()).size).toBe(1);
  });

  it("is delivered once the other side is there again", async () => {
    receiver.reset(answering(503));
    const channel = await webhook();
    await world.notify({ userId: root });
    await world.deliver(channel);
    receiver.reset(answering(204));

    clock.forward(MINUTE);
    await world.deliver(channel);

    expect(await world.deliveries()).toMatchObject([{ status: "sent", attempts: 2, error: null }]);
  });

  it("is not tried again where the other side is gone for good", async () => {
    receiver.reset(answering(410));
    const channel = await webhook();
    await world.notify({ userId: root });

    await world.deliver(channel);
    clock.forward(DAY_SECONDS);
    await world.deliver(channel);

    expect(await world.deliveries()).toMatchObject([{ status: "failed", attempts: 1 }]);
    expect(receiver.calls).toHaveLength(1);
  });

  it("is given up after a day in which nothing ran, before new ones are sent", async () => {
    const channel = await webhook();
    await world.notify({ userId: root });
    clock.forward(DAY_SECONDS + MINUTE);
    await world.notify({ userId: root });

    await world.deliver(channel);

    expect(await world.deliveries()).toMatchObject([
      { status: "failed", attempts: 0, error: "超过 24 小时没有发送", next_attempt_at: null },
      { status: "sent" },
    ]);
    expect(receiver.calls).toHaveLength(1);
  });

  it("is sent again with the same id after a crash while it was under way", async () => {
    const stop = new AbortController();
    receiver.reset(() => stop.abort(new Error("stopped")));
    const channel = await webhook();
    await world.notify({ userId: root });
    await expect(world.deliver(channel, stop.signal)).rejects.toThrow("stopped");
    const first = idsSent();
    receiver.reset(answering(200));

    clock.forward(MINUTE);
    await world.deliver(channel);

    expect(await world.deliveries()).toMatchObject([{ status: "sent", attempts: 2 }]);
    expect(idsSent()).toEqual(first);
  });
});

describe("a channel", () => {
  it("sends each message once, those that waited longest first", async () => {
    const channel = await webhook();
    for (let count = 0; count < 3; count++) await world.notify({ userId: root });

    await world.deliver(channel);
    await world.deliver(channel);

    const ids = (await world.deliveries()).map(({ id }) => id);
    expect(idsSent()).toEqual(ids);
  });

  it("gets one message for each type of a batch", async () => {
    const types = ["assignment.ended", "assignment.given"] as const;
    const channel = await world.channel(
      { type: "webhook", config: { url, secret: SECRET } },
      { types },
    );
    const other = await world.user("client");
    const notices = types.flatMap((type) => [
      { userId: root, type },
      { userId: other, type },
    ]);
    await world.notify(...notices);

    await world.deliver(channel);

    const sent = receiver.calls.map(({ body }) => JSON.parse(body).type);
    expect(sent.toSorted()).toEqual(types);
  });

  it("sends a robot 20 messages a minute and loses none", async () => {
    receiver.reset(answering(200, { errcode: 0 }));
    const channel = await wecom();
    for (let count = 0; count < 45; count++) await world.notify({ userId: root });

    await world.deliver(channel);

    const sent = await world.query(
      "select last_attempt_at as at from notice_deliveries where status = 'sent' order by 1",
    );
    const times = sent.map(({ at }) => Number(at));
    expect(times).toHaveLength(45);
    const inMinute = times.map((at) => times.filter((t) => t > at - MINUTE && t <= at).length);
    expect(Math.max(...inMinute)).toBe(20);
  });

  it("waits as long as the other side asks, and its messages wait with it", async () => {
    receiver.reset(answering(429, undefined, { "retry-after": "300" }));
    const channel = await webhook();
    await world.notify({ userId: root });
    await world.notify({ userId: root });
    await world.deliver(channel);
    expect(receiver.calls).toHaveLength(1);
    receiver.reset(answering(200));

    clock.forward(298);
    await world.deliver(channel);
    expect(receiver.calls).toHaveLength(0);

    clock.forward(2);
    await world.deliver(channel);
    expect(await world.deliveries()).toMatchObject([{ status: "sent" }, { status: "sent" }]);
  });

  it("that is refused itself loses one message, and the others wait", async () => {
    receiver.reset(answering(200, { errcode: 93000 }));
    const channel = await wecom();
    await world.notify({ userId: root });
    await world.notify({ userId: root });

    await world.deliver(channel);
    clock.forward(59 * MINUTE);
    await world.deliver(channel);

    expect(receiver.calls).toHaveLength(1);
    expect(await world.deliveries()).toMatchObject([{ status: "failed" }, { status: "queued" }]);
  });

  it.each([
    ["switched off", "update notice_channels set is_active = false", "渠道已停用"],
    ["deleted", "delete from notice_channels", "渠道已删除"],
  ])("that is %s sends nothing that waits", async (_what, statement, error) => {
    const channel = await webhook();
    await world.notify({ userId: root });
    await world.query(statement);

    await world.deliver(channel);

    expect(await world.deliveries()).toMatchObject([{ status: "skipped", attempts: 0, error }]);
    expect(receiver.calls).toHaveLength(0);
  });

  it("sends only the types that are chosen, and a batch once", async () => {
    await webhook();
    const other = await world.user("super_admin");

    await world.notify({ userId: root }, { userId: other });
    await world.notify({ userId: root, type: "host.expired" });

    expect(await world.deliveries()).toHaveLength(1);
  });

  it("keeps sending although a clock was ahead", async () => {
    const channel = await webhook();
    clock.forward(365 * DAY_SECONDS);
    receiver.reset(answering(429));
    await world.notify({ userId: root });
    await world.deliver(channel);
    receiver.reset(answering(200));

    clock.rewind();
    await world.deliver(channel);

    expect(await world.deliveries()).toMatchObject([{ status: "sent" }]);
  });
});

it("a delivery that another worker has claimed since is not decided", async () => {
  receiver.reset(async (response) => {
    await world.query("update notice_deliveries set attempts = attempts + 1");
    response.end();
  });
  const channel = await webhook();
  await world.notify({ userId: root });

  await world.deliver(channel);

  expect(await world.deliveries()).toMatchObject([{ status: "queued", attempts: 2 }]);
});
