import { type IncomingHttpHeaders, request } from "node:http";

/** Sends a handshake and returns the server's answer. */
export function upgrade(port: number, path: string, headers: Record<string, string | undefined> = {}) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const given = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    const handshake = request({
      host: "127.0.0.1",
      port,
      path,
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        ...Object.fromEntries(given),
      },
    });
    handshake.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: "" });
    });
    handshake.on("response", async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
    handshake.on("error", reject);
    handshake.end();
  });
}
