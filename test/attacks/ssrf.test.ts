import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { redirect } from "../harness/faults.ts";
import { sendJson, startGateway } from "../provider/fake-gateway.ts";
import { ownName } from "./name-service.ts";

const app = useApp();
const CONFIGS = "/api/hosts/configs";
const NAME = "moving.example.com";

/** Further spellings of internal addresses; PORT is the port of a server that must not be called. */
const HOSTS = [
  "017700000001",
  "0x7f.1",
  "0X7F000001",
  "0x7f.0x0.0x0.0x1",
  "0177.0.0.01",
  "00000177.0.0.1",
  "127.0x1",
  "127.65535",
  "127.0.257",
  "2130706433.",
  "0x7f000001.",
  "0300.0250.1.1",
  "0xa9fea9fe",
  "2852039166",
  "0251.0376.0251.0376",
  "0xa9.254.0251.254",
  "169.254.43518",
  "0x00",
  "00",
  "0.0",
  "⑫⑦.⓪.⓪.①",
  "①②⑦.0.0.1",
  "127．0．0．1",
  "127｡0｡0｡1",
  "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
  "ｌｏｃａｌｈｏｓｔ",
  "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
  "localhoſt",
  "local%68ost",
  "loc\u00adalhost",
  "local\thost",
  "a.b.localhost",
  "127.0.0.1.localhost",
  "localhost。",
  "printer.LOCAL.",
  "[0:0:0:0:0:ffff:127.0.0.1]",
  "[::ffff:0x7f.1]",
  "[::FFFF:7F00:0001]",
  "[::ffff:a9fe:a9fe]",
  "[::7f00:1]",
  "[64:ff9b::169.254.169.254]",
  "[64:ff9b:1:7f00:0:100::]",
  "[2002:a9fe:a9fe::1]",
  "[2001:0:7f00:1::]",
  "[fe80::1%25lo]",
  "[fe80::1%lo]",
  "[::1%250]",
  "[100::1]",
  "[5f00::1]",
  "[ff01::1]",
  "example.com@127.0.0.1",
  "example.com:80@127.0.0.1",
  "127.0.0.1#@example.com",
  "127.0.0.1?@example.com",
  "127.0.0.1\\@example.com",
  "127.0.0.1%00.example.com",
  "127.0.0.1%0d%0aHost:x",
];

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
  expect(HOSTS.length).toBeGreaterThanOrEqual(40);
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
