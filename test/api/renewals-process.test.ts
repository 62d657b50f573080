import { beforeEach, describe, expect, it } from "vitest";
import { DECIDABLE_FROM, RenewalDecision, RenewalStatus } from "../../src/shared/renewals.ts";
import { MAX_UNIX_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp } from "../harness/app.ts";
import { assign, DAY, insertHost, MISSING, now } from "../harness/data.ts";
import { decide, expiryOf, failureOf, request, requestIn } from "../harness/renewals.ts";

const app = useApp();
let client: Account;
let hostId: string;

beforeEach(async () => {
  client = await app.account("client");
  hostId = await insertHost(app);
});

async function statusOf(id: string): Promise<string> {
  return (await app.root.get(`/api/renewals/${id}`)).data.status;
}

describe("deciding a renewal request", () => {
  beforeEach(async () => {
    await assign(app, hostId, client.id);
  });

  it.each(RenewalDecision.options)(
    "deciding it as %s returns the time, the deciding user and the remark",
    async (status) => {
      const id = await request(client, hostId);
      const answer = await app.root.put(`/api/renewals/${id}/process`, { status, adminRemark: "见邮件" });
      expect(answer.status).toBe(200);
      expect(answer.data).toMatchObject({
        id,
        status,
        adminRemark: "见邮件",
        processedBy: { id: app.root.id, name: "系统管理员" },
      });
      expect(Math.abs(answer.data.processedAt - now())).toBeLessThan(5);
      expect((await app.root.get(`/api/renewals/${id}`)).data).toEqual(answer.data);
      expect((await client.get(`/api/renewals/${id}`)).data).toMatchObject({ status, processedBy: null });
    },
  );

  it.each(RenewalStatus.options)("a request that is %s allows only the transitions of the table", async (from) => {
    for (const to of RenewalDecision.options) {
      const id = await requestIn(app, { client, hostId }, from);
      const answer = await decide(app, id, to);
      if (DECIDABLE_FROM[to].includes(from)) {
        expect([answer.status, answer.data.status]).toEqual([200, to]);
      } else {
        expect([from, to, ...failureOf(answer)]).toEqual([from, to, 409, "STATE_CONFLICT"]);
        expect(await statusOf(id)).toBe(from);
      }
    }
  });

  it("returns the final status and the deciding user for a request that was decided or cancelled meanwhile", async () => {
    const by = `已由 ${(await app.root.get("/api/auth/me")).data.name} `;
    for (const [status, outcome] of [
      ["approved", `该申请${by}批准`],
      ["rejected", `该申请${by}拒绝`],
      ["completed", `该申请${by}完成`],
      ["cancelled", "该申请已取消"],
    ] as const) {
      const id = await requestIn(app, { client, hostId }, status);
      expect((await decide(app, id, "approved")).data.message).toBe(`${outcome}，本次操作未生效`);
    }
  });

  it("pending becomes approved, rejected or completed, approved becomes completed, and nothing else changes", () => {
    expect(DECIDABLE_FROM).toEqual({
      approved: ["pending"],
      rejected: ["pending"],
      completed: ["pending", "approved"],
    });
  });

  it("requires a status that a super admin may set", async () => {
    const id = await request(client, hostId);
    for (const status of ["pending", "cancelled", "Approved", "", null, undefined, 1]) {
      const { data, ...answer } = await app.root.put(`/api/renewals/${id}/process`, { status, adminRemark: "x" });
      expect([answer.status, data.errors[0]]).toEqual([400, { field: "status", message: "请选择处理结果" }]);
    }
    expect(await statusOf(id)).toBe("pending");
  });

  it("requires a non-blank remark for a rejection", async () => {
    const id = await request(client, hostId);
    for (const adminRemark of [undefined, null, "", "  \n"]) {
      const { data, ...answer } = await app.root.put(`/api/renewals/${id}/process`, {
        status: "rejected",
        adminRemark,
      });
      expect([answer.status, data.message]).toEqual([400, "拒绝申请时必须填写备注说明"]);
      expect(data.errors).toEqual([{ field: "adminRemark", message: "拒绝申请时必须填写备注说明" }]);
    }
    expect(await statusOf(id)).toBe("pending");
  });

  it("accepts a remark of up to 500 characters", async () => {
    const id = await request(client, hostId);
    const tooLong = { status: "approved", adminRemark: "好".repeat(501) };
    expect((await app.root.put(`/api/renewals/${id}/process`, tooLong)).data.errors[0].field).toBe("adminRemark");
    const longest = { status: "approved", adminRemark: "好".repeat(500) };
    expect((await app.root.put(`/api/renewals/${id}/process`, longest)).data.adminRemark).toHaveLength(500);
  });

  it("keeps the earlier remark unless a new one is given", async () => {
    for (const [more, kept] of [
      [{}, "等待付款"],
      [{ adminRemark: "已到账" }, "已到账"],
      [{ adminRemark: "" }, null],
      [{ adminRemark: null }, null],
    ] as const) {
      const id = await request(client, hostId);
      await app.root.put(`/api/renewals/${id}/process`, { status: "approved", adminRemark: "等待付款" });
      const answer = await app.root.put(`/api/renewals/${id}/process`, { status: "completed", ...more });
      expect([answer.status, answer.data.adminRemark]).toEqual([200, kept]);
    }
  });

  it("rejects fields that the server sets", async () => {
    const id = await request(client, hostId);
    for (const more of [{ requestedDuration: 1 }, { processedAt: 1 }, { id }, { assignedExpireTime: 1 }]) {
      const answer = await app.root.put(`/api/renewals/${id}/process`, { status: "approved", ...more });
      expect(failureOf(answer)).toEqual([400, "INVALID_INPUT"]);
    }
  });

  it("returns 404 for a missing request after the input was validated", async () => {
    expect(failureOf(await decide(app, MISSING, "approved"))).toEqual([404, "NOT_FOUND"]);
    expect((await decide(app, MISSING, "done")).status).toBe(400);
    expect((await decide(app, "1", "approved")).status).toBe(400);
  });

  it("rejects an admin and the client, even for their own rows and whatever the body", async () => {
    const admin = await app.account("admin");
    await app.root.put(`/api/users/${client.id}`, { adminId: admin.id });
    const id = await request(client, hostId);
    for (const path of [id, MISSING, "1"].map((each) => `/api/renewals/${each}/process`)) {
      for (const input of [{ status: "completed" }, {}]) {
        for (const account of [admin, client]) {
          expect(failureOf(await account.put(path, input))).toEqual([403, "FORBIDDEN"]);
        }
        expect((await app.anonymous.put(path, input)).status).toBe(401);
      }
    }
    expect(await statusOf(id)).toBe("pending");
  });
});

