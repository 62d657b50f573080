import { expect, test } from "vitest";
import { makeToken } from "../harness/api-tokens.ts";
import { now } from "../harness/data.ts";
import { NOT_JSON } from "../harness/provider-faults.ts";
import { follow } from "../harness/raw-client.ts";
import { JSON_TYPE, type RestClient, restClient } from "../harness/rest.ts";
import { enableSecondFactor } from "../harness/second-factor.ts";
import { openServerFixture, signIn } from "../harness/server-fixture.ts";
import type { TestStorage } from "../harness/storage.ts";
import { tableNames } from "./operations/backup-data.ts";

/**
 * Secrets that must not leave the process, except in the one answer whose purpose is to show them.
 */
const MARKER = {
  rootPassword: "MarkerRoot1Password",
  password: "MarkerFirst1Password",
  newPassword: "MarkerNext2Password",
  wrongPassword: "MarkerWrong3Password",
  privateKey: "marker-private-key-1f0c5e",
  otherKey: "marker-other-key-77ab90",
  publicKey: "markerPublicKeyMiddle5d41",
  encryptionKey: Buffer.from("marker-encryption-key-of-32-byte").toString("base64"),
  metricsToken: "marker-metrics-token-3e9b",
  robotKey: "marker-robot-key-8c21e0",
  robotSecret: "marker-robot-secret-41a7",
  query: "marker-in-the-query",
} as const;

