import { expect, it } from "vitest";
import { MAX_BYTES_OF_ADDRESS } from "../../src/server/platform/http/body-budget.ts";
import { MAX_BODY_BYTES } from "../../src/server/platform/http/read-body.ts";
import { useApp } from "../harness/app.ts";
import { handshake } from "../harness/raw-client.ts";
import { openConnection, statuses } from "../harness/raw-requests.ts";
import { PASSWORD } from "../harness/root-user.ts";

// One customer has a whole /64 of IPv6, and would pass every limit of an address if each of its
// addresses were counted by itself.

const app = useApp({
  config: { connectionLimits: { total: 2_000, perAddress: 1_000 }, trustProxy: 1 },
});
const neighbour = (n: number) => `2001:db8:1:2::${n.toString(16)}`;
const STRANGER = "2001:db8:1:3::1";

interface Limit {
  readonly what: string;
  /** Uses it up, with another address each time. */
  readonly use: (connections: DisposableStack) => Promise<void>;
  /** The status of one more, from this address. */
  readonly tryAgain: (address: string) => Promise<number>;
  /** Of those within the limit. */
  readonly allowed: number;
  readonly refused: number;
}

const LIMITS: readonly Limit[] = [
  {
    what: "failed sign-ins",
    use: async () => {
      for (let n = 1; n <= 50; n++) await signIn(`nobody_${n}`, "Wrong1Password", neighbour(n));
    },
    tryAgain: (address) => signIn("nobody_51", "Wrong1Password", address),
    allowed: 401,
    refused: 429,
  },
  {
    what: "failed sign-ins to one account",
    use: async () => {
      for (let n = 1; n <= 10; n++) await signIn("root", "Wrong1Password", neighbour(n));
    },
    tryAgain: (address) => signIn("root", "Wrong1Password", address),
    allowed: 401,
    refused: 429,
  },
  {
    what: "bytes of bodies that arrive",
    use: async (connections) => {
      for (let n = 1; n <= Math.ceil(MAX_BYTES_OF_ADDRESS / MAX_BODY_BYTES); n++) {
        const connection = connections.use(await openConnection(app.url));
        connection.write(`${headOf(neighbour(n))}${"a".repeat(MAX_BODY_BYTES - 1)}`);
      }
      await expect.poll(() => signIn("root", PASSWORD, neighbour(999))).toBe(503);
    },
    tryAgain: (address) => signIn("root", PASSWORD, address),
    allowed: 200,
    refused: 503,
  },
  {
    what: "sockets without a session",
    use: async (connections) => {
      for (let n = 1; n <= 50; n++) {
        const connection = connections.use(await openConnection(app.url));
        connection.write(handshakeFrom(neighbour(n)));
        expect(statuses(await connection.answered)).toEqual([101]);
      }
    },
    tryAgain: async (address) => {
      using connection = await openConnection(app.url);
      connection.write(handshakeFrom(address));
      return statuses(await connection.answered)[0] ?? 0;
    },
    allowed: 101,
    refused: 429,
  },
];

it.each(LIMITS)("a /64 of IPv6 counts as one address: $what", async (limit) => {
  using connections = new DisposableStack();
  await limit.use(connections);

  const fromNeighbour = await limit.tryAgain(neighbour(1_000));
  const fromStranger = await limit.tryAgain(STRANGER);

  expect([fromNeighbour, fromStranger]).toEqual([limit.refused, limit.allowed]);
});

async function signIn(username: string, password: string, address: string): Promise<number> {
  const { status } = await app.anonymous.raw("POST", "/api/auth/login", {
    headers: { "content-type": "application/json", "x-forwarded-for": address },
    body: JSON.stringify({ username, password }).padEnd(1_000),
  });
  return status;
}

function handshakeFrom(address: string): string {
  return handshake(app.url, "/trpc?connectionParams=1", { "x-forwarded-for": address });
}

function headOf(address: string): string {
  return [
    "POST /api/auth/login HTTP/1.1",
    "Host: x",
    "Content-Type: application/json",
    `X-Forwarded-For: ${address}`,
    `Content-Length: ${MAX_BODY_BYTES}`,
    "",
    "",
  ].join("\r\n");
}
