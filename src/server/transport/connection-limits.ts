import type { Server } from "node:http";
import { networkOf } from "../core/network-of.ts";

export interface ConnectionLimits {
  /** Open connections of the process, WebSockets included. */
  readonly total: number;
  /** Of these, from one address. Connections of a trusted proxy carry many clients and are exempt. */
  readonly perAddress: number;
}

export interface ConnectionPolicy {
  readonly limits: ConnectionLimits;
  isTrustedProxy(address: string): boolean;
  onRefused(): void;
}

/** Closes new connections beyond the limits, without an answer. */
export function limitConnections(server: Server, { limits, isTrustedProxy, onRefused }: ConnectionPolicy): void {
  const open = new Map<string, number>();
  server.maxConnections = limits.total;
  server.on("drop", onRefused);
  server.on("connection", (socket) => {
    const { remoteAddress = "" } = socket;
    if (isTrustedProxy(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const count = open.get(network) ?? 0;
    if (count >= limits.perAddress) {
      socket.destroy();
      return onRefused();
    }
    open.set(network, count + 1);
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}
