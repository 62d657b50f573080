import { describe, expect, it } from "vitest";
import { useApp } from "./harness/app.ts";

describe("a running server", () => {
  const app = useApp({ simulator: { hosts: 130, regions: 3 } });

  it("reports liveness and readiness", async () => {
    expect((await app.anonymous.get("/healthz")).status).toBe(200);
    expect((await app.anonymous.get("/readyz")).body).toEqual({ status: "ready" });
    expect((await app.anonymous.get("/readyz/")).body).toEqual({ status: "ready" });
  });

  it("syncs every host of the provider and lists them", async () => {
    await app.config();
    const synced = await app.root.post("/api/hosts/sync?wait=25");
    expect(synced.data.runs).toMatchObject([{ status: "succeeded", hostsSeen: 130, created: 130, errors: [] }]);
    const listed = await app.root.get("/api/hosts?limit=100&page=2");
    expect(listed.data.hosts).toHaveLength(30);
    expect(listed.data.pagination).toEqual({ page: 2, limit: 100, total: 130, totalPages: 2 });
  });
});
