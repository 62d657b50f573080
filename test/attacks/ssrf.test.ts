import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { sendJson, startGateway } from "../harness/fake-gateway.ts";

const app = useApp();
const CONFIGS = "/api/hosts/configs";

/** Some of the spellings that test/egress/guard.test.ts tries. */
const HOSTS = [
  "127.0.0.1",
  "0xa9fea9fe",
  "①②⑦.0.0.1",
  "localhost。",
  "[::ffff:a9fe:a9fe]",
  "example.com@127.0.0.1",
];

it("an internal address is neither saved nor called, however it is spelled", async () => {
  await using inner = await startGateway((response) => sendJson(response, {}));
  const id = await app.config();
  const before = await app.database.query("select * from configs");
  const fields = {
    name: "内网",
    publicKey: "a".repeat(20),
    privateKey: "b".repeat(20),
    defaultRegion: "cn-bj2",
  };
  for (const host of HOSTS) {
    const apiUrl = `http://${host}:${inner.port}/`;
    const created = await app.root.post(CONFIGS, { ...fields, apiUrl });
    const updated = await app.root.put(`${CONFIGS}/${id}`, { apiUrl });
    for (const { status, body } of [created, updated]) {
      expect(status, apiUrl).toBe(400);
      expect(body).toMatchObject({ code: "INVALID_INPUT", errors: [{ field: "apiUrl" }] });
    }
  }

  expect(await app.database.query("select * from configs")).toEqual(before);
  expect(inner.calls).toEqual([]);
});

it("an internal address written directly into the database is rejected at the call", async () => {
  await using inner = await startGateway((response) => sendJson(response, {}));
  const id = await app.config();
  for (const host of ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "0"]) {
    await app.database.query("update configs set api_url = $1", [`http://${host}:${inner.port}/`]);
    const tested = await app.root.post(`${CONFIGS}/${id}/test`);
    expect(tested.data).toMatchObject({ connected: false });
    expect(JSON.stringify(tested.body)).not.toMatch(/127\.0\.0\.1|localhost|ECONN|lookup/);
    const { data } = await app.root.post("/api/hosts/sync?wait=20");
    expect(data.runs).toMatchObject([{ status: "failed", hostsSeen: 0 }]);
  }

  expect(inner.calls).toEqual([]);
});
