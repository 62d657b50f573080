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

  it("an address that signed in then is not a known one of a locked account", async () => {
    clock.forward(AHEAD_SECONDS);
    expect(await signIn(PASSWORD, "192.0.2.1")).toBe(200);
    clock.rewind();
    expect(await signIn(PASSWORD, "192.0.2.2")).toBe(200);
    for (let n = 1; n <= 10; n++) await fail(10, `203.0.113.${n}`);

    const statuses = [await signIn(PASSWORD, "192.0.2.1"), await signIn(PASSWORD, "192.0.2.2")];

    expect(statuses).toEqual([429, 200]);
  });

  it("a session used then ends by the idle limit, from its next use", async () => {
    clock.forward(IDLE_SECONDS - 1);
    await app.root.get("/api/auth/me");
    clock.rewind();

    const next = await app.root.get("/api/auth/me");
    clock.forward(IDLE_SECONDS);
    const idle = await app.root.get("/api/auth/me");

    expect([next.status, idle.status]).toEqual([200, 401]);
  });

  it("a session opened then ends by the limit, from its next use", async () => {
    clock.forward(AHEAD_SECONDS);
    const root = await app.signIn("root");
    clock.rewind();
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

  it("cleaning up forgets what was stored then, and keeps the sessions", async () => {
    const later = clock.now() + AHEAD_SECONDS;
    await app.database.query(`
      insert into login_failures (account_key, window_started_at, failures) values ('future', ${later}, 3);
      insert into known_addresses (user_id, address, last_signed_in_at) select id, 'future', ${later} from users;
      insert into sign_in_challenges (token_hash, user_id, expires_at) select '\\x00', id, ${later} from users;
      -- Only a beginning of the log is removed: what is there already must not be recent.
      update events set created_at = 0;
      insert into events (type, payload, created_at)
        values ('settings.changed', '{}', ${later}), ('settings.changed', '{}', ${clock.now()});
      update sessions set created_at = ${later}, last_used_at = ${later}, expires_at = ${later + TTL_SECONDS}`);

    await cleanUp(app, { clock, sessionLimits: session });

    const [stored] = await app.database.query(`
      select (select count(*)::int from login_failures where account_key = 'future') as failures,
        (select count(*)::int from known_addresses where address = 'future') as addresses,
        (select count(*)::int from sign_in_challenges) as challenges,
        (select count(*)::int from events where created_at = ${later}) as events,
        (select created_at::int from sessions) as "openedAt", (select expires_at::int from sessions) as "expiresAt"`);
    const kept = { openedAt: clock.now(), expiresAt: clock.now() + TTL_SECONDS };
    expect(stored).toEqual({ failures: 0, addresses: 0, challenges: 0, events: 0, ...kept });
  });
});
