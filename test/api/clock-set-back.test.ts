import { afterEach, describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { cleanUp } from "../harness/clean-up.ts";
import { fixedClock } from "../harness/clocks.ts";
import { PASSWORD } from "../harness/root-user.ts";

/** As a hardware clock that runs in China's time, on a machine that takes it for UTC. */
const AHEAD_SECONDS = 8 * 3600;
const IDLE_SECONDS = 7_000;
const TTL_SECONDS = 40_000;
const WRONG = "Wrong1Password";

const clock = fixedClock();
const session = { ttl: TTL_SECONDS, idle: IDLE_SECONDS };
const app = useApp({ overrides: { clock }, config: { trustProxy: 1, session } });
afterEach(() => clock.rewind());

async function signIn(password: string, address = "198.51.100.1"): Promise<number> {
  const headers = { "content-type": "application/json", "x-forwarded-for": address };
  const body = JSON.stringify({ username: "root", password });
  return (await app.anonymous.raw("POST", "/api/auth/login", { headers, body })).status;
}

async function fail(times: number, address?: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++) statuses.push(await signIn(WRONG, address));
  return statuses;
}

describe("once a clock that was ahead is set back", () => {
  it("failed sign-ins from then limit nobody", async () => {
    clock.forward(AHEAD_SECONDS);
    const ahead = await fail(11);
    clock.rewind();

    const after = [await signIn(PASSWORD), ...(await fail(10)), await signIn(PASSWORD)];

    expect(ahead.at(-1)).toBe(429);
    expect(after).toEqual([200, ...Array.from({ length: 10 }, () => 401), 429]);
  });

  it("wrong current passwords from then do not refuse a right one", async () => {
    const change = (currentPassword: string) =>
      app.root.put("/api/auth/password", { currentPassword, newPassword: "Another2Horse" });
    clock.forward(IDLE_SECONDS - 1);
    for (let n = 0; n < 10; n++) await change(WRONG);
    const ahead = await change(PASSWORD);
    clock.rewind();

    const after = await change(PASSWORD);

    expect([ahead.status, after.status]).toEqual([429, 200]);
  });

  it("a session used then ends by the idle limit, from the next clean-up", async () => {
    clock.forward(IDLE_SECONDS - 1);
    await app.root.get("/api/auth/me");
    clock.rewind();
    await cleanUp(app, { clock, sessionLimits: session });

    const next = await app.root.get("/api/auth/me");
    clock.forward(IDLE_SECONDS);
    const idle = await app.root.get("/api/auth/me");

    expect([next.status, idle.status]).toEqual([200, 401]);
  });

  it("a session opened then ends by the limit, from the next clean-up", async () => {
    clock.forward(AHEAD_SECONDS);
    const root = await app.signIn("root");
    clock.rewind();
    await cleanUp(app, { clock, sessionLimits: session });
    const use = async () => (await root.get("/api/auth/me")).status;

    const statuses = [await use()];
    for (let passed = 0; passed < TTL_SECONDS; passed += 5_000) {
      clock.forward(5_000);
      statuses.push(await use());
    }

    expect(statuses).toEqual([...Array.from({ length: 8 }, () => 200), 401]);
  });

  it("a new sign-in lives although twenty sessions were opened then", async () => {
    clock.forward(AHEAD_SECONDS);
    for (let n = 0; n < 20; n++) await app.signIn("root");
    clock.rewind();

    const root = await app.signIn("root");

    expect((await root.get("/api/auth/me")).status).toBe(200);
  });

  it("events from then do not keep the log from being trimmed", async () => {
    const later = clock.now() + AHEAD_SECONDS;
    await app.database.query(`
      insert into events (type, payload, created_at)
      values ('settings.changed', '{}', ${later}), ('settings.changed', '{}', ${clock.now()})`);

    await cleanUp(app, { clock, sessionLimits: session });

    const left = await app.database.query(`select 1 from events where created_at = ${later}`);
    expect(left).toEqual([]);
  });
});
