import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";

const app = useApp();
const MISSING = "0198a000-0000-7000-8000-000000000000";

describe("deleting a user", () => {
  it("returns nothing, ends the user's sessions and frees the username", async () => {
    const client = await app.account("client", { username: "zhang" });
    const answer = await app.root.delete(`/api/users/${client.id}`);
    expect([answer.status, answer.data]).toEqual([200, {}]);
    expect((await client.get("/api/auth/me")).status).toBe(401);
    expect((await app.root.get(`/api/users/${client.id}`)).status).toBe(404);
    const next = await app.account("client", { username: "ZHANG" });
    expect(next.id).not.toBe(client.id);
    expect((await client.get("/api/auth/me")).status).toBe(401);
  });

  it("deleting an admin keeps its clients without an admin", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    await app.root.delete(`/api/users/${admin.id}`);
    expect((await client.get("/api/auth/me")).data).toMatchObject({ adminId: null, admin: null, isActive: true });
  });

  it("only a super admin may delete a user", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    for (const account of [admin, client]) {
      for (const id of [client.id, MISSING]) expect((await account.delete(`/api/users/${id}`)).status).toBe(403);
    }
    expect((await app.anonymous.delete(`/api/users/${client.id}`)).status).toBe(401);
    expect((await client.get("/api/auth/me")).status).toBe(200);
  });

  it("a super admin cannot delete itself", async () => {
    await app.account("super_admin");
    const answer = await app.root.delete(`/api/users/${app.root.id}`);
    expect([answer.status, answer.body]).toMatchObject([409, { code: "CONFLICT", message: "不能删除自己的账号" }]);
  });

  it("returns 404 for a missing or already deleted user", async () => {
    const client = await app.account("client");
    await app.root.delete(`/api/users/${client.id}`);
    for (const id of [client.id, MISSING]) expect((await app.root.delete(`/api/users/${id}`)).status).toBe(404);
    expect((await app.root.delete("/api/users/1")).status).toBe(400);
  });

  it("exactly one of twenty concurrent deletions succeeds", async () => {
    const client = await app.account("client");
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.root.delete(`/api/users/${client.id}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19);
  });

  it("two super admins who delete each other at once leave one", async () => {
    const other = await app.account("super_admin");
    const answers = await Promise.all([
      app.root.delete(`/api/users/${other.id}`),
      other.delete(`/api/users/${app.root.id}`),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 401, 404, 409]).toContain(status);
    expect(await app.database.query("select id from users where role = 'super_admin'")).toHaveLength(1);
  });

  it("never deletes the last active super admin, even if a disabled one exists", async () => {
    const other = await app.account("super_admin");
    const disabled = await app.account("super_admin");
    await app.root.put(`/api/users/${disabled.id}`, { isActive: false });
    const answers = await Promise.all([
      app.root.delete(`/api/users/${other.id}`),
      other.put(`/api/users/${app.root.id}`, { isActive: false }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const active = await app.database.query("select id from users where role = 'super_admin' and is_active");
    expect(active).toHaveLength(1);
  });
});
