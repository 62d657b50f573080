import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";

const JSON_TYPE = { "content-type": "application/json" };

describe("the refusal of bad input", () => {
  const app = useApp();

  it("names an unknown parameter of every call", async () => {
    const refused = { message: "不支持的参数 nope", errors: [{ field: "nope", message: "不支持的参数 nope" }] };
    for (const path of ["/api/users", "/api/auth/me", `/api/users/${app.root.id}`, "/api/hosts/configs/list"]) {
      const answer = await app.root.get(`${path}?nope=1`);
      expect([answer.status, answer.body]).toMatchObject([400, refused]);
    }
    expect((await app.root.post("/api/auth/logout?nope=1")).body).toMatchObject(refused);
  });

  it("names unknown fields and allowed values in Chinese", async () => {
    const sent = JSON.stringify({ show_network_info_to_client: true, a: 1, b: 2 });
    const unknown = await app.root.raw("PUT", "/api/system-config", { body: sent, headers: JSON_TYPE });
    expect(unknown.data.errors).toEqual([
      { field: "a", message: "不支持的字段 a" },
      { field: "b", message: "不支持的字段 b" },
    ]);
    const role = await app.root.get("/api/users?role=nobody");
    expect(role.data.errors).toEqual([
      { field: "role", message: '无效选项：期望以下之一 "super_admin"|"admin"|"client"' },
    ]);
  });

  it("explains that an email address or a phone must be text", async () => {
    const { id } = await app.account("client");
    for (const wrong of [5, true, [], {}, "\0", "\ud800"]) {
      const email = await app.root.put(`/api/users/${id}`, { email: wrong });
      expect([email.status, email.data.message]).toEqual([400, "邮箱格式不正确"]);
      const phone = await app.root.put(`/api/users/${id}`, { phone: wrong });
      expect([phone.status, phone.data.message]).toEqual([400, "手机号格式不正确"]);
    }
  });

  it("covers the type and size of a DELETE's body", async () => {
    const target = "/api/users/0198a000-0000-7000-8000-000000000000";
    const typed = await app.root.raw("DELETE", target, { body: "x", headers: { "content-type": "text/plain" } });
    expect([typed.status, typed.data.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    const large = await app.root.raw("DELETE", target, { body: "x".repeat(300_000), headers: JSON_TYPE });
    expect([large.status, large.data.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });
});
