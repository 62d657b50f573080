import { expect, it } from "vitest";
import { MAX_BODY_BYTES, MAX_BYTES_BEING_READ } from "../../src/server/transport/read-body.ts";
import { PASSWORD, useApp } from "../harness/app.ts";
import { openConnection } from "../slow/process/raw-http.ts";

const app = useApp({ config: { connectionLimits: { total: 2_000, perAddress: 1_000 } } });
const BODIES = MAX_BYTES_BEING_READ / MAX_BODY_BYTES;
const LENGTHS = [`Content-Length: ${MAX_BODY_BYTES}`, "Transfer-Encoding: chunked"];

it.each(LENGTHS)(
  "half-sent bodies (%s) use 64 MiB at most, and further bodies get 503 until they end",
  async (length) => {
    const signIn = () => app.anonymous.post("/api/auth/login", { username: "root", password: PASSWORD });
    {
      using connections = new DisposableStack();
      for (let n = 0; n < BODIES; n++) {
        const head = `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n1`;
        connections.use(await openConnection(app.url)).write(head);
      }
      await expect.poll(async () => (await signIn()).status, { timeout: 10_000 }).toBe(503);
      const refused = await signIn();
      expect(refused.body).toMatchObject({ code: "UNAVAILABLE" });
      expect([refused.headers.get("retry-after"), refused.headers.get("connection")]).toEqual(["1", "close"]);
      const init = { body: "{}", headers: { "content-type": "application/json" } };
      const overTrpc = await app.anonymous.raw("POST", "/trpc/auth.login", init);
      expect([overTrpc.status, overTrpc.headers.get("retry-after")]).toEqual([503, "1"]);
      expect(overTrpc.headers.get("connection")).toBe("close");
      // The session is checked first, and requests without a body are served.
      expect((await app.anonymous.post("/api/users", {})).status).toBe(401);
      expect((await app.root.get("/api/auth/me")).status).toBe(200);
    }
    await expect.poll(async () => (await signIn()).status, { timeout: 10_000 }).toBe(200);
  },
);
