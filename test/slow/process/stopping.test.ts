import { expect, test } from "vitest";
import { hostTotal, runOf, syncHalfWay } from "../../harness/calls.ts";
import { freePort } from "../../harness/ports.ts";
import { listening, SERVER, type ServerProgram, startProgram } from "../../harness/programs.ts";
import { connect, follow } from "../../harness/raw-client.ts";
import { openConnection } from "../../harness/raw-requests.ts";
import { restClient } from "../../harness/rest.ts";
import { ROOT_ENV, ROOT_USER } from "../../harness/root-user.ts";
import { configure, openServerFixture, signIn, syncAll } from "../../harness/server-fixture.ts";
import { openTestStorage } from "../../harness/storage.ts";
import { STOP_LIMIT, within } from "../../harness/time-limits.ts";

/**
 * Code loaded before the server that runs at SIGUSR2: makes it fail with an error that no code
 * expects.
 */
const REJECT = onSignal('void Promise.reject(new Error("nobody awaited this"))');
const THROW = onSignal('setTimeout(() => { throw new Error("nobody caught this"); })');

test("SIGTERM with work in flight: calls are answered, the sync ends, exit code 0", async () => {
  await using fixture = await openServerFixture();
  const server = await fixture.start();
  const root = await signIn(server.url);
  await configure(root, fixture.provider);
  await syncAll(root);
  await fixture.provider.control("removeHosts", { region: "cn-bj2", count: 3 });
  const runId = await syncHalfWay(root, fixture.provider);

  const waiting = root.post("/api/hosts/sync?wait=25");
  await using socket = await follow(server.url, root.token);
  using slow = await openConnection(server.url);
  const login = slowPost("/api/auth/login", ROOT_USER);
  slow.write(login.start);
  using late = await openConnection(server.url);
  const request = slowPost("/api/hosts/sync?wait=25", {}, root.token);
  late.write(request.start);
  using idle = await openConnection(server.url);
  idle.write("GET /healthz HTTP/1.1\r\nHost: console.test\r\n\r\n");
  await expect.poll(() => idle.received()).toContain("200 OK");
  using silent = await openConnection(server.url);
  // Never signed in.
  await using stranger = await connect(server.url, null);

  const began = performance.now();
  const exited = server.kill("SIGTERM");
  process.kill(server.pid, "SIGINT");
  await untilNotReady(server);
  slow.write(login.rest);
  // Its run is over, so the next one is another.
  const live = () => fixture.storage.query("select id from sync_runs where status = 'running'");
  await expect.poll(live).toEqual([]);
  late.write(request.rest);
  expect(await exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(within(STOP_LIMIT));

  expect(await waiting).toMatchObject({
    status: 200,
    data: { runs: [{ id: runId, status: "interrupted" }] },
  });
  expect(slow.received()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*"token":"/);
  expect(late.received()).toMatch(/^HTTP\/1\.1 200 OK/);
  const { runs } = JSON.parse(/\{.*\}/.exec(late.received())?.[0] ?? "{}").data;
  expect(runs).toMatchObject([{ status: "queued" }]);
  expect(await socket.closed).toMatchObject({ code: 1012 });
  expect(socket.messages).toContainEqual({ id: null, method: "reconnect" });
  await Promise.all([late.closed, idle.closed, silent.closed, stranger.closed]);
  expect(server.output.filter((line) => /"level":[56]0/.test(line))).toEqual([]);

  const again = await signIn((await fixture.start()).url);
  const run = await runOf(again, runId);
  expect(run).toMatchObject({ status: "interrupted", gone: 0 });
  expect(run.errors).toContainEqual(
    expect.objectContaining({ message: expect.stringMatching(/^服务停止/) }),
  );
  expect(await hostTotal(again, "&gone=true")).toBe(0);
  await fixture.provider.control("release");
  await expect.poll(() => runOf(again, runs[0].id)).toMatchObject({ status: "succeeded", gone: 3 });
});

test("SIGTERM to npm start, and Ctrl+C, stop the server within 10 s", async () => {
  await using storage = await openTestStorage();
  const env = { ...storage.env, ...ROOT_ENV, PORT: "0", LOG_LEVEL: "info" };
  const ways = [
    (npm: number) => process.kill(npm, "SIGTERM"),
    (npm: number) => process.kill(-npm, "SIGINT"),
  ];
  for (const send of ways) {
    // A process group of its own, as a terminal makes it.
    await using npm = startProgram({ file: "setsid", args: ["npm", "start"], env });
    const server = await listening(npm);
    const began = performance.now();
    send(npm.pid);
    await npm.exited;
    expect(performance.now() - began).toBeLessThan(within(STOP_LIMIT));
    expect(
      server.output.filter((line) => /"msg":"stopping"|"level":[56]0/.test(line)),
    ).toHaveLength(1);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  }
});

test("a full disk under the log loses lines only: calls are answered", async () => {
  await using storage = await openTestStorage();
  // The server cannot report the port it chose.
  const port = String(await freePort());
  await using server = startProgram({
    file: "sh",
    args: ["-c", 'exec "$@" > /dev/full', "sh", process.execPath, SERVER],
    env: { ...storage.env, ...ROOT_ENV, PORT: port },
  });
  const client = restClient(`http://127.0.0.1:${port}`);

  await expect
    .poll(async () => (await client.get("/readyz")).status, { timeout: within(30_000) })
    .toBe(200);

  expect((await client.get("/api/users")).status).toBe(401);
  expect((await client.post("/api/auth/login", ROOT_USER)).status).toBe(200);
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(server.stderr).toEqual([]);
});

test("a rejection that nobody handles and callers who hang up do not end the process", async () => {
  await using storage = await openTestStorage();
  const server = await startFailing(storage.env, REJECT);
  await using _program = server;
  const root = await signIn(server.url);

  process.kill(server.pid, "SIGUSR2");
  await server.line(/unhandled rejection/);
  const hangUps = Array.from({ length: 20 }, async (_, n) => {
    const leave = new AbortController();
    setTimeout(() => leave.abort(), n);
    await root.raw("GET", "/api/users", { signal: leave.signal }).catch(() => undefined);
  });
  await Promise.all(hangUps);

  expect((await root.get("/api/users")).status).toBe(200);
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(server.output.filter((line) => /"level":[56]0/.test(line))).toHaveLength(1);
});

test("an exception that nobody catches ends the process once calls are answered", async () => {
  await using storage = await openTestStorage();
  const server = await startFailing(storage.env, THROW);
  await using _program = server;
  using slow = await openConnection(server.url);
  const login = slowPost("/api/auth/login", ROOT_USER);
  slow.write(login.start);

  process.kill(server.pid, "SIGUSR2");
  const failure = await server.line(/.*"level":60.*uncaught exception.*/);
  await untilNotReady(server);
  slow.write(login.rest);

  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(failure).toContain("nobody caught this");
  expect(slow.received()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*"token":"/);
});

function onSignal(code: string): string {
  return `data:text/javascript,process.on("SIGUSR2", () => { ${code}; });`;
}

async function startFailing(
  env: Readonly<Record<string, string>>,
  preload: string,
): Promise<ServerProgram> {
  const settings = { ...env, ...ROOT_ENV, PORT: "0", LOG_LEVEL: "warn" };
  return await listening(startProgram({ args: ["--import", preload, SERVER], env: settings }));
}

/** A stopping process answers 503 before it refuses connections, and never becomes ready again. */
async function untilNotReady({ url }: ServerProgram): Promise<void> {
  const status = async () => (await fetch(`${url}/readyz`).catch(() => null))?.status ?? "refused";
  await expect.poll(status).toBe(503);
  for (let n = 0; n < 5; n++) expect([503, "refused"]).toContain(await status());
}

/** The parts of a POST whose body comes in two pieces. */
function slowPost(path: string, body: object, token: string | null = null) {
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: console.test",
    "Content-Type: application/json",
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  return { start: `${head.join("\r\n")}\r\n\r\n${text.slice(0, 1)}`, rest: text.slice(1) };
}