describe("completing a renewal request", () => {
  it("extends an expiry in the future by the requested days", async () => {
    const { assignedExpireTime } = await assign(app, hostId, client.id, { to: 10 * DAY });
    const answer = await decide(app, await request(client, hostId, 90), "completed");
    expect(answer.data.assignedExpireTime).toBe(assignedExpireTime + 90 * DAY);
    expect(await expiryOf(app, hostId, client)).toBe(assignedExpireTime + 90 * DAY);
    expect((await client.get(`/api/hosts/${hostId}`)).data.expireTime).toBe(assignedExpireTime + 90 * DAY);
  });

  it("extends a past expiry from now", async () => {
    await assign(app, hostId, client.id, { from: -20 * DAY, to: -10 * DAY });
    const before = now();
    await decide(app, await request(client, hostId, 7), "completed");
    const expiry = await expiryOf(app, hostId, client);
    expect(expiry).toBeGreaterThanOrEqual(before + 7 * DAY);
    expect(expiry).toBeLessThanOrEqual(now() + 7 * DAY);
  });

  it("extends the expiry once at completion after an approval", async () => {
    const { assignedExpireTime } = await assign(app, hostId, client.id);
    const id = await request(client, hostId, 30);
    await decide(app, id, "approved");
    expect(await expiryOf(app, hostId, client)).toBe(assignedExpireTime);
    await decide(app, id, "completed");
    await decide(app, id, "completed");
    expect(await expiryOf(app, hostId, client)).toBe(assignedExpireTime + 30 * DAY);
  });

  it("leaves other clients of the host and the client's other hosts unchanged", async () => {
    const [other, otherHost] = [await app.account("client"), await insertHost(app)];
    await assign(app, hostId, client.id);
    const untouched = [await assign(app, hostId, other.id), await assign(app, otherHost, client.id)];
    await decide(app, await request(client, hostId), "completed");
    expect([await expiryOf(app, hostId, other), await expiryOf(app, otherHost, client)]).toEqual(
      untouched.map(({ assignedExpireTime }) => assignedExpireTime),
    );
  });

  it("rejecting and approving change no date", async () => {
    const { assignedExpireTime } = await assign(app, hostId, client.id);
    await decide(app, await request(client, hostId), "rejected");
    await decide(app, await request(client, hostId), "approved");
    expect(await expiryOf(app, hostId, client)).toBe(assignedExpireTime);
  });

  it("may exceed the 365 days of one assignment", async () => {
    const { assignedExpireTime } = await assign(app, hostId, client.id, { from: 0, to: 365 * DAY });
    await decide(app, await request(client, hostId, 365), "completed");
    await decide(app, await request(client, hostId, 365), "completed");
    expect(await expiryOf(app, hostId, client)).toBe(assignedExpireTime + 730 * DAY);
  });

  it("returns 409 when the new expiry would pass the last representable year, and the host stays readable", async () => {
    await assign(app, hostId, client.id);
    const id = await request(client, hostId, 365);
    const period = { assignedAt: MAX_UNIX_SECONDS - 364 * DAY, assignedExpireTime: MAX_UNIX_SECONDS - 1 };
    expect((await app.root.post("/api/hosts/assign", { hostId, userId: client.id, ...period })).status).toBe(200);
    expect(failureOf(await decide(app, id, "completed"))).toEqual([409, "STATE_CONFLICT"]);
    expect(await statusOf(id)).toBe("pending");
    expect(await expiryOf(app, hostId, client)).toBe(period.assignedExpireTime);
    expect((await app.root.get("/api/hosts")).status).toBe(200);
  });

  it("returns 409 once the assignment has ended, even if the host was assigned again", async () => {
    await assign(app, hostId, client.id);
    const id = await request(client, hostId);
    await decide(app, id, "approved");
    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    expect(failureOf(await decide(app, id, "completed"))).toEqual([409, "STATE_CONFLICT"]);
    const { assignedExpireTime } = await assign(app, hostId, client.id);
    expect(failureOf(await decide(app, id, "completed"))).toEqual([409, "STATE_CONFLICT"]);
    expect(await statusOf(id)).toBe("approved");
    expect(await expiryOf(app, hostId, client)).toBe(assignedExpireTime);
  });
});

