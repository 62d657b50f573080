import { expect, test, vi } from "vitest";
import { openConnection } from "../../attacks/requests.ts";
import { listening, type ServerProgram, startProgram } from "../../harness/programs.ts";
import {
  configure,
  eventually,
  hostTotal,
  openStage,
  ROOT_USER,
  runOf,
  signIn,
  syncHalfWay,
  TEST_LIMIT,
  within,
} from "../../harness/stage.ts";
import { connect, follow } from "../../sockets/raw-client.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

/** From the contract, in ms. */
const STOP_LIMIT = 10_000;

test("SIGTERM with work in flight: calls are answered, sockets reconnect, the sync ends, exit code 0 within 10 s", async () => {
  await using stage = await openStage();
  const server = await stage.start();
  const root = await signIn(server.url);
  await configure(root, stage.provider);
  const runId = await syncHalfWay(root, stage.provider);
  const written = await hostTotal(root);

  const waiting = root.post("/api/hosts/sync?wait=25");
  await using socket = await follow(`${server.url.replace("http", "ws")}/trpc`, root.token ?? "");
  using slow = await openConnection(server.url);
  const { start, rest } = slowPost("/api/auth/login", ROOT_USER);
  slow.write(start);
  using idle = await openConnection(server.url);
  idle.write("GET /healthz HTTP/1.1\r\nHost: console.test\r\n\r\n");
  await eventually(async () => expect(idle.received()).toContain("200 OK"));
  using silent = await openConnection(server.url);

  const began = performance.now();
  const exited = server.kill("SIGTERM");
  await untilNotReady(server);
  slow.write(rest);
  expect(await exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(within(STOP_LIMIT));

  const answer = await waiting;
  expect(answer.status).toBe(200);
  expect(answer.data.runs).toMatchObject([{ id: runId, status: "interrupted" }]);
  expect(slow.received()).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(slow.received()).toContain('"token":"');
  expect(await socket.closed).toMatchObject({ code: 1012 });
  expect(socket.messages).toContainEqual({ id: null, method: "reconnect" });
  await Promise.all([idle.closed, silent.closed]);
  expect(server.output.filter((line) => /"level":[56]0/.test(line))).toEqual([]);

  const next = await stage.start();
  const again = await signIn(next.url);
  const run = await runOf(again, runId);
  expect(run).toMatchObject({ status: "interrupted", gone: 0 });
  expect(run.errors.map(({ message }: { message: string }) => message)).toContainEqual(
    expect.stringMatching(/^服务停止/),
  );
  expect(await hostTotal(again)).toBeGreaterThanOrEqual(written);
  expect(await hostTotal(again, "&gone=true")).toBe(0);
});

test("a sync requested during the stop is answered as queued at once, and the next process runs it", async () => {
  await using stage = await openStage();
  const server = await stage.start();
  const root = await signIn(server.url);
  await configure(root, stage.provider);
  const running = await syncHalfWay(root, stage.provider);
  using late = await openConnection(server.url);
  const { start, rest } = slowPost("/api/hosts/sync?wait=25", {}, root.token);
  late.write(start);
  await eventually(async () => expect((await root.get("/healthz")).status).toBe(200));

  const exited = server.kill("SIGTERM");
  await untilNotReady(server);
  // Its run is over, so the next one is another.
  const live = () => stage.storage.query("select id from sync_runs where status = 'running'");
  await eventually(async () => expect(await live()).toEqual([]));
  const began = performance.now();
  late.write(rest);
  await late.closed;
  expect(performance.now() - began).toBeLessThan(within(3_000));
  expect(await exited).toEqual({ code: 0, signal: null });
  expect(late.received()).toMatch(/^HTTP\/1\.1 200 OK/);
  const { runs } = JSON.parse(/\{.*\}/.exec(late.received())?.[0] ?? "{}").data;
  expect(runs).toMatchObject([{ status: "queued" }]);
  expect(runs[0].id).not.toBe(running);

  await stage.provider.control("release");
  const next = await signIn((await stage.start()).url);
  await eventually(async () => expect((await runOf(next, runs[0].id)).status).toBe("succeeded"));
});

test.each([
  { name: "SIGTERM to npm start", send: (npm: number) => process.kill(npm, "SIGTERM") },
  { name: "Ctrl+C, a SIGINT to every process of the terminal,", send: (npm: number) => process.kill(-npm, "SIGINT") },
])("$name stops the server within 10 s, with calls waiting and connections kept alive", async ({ send }) => {
  await using stage = await openStage();
  // A process group of its own, as a terminal makes it.
  await using npm = startProgram({
    file: "setsid",
    args: ["npm", "start"],
    env: { ...stage.settings, PORT: "0", LOG_LEVEL: "info" },
  });
  const server = await listening(npm);
  const root = await signIn(server.url);
  await configure(root, stage.provider);
  await syncHalfWay(root, stage.provider);
  const waiting = root.post("/api/hosts/sync?wait=25");
  // Connected, but never signed in.
  await using stranger = await connect(`${server.url.replace("http", "ws")}/trpc`, null);
  // Once a later call has found the run, the one that waits has found it too.
  expect((await root.post("/api/hosts/sync?wait=0")).data.runs).toMatchObject([{ status: "running" }]);

  const began = performance.now();
  send(npm.pid);
  await npm.exited;
  expect(performance.now() - began).toBeLessThan(within(STOP_LIMIT));
  expect((await waiting).data.runs).toMatchObject([{ status: "interrupted" }]);
  await stranger.closed;
  expect(server.output.filter((line) => /"msg":"stopping"|"level":[56]0/.test(line))).toHaveLength(1);
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
});

test("a second signal does not disturb the stop", async () => {
  await using stage = await openStage({ hosts: 0 });
  const server = await stage.start();
  const root = await signIn(server.url);
  await root.put("/api/system-config", { show_network_info_to_client: true });
  process.kill(server.pid, "SIGTERM");
  process.kill(server.pid, "SIGINT");
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  const next = await stage.start();
  const settings = await (await signIn(next.url)).get("/api/system-config");
  expect(settings.body).toEqual({ show_network_info_to_client: true });
});

/** A stopping process answers 503 before it refuses connections, and never becomes ready again. */
async function untilNotReady({ url }: ServerProgram): Promise<void> {
  const status = async () => (await fetch(`${url}/readyz`).catch(() => null))?.status ?? "refused";
  await eventually(async () => expect(await status()).toBe(503));
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
