import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { SEALED_SECRETS } from "../../src/server/operations/sealed-secrets.ts";
import { createSecretBox } from "../../src/server/platform/secrets.ts";
import { useApp } from "../harness/app.ts";
import { useLogLines } from "../harness/log-lines.ts";

const { lines, log } = useLogLines();
const app = useApp({ overrides: { log } });
const SWAP =
  "update configs set private_key_sealed = other.private_key_sealed from configs other where configs.id <> other.id";

it("a key that is copied into the row of another configuration opens in neither", async () => {
  const one = await app.config();
  const other = await app.config({ name: "另一个", privateKey: "other-private-key" });
  const swap = () => app.database.query(SWAP);
  await swap();
  app.simulator.control.resetCalls();
  lines.length = 0;
  const answers: unknown[] = [];
  for (const id of [one, other]) {
    const tested = await app.root.post(`/api/hosts/configs/${id}/test`);
    expect([tested.status, tested.body]).toMatchObject([
      500,
      { code: "INTERNAL", message: "服务器内部错误" },
    ]);
    const synced = await app.root.post(`/api/hosts/sync?configId=${id}&wait=20`);
    expect(synced.data.runs).toMatchObject([{ status: "failed", hostsSeen: 0, gone: 0 }]);
    answers.push(tested.body, synced.body);
  }
  const output = [JSON.stringify(answers), ...lines].join("\n");
  for (const secret of [app.simulator.privateKey, "other-private-key"])
    expect(output).not.toContain(secret);
  expect(app.simulator.control.calls().total).toBe(0);
  await swap();
  expect((await app.root.post(`/api/hosts/configs/${one}/test`)).data.connected).toBe(true);
});

it("a sealed text that is changed or mixed in any part does not open", () => {
  const row = { table: "configs", row: "1", field: "private_key" };
  const secrets = createSecretBox(randomBytes(32));
  const whole = secrets.seal("secret", row);
  expect(secrets.open(whole, row)).toBe("secret");
  const parts = whole.split(".");
  const others = createSecretBox(randomBytes(32)).seal("other", row).split(".");
  for (const [index, other] of ["v2", ...others.slice(1)].entries()) {
    expect(() => secrets.open(parts.with(index, other).join("."), row), other).toThrow();
  }
});

it("every column of sealed values is rotated, restored and checked at start", async () => {
  const columns = await app.database.query(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and column_name like '%\\_sealed' order by 1, 2`,
  );

  // A column that is missing here is missing in src/server/operations/sealed-secrets.ts.
  expect(SEALED_SECRETS).toEqual(columns);
});