describe("twenty concurrent decisions", () => {
  beforeEach(async () => {
    await assign(app, hostId, client.id);
  });

  it.each(RenewalDecision.options)("with the status %s: one wins, and nineteen get 409", async (status) => {
    const id = await request(client, hostId);
    const before = await expiryOf(app, hostId, client);
    const answers = await Promise.all(Array.from({ length: 20 }, () => decide(app, id, status)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status !== 200).map(failureOf)).toEqual(
      Array(19).fill([409, "STATE_CONFLICT"]),
    );
    expect(await expiryOf(app, hostId, client)).toBe(before + (status === "completed" ? 30 * DAY : 0));
  });

  it("with different statuses: the state is the winner's, and the expiry moves at most once", async () => {
    const second = await app.account("super_admin");
    const id = await request(client, hostId);
    const before = await expiryOf(app, hostId, client);
    const decisions = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? "rejected" : "completed"));
    const answers = await Promise.all(
      decisions.map((status, index) => decide({ root: index % 3 === 0 ? second : app.root }, id, status)),
    );
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const status = await statusOf(id);
    expect(winners[0]?.data.status).toBe(status);
    expect(await expiryOf(app, hostId, client)).toBe(before + (status === "completed" ? 30 * DAY : 0));
  });

  it("completing an approved request moves the expiry once", async () => {
    const id = await requestIn(app, { client, hostId }, "approved");
    const before = await expiryOf(app, hostId, client);
    const answers = await Promise.all(Array.from({ length: 20 }, () => decide(app, id, "completed")));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(await expiryOf(app, hostId, client)).toBe(before + 30 * DAY);
  });
});
