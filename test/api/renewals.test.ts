import { beforeEach, describe, expect, it } from "vitest";
import { RenewalStatus } from "../../src/shared/renewal-status.ts";
import { RenewalDecision } from "../../src/shared/renewals.ts";
import { DAY_SECONDS, MAX_UNIX_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import {
  assign,
  clientWithHost,
  decide,
  expiryOf,
  failureOf,
  type Holding,
  insertHost,
  insertHosts,
  MISSING,
  now,
  renewalIn,
  requestRenewal,
  unassign,
} from "../harness/data.ts";

const app = useApp();
let holding: Holding;

beforeEach(async () => {
  holding = await clientWithHost(app, { name: "网站-1", ucloud_id: "uhost-abc123" });
});

const readAsRoot = async (id: string) => (await app.root.get(`/api/renewals/${id}`)).data;
const process = (id: string, body: object) => app.root.put(`/api/renewals/${id}/process`, body);

describe("requesting a renewal", () => {
  it("creates a pending request, changes no date, and shows the client as it is later", async () => {
    const { client, hostId, expiry } = holding;
    await app.root.put(`/api/users/${client.id}`, { email: "k@example.com", phone: "13900001111" });
    const answer = await client.post("/api/renewals", {
      hostId,
      requestedDuration: 90,
      remark: "合同续签",
    });
    expect(answer.status).toBe(201);
    const { id, username } = client;
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      host: {
        id: hostId,
        name: "网站-1",
        ucloudId: "uhost-abc123",
        cpu: 4,
        memory: 8192,
        expireTime: expiry,
      },
      user: {
        id,
        name: `${username}的姓名`,
        username,
        email: "k@example.com",
        phone: "13900001111",
      },
      requestedDuration: 90,
      status: "pending",
      remark: "合同续签",
      adminRemark: null,
      createdAt: expect.any(Number),
      processedAt: null,
      processedBy: null,
      undoableUntil: null,
      assignedExpireTime: expiry,
    });
    expect(Math.abs(answer.data.createdAt - now())).toBeLessThan(60);
    expect((await client.get(`/api/renewals/${answer.data.id}`)).data).toEqual(answer.data);
    expect(await expiryOf(app, hostId, client)).toBe(expiry);
    await app.root.put(`/api/users/${client.id}`, { name: "新名字", email: null });
    expect((await readAsRoot(answer.data.id)).user).toEqual({
      ...answer.data.user,
      name: "新名字",
      email: null,
    });
  });

  it("is allowed after the end, not for hosts of others, future or ended assignments", async () => {
    const { client } = holding;
    const [expired = "", future = "", ended = "", foreign = ""] = await insertHosts(app, [
      {},
      {},
      {},
      {},
    ]);
    await assign(app, expired, client.id, { from: -10 * DAY_SECONDS, to: -3 * DAY_SECONDS });
    await assign(app, future, client.id, { from: DAY_SECONDS, to: 30 * DAY_SECONDS });
    await assign(app, ended, client.id);
    await unassign(app, ended, client.id);
    await assign(app, foreign, (await app.account("client")).id);
    for (const hostId of [future, ended, foreign, MISSING]) {
      const answer = await client.post("/api/renewals", { hostId, requestedDuration: 30 });
      expect(answer).toMatchObject({
        status: 404,
        data: { code: "NOT_FOUND", message: "主机不存在" },
      });
    }

    const id = await requestRenewal(client, expired);

    expect(await app.database.query("select id from renewals")).toEqual([{ id }]);
  });
});

