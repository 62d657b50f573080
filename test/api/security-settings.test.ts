import { beforeEach, describe, expect, it } from "vitest";
import { createConsoleClient, errorCode } from "../../src/sdk/index.ts";
import type { Role } from "../../src/shared/roles.ts";
import { makeToken } from "../harness/api-tokens.ts";
import { useApp } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import { failureOf } from "../harness/data.ts";
import { connect, follow, type RawClient } from "../harness/raw-client.ts";
import { assertOk, restClient } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { enableSecondFactor, insertSecondFactor } from "../harness/second-factor.ts";
import { startApp } from "../harness/start-app.ts";
import { follow as subscribe } from "../sdk/follow.ts";

const clock = fixedClock();
const app = useApp({ overrides: { clock } });
const PATH = "/api/security-settings";
const REQUIRED = { status: 403, data: { code: "SECOND_FACTOR_REQUIRED" } };

const requireOf = (...roles: readonly Role[]) =>
  app.root.put(PATH, { secondFactorRequiredRoles: roles });

/** The code with which the stream of a socket ended, within so many milliseconds. */
async function endOf(stream: RawClient, ms: number): Promise<string | undefined> {
  const error = () => stream.messages.find((message) => message.error !== undefined)?.error;
  await stream.until(() => error() !== undefined, ms);
  return error()?.data.code;
}

describe("the roles that must have a second factor", () => {
  it("are stored once each, in the order of the roles, and told to super admins", async () => {
    await insertSecondFactor(app.database, app.root.id);
    const client = await app.account("client");
    await using observing = await follow(app.url, app.root.token);
    await using other = await follow(app.url, client.token);
    expect((await app.root.get(PATH)).data).toEqual({ secondFactorRequiredRoles: [] });

    const changed = await requireOf("admin", "super_admin", "admin");
    await requireOf("super_admin", "admin");

    const settings = { secondFactorRequiredRoles: ["super_admin", "admin"] };
    expect([changed.status, changed.data]).toEqual([200, settings]);
    expect((await app.root.get(PATH)).data).toEqual(settings);
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
    for (const { until } of [observing, other]) {
      await until(({ events }) => events.some(({ event }) => event.type === "settings.changed"));
    }
    expect(observing.events.slice(1, -1).map(({ event }) => event)).toEqual([
      { type: "securitySettings.changed", data: settings },
    ]);
    expect(other.events.map(({ event }) => event.type)).toEqual([
      "stream.ready",
      "settings.changed",
    ]);
  });

  it("are no event of an API token, which may not read them", async () => {
    const { token } = await makeToken(app.url, app.root, { expiresAt: clock.now() + 60 });
    await using observing = await follow(app.url, token);

    await requireOf("client");
    await app.root.put("/api/system-config", { show_network_info_to_client: true });

    const types = () => observing.events.map(({ event }) => event.type);
    await observing.until(() => types().includes("settings.changed"));
    expect(types()).toEqual(["stream.ready", "settings.changed"]);
  });

  it("are those of the caller only once it has a second factor", async () => {
    expect(failureOf(await requireOf("super_admin"))).toEqual([409, "STATE_CONFLICT"]);
    expect((await requireOf("client")).status).toBe(200);
    await enableSecondFactor(app.root, clock.now());

    expect((await requireOf("super_admin")).status).toBe(200);
  });
});

