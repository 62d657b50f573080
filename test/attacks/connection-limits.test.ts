import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";

const PER_ADDRESS = 8;

/** A keep-alive connection from the address, or null when the server closes it unanswered. */
function open(url: string, localAddress: string): Promise<Socket | null> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.on("error", () => undefined);
  socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  return new Promise((resolve) => {
    socket.once("data", () => resolve(socket));
    socket.once("close", () => resolve(null));
  });
}

async function openMany(url: string, localAddress: string, count: number) {
  const sockets = await Promise.all(Array.from({ length: count }, () => open(url, localAddress)));
  const accepted = sockets.filter((socket) => socket !== null);
  return {
    accepted: accepted.length,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(accepted.map((socket) => new Promise((resolve) => socket.once("close", resolve).destroy())));
    },
  };
}

// Only Linux has more loopback addresses.
describe.runIf(process.platform === "linux")("connection limits", () => {
  describe("per address", () => {
    const app = useApp({ config: { connectionLimits: { total: 100, perAddress: PER_ADDRESS } } });

    it("closes connections beyond the limit of an address, serves other addresses, and frees the slots on close", async () => {
      {
        await using first = await openMany(app.url, "127.0.0.2", PER_ADDRESS + 5);
        await using second = await openMany(app.url, "127.0.0.3", 3);
        expect([first.accepted, second.accepted]).toEqual([PER_ADDRESS, 3]);
        expect(await open(app.url, "127.0.0.2")).toBeNull();
      }
      const accepted = async () => {
        await using again = await openMany(app.url, "127.0.0.2", PER_ADDRESS);
        return again.accepted;
      };
      await expect.poll(accepted).toBe(PER_ADDRESS);
    });
  });

  describe("for the process", () => {
    const app = useApp({ config: { connectionLimits: { total: 20, perAddress: 15 } } });

    it("closes connections beyond the limit of the process", async () => {
      await using first = await openMany(app.url, "127.0.0.2", 15);
      await using second = await openMany(app.url, "127.0.0.3", 15);
      expect(first.accepted).toBe(15);
      // The connection of the first sign-in may still be open.
      expect(second.accepted).toBeGreaterThanOrEqual(3);
      expect(second.accepted).toBeLessThanOrEqual(5);
    });
  });

  describe("behind a trusted proxy", () => {
    const limits = { total: 100, perAddress: PER_ADDRESS };
    const named = useApp({ config: { connectionLimits: limits, trustProxy: ["127.0.0.2"] } });
    const counted = useApp({ config: { connectionLimits: limits, trustProxy: 1 } });

    it("exempts the proxy addresses that TRUST_PROXY names from the limit per address, and no others", async () => {
      await using proxy = await openMany(named.url, "127.0.0.2", PER_ADDRESS + 5);
      await using stranger = await openMany(named.url, "127.0.0.3", PER_ADDRESS + 5);
      expect([proxy.accepted, stranger.accepted]).toEqual([PER_ADDRESS + 5, PER_ADDRESS]);
    });

    it("exempts all connections from the limit per address when TRUST_PROXY is a number", async () => {
      await using proxy = await openMany(counted.url, "127.0.0.2", PER_ADDRESS + 5);
      expect(proxy.accepted).toBe(PER_ADDRESS + 5);
    });
  });
});