describe("deciding a renewal request", () => {
  const ACTS = [...RenewalDecision.options, "cancelled"] as const;
  const ALLOWED: Readonly<Record<RenewalStatus, readonly string[]>> = {
    pending: ["approved", "rejected", "completed", "cancelled"],
    approved: ["rejected", "completed"],
    rejected: [],
    completed: [],
    cancelled: [],
  };

  it.each(RenewalStatus.options)(
    "a request that is %s accepts only what its state allows",
    async (from) => {
      const by = `已由“${(await app.root.get("/api/auth/me")).data.name}”`;
      const toAdmin = {
        approved: `${by}批准`,
        rejected: `${by}拒绝`,
        completed: `${by}完成`,
        cancelled: "已取消",
      };
      const toClient = {
        approved: "已批准",
        rejected: "已拒绝",
        completed: "已完成",
        cancelled: "已取消",
      };
      for (const act of ACTS) {
        const { client } = holding;
        const hostId = await insertHost(app);
        await assign(app, hostId, client.id);
        const id = await renewalIn(app, { client, hostId }, from);
        const isCancel = act === "cancelled";

        const answer = isCancel
          ? await client.delete(`/api/renewals/${id}`)
          : await decide(app, id, act);

        const isAllowed = ALLOWED[from].includes(act);
        const expected = isAllowed ? [act, 200, act] : [act, 409, from];
        expect([act, answer.status, (await readAsRoot(id)).status]).toEqual(expected);
        if (isAllowed || from === "pending") continue;
        const outcome = (isCancel ? toClient : toAdmin)[from];
        expect(answer.data).toMatchObject({
          code: "STATE_CONFLICT",
          message: `该申请${outcome}，本次操作未生效`,
        });
      }
    },
  );

  it("an approved request that is never paid for is rejected, with a reason", async () => {
    const { client, hostId, expiry } = holding;
    const id = await renewalIn(app, holding, "approved");

    const withoutReason = await process(id, { status: "rejected", adminRemark: " " });
    const rejected = await process(id, { status: "rejected", adminRemark: "一直没有付款" });

    expect(failureOf(withoutReason)).toEqual([400, "INVALID_INPUT"]);
    expect(rejected.data).toMatchObject({ status: "rejected", adminRemark: "一直没有付款" });
    expect(await expiryOf(app, hostId, client)).toBe(expiry);
  });

  it("stores who decided and when, and shows the user to the super admin only", async () => {
    const { client, hostId } = holding;
    const second = await app.account("super_admin", { username: "second_root" });
    for (const status of ["rejected", "completed", "approved"]) {
      const id = await requestRenewal(client, hostId);
      const adminRemark = "好".repeat(500);
      const { data } = await second.put(`/api/renewals/${id}/process`, { status, adminRemark });
      const processedBy = { id: second.id, name: "second_root" };
      expect(data).toMatchObject({ id, status, adminRemark, processedBy });
      expect(Math.abs(data.processedAt - now())).toBeLessThan(60);
      expect(await readAsRoot(id)).toEqual(data);
      expect((await client.get(`/api/renewals/${id}`)).data).toMatchObject({
        status,
        processedBy: null,
      });
    }
    const before = (await app.root.get("/api/renewals")).data;

    await app.root.delete(`/api/users/${second.id}`);

    expect((await app.root.get("/api/renewals")).data).toEqual(before);
  });

  it.each([
    [{}, "等待付款"],
    [{ adminRemark: "已到账" }, "已到账"],
    [{ adminRemark: "" }, null],
  ])("a second decision with %j stores the remark %j", async (more, kept) => {
    const id = await requestRenewal(holding.client, holding.hostId);
    await process(id, { status: "approved", adminRemark: "等待付款" });

    const answer = await process(id, { status: "completed", ...more });

    expect([answer.status, answer.data.adminRemark]).toEqual([200, kept]);
  });
});

describe("deciding a request by a caller who names the status that it saw", () => {
  const REASON = "未付款";
  const changed = (what: string) => ({
    code: "STATE_CONFLICT",
    message: `该申请${what}，本次操作未生效；请查看现在的状态后再决定`,
  });

  it.each(["pending", "approved"] as const)("decides one that is %s as it was", async (is) => {
    const id = await renewalIn(app, holding, is);

    const { data } = await process(id, { status: "completed", expectedStatus: is });

    expect(data.status).toBe("completed");
  });

  it("does not reject a request that somebody has approved meanwhile", async () => {
    const id = await renewalIn(app, holding, "approved");

    const decision = { status: "rejected", adminRemark: REASON, expectedStatus: "pending" };
    const refused = await process(id, decision);

    expect(refused).toMatchObject({ status: 409, data: changed("已由“系统管理员”批准") });
    expect(await readAsRoot(id)).toMatchObject({ status: "approved", adminRemark: "已核对" });
  });

  it("does not complete a request whose approval was undone meanwhile", async () => {
    const id = await renewalIn(app, holding, "approved");
    await app.root.post(`/api/renewals/${id}/undo`, {});

    const refused = await process(id, { status: "completed", expectedStatus: "approved" });

    expect(refused).toMatchObject({ status: 409, data: changed("已恢复为待处理") });
    expect(await expiryOf(app, holding.hostId, holding.client)).toBe(holding.expiry);
  });

  it("decides those of several that are as it saw them", async () => {
    const approved = await renewalIn(app, holding, "approved");
    const other = await clientWithHost(app, { name: "网站-2" });
    const pending = await renewalIn(app, other, "pending");

    const { data } = await app.root.put("/api/renewals/batch", {
      ids: [approved, pending],
      status: "rejected",
      adminRemark: REASON,
      expectedStatus: "pending",
    });

    expect(data.results).toEqual([
      { id: approved, ok: false, ...changed("已由“系统管理员”批准") },
      { id: pending, ok: true },
    ]);
    expect((await readAsRoot(approved)).status).toBe("approved");
  });
});

