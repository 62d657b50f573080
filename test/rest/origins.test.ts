import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";

const ORIGIN = "https://console.example";
const app = useApp({ config: { publicOrigins: [ORIGIN] } });

it("a page of a listed origin may call and read the headers of the API", async () => {
  for (const path of ["/api/auth/me", "/trpc/auth.me"]) {
    const { headers } = await app.root.raw("GET", path, { headers: { origin: ORIGIN } });
    expect(headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(headers.get("access-control-expose-headers")?.split(",").sort()).toEqual(["Retry-After", "X-Request-Id"]);
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  }
});

it("a preflight lists the methods", async () => {
  const headers = { origin: ORIGIN, "access-control-request-method": "PUT" };
  const answer = await app.anonymous.raw("OPTIONS", "/api/system-config", { headers });
  const methods = answer.headers.get("access-control-allow-methods")?.split(",");
  expect(methods).toEqual(expect.arrayContaining(["DELETE", "GET", "HEAD", "POST", "PUT"]));
});

it("no page of another origin may read an answer", async () => {
  for (const origin of [`${ORIGIN}.evil.example`, "https://evil.example", "http://console.example", "null"]) {
    const { headers } = await app.root.raw("GET", "/api/auth/me", { headers: { origin } });
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
});
