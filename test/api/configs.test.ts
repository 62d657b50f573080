import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { verifyStoredKeys } from "../../src/server/configs/credentials.ts";
import { createLog } from "../../src/server/core/log.ts";
import { createSecretBox, type SecretBox } from "../../src/server/core/secrets.ts";
import { openOrm } from "../../src/server/database/open.ts";
import { useApp } from "../harness/app.ts";
import { MISSING } from "../harness/data.ts";

const key = randomBytes(32);
const app = useApp({ config: { encryptionKey: key } });
const CONFIGS = "/api/hosts/configs";
const LIST = `${CONFIGS}/list`;
const PUBLIC_KEY = "4eBx+public/Key=0123456789AbCd==";
const PRIVATE_KEY = "canary-private-key-5f2c91d07be4";

function body(more: Record<string, unknown> = {}) {
  return {
    name: "主账号",
    publicKey: PUBLIC_KEY,
    privateKey: PRIVATE_KEY,
    apiUrl: "https://api.ucloud.cn",
    defaultRegion: "cn-bj2",
    ...more,
  };
}

async function stored(id: string): Promise<Record<string, unknown>> {
  const [row] = await app.database.query("select * from configs where id = $1", [id]);
  return row ?? {};
}

describe("provider configurations", () => {
  it("creates, lists and shows configurations with a masked key only", async () => {
    const created = await app.root.post(
      CONFIGS,
      body({ remark: "财务 <b>", projectIds: ["org-1", " org-1 ", "org-2"] }),
    );
    expect(created.status).toBe(201);
    expect(created.data).toEqual({
      id: expect.any(String),
      name: "主账号",
      publicKey: "4eBx****Cd==",
      apiUrl: "https://api.ucloud.cn",
      defaultRegion: "cn-bj2",
      projectIds: ["org-1", "org-2"],
      isDefault: true,
      isActive: true,
      remark: "财务 <b>",
      createdAt: expect.any(Number),
      lastSync: null,
    });
    const listed = await app.root.get(LIST);
    expect([listed.status, listed.data]).toEqual([200, [created.data]]);
  });

  it("never shows or stores the private key in the clear", async () => {
    const { data } = await app.root.post(CONFIGS, body());
    const answers = await Promise.all([
      app.root.get(LIST),
      app.root.put(`${CONFIGS}/${data.id}`, { name: "x" }),
      app.root.put(`${CONFIGS}/${data.id}`, { privateKey: { nested: PRIVATE_KEY } }),
      app.root.post(CONFIGS, body({ unknown: 1 })),
    ]);
    for (const answer of answers) {
      expect(JSON.stringify(answer.body)).not.toContain(PRIVATE_KEY);
      expect(JSON.stringify(answer.body)).not.toContain(PUBLIC_KEY);
    }
    expect(JSON.stringify(await stored(data.id))).not.toContain(PRIVATE_KEY);
    expect(JSON.stringify(await app.database.query("select * from events"))).not.toContain(PRIVATE_KEY);
  });

  it("trims the keys and keeps the API address as typed", async () => {
    const { data } = await app.root.post(
      CONFIGS,
      body({ publicKey: ` ${PUBLIC_KEY}\n`, apiUrl: "HTTPS://API.ucloud.cn/?x=1" }),
    );
    expect(data).toMatchObject({ publicKey: "4eBx****Cd==", apiUrl: "HTTPS://API.ucloud.cn/?x=1" });
    expect((await stored(data.id)).public_key).toBe(PUBLIC_KEY);
  });

  it("an update keeps absent fields and blank keys", async () => {
    const { data } = await app.root.post(CONFIGS, body({ remark: "r", projectIds: ["org-1"] }));
    const before = await stored(data.id);
    const answer = await app.root.put(`${CONFIGS}/${data.id}`, { name: "新名称", publicKey: "  ", privateKey: "" });
    expect(answer.data).toEqual({ ...data, name: "新名称" });
    expect(await stored(data.id)).toEqual({ ...before, name: "新名称" });
    await app.root.put(`${CONFIGS}/${data.id}`, { privateKey: "another-private-key", remark: null, isActive: false });
    const after = await stored(data.id);
    expect(after.private_key_sealed).not.toBe(before.private_key_sealed);
    expect(after).toMatchObject({ remark: null, is_active: false, public_key: PUBLIC_KEY });
  });

  it("shows the latest run of each configuration", async () => {
    const { data } = await app.root.post(CONFIGS, body());
    for (const [id, status] of [
      ["0198a000-0000-7000-8000-000000000001", "failed"],
      ["0198a000-0000-7000-8000-000000000002", "partial"],
    ]) {
      await app.database.query(
        `insert into sync_runs (id, config_id, config_name, trigger, status, requested_by, requested_by_name, started_at, errors)
         values ($1, $2, '主账号', 'manual', $3, $4, '根', 1780000000, '[{"region":"hk","projectId":null,"code":"153","message":"限流"}]')`,
        [id, data.id, status, app.root.id],
      );
    }
    const [config] = (await app.root.get(LIST)).data;
    expect(config.lastSync).toMatchObject({
      id: "0198a000-0000-7000-8000-000000000002",
      configId: data.id,
      status: "partial",
      requestedBy: { id: app.root.id, name: "根" },
      startedAt: 1_780_000_000,
      finishedAt: null,
      errors: [{ region: "hk", projectId: null, code: "153", message: "限流" }],
    });
  });

  it.each([
    "http://127.0.0.1:1",
    "http://localhost/",
    "http://10.0.0.8",
    "http://169.254.169.254/latest",
    "http://[::1]:80",
    "http://[::ffff:127.0.0.1]",
    "http://2130706433/",
    "http://0x7f.1/",
    "https://user:secret@api.ucloud.cn",
  ])("rejects %s as the API address, at creation and at an update", async (apiUrl) => {
    const refused = await app.root.post(CONFIGS, body({ apiUrl }));
    expect([refused.status, refused.data.code, refused.data.errors?.[0]?.field]).toEqual([
      400,
      "INVALID_INPUT",
      "apiUrl",
    ]);
    const { data } = await app.root.post(CONFIGS, body());
    expect((await app.root.put(`${CONFIGS}/${data.id}`, { apiUrl })).data.errors?.[0]?.field).toBe("apiUrl");
    expect((await stored(data.id)).api_url).toBe("https://api.ucloud.cn");
  });

  it("saves an API address whose name does not resolve", async () => {
    const answer = await app.root.post(CONFIGS, body({ apiUrl: "https://nowhere.invalid" }));
    expect(answer.status).toBe(201);
  });

  it("returns 404 for a configuration that does not exist", async () => {
    for (const answer of [
      await app.root.put(`${CONFIGS}/${MISSING}`, { name: "x" }),
      await app.root.delete(`${CONFIGS}/${MISSING}`),
      await app.root.post(`${CONFIGS}/${MISSING}/test`),
    ]) {
      expect([answer.status, answer.data.code]).toEqual([404, "NOT_FOUND"]);
    }
  });
});

