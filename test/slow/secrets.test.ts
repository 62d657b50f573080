import { expect, test } from "vitest";
import { NOT_JSON } from "../harness/provider-faults.ts";
import { follow } from "../harness/raw-client.ts";
import { JSON_TYPE, restClient } from "../harness/rest.ts";
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
  const own = client(await signInAs("marker_user", MARKER.password));
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