describe("completing a renewal request", () => {
  it("extends the expiry by the requested days once, and no other assignment", async () => {
    const { client, hostId, expiry } = holding;
    const other = await app.account("client");
    const otherHost = await insertHost(app);
    const kept = [await assign(app, hostId, other.id), await assign(app, otherHost, client.id)];
    const id = await requestRenewal(client, hostId, 90);
    await decide(app, id, "approved");
    expect(await expiryOf(app, hostId, client)).toBe(expiry);
    const completed = await decide(app, id, "completed");
    await decide(app, id, "completed");
    expect(completed.data.assignedExpireTime).toBe(expiry + 90 * DAY_SECONDS);
    await decide(app, await requestRenewal(client, hostId), "rejected");
    expect(await expiryOf(app, hostId, client)).toBe(expiry + 90 * DAY_SECONDS);
    expect([await expiryOf(app, hostId, other), await expiryOf(app, otherHost, client)]).toEqual(
      kept.map(({ assignedExpireTime }) => assignedExpireTime),
    );
  });

  it("returns 409 when the new expiry would pass the last representable year", async () => {
    const { client, hostId } = holding;
    const id = await requestRenewal(client, hostId, 365);
    const period = {
      assignedAt: MAX_UNIX_SECONDS - 364 * DAY_SECONDS,
      assignedExpireTime: MAX_UNIX_SECONDS - 1,
    };

    await app.root.post("/api/hosts/assign", { hostId, userId: client.id, ...period });

    expect(failureOf(await decide(app, id, "completed"))).toEqual([409, "STATE_CONFLICT"]);
    expect((await readAsRoot(id)).status).toBe("pending");
    expect(await expiryOf(app, hostId, client)).toBe(period.assignedExpireTime);
  });

  it("returns 409 once the assignment has ended, even if the host was assigned again", async () => {
    const { client, hostId } = holding;
    const id = await renewalIn(app, holding, "approved");
    // As a replica of an earlier version leaves it.
    await app.database.query("update assignments set ended_at = $1", [now()]);
    expect(failureOf(await decide(app, id, "completed"))).toEqual([409, "STATE_CONFLICT"]);
    const { assignedExpireTime } = await assign(app, hostId, client.id);

    const late = await decide(app, id, "completed");

    expect(failureOf(late)).toEqual([409, "STATE_CONFLICT"]);
    expect((await readAsRoot(id)).status).toBe("approved");
    expect(await expiryOf(app, hostId, client)).toBe(assignedExpireTime);
  });
});

describe("a host with an open request", () => {
  it.each([
    ["pending", "该主机已有待处理的续费申请，请等待处理或先取消"],
    ["approved", "该主机的续费申请已批准，正在等待付款，不能重复申请"],
  ] as const)("is not asked for again while the request is %s", async (status, message) => {
    const { client, hostId } = holding;
    const id = await renewalIn(app, holding, status);

    const again = await client.post("/api/renewals", { hostId, requestedDuration: 30 });

    expect(again).toMatchObject({ status: 409, data: { code: "CONFLICT", message } });
    await decide(app, id, "rejected");
    expect((await client.post("/api/renewals", { hostId, requestedDuration: 30 })).status).toBe(
      201,
    );
  });

  it("may be asked for by another client who has it too", async () => {
    const { hostId } = holding;
    await renewalIn(app, holding, "approved");
    const other = await app.account("client");
    await assign(app, hostId, other.id);

    const answer = await other.post("/api/renewals", { hostId, requestedDuration: 30 });

    expect(answer.status).toBe(201);
  });

  it("is refused by the database as well, whoever writes", async () => {
    const id = await renewalIn(app, holding, "approved");

    const copied = app.database.query(
      `insert into renewals select (jsonb_populate_record(r, jsonb_build_object('id', $2::text, 'status', 'pending'))).*
       from renewals r where id = $1`,
      [id, MISSING],
    );

    await expect(copied).rejects.toMatchObject({ code: "23505", constraint: "renewals_open" });
  });

  it.each([
    ["is taken back", (holder: Holding) => unassign(app, holder.hostId, holder.client.id)],
    ["loses its client", (holder: Holding) => app.root.delete(`/api/users/${holder.client.id}`)],
  ])("cancels an approved request when it %s", async (_what, takeBack) => {
    const id = await renewalIn(app, holding, "approved");

    await takeBack(holding);

    expect(await readAsRoot(id)).toMatchObject({
      status: "cancelled",
      processedAt: expect.any(Number),
    });
  });
});

