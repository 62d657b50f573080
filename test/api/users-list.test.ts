import { describe, expect, it } from "vitest";
import { PASSWORD, useApp } from "../harness/app.ts";

const app = useApp();

async function create(username: string, more: Record<string, unknown> = {}): Promise<string> {
  const answer = await app.root.post("/api/users", {
    username,
    password: PASSWORD,
    name: `${username}的姓名`,
    role: "client",
    ...more,
  });
  expect(answer.status).toBe(201);
  return answer.data.id;
}

const names = (answer: { data: { users: { username: string }[] } }) =>
  answer.data.users.map(({ username }) => username);

describe("the list of users", () => {
  it("shows all users to a super admin, newest first, in pages", async () => {
    for (const username of ["one", "two", "three"]) await create(username);
    const first = await app.root.get("/api/users?limit=3");
    expect(first.status).toBe(200);
    expect(names(first)).toEqual(["three", "two", "one"]);
    expect(first.data.pagination).toEqual({ page: 1, limit: 3, total: 4, totalPages: 2 });
    const second = await app.root.get("/api/users?limit=3&page=2");
    expect(names(second)).toEqual(["root"]);
    const beyond = await app.root.get("/api/users?limit=3&page=9");
    expect([names(beyond), beyond.data.pagination.total]).toEqual([[], 4]);
  });

  it("returns twenty users per page by default", async () => {
    const { data } = await app.root.get("/api/users");
    expect(data.pagination).toEqual({ page: 1, limit: 20, total: 1, totalPages: 1 });
  });

  it("names the admin of a client", async () => {
    const admin = await app.account("admin", { username: "boss" });
    await create("one", { adminId: admin.id });
    const { data } = await app.root.get("/api/users?role=client");
    expect(data.users[0]).toMatchObject({
      adminId: admin.id,
      admin: { id: admin.id, name: "boss的姓名", username: "boss" },
    });
    expect(JSON.stringify(data)).not.toMatch(/password_?hash|argon2/i);
  });

  it("shows an admin its own clients only, also in totals and searches", async () => {
    const admin = await app.account("admin");
    const other = await app.account("admin");
    await create("mine", { adminId: admin.id });
    await create("theirs", { adminId: other.id });
    await create("nobodys");
    const all = await admin.get("/api/users");
    expect([names(all), all.data.pagination.total]).toEqual([["mine"], 1]);
    const searched = await admin.get("/api/users?search=theirs");
    expect([names(searched), searched.data.pagination.total]).toEqual([[], 0]);
    const admins = await admin.get("/api/users?role=admin");
    expect([names(admins), admins.data.pagination.total]).toEqual([[], 0]);
  });

  it("a client cannot list users", async () => {
    const client = await app.account("client");
    const answer = await client.get("/api/users");
    expect([answer.status, answer.body]).toMatchObject([403, { code: "FORBIDDEN" }]);
    expect((await client.get("/api/users?page=x")).status).toBe(403);
  });

  it("filters users by role", async () => {
    await app.account("admin", { username: "boss" });
    await create("one");
    expect(names(await app.root.get("/api/users?role=admin"))).toEqual(["boss"]);
    expect(names(await app.root.get("/api/users?role=super_admin"))).toEqual(["root"]);
    expect((await app.root.get("/api/users?role=owner")).status).toBe(400);
  });

  it("searches names and addresses literally and case-insensitively, after trimming", async () => {
    await create("wang_1", { name: "王 50%\\折" });
    await create("wangx1", { name: "Ärger", email: "Wang.Wu@Example.com" });
    const search = async (text: string) => names(await app.root.get(`/api/users?search=${encodeURIComponent(text)}`));
    expect(await search("WANG_")).toEqual(["wang_1"]);
    expect(await search("50%")).toEqual(["wang_1"]);
    expect(await search("%\\折")).toEqual(["wang_1"]);
    expect(await search("  example.COM ")).toEqual(["wangx1"]);
    expect(await search("ärg")).toEqual(["wangx1"]);
    expect(await search("%%")).toEqual([]);
    expect(await search("   ")).toHaveLength(3);
    expect(await search("' or 1=1 --")).toEqual([]);
  });

  it.each(["page=0", "page=1e3", "page=1.5", "limit=101", "limit=0", "limit=", "page=1&page=2", "foo=1"])(
    "rejects the query ?%s",
    async (query) => {
      expect((await app.root.get(`/api/users?${query}`)).status).toBe(400);
    },
  );

  it("rejects a search over 100 characters or with characters that no row can hold", async () => {
    expect((await app.root.get(`/api/users?search=${"x".repeat(101)}`)).status).toBe(400);
    expect((await app.root.get("/api/users?search=%00")).status).toBe(400);
  });
});

describe("a single user", () => {
  it("is visible to a super admin and its admin only, and an admin sees itself", async () => {
    const admin = await app.account("admin");
    const mine = await create("mine", { adminId: admin.id });
    const theirs = await create("theirs");
    const client = await app.signIn("mine");
    expect((await app.root.get(`/api/users/${theirs}`)).data.username).toBe("theirs");
    expect((await admin.get(`/api/users/${mine}`)).data.username).toBe("mine");
    expect((await admin.get(`/api/users/${admin.id}`)).data.id).toBe(admin.id);
    expect((await client.get(`/api/users/${mine}`)).status).toBe(403);
  });

  it("a user of another admin returns the same 404 as a missing one", async () => {
    const admin = await app.account("admin");
    const theirs = await create("theirs");
    const hidden = await admin.get(`/api/users/${theirs}`);
    const missing = await admin.get("/api/users/0198a000-0000-7000-8000-000000000000");
    expect([hidden.status, missing.status]).toEqual([404, 404]);
    expect({ ...Object(hidden.body), requestId: "" }).toEqual({ ...Object(missing.body), requestId: "" });
    expect(hidden.body).toMatchObject({ code: "NOT_FOUND", message: "用户不存在" });
  });

  it("a malformed user id returns 400", async () => {
    expect((await app.root.get("/api/users/1")).status).toBe(400);
  });

  it("a client that moves to another admin is hidden from the former one at the next call", async () => {
    const admin = await app.account("admin");
    const other = await app.account("admin");
    const id = await create("one", { adminId: admin.id });
    await app.root.put(`/api/users/${id}`, { adminId: other.id });
    expect((await admin.get(`/api/users/${id}`)).status).toBe(404);
    expect((await other.get(`/api/users/${id}`)).status).toBe(200);
  });
});
