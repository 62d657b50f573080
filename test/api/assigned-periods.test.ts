import { beforeEach, describe, expect, it } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import { decide, insertHost, MISSING, now, requestRenewal } from "../harness/data.ts";

/** At the present: the database's defaults for times use its own clock. */
const clock = fixedClock(now());
const app = useApp({ overrides: { clock }, config: { session: { ttl: 9e9, idle: 9e9 } } });
const HOUR = 3600;
const DAYS_MESSAGE = "分配天数必须在1-365天之间";
let client: Account;
let hostId: string;

beforeEach(async () => {
  clock.rewind();
  client = await app.account("client");
  hostId = await insertHost(app);
});

function assign(period: Record<string, unknown>) {
  return app.root.post("/api/hosts/assign", { hostId, userId: client.id, ...period });
}

/** Of the host's only user. */
async function periodOf(id = hostId) {
  const { data } = await app.root.get(`/api/hosts/${id}`);
  const [{ assignedAt, assignedExpireTime }] = data.users;
  return { assignedAt, assignedExpireTime };
}

function refusal(field: string, message: string) {
  return { status: 400, data: { code: "INVALID_INPUT", message, errors: [{ field, message }] } };
}

describe("an assignment by days", () => {
  it("begins now and ends that many days later by the server's clock", async () => {
    const answer = await assign({ days: 30 });

    expect(answer.status).toBe(200);
    const assignedExpireTime = clock.now() + 30 * DAY_SECONDS;
    expect(answer.data.users).toMatchObject([{ assignedAt: clock.now(), assignedExpireTime }]);
  });

  it("counts the days from a start that is given", async () => {
    const assignedAt = clock.now() - 10 * DAY_SECONDS - 5 * HOUR;

    await assign({ assignedAt, days: 90 });

    expect(await periodOf()).toEqual({
      assignedAt,
      assignedExpireTime: assignedAt + 90 * DAY_SECONDS,
    });
  });

  it("of a present assignment counts from now and keeps its start", async () => {
    await assign({ days: 30 });
    const assignedAt = clock.now();
    clock.forward(7 * DAY_SECONDS + 3 * HOUR);

    await assign({ days: 60 });

    expect(await periodOf()).toEqual({
      assignedAt,
      assignedExpireTime: clock.now() + 60 * DAY_SECONDS,
    });
  });

  it.each([
    ["0", { days: 0 }, "days", DAYS_MESSAGE],
    ["366", { days: 366 }, "days", DAYS_MESSAGE],
    ["1.5", { days: 1.5 }, "days", "分配天数必须是整数"],
    ["a text", { days: "30" }, "days", "分配天数必须是整数"],
    ["an end as well", { days: 30, assignedExpireTime: now() + 9e6 }, "assignedExpireTime", null],
    ["neither days nor end", {}, "assignedExpireTime", null],
    [
      "a start in the year 9999",
      { days: 30, assignedAt: 253_402_300_000 },
      "assignedAt",
      "分配开始时间太晚",
    ],
  ])("with %s is refused", async (_, period, field, message) => {
    const answer = await assign(period);

    expect(answer).toMatchObject(
      refusal(field, message ?? "分配到期时间与分配天数必须且只能填写一个"),
    );
    expect((await app.root.get(`/api/hosts/${hostId}`)).data.users).toEqual([]);
  });

  it("that would end before its stored start asks for a new start", async () => {
    const assignedAt = clock.now() + 40 * DAY_SECONDS + HOUR;
    await assign({ assignedAt, days: 30 });

    const refused = await assign({ days: 30 });
    const moved = await assign({ assignedAt: clock.now(), days: 30 });

    const message = "到期时间必须至少在原来的开始时间 1 天之后，请填写新的开始时间";
    expect(refused).toMatchObject(refusal("days", message));
    expect(moved.status).toBe(200);
  });

  it("is refused for admins and clients", async () => {
    const admin = await app.account("admin");
    const single = { hostId, userId: client.id, days: 30 };
    const batch = {
      operation: "assign",
      hostIds: [hostId],
      userId: client.id,
      days: 30,
      allowShorter: true,
    };

    for (const account of [admin, client]) {
      expect((await account.post("/api/hosts/assign", single)).status).toBe(403);
      expect((await account.post("/api/hosts/batch", batch)).status).toBe(403);
    }
    expect((await app.anonymous.post("/api/hosts/assign", single)).status).toBe(401);
  });
});

describe("the end of an assignment", () => {
  it("without a start keeps the stored start", async () => {
    await assign({ days: 30 });
    const assignedAt = clock.now();
    clock.forward(5 * HOUR);
    const assignedExpireTime = clock.now() + 20 * DAY_SECONDS;

    await assign({ assignedExpireTime });

    expect(await periodOf()).toEqual({ assignedAt, assignedExpireTime });
  });

  it("may lie 365 days after now however long ago the start was", async () => {
    const assignedAt = clock.now() - 200 * DAY_SECONDS - HOUR;
    const latest = clock.now() + 365 * DAY_SECONDS;

    const accepted = await assign({ assignedAt, assignedExpireTime: latest });
    const refused = await assign({ assignedAt, assignedExpireTime: latest + 1 });

    expect(accepted.status).toBe(200);
    expect(refused).toMatchObject(refusal("assignedExpireTime", DAYS_MESSAGE));
  });

  it("may lie 365 days after a start in the future", async () => {
    const assignedAt = clock.now() + 100 * DAY_SECONDS + HOUR;
    const latest = assignedAt + 365 * DAY_SECONDS;

    const refused = await assign({ assignedAt, assignedExpireTime: latest + 1 });
    const accepted = await assign({ assignedAt, assignedExpireTime: latest });

    expect(refused).toMatchObject(refusal("assignedExpireTime", DAYS_MESSAGE));
    expect(accepted.status).toBe(200);
  });

  it("lies at least a day after its start", async () => {
    const assignedAt = clock.now() - 3 * HOUR;

    const refused = await assign({ assignedAt, assignedExpireTime: assignedAt + DAY_SECONDS - 1 });
    const accepted = await assign({ assignedAt, assignedExpireTime: assignedAt + DAY_SECONDS });

    expect(refused).toMatchObject(refusal("assignedExpireTime", DAYS_MESSAGE));
    expect(accepted.status).toBe(200);
  });
});