async function defaults(): Promise<string[]> {
  const { data } = await app.root.get(`${CONFIGS}/list`);
  return data.filter(({ isDefault }: { isDefault: boolean }) => isDefault).map(({ id }: { id: string }) => id);
}

describe("the default configuration", () => {
  it("the first configuration becomes the default even if the caller did not choose it", async () => {
    const first = await app.config({ isDefault: false });
    await app.config();
    expect(await defaults()).toEqual([first]);
  });

  it("the default moves to the configuration that is made the default, at creation and later", async () => {
    const first = await app.config();
    const second = await app.config({ isDefault: true });
    expect(await defaults()).toEqual([second]);
    const { data } = await app.root.get(`${CONFIGS}/list`);
    expect(data.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    expect((await app.root.put(`${CONFIGS}/${first}`, { isDefault: true })).data.isDefault).toBe(true);
    expect(await defaults()).toEqual([first]);
    expect((await app.root.put(`${CONFIGS}/${first}`, { isDefault: true })).status).toBe(200);
  });

  it("the default flag cannot be removed without another default", async () => {
    const first = await app.config();
    const second = await app.config();
    const answer = await app.root.put(`${CONFIGS}/${first}`, { isDefault: false, name: "lost" });
    expect([answer.status, answer.data.code]).toEqual([409, "STATE_CONFLICT"]);
    expect((await app.root.put(`${CONFIGS}/${second}`, { isDefault: false })).status).toBe(200);
    expect(await defaults()).toEqual([first]);
  });

  it("the default configuration cannot be deleted, even as the last one", async () => {
    const id = await app.config();
    const answer = await app.root.delete(`${CONFIGS}/${id}`);
    expect([answer.status, answer.data.code]).toEqual([409, "CONFLICT"]);
    expect(await defaults()).toEqual([id]);
  });
});

describe("stored private keys at the start of the process", () => {
  /** Checks the stored keys like a starting process. */
  async function verify(secrets: SecretBox): Promise<void> {
    const log = createLog({ level: "silent", pretty: false });
    const { connection } = app.database;
    const orm = await openOrm({ connection, log });
    try {
      await verifyStoredKeys({ em: orm.em.fork(), secrets });
    } finally {
      await orm.close(true);
    }
  }

  it("open with the current or an old encryption key they were sealed with", async () => {
    await app.config();
    await verify(createSecretBox(key));
    await verify(createSecretBox(randomBytes(32), [key]));
  });

  it("stop the start when one does not open, naming the configuration and no secret", async () => {
    const id = await app.config();
    const failure = verify(createSecretBox(randomBytes(32)));
    await expect(failure).rejects.toThrow(id);
    await expect(failure).rejects.toThrow("ENCRYPTION_KEY");
    await expect(failure).rejects.not.toThrow(app.simulator.privateKey);
  });

  it("do not open in the row of another configuration", async () => {
    const first = await app.config();
    const second = await app.config();
    await app.database.query(
      "update configs set private_key_sealed = (select private_key_sealed from configs where id = $1) where id = $2",
      [first, second],
    );
    await expect(verify(createSecretBox(key))).rejects.toThrow(second);
  });
});
