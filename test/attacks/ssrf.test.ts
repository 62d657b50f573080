import dns, { type LookupAddress } from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { redirect } from "../harness/faults.ts";
import { sendJson, startGateway } from "../provider/fake-gateway.ts";

const app = useApp();
const CONFIGS = "/api/hosts/configs";
const NAME = "moving.example.com";

/** Some of the spellings that test/egress/guard.test.ts tries. */
const HOSTS = ["127.0.0.1", "0xa9fea9fe", "①②⑦.0.0.1", "localhost。", "[::ffff:a9fe:a9fe]", "example.com@127.0.0.1"];

it("an internal address is neither saved nor called, however it is spelled", async () => {
  await using inner = await startGateway((response) => sendJson(response, {}));
  const id = await app.config();
  const before = await app.database.query("select * from configs");
  const fields = { name: "内网", publicKey: "a".repeat(20), privateKey: "b".repeat(20), defaultRegion: "cn-bj2" };
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

it("a name that resolved to a public address when saved and to a private one at the call is not called", async () => {
  await using inner = await startGateway((response) => sendJson(response, {}));
  using name = ownName(NAME);
  name.answer("8.8.8.8");
  const id = await app.config({ apiUrl: `http://${NAME}:${inner.port}/` });
  for (const addresses of [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::1"], ["::ffff:127.0.0.1"], ["0.0.0.0"]]) {
    name.answer(...addresses);
    expect((await app.root.post(`${CONFIGS}/${id}/test`)).data).toMatchObject({ connected: false });
    expect((await app.root.put(`${CONFIGS}/${id}`, { apiUrl: `http://${NAME}:${inner.port}/x` })).status).toBe(400);
  }
  expect(inner.calls).toEqual([]);
});

it("a redirect of the provider is not followed, to an internal or any other address", async () => {
  await using inner = await startGateway((response) => sendJson(response, {}));
  const id = await app.config();
  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of [inner.origin, `//127.0.0.1:${inner.port}/`, "http://169.254.169.254/latest/meta-data/"]) {
      app.simulator.control.clearFaults();
      app.simulator.control.addFaults({ fault: redirect(location, status) });
      const { data } = await app.root.post(`${CONFIGS}/${id}/test`);
      expect(data.connected).toBe(false);
      expect(JSON.stringify(data)).not.toContain(location);
    }
  }
  expect(inner.calls).toEqual([]);
});

/** Replaces the resolver for one name, as the owner of a name can change its address at any time. */
function ownName(name: string) {
  const system = dns.lookup;
  let addresses: LookupAddress[] = [];
  const lookup = (hostname: string, options: object, done: (error: Error | null, found: LookupAddress[]) => void) =>
    hostname === name
      ? queueMicrotask(() => done(null, addresses))
      : Reflect.apply(system, dns, [hostname, options, done]);
  Object.assign(dns, { lookup });
  syncBuiltinESMExports();
  return {
    answer(...given: string[]) {
      addresses = given.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
    [Symbol.dispose]() {
      Object.assign(dns, { lookup: system });
      syncBuiltinESMExports();
    },
  };
}
