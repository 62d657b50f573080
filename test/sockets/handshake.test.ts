import { describe, expect, it } from "vitest";
import { useReplica } from "./replica.ts";
import { upgrade } from "./upgrade.ts";

const replica = useReplica({ publicOrigins: ["https://console.example"] });

describe("the handshake", () => {
  it.each([
    ["a foreign page", "https://evil.example", 403],
    ["a sandboxed page", "null", 403],
    ["another port of the same host", "http://127.0.0.1:1", 403],
    ["a listed origin", "https://console.example", 101],
    ["no browser", undefined, 101],
  ])("from %s", async (_who, origin, status) => {
    expect((await upgrade(replica.port, "/trpc", { origin })).status).toBe(status);
  });

  it("from its own page, also where a proxy ends https", async () => {
    const host = `127.0.0.1:${replica.port}`;
    expect((await upgrade(replica.port, "/trpc", { origin: `http://${host}` })).status).toBe(101);
    expect((await upgrade(replica.port, "/trpc", { origin: "https://a.example", host: "a.example" })).status).toBe(101);
    expect((await upgrade(replica.port, "/trpc", { origin: "https://a.example", host: "a.example:443" })).status).toBe(
      101,
    );
  });

  it.each(["/", "/trpc/", "/TRPC", "//trpc", "/trpc%2f", "/api/hosts", "/trpc/../trpc"])(
    "is refused at %s with a JSON 404",
    async (path) => {
      const answer = await upgrade(replica.port, path);
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.body)).toMatchObject({ code: "NOT_FOUND", message: "请求的接口不存在" });
    },
  );

  it("is refused with the headers that every answer has", async () => {
    const { headers } = await upgrade(replica.port, "/trpc", { origin: "https://evil.example" });
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
  });

  it("is refused in JSON when it is malformed", async () => {
    const answer = await upgrade(replica.port, "/trpc", { "sec-websocket-key": "short" });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ code: "INVALID_INPUT" });
  });
});
