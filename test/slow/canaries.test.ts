import { expect, it } from "vitest";
import { NOT_JSON } from "../harness/faults.ts";
import { restClient } from "../harness/rest.ts";
import { openStage, TEST_LIMIT } from "../harness/stage.ts";
import type { TestStorage } from "../harness/storage.ts";
import { follow } from "../sockets/raw-client.ts";
import { tableNames } from "./operations/backup-data.ts";

/** Secrets that must not leave the process, except in the one answer whose purpose is to show them. */
const CANARY = {
  rootPassword: "CanaryRoot1Password",
  password: "CanaryFirst1Password",
  newPassword: "CanaryNext2Password",
  wrongPassword: "CanaryWrong3Password",
  privateKey: "canary-private-key-1f0c5e",
  otherKey: "canary-other-key-77ab90",
  publicKey: "canaryPublicKeyMiddle5d41",
  encryptionKey: Buffer.from("canary-encryption-key-of-32-byte").toString("base64"),
  metricsToken: "canary-metrics-token-3e9b",
  query: "canary-in-the-query",
} as const;

it(
  "no password, key or token is in any output, answer, frame or row, whatever is done with it",
  async () => {
    await using stage = await openStage({ hosts: 20 });
    await using server = await stage.start({
      LOG_LEVEL: "trace",
      ENCRYPTION_KEY: CANARY.encryptionKey,
      ADMIN_PASSWORD: CANARY.rootPassword,
      METRICS_TOKEN: CANARY.metricsToken,
    });
    const said: string[] = [];
    const tokens: string[] = [];
    const client = (token: string | null = null) => {
      const { raw } = restClient(server.url, token);
      return async (method: string, path: string, body?: unknown) => {
        const json = { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
        const answer = await raw(method, path, body === undefined ? {} : json);
        said.push(`${method} ${path} ${JSON.stringify([...answer.headers])} ${JSON.stringify(answer.body)}`);
        return answer;
      };
    };
    /** Its answer is the one place where the token belongs. */
    const signIn = async (username: string, password: string) => {
      const { status, data } = await restClient(server.url).post("/api/auth/login", { username, password });
      expect(status, username).toBe(200);
      tokens.push(String(data.token));
      return String(data.token);
    };

    const rootToken = await signIn("root", CANARY.rootPassword);
    const root = client(rootToken);
    await using socket = await follow(`${server.url.replace("http", "ws")}/trpc`, rootToken);
    const person = { username: "canary_user", password: CANARY.password, name: "客户", role: "client" };
    const user = await root("POST", "/api/users", person);
    expect(user.status).toBe(201);
    await root("POST", "/api/users", person);
    await root("POST", "/api/users", { ...person, username: "?", password: CANARY.password });
    await client()("POST", "/api/auth/login", { username: "canary_user", password: CANARY.wrongPassword });
    await client()("POST", "/api/auth/login", { username: CANARY.wrongPassword, password: "x" });
    await client()("POST", "/api/auth/login", { username: 1, password: { text: CANARY.wrongPassword } });
    const own = client(await signIn("canary_user", CANARY.password));
    await own("PUT", "/api/auth/password", { currentPassword: CANARY.wrongPassword, newPassword: CANARY.newPassword });
    await own("PUT", "/api/auth/password", { currentPassword: CANARY.password, newPassword: CANARY.newPassword });
    await own("GET", "/api/users");
    await own("GET", `/api/hosts?search=${CANARY.query}`);
    await own("GET", `/api/auth/me?token=${CANARY.query}`);
    await own("POST", "/api/auth/logout");
    const reset = await restClient(server.url, rootToken).post(`/api/users/${user.data.id}/reset-password`);
    tokens.push(String(reset.data.newPassword));

    const keys = { publicKey: `abcd${CANARY.publicKey}wxyz`, privateKey: CANARY.privateKey };
    const fields = { name: "配置", ...keys, apiUrl: stage.provider.url, defaultRegion: "cn-bj2" };
    const config = await root("POST", "/api/hosts/configs", fields);
    expect(config.status).toBe(201);
    const path = `/api/hosts/configs/${config.data.id}`;
    await root("POST", "/api/hosts/configs", { ...fields, apiUrl: "http://127.0.0.1/" });
    await root("PUT", path, { privateKey: CANARY.otherKey, nothing: CANARY.otherKey });
    await root("PUT", path, { privateKey: CANARY.otherKey });
    await root("GET", "/api/hosts/configs/list");
    for (const fault of [null, NOT_JSON]) {
      if (fault !== null) await stage.provider.control("addFaults", { fault });
      await root("POST", `${path}/test`);
      await root("POST", "/api/hosts/sync?wait=25");
    }
    await root("GET", "/api/hosts/sync-runs");
    await root("GET", "/metrics");
    await root("GET", "/api/auth/sessions");
    const metrics = await fetch(`${server.url}/metrics`, {
      headers: { authorization: `Bearer ${CANARY.metricsToken}` },
    });
    expect(metrics.status).toBe(200);
    said.push(await metrics.text());
    const rows = await dump(stage.storage);
    expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    await socket.closed;

    expect(server.output.length).toBeGreaterThan(10);
    expect(socket.events.length).toBeGreaterThan(1);
    expect(rows).toContain("canary_user");
    const outputs = {
      answers: said.join("\n"),
      frames: JSON.stringify(socket.messages),
      output: server.output.join("\n"),
      rows,
    };
    // The provider's public key is no secret to the database, and what was asked for is part of what a test says of itself.
    const { publicKey, query, ...secrets } = CANARY;
    const forms = [...Object.values(secrets), ...tokens].flatMap((text) => [
      text,
      Buffer.from(text).toString("base64").replace(/=+$/, ""),
      Buffer.from(text).toString("hex"),
    ]);
    for (const [name, text] of Object.entries(outputs)) {
      expect(
        forms.filter((form) => text.includes(form)),
        name,
      ).toEqual([]);
    }
    for (const text of [outputs.frames, outputs.output]) {
      expect(text).not.toContain(publicKey);
      expect(text).not.toContain(query);
    }
    expect(outputs.answers.replace(/^GET \S+ /gm, "")).not.toContain(publicKey);
  },
  TEST_LIMIT,
);

/** Every column of every row of every table, the queue's too. */
async function dump(storage: TestStorage): Promise<string> {
  const names = await tableNames(storage);
  const queue = await storage.query(
    "select schemaname || '.' || tablename as name from pg_tables where schemaname = 'pgboss'",
  );
  const all = [...names, ...queue.map(({ name }) => String(name))];
  const tables = all.map(async (name) => JSON.stringify(await storage.query(`select t::text as row from ${name} t`)));
  return (await Promise.all(tables)).join("\n");
}