describe("a user who lacks a required second factor", () => {
  let client: Awaited<ReturnType<typeof app.account>>;
  beforeEach(async () => {
    client = await app.account("client");
  });

  it("is refused in every session, new and renewed ones too, until it has one", async () => {
    await requireOf("client");

    expect(await client.get("/api/hosts")).toMatchObject(REQUIRED);
    const refreshed = (await assertOk(client.post("/api/auth/refresh"))).data.token;
    expect(await restClient(app.url, refreshed).get("/api/hosts")).toMatchObject(REQUIRED);
    const fresh = await app.signIn(client.username);
    expect(await fresh.get("/api/hosts")).toMatchObject(REQUIRED);
    expect((await fresh.get("/api/auth/me")).data.mustSetUpSecondFactor).toBe(true);
    await enableSecondFactor(fresh, clock.now());

    expect((await fresh.get("/api/hosts")).status).toBe(200);
    expect((await fresh.get("/api/auth/me")).data.mustSetUpSecondFactor).toBe(false);
    await using stream = await follow(app.url, fresh.token);
    expect(stream.events).toHaveLength(1);
  });

  it("is refused with every API token, also the question who it is", async () => {
    const token = await makeToken(app.url, client, { expiresAt: clock.now() + 60 });
    await requireOf("client");

    expect(await token.client.get("/api/auth/me")).toMatchObject(REQUIRED);
    expect(await token.client.get("/api/hosts")).toMatchObject(REQUIRED);
    expect((await client.get("/api/auth/me")).status).toBe(200);
  });

  it("must change an initial password first", async () => {
    const { data } = await assertOk(app.root.post(`/api/users/${client.id}/reset-password`));
    await requireOf("client");
    const own = await app.signIn(client.username, data.newPassword);
    const setUp = (password: string) => own.post("/api/auth/totp/setup", { password });

    expect(failureOf(await own.get("/api/hosts"))).toEqual([403, "FORBIDDEN"]);
    expect(failureOf(await setUp(data.newPassword))).toEqual([403, "FORBIDDEN"]);
    const passwords = { currentPassword: data.newPassword, newPassword: PASSWORD };
    await assertOk(own.put("/api/auth/password", passwords));

    expect(await own.get("/api/hosts")).toMatchObject(REQUIRED);
    expect((await setUp(PASSWORD)).status).toBe(200);
  });

  it("loses its streams within 1 s here and 5 s on other replicas, others do not", async () => {
    await using replica = await startApp(app.database.connection, { overrides: { clock } });
    const admin = await app.account("admin");
    await using here = await follow(app.url, client.token);
    await using elsewhere = await follow(replica.url, client.token);
    await using ofAdmin = await follow(app.url, admin.token);

    await requireOf("client");

    expect(await endOf(here, 1_000)).toBe("SECOND_FACTOR_REQUIRED");
    expect(await endOf(elsewhere, 5_000)).toBe("SECOND_FACTOR_REQUIRED");
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
    await ofAdmin.until(({ events }) => events.length === 2);
    expect(here.events).toHaveLength(1);
  });

  it("can open no stream, also to resume one", async () => {
    await using before = await follow(app.url, client.token);
    await requireOf("client");
    await using after = await connect(app.url, client.token);

    after.subscribe(before.events[0]?.id);

    expect(await endOf(after, 5_000)).toBe("SECOND_FACTOR_REQUIRED");
    expect(after.events).toEqual([]);
  });

  it("loses its streams when it switches its second factor off", async () => {
    const { recoveryCodes } = await enableSecondFactor(client, clock.now());
    await requireOf("client");
    await using stream = await follow(app.url, client.token);

    const own = { password: PASSWORD, code: recoveryCodes[0] };
    await assertOk(client.post("/api/auth/totp/disable", own));

    expect(await endOf(stream, 1_000)).toBe("SECOND_FACTOR_REQUIRED");
    expect(await client.get("/api/hosts")).toMatchObject(REQUIRED);
  });

  it("is told so by the SDK, in calls and subscriptions", async () => {
    const sdk = createConsoleClient({ url: app.url, token: client.token });
    const following = subscribe(sdk);
    await expect.poll(() => following.events.length).toBe(1);

    await requireOf("client");

    await expect.poll(() => following.errors.map(errorCode)).toEqual(["SECOND_FACTOR_REQUIRED"]);
    expect(await sdk.api.hosts.list.query({}).catch(errorCode)).toBe("SECOND_FACTOR_REQUIRED");
    await sdk.close();
  });
});
