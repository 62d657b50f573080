import { describe, expect, it } from "vitest";
import { PASSWORD, useApp } from "../harness/app.ts";
import { stillClock } from "../properties/still-clock.ts";

const clock = stillClock();
const app = useApp({ overrides: { clock } });

const signIn = async (username: string, password: string) =>
  (await app.anonymous.post("/api/auth/login", { username, password })).status;

async function fail(username: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times; count++) statuses.push(await signIn(username, "Wrong1Password"));
  return statuses;
}

describe("failed sign-ins", () => {
  it("are limited to ten in five minutes, after which the right password is let in again", async () => {
    await app.account("client", { username: "wang" });
    expect(await fail("wang", 10)).toEqual(Array.from({ length: 10 }, () => 401));
    const refused = await app.anonymous.post("/api/auth/login", { username: "wang", password: "Wrong1Password" });
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: "TOO_MANY_REQUESTS", message: "密码错误次数过多，请5分钟后再试" });
    expect(refused.headers.get("retry-after")).toBe("300");
    clock.forward(299);
    expect(await signIn("wang", PASSWORD)).toBe(429);
    clock.forward(1);
    expect(await fail("wang", 1)).toEqual([401]);
    expect(await signIn("wang", PASSWORD)).toBe(200);
  });

  it("beyond the limit are told over tRPC, too, how long to wait", async () => {
    await fail("root", 10);
    for (const [path, body] of [
      ["/trpc/auth.login", { username: "root", password: PASSWORD }],
      ["/trpc/auth.login?batch=1", { 0: { username: "root", password: PASSWORD } }],
    ] as const) {
      const { status, headers } = await app.anonymous.post(path, body);
      expect([status, headers.get("retry-after")]).toEqual([429, "300"]);
    }
  });

  it("beyond the limit do not tell whether the password was right", async () => {
    await fail("root", 10);
    const [right, wrong] = await Promise.all(
      [PASSWORD, "Wrong1Password"].map((password) =>
        app.anonymous.post("/api/auth/login", { username: "root", password }),
      ),
    );
    expect(right?.status).toBe(429);
    expect({ ...Object(right?.body), requestId: "" }).toEqual({ ...Object(wrong?.body), requestId: "" });
  });

  it("of a name that nobody has are limited in the same way", async () => {
    expect((await fail("nobody_here", 12)).slice(9)).toEqual([401, 429, 429]);
    expect((await fail("没有这个人", 12)).slice(9)).toEqual([401, 429, 429]);
  });

  it("count for the account in whatever case it is written, and for no other account", async () => {
    await app.account("client", { username: "wang" });
    await fail("wang", 5);
    await fail("WANG", 5);
    expect(await signIn("Wang", PASSWORD)).toBe(429);
    expect(await signIn("root", PASSWORD)).toBe(200);
  });

  it("are not hidden by forged addresses", async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) {
      const headers = { "content-type": "application/json", "x-forwarded-for": `8.8.8.${count}` };
      const body = JSON.stringify({ username: "root", password: "Wrong1Password" });
      statuses.push((await app.anonymous.raw("POST", "/api/auth/login", { headers, body })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  it("that come thirty at once are told ten times that the password is wrong, not oftener", async () => {
    const statuses = await Promise.all(Array.from({ length: 30 }, () => signIn("root", "Wrong1Password")));
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it("that come with a right password keep that one out too, once they are ten", async () => {
    const wrong = Array.from({ length: 30 }, () => signIn("root", "Wrong1Password"));
    const right = signIn("root", PASSWORD);
    const statuses = await Promise.all(wrong);
    expect(await right).toBe(429);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  });

  it("do not slow down twenty right passwords at once", async () => {
    await fail("root", 9);
    const statuses = await Promise.all(Array.from({ length: 20 }, () => signIn("root", PASSWORD)));
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
  });

  it("are forgotten after a success", async () => {
    await fail("root", 9);
    expect(await signIn("root", PASSWORD)).toBe(200);
    expect(await fail("root", 9)).toEqual(Array.from({ length: 9 }, () => 401));
    expect(await signIn("root", PASSWORD)).toBe(200);
  });

  it("are forgotten when the password is reset, and when the name becomes free", async () => {
    const client = await app.account("client", { username: "WangEr" });
    await fail("WangEr", 10);
    const { data } = await app.root.post(`/api/users/${client.id}/reset-password`);
    expect(await signIn("WangEr", data.newPassword)).toBe(200);
    await fail("WangEr", 10);
    await app.root.delete(`/api/users/${client.id}`);
    await app.account("client", { username: "WangEr" });
  });
});
