import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { z } from "zod";
import { listen } from "./listen.ts";

/**
 * What events cost at least: `ws` alone, which sends to all sockets what is posted to it, in the frames of the product, and knows
 * neither sessions nor who may see what: node bench/harness/bare-broadcast.ts
 */
const server = createServer(async (request, response) => {
  for (const event of z.array(z.unknown()).parse(await json(request))) {
    broadcast(frame({ type: "sync.progress", data: event }));
    await nextTurn();
  }
  response.end();
});
const sockets = new WebSocketServer({ server });
let lastId = 0;
sockets.on("connection", (socket) => {
  socket.on("message", (message) => {
    if (String(message).includes("subscription"))
      socket.send(frame({ type: "stream.ready", data: { resumed: false } }));
  });
});
const url = await listen(server);
console.log(`ready ${JSON.stringify({ url, pid: process.pid })}`);

function broadcast(text: string): void {
  for (const socket of sockets.clients) socket.send(text);
}

function frame(data: { readonly type: string; readonly data: unknown }): string {
  const id = String(lastId++);
  return JSON.stringify({ id: 1, result: { type: "data", data: { id, data }, id } });
}
