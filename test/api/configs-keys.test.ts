import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { verifyStoredKeys } from "../../src/server/configs/credentials.ts";
import { createLog } from "../../src/server/core/log.ts";
import { createSecretBox, type SecretBox } from "../../src/server/core/secrets.ts";
import { openOrm } from "../../src/server/database/open.ts";
import { useApp } from "../harness/app.ts";

const key = randomBytes(32);
const app = useApp({ config: { encryptionKey: key } });

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

describe("stored private keys at the start of the process", () => {
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
