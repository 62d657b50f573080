import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { createSecretBox } from "../../src/server/core/secrets.ts";
import { type Account, useApp } from "../harness/app.ts";
import { useLogLines } from "./log-lines.ts";

const { lines, log } = useLogLines();
const app = useApp({ overrides: { log } });

/** The stored sealed key of a configuration. */
async function sealedOf(id: string): Promise<string> {
  const [row] = await app.database.query("select private_key_sealed from configs where id = $1", [id]);
  return String(row?.private_key_sealed);
}

async function seal(id: string, text: string): Promise<void> {
  await app.database.query("update configs set private_key_sealed = $1 where id = $2", [text, id]);
}

/** No use of the key calls the provider or reveals the sealed text. */
async function failsClosed(root: Account, id: string): Promise<void> {
  app.simulator.control.resetCalls();
  lines.length = 0;
  const tested = await root.post(`/api/hosts/configs/${id}/test`);
  expect(tested.status).toBe(500);
  expect(tested.body).toMatchObject({ code: "INTERNAL", message: "服务器内部错误" });
  const synced = await root.post(`/api/hosts/sync?configId=${id}&wait=20`);
  expect(synced.data.runs).toMatchObject([{ status: "failed", hostsSeen: 0, gone: 0 }]);
  const output = [JSON.stringify(tested.body), JSON.stringify(synced.body), ...lines].join("\n");
  for (const secret of [app.simulator.privateKey, "other-private-key"]) expect(output).not.toContain(secret);
  expect(app.simulator.control.calls().total).toBe(0);
}

it("a key that is copied into the row of another configuration opens in neither", async () => {
  const one = await app.config();
  const other = await app.config({ name: "另一个", privateKey: "other-private-key" });
  const [first, second] = [await sealedOf(one), await sealedOf(other)];
  await seal(one, second);
  await seal(other, first);
  await failsClosed(app.root, one);
  await failsClosed(app.root, other);
  await seal(one, first);
  expect((await app.root.post(`/api/hosts/configs/${one}/test`)).data.connected).toBe(true);
});

it("a sealed text that is changed, cut or mixed in any part does not open", () => {
  const row = { table: "configs", row: "1", field: "private_key" };
  const secrets = createSecretBox(randomBytes(32));
  const whole = secrets.seal("secret", row);
  expect(secrets.open(whole, row)).toBe("secret");
  const [version = "", key = "", iv = "", body = ""] = whole.split(".");
  const [, , otherIv = "", otherBody = ""] = secrets.seal("other", row).split(".");
  const flip = (text: string, at: number) => text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
  for (const parts of [
    [version, key, iv, flip(body, 0)],
    [version, key, iv, flip(body, Math.floor(body.length / 2))],
    [version, key, iv, flip(body, body.length - 3)],
    [version, key, flip(iv, 2), body],
    [version, flip(key, 0), iv, body],
    ["v2", key, iv, body],
    [version, key, otherIv, body],
    [version, key, iv, otherBody],
    [version, key, iv, body.slice(0, 20)],
    [version, key, iv, ""],
    [version, key, "", body],
    [version, key, iv],
    ["46f09bb9fab4f12dfc160dae12273d5332b5debe"],
    [""],
  ]) {
    expect(() => secrets.open(parts.join("."), row), parts.join(".")).toThrow();
  }
});