describe("the end of an assignment that is there already", () => {
  it("lies at least a day after its stored start, to the second", async () => {
    const assignedAt = clock.now() - 3 * HOUR;
    const earliest = assignedAt + DAY_SECONDS;
    await assign({ assignedAt, days: 30 });

    const refused = await assign({ assignedExpireTime: earliest - 1 });
    const accepted = await assign({ assignedExpireTime: earliest });

    expect(refused).toMatchObject(refusal("assignedExpireTime", DAYS_MESSAGE));
    expect(accepted.status).toBe(200);
  });
});

describe("a batch assignment", () => {
  const batch = (hostIds: readonly string[], period: Record<string, unknown>) =>
    app.root.post("/api/hosts/batch", {
      operation: "assign",
      hostIds,
      userId: client.id,
      ...period,
    });

  /** Assigned for 35 days and renewed by 300. */
  async function renewedHost(): Promise<string> {
    const id = await insertHost(app);
    await app.root.post("/api/hosts/assign", { hostId: id, userId: client.id, days: 35 });
    await decide(app, await requestRenewal(client, id, 300), "completed");
    clock.forward(2 * HOUR);
    return id;
  }

  it("leaves a renewed host that would end sooner as it is and assigns the others", async () => {
    const renewed = await renewedHost();
    const before = await periodOf(renewed);

    const { status, data } = await batch([renewed, hostId], { days: 31 });

    const message = expect.stringContaining("未作改动；如确需缩短");
    const refused = { hostId: renewed, ok: false, code: "STATE_CONFLICT", message };
    expect([status, data.results]).toEqual([200, [refused, { hostId, ok: true }]]);
    expect(await periodOf(renewed)).toEqual(before);
  });

  it("names both ends of a host that would end sooner, as days of Shanghai", async () => {
    const start = Date.parse("2027-01-01T00:30:00+08:00") / 1000;
    const assignedExpireTime = Date.parse("2027-12-01T00:30:00+08:00") / 1000;
    await assign({ assignedAt: start, assignedExpireTime });

    const { data } = await batch([hostId], {
      assignedAt: start,
      assignedExpireTime: assignedExpireTime - HOUR,
    });

    expect(data.results[0].message).toContain("有效期到 2027-12-01，晚于这次的 2027-11-30");
  });

  it("shortens with allowShorter and never without", async () => {
    const renewed = await renewedHost();
    const assignedExpireTime = clock.now() + 31 * DAY_SECONDS;

    const refused = await batch([renewed], { assignedExpireTime, allowShorter: false });
    const accepted = await batch([renewed], { assignedExpireTime, allowShorter: true });

    expect(refused.data.results).toMatchObject([{ ok: false, code: "STATE_CONFLICT" }]);
    expect(accepted.data.results).toEqual([{ hostId: renewed, ok: true }]);
    expect(await periodOf(renewed)).toMatchObject({ assignedExpireTime });
  });

  it("with the present end changes a host, and its remark", async () => {
    const renewed = await renewedHost();
    const { assignedExpireTime } = await periodOf(renewed);

    const { data } = await batch([renewed], { assignedExpireTime, remark: "已续费" });

    expect(data.results).toEqual([{ hostId: renewed, ok: true }]);
  });

  it("leaves the assignments of other clients as they are", async () => {
    const renewed = await renewedHost();
    const before = await periodOf(renewed);
    const other = await app.account("client");

    const { data } = await batch([renewed], { days: 31, userId: other.id });

    expect(data.results).toEqual([{ hostId: renewed, ok: true }]);
    const users = (await app.root.get(`/api/hosts/${renewed}`)).data.users;
    expect(users).toContainEqual(expect.objectContaining({ id: client.id, ...before }));
  });

  it("decides each host on its own where a stored end allows what the days do not", async () => {
    await assign({ days: 300 });
    await decide(app, await requestRenewal(client, hostId, 300), "completed");
    const { assignedExpireTime } = await periodOf();
    const other = await insertHost(app);

    const { status, data } = await batch([other, hostId, MISSING], { assignedExpireTime });

    const refused = { ok: false, code: "INVALID_INPUT", message: DAYS_MESSAGE };
    expect(status).toBe(200);
    expect(data.results).toEqual([
      { hostId: other, ...refused },
      { hostId, ok: true },
      { hostId: MISSING, ...refused },
    ]);
  });

  it("is refused as a whole where no host can have the period", async () => {
    const tooLate = clock.now() + 366 * DAY_SECONDS;

    const answer = await batch([hostId, MISSING], { assignedExpireTime: tooLate });

    expect(answer).toMatchObject(refusal("assignedExpireTime", DAYS_MESSAGE));
  });
});