test("no password, key or token is in any output, answer, frame or row", async () => {
  await using fixture = await openServerFixture({ hosts: 20 });
  await using server = await fixture.start({
    LOG_LEVEL: "trace",
    ENCRYPTION_KEY: MARKER.encryptionKey,
    ADMIN_PASSWORD: MARKER.rootPassword,
    METRICS_TOKEN: MARKER.metricsToken,
  });
  const answers: string[] = [];
  const tokens: string[] = [];
  const client = (token: string | null = null) => {
    const { raw } = restClient(server.url, token);
    return async (method: string, path: string, body?: unknown) => {
      const json = { body: JSON.stringify(body), headers: JSON_TYPE };
      const answer = await raw(method, path, body === undefined ? {} : json);
      answers.push(
        `${method} ${path} ${JSON.stringify([...answer.headers])} ${JSON.stringify(answer.body)}`,
      );
      return answer;
    };
  };
  /** Its answer is the one place where the token belongs. */
  const signInAs = async (username: string, password: string) => {
    const { token } = await signIn(server.url, { username, password });
    tokens.push(String(token));
    return token;
  };

  /** Switches a second factor on and signs in with it: each secret belongs in one answer. */
  const useSecondFactor = async (own: RestClient, password: string) => {
    const anonymous = restClient(server.url);
    const { secret, recoveryCodes } = await enableSecondFactor(own, now(), password);
    const { username } = (await own.get("/api/auth/me")).data;
    const { data } = await anonymous.post("/api/auth/login", { username, password });
    const { challenge } = data.secondFactor;
    const [code = ""] = recoveryCodes;
    await anonymous.post("/api/auth/second-factor", { challenge, code: "000000" });
    const signedIn = await anonymous.post("/api/auth/second-factor", { challenge, code });
    expect(signedIn.status).toBe(200);
    const plain = recoveryCodes.map((each) => each.replaceAll("-", ""));
    tokens.push(secret, ...recoveryCodes, ...plain, challenge, signedIn.data.token);
  };

  const rootToken = await signInAs("root", MARKER.rootPassword);
  const root = client(rootToken);
  const anonymous = client();
  await using socket = await follow(server.url, rootToken);
  const person = {
    username: "marker_user",
    password: MARKER.password,
    name: "客户",
    role: "client",
  };
  const user = await root("POST", "/api/users", person);
  expect(user.status).toBe(201);
  for (const refused of [person, { ...person, username: "?" }])
    await root("POST", "/api/users", refused);
  for (const credentials of [
    { username: "marker_user", password: MARKER.wrongPassword },
    { username: MARKER.wrongPassword, password: "x" },
    { username: 1, password: { text: MARKER.wrongPassword } },
  ]) {
    await anonymous("POST", "/api/auth/login", credentials);
  }
  const ownToken = await signInAs("marker_user", MARKER.password);
  const own = client(ownToken);
  const ofUser = await signIn(server.url, { username: "marker_user", password: MARKER.password });
  const { token: apiToken } = await makeToken(server.url, ofUser);
  tokens.push(apiToken);
  const program = client(apiToken);
  expect((await program("GET", "/api/hosts")).status).toBe(200);
  expect((await program("PUT", "/api/auth/password", {})).status).toBe(403);
  expect((await own("GET", "/api/auth/tokens")).data).toHaveLength(1);
  for (const currentPassword of [MARKER.wrongPassword, MARKER.password]) {
    await own("PUT", "/api/auth/password", { currentPassword, newPassword: MARKER.newPassword });
  }
  for (const path of [
    "/api/users",
    `/api/hosts?search=${MARKER.query}`,
    `/api/auth/me?token=${MARKER.query}`,
  ]) {
    await own("GET", path);
  }
  await useSecondFactor(restClient(server.url, ownToken), MARKER.newPassword);
  await own("GET", "/api/auth/me");
  await root("GET", "/api/users");
  await own("POST", "/api/auth/logout");
  const reset = await restClient(server.url, rootToken).post(
    `/api/users/${user.data.id}/reset-password`,
  );
  tokens.push(String(reset.data.newPassword));

  const keys = { publicKey: `abcd${MARKER.publicKey}wxyz`, privateKey: MARKER.privateKey };
  const fields = { name: "配置", ...keys, apiUrl: fixture.provider.url, defaultRegion: "cn-bj2" };
  const config = await root("POST", "/api/hosts/configs", fields);
  expect(config.status).toBe(201);
  const path = `/api/hosts/configs/${config.data.id}`;
  await root("POST", "/api/hosts/configs", { ...fields, apiUrl: "http://127.0.0.1/" });
  await root("PUT", path, { privateKey: MARKER.otherKey, nothing: MARKER.otherKey });
  await root("PUT", path, { privateKey: MARKER.otherKey });
  await root("GET", "/api/hosts/configs/list");
  for (const fault of [null, NOT_JSON]) {
    if (fault !== null) await fixture.provider.control("addFaults", { fault });
    await root("POST", `${path}/test`);
    await root("POST", "/api/hosts/sync?wait=25");
  }

  const url = `${fixture.provider.url}/send?key=${MARKER.robotKey}`;
  const robot = { url, secret: MARKER.robotSecret };
  const channel = { name: "群", type: "dingtalk", config: robot, types: [] };
  const robots = await root("POST", "/api/notice-channels", channel);
  expect(robots.status).toBe(201);
  const channelPath = `/api/notice-channels/${robots.data.id}`;
  await root("POST", "/api/notice-channels", {
    ...channel,
    config: { ...robot, url: "http://[::1]/" },
  });
  await root("PUT", channelPath, { config: { ...robot, host: MARKER.robotSecret } });
  await root("PUT", channelPath, { config: robot });
  await root("POST", `${channelPath}/test`);
  await root("GET", "/api/notice-channels");

  for (const read of ["/api/hosts/sync-runs", "/metrics", "/api/auth/sessions"])
    await root("GET", read);
  expect((await client(MARKER.metricsToken)("GET", "/metrics")).status).toBe(200);
  const rows = await dump(fixture.storage);
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  await socket.closed;

  expect(server.output.length).toBeGreaterThan(10);
  expect(socket.events.length).toBeGreaterThan(1);
  expect(rows).toContain("marker_user");
  const frames = JSON.stringify(socket.messages);
  const output = server.output.join("\n");
  const outputs = { answers: answers.join("\n"), frames, output, rows };
  // The provider's public key is no secret to the database, and what was asked for is part of what
  // a test says of itself.
  const { publicKey, query, ...secrets } = MARKER;
  const forms = [...Object.values(secrets), ...tokens].flatMap((text) => [
    text,
    Buffer.from(text).toString("base64").replace(/=+$/, ""),
    Buffer.from(text).toString("hex"),
  ]);
  const leaks = Object.entries(outputs).flatMap(([name, text]) =>
    forms.filter((form) => text.includes(form)).map((form) => ({ name, form })),
  );
  expect(leaks).toEqual([]);
  for (const text of [frames, output]) {
    expect(text).not.toContain(publicKey);
    expect(text).not.toContain(query);
  }
  expect(outputs.answers.replace(/^GET \S+ /gm, "")).not.toContain(publicKey);
});

/** Every column of every row of every table, the queue's too. */
async function dump(storage: TestStorage): Promise<string> {
  const names = await tableNames(storage);
  const queue = await storage.query(
    "select schemaname || '.' || tablename as name from pg_tables where schemaname = 'pgboss'",
  );
  const all = [...names, ...queue.map(({ name }) => String(name))];
  const tables = all.map(async (name) =>
    JSON.stringify(await storage.query(`select t::text as row from ${name} t`)),
  );
  return (await Promise.all(tables)).join("\n");
}
