import { Socket } from "node:net";

/** The sockets that one process has open to its database. */
export interface DatabaseWire {
  /** What the driver takes as `stream`. */
  open(): Socket;
  /**
   * Breaks all of them and whatever is opened later. A database that says nothing would otherwise keep queries, pools and with them
   * the process for as long as it pleases.
   */
  cut(): void;
}

export function createDatabaseWire(): DatabaseWire {
  const sockets = new Set<Socket>();
  let isCut = false;
  return {
    open() {
      const socket = new Socket();
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      // Later, for connecting would revive a socket that is destroyed before.
      if (isCut) process.nextTick(() => socket.destroy());
      return socket;
    },
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}
