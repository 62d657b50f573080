import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { makeToken } from "../harness/api-tokens.ts";
import { useApp } from "../harness/app.ts";
import { connect, follow, type RawClient } from "../harness/raw-client.ts";
import { assertOk } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";

// The sweep over the sockets, once a second, runs only when a test moves its timer.
beforeAll(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterAll(() => void vi.useRealTimers());
const app = useApp();
const UNAUTHENTICATED = { code: 4401, reason: "UNAUTHENTICATED" };

/** An event for everyone. */
const changeSettings = () =>
  app.root.put("/api/system-config", { show_network_info_to_client: true });
const typesOf = ({ events }: RawClient) => events.map(({ event }) => event.type);

it.each([
  ["its user revokes it", (id: string) => ["own", `/api/auth/tokens/${id}`] as const],
  [
    "a super admin revokes it",
    (id: string, userId: string) => ["root", `/api/users/${userId}/tokens/${id}`] as const,
  ],
  [
    "its user is deleted",
    (_id: string, userId: string) => ["root", `/api/users/${userId}`] as const,
  ],
])("sockets of a token close at once, without an event more: %s", async (_how, target) => {
  const owner = await app.account("super_admin");
  const { id, token } = await makeToken(app.url, owner);
  const other = await makeToken(app.url, app.root);
  await using watching = await follow(app.url, token);
  await using idle = await connect(app.url, token);
  await using unconcerned = await follow(app.url, other.token);

  const [who, path] = target(id, owner.id);
  await assertOk((who === "own" ? owner : app.root).delete(path));
  await changeSettings();

  expect([await watching.closed, await idle.closed]).toEqual([UNAUTHENTICATED, UNAUTHENTICATED]);
  expect(typesOf(watching)).toEqual(["stream.ready"]);
  await unconcerned.until(({ events }) =>
    events.some(({ event }) => event.type === "settings.changed"),
  );
});

it.each([
  ["revoked", "delete from api_tokens where user_id = $1"],
  ["expired", "update api_tokens set expires_at = 1 where user_id = $1"],
  ["its user is disabled", "update users set is_active = false where id = $1"],
  [
    "its user must change the password",
    "update users set must_change_password = true where id = $1",
  ],
])("on another replica sockets close within 5 s, without an event more: %s", async (_how, sql) => {
  const owner = await app.account("super_admin");
  const { token } = await makeToken(app.url, owner);
  await using watching = await follow(app.url, token);
  await using idle = await connect(app.url, token);
  // One check finds the token alive.
  vi.advanceTimersByTime(2_000);
  await changeSettings();
  await watching.until(({ events }) => events.length === 2);

  await app.database.query(sql, [owner.id]);
  await changeSettings();
  vi.advanceTimersByTime(4_000);

  expect([await watching.closed, await idle.closed]).toEqual([UNAUTHENTICATED, UNAUTHENTICATED]);
  expect(typesOf(watching)).toEqual(["stream.ready", "settings.changed"]);
});

it("a changed password closes the sockets of sessions, and none of a token", async () => {
  const owner = await app.account("super_admin");
  const { token } = await makeToken(app.url, owner, { scope: "read" });
  const other = await app.signIn(owner.username);
  await using ofToken = await follow(app.url, token);
  await using ofSession = await follow(app.url, other.token);

  const passwords = { currentPassword: PASSWORD, newPassword: "Another2Horse" };
  await assertOk(owner.put("/api/auth/password", passwords));

  expect(await ofSession.closed).toEqual(UNAUTHENTICATED);
  await changeSettings();
  await ofToken.until(({ events }) => events.length === 3);
  expect(typesOf(ofToken)).toEqual(["stream.ready", "notice.created", "settings.changed"]);
});
