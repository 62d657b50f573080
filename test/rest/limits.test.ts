import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { HASHES } from "../../src/server/app.ts";
import { LIMITS } from "../../src/server/auth/login-limit.ts";
import { MAX_SESSIONS_PER_USER } from "../../src/server/auth/sessions.ts";
import { readConfig } from "../../src/server/config/config.ts";
import { MAX_KEYS } from "../../src/server/core/limit-keys.ts";
import { MAX_STREAMS_PER_USER } from "../../src/server/events/hub.ts";
import { EVENT_RETENTION } from "../../src/server/events/store.ts";
import { MAX_BATCH_SIZE } from "../../src/server/transport/http.ts";
import { REQUEST_LIMITS } from "../../src/server/transport/http-server.ts";
import { MAX_BODY_BYTES, MAX_BYTES_BEING_READ } from "../../src/server/transport/read-body.ts";
import {
  MAX_FRAMES_PER_MINUTE,
  MAX_SOCKETS_PER_USER,
  MAX_UNAUTHENTICATED_PER_ADDRESS,
  SIGN_IN_LIMIT,
} from "../../src/server/transport/socket-watch.ts";
import { MAX_CALLS_PER_FRAME, MAX_FRAME_BYTES, MAX_WAITING_BYTES } from "../../src/server/transport/websocket.ts";
import { MAX_BATCH_HOSTS } from "../../src/shared/batch.ts";

const KIB = 1024;
const { connectionLimits } = readConfig({ ENCRYPTION_KEY: Buffer.alloc(32).toString("base64") }, false);

it("deadlines of requests are checked every 5 s", () => {
  expect(REQUEST_LIMITS.connectionsCheckingInterval).toBe(5_000);
});

it("docs/api.md lists the limits of the server, and no others", () => {
  const manual = readFileSync(join(import.meta.dirname, "../../docs/api.md"), "utf8");
  const chapter = /^## Limits$(.*?)^## /ms.exec(manual)?.[1] ?? "";
  const [, , ...rows] = chapter.split("\n").filter((line) => line.startsWith("|"));
  expect(rows.map((row) => row.split(" | ").slice(0, 2).join(": "))).toEqual([
    `| connections of a process (\`MAX_CONNECTIONS\`): ${connectionLimits.total}`,
    `| of these from one address (\`MAX_CONNECTIONS_PER_ADDRESS\`): ${connectionLimits.perAddress}`,
    `| address and headers of a request: ${REQUEST_LIMITS.maxHeaderSize / KIB} KiB`,
    `| time until a request's headers are there: ${REQUEST_LIMITS.headersTimeout / 1000} s`,
    `| time until all of a request is there: ${REQUEST_LIMITS.requestTimeout / 1000} s`,
    `| body of a call, REST or tRPC: ${MAX_BODY_BYTES / KIB} KiB`,
    `| bodies that a process reads at once, by their declared length: ${MAX_BYTES_BEING_READ / KIB / KIB} MiB`,
    `| keys of one object in the input of a call: ${MAX_KEYS}`,
    `| calls in a tRPC batch over HTTP: ${MAX_BATCH_SIZE}`,
    `| hosts in one \`hosts/batch\`: ${MAX_BATCH_HOSTS}`,
    `| failed sign-ins of an account from one address: ${LIMITS.accountAtAddress.max} in ${LIMITS.accountAtAddress.window} s`,
    `| failed sign-ins from one address: ${LIMITS.address.max} in ${LIMITS.address.window} s`,
    `| failed sign-ins of an account from addresses where it never signed in: ${LIMITS.account.max} in ${LIMITS.account.window} s`,
    `| live sessions of a user: ${MAX_SESSIONS_PER_USER}`,
    `| passwords computed at once by a process: ${HASHES.concurrency}, ${HASHES.maxWaiting} waiting`,
    `| sockets of a user at a process: ${MAX_SOCKETS_PER_USER}`,
    `| sockets of an address that have not signed in yet: ${MAX_UNAUTHENTICATED_PER_ADDRESS}`,
    `| time until a socket sends its token: ${SIGN_IN_LIMIT} s`,
    `| a frame to the server: ${MAX_FRAME_BYTES / KIB} KiB`,
    `| calls in a frame: ${MAX_CALLS_PER_FRAME}`,
    `| frames of a socket, pings and pongs counted: ${MAX_FRAMES_PER_MINUTE} a minute`,
    `| bytes that wait for a slow reader: ${MAX_WAITING_BYTES / KIB / KIB} MiB`,
    `| streams of a user at a process: ${MAX_STREAMS_PER_USER}`,
    `| age of an event that can be replayed for sure: ${EVENT_RETENTION / 3600} h`,
  ]);
});