describe("a host that is gone at the provider", () => {
  const markGone = () =>
    app.database.query("update hosts set gone_at = $1 where id = $2", [now(), holding.hostId]);

  it("is not asked for", async () => {
    const { client, hostId } = holding;
    await markGone();

    const answer = await client.post("/api/renewals", { hostId, requestedDuration: 30 });

    expect(failureOf(answer)).toEqual([409, "STATE_CONFLICT"]);
    expect(await app.database.query("select id from renewals")).toEqual([]);
  });

  it.each(["pending", "approved"] as const)(
    "leaves a %s request to be rejected, not completed",
    async (status) => {
      const { client, hostId, expiry } = holding;
      const id = await renewalIn(app, holding, status);
      await markGone();

      const completed = await decide(app, id, "completed");
      const rejected = await decide(app, id, "rejected");

      expect(failureOf(completed)).toEqual([409, "STATE_CONFLICT"]);
      expect(completed.data.message).toContain("已不存在");
      expect([rejected.status, rejected.data.status]).toEqual([200, "rejected"]);
      expect(await expiryOf(app, hostId, client)).toBe(expiry);
    },
  );
});

describe("several renewal requests at once", () => {
  const failed = (code: string, message: string) => ({ ok: false, message, code });
  const HAS_REQUEST = "该主机已有待处理的续费申请，请等待处理或先取消";

  /** A client with a host for each end, in days from now. */
  async function clientWithHosts(...ends: readonly number[]) {
    const client = await app.account("client");
    const hosts = await insertHosts(app, Array<object>(ends.length).fill({}));
    for (const [index, days] of ends.entries())
      await assign(app, hosts[index] ?? "", client.id, {
        from: -40 * DAY_SECONDS,
        to: days * DAY_SECONDS,
      });
    return { client, hosts };
  }

  it("ask for the same days for each host, and report the ones that fail", async () => {
    const { client, hosts } = await clientWithHosts(5, 9);
    const [first = "", second = ""] = hosts;
    await requestRenewal(client, second);
    const input = {
      hostIds: [first, second, holding.hostId, MISSING],
      requestedDuration: 60,
      remark: "续",
    };
    const { data } = await client.post("/api/renewals/batch", input);
    expect(data.results).toEqual([
      { hostId: first, ok: true, id: expect.any(String) },
      { hostId: second, ...failed("CONFLICT", HAS_REQUEST) },
      { hostId: holding.hostId, ...failed("NOT_FOUND", "主机不存在") },
      { hostId: MISSING, ...failed("NOT_FOUND", "主机不存在") },
    ]);
    const created = await readAsRoot(data.results[0].id);
    expect(created).toMatchObject({ requestedDuration: 60, status: "pending", remark: "续" });
  });

  it("let all hosts end on one day, and are decided together", async () => {
    const { client, hosts } = await clientWithHosts(-3, 5, 20.25, 90);
    const untilDate = now() + 60 * DAY_SECONDS;
    const { data } = await client.post("/api/renewals/batch", { hostIds: hosts, untilDate });
    const tooLate = failed("INVALID_INPUT", "该主机的到期时间已不早于所选日期");
    const tooFarOff = failed("INVALID_INPUT", "续到所选日期超过 365 天，请选择更早的日期");
    expect(data.results).toMatchObject([{ ok: true }, { ok: true }, { ok: true }, tooLate]);
    const ids: string[] = data.results.slice(0, 3).map(({ id }: { id: string }) => id);
    const cancelled = await renewalIn(app, holding, "cancelled");
    const decision = { status: "completed", adminRemark: "已到账" };
    const done = await app.root.put("/api/renewals/batch", {
      ids: [...ids, cancelled, MISSING],
      ...decision,
    });
    expect(done.data.results).toEqual([
      ...ids.map((id) => ({ id, ok: true })),
      { id: cancelled, ...failed("STATE_CONFLICT", "该申请已取消，本次操作未生效") },
      { id: MISSING, ...failed("NOT_FOUND", "续费申请不存在") },
    ]);
    expect(await readAsRoot(ids[0] ?? "")).toMatchObject(decision);
    for (const host of hosts.slice(0, 3)) {
      const end = await expiryOf(app, host, client);
      expect(untilDate + 60 - end).toBeGreaterThanOrEqual(0);
      expect(untilDate - end).toBeLessThan(DAY_SECONDS);
    }
    const tooFar = { hostIds: hosts.slice(0, 1), untilDate: now() + 500 * DAY_SECONDS };
    expect((await client.post("/api/renewals/batch", tooFar)).data.results).toMatchObject([
      tooFarOff,
    ]);
  });
});
