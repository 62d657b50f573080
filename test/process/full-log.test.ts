import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { SERVER_ARGS } from "../../scripts/server-program.ts";
import { NODE, startProgram } from "../harness/programs.ts";
import { type RestClient, restClient } from "../harness/rest.ts";
import { openPlace } from "./place.ts";
import { eventually, ROOT_USER, TEST_LIMIT, takePort, within } from "./programs.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

const STOP_LIMIT = 10_000;
/** Lines of the log: far more than a pipe holds. */
const REFUSALS = 1_000;
/** Longer than the server waits for a reader that takes nothing. */
const PATIENCE = 4_000;

test("a log whose disk is full costs lines only: calls are answered, and SIGTERM ends the server with code 0", async () => {
  await using place = await openPlace();
  const port = await freed();
  await using server = startProgram({
    file: "sh",
    // What writes there is told that the disk is full.
    args: ["-c", 'exec "$@" > /dev/full', "sh", NODE, ...SERVER_ARGS],
    env: {
      ...place.env,
      PORT: port,
      ADMIN_USERNAME: ROOT_USER.username,
      ADMIN_PASSWORD: ROOT_USER.password,
    },
  });
  const client = restClient(`http://127.0.0.1:${port}`);
  await eventually(async () => expect((await client.get("/readyz")).status).toBe(200), 30_000);
  for (let n = 0; n < 3; n++) expect((await client.get("/api/users")).status).toBe(401);
  expect((await client.post("/api/auth/login", ROOT_USER)).status).toBe(200);
  const began = performance.now();
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(within(STOP_LIMIT));
  expect(server.stderr).toEqual([]);
});

test("a log whose reader is there and reads nothing costs lines only: calls are answered, and SIGTERM ends the server with code 0", async () => {
  await using stage = await openHungReader();
  const { server, client } = stage;
  await fillPipe(client);
  expect((await client.get("/readyz")).status).toBe(200);
  const began = performance.now();
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(within(STOP_LIMIT));
  expect(server.stderr).toEqual([]);
});

test("a server that starts when the reader of its log reads nothing already is no different", async () => {
  await using stage = await openHungReader({ isFull: true });
  const began = performance.now();
  expect(await stage.server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(within(STOP_LIMIT));
  expect(stage.server.stderr).toEqual([]);
});

test("a reader that goes on reading is told how many lines it has missed, and gets whole lines only, to the last", async () => {
  await using stage = await openHungReader();
  const { server, client, read } = stage;
  await fillPipe(client);
  await sleep(PATIENCE);
  const lines: string[] = [];
  await eventually(async () => {
    lines.push(...read());
    await client.get("/api/users");
    expect(lines.join("\n")).toContain("lines of the log were lost");
  }, 20_000);
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  lines.push(...read());
  const logged = lines.filter((line) => !line.startsWith("多主机")).map((line) => JSON.parse(line));
  const { lost } = logged.find(({ msg }) => msg === "lines of the log were lost");
  expect(lost).toBeGreaterThan(0);
  expect(lost).toBeLessThanOrEqual(REFUSALS);
  expect(logged.at(-1).msg).toBe("stopping");
});

async function fillPipe(client: RestClient): Promise<void> {
  for (let n = 0; n < REFUSALS; n += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.get("/api/users")));
    for (const { status } of answers) expect(status).toBe(401);
  }
}

/** A server that writes into a pipe which this process keeps open. */
async function openHungReader({ isFull = false } = {}) {
  await using resources = new AsyncDisposableStack();
  const place = resources.use(await openPlace());
  const pipe = join(place.directory, "stdout");
  execFileSync("mkfifo", [pipe]);
  const reader = resources.adopt(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK), closeSync);
  if (isFull) fill(reader);
  const port = await freed();
  const server = resources.use(
    startProgram({
      file: "sh",
      args: ["-c", 'exec "$@" > "$0"', pipe, NODE, ...SERVER_ARGS],
      env: {
        ...place.env,
        PORT: port,
        ADMIN_USERNAME: ROOT_USER.username,
        ADMIN_PASSWORD: ROOT_USER.password,
      },
    }),
  );
  const client = restClient(`http://127.0.0.1:${port}`);
  await eventually(async () => expect((await client.get("/readyz")).status).toBe(200), 30_000);
  const opened = resources.move();
  return {
    server,
    client,
    /** Whole lines of what is in the pipe. */
    read: () => linesIn(reader),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function fill(pipe: number): void {
  const nothing = Buffer.alloc(4096, "\n");
  whileItGoes(() => writeSync(pipe, nothing));
}

function linesIn(pipe: number): string[] {
  const chunks: Buffer[] = [];
  whileItGoes(() => {
    const chunk = Buffer.alloc(65_536);
    chunks.push(chunk.subarray(0, readSync(pipe, chunk)));
  });
  return Buffer.concat(chunks)
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}

/** Until the pipe is full, or empty. */
function whileItGoes(step: () => void): void {
  try {
    for (;;) step();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
  }
}

/** It cannot say where it listens. */
async function freed(): Promise<string> {
  using taken = await takePort();
  return taken.port;
}
