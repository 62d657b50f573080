import { createWriteStream, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { readConfig } from "../src/server/config/config.ts";
import { createLog } from "../src/server/core/log.ts";
import { createSecretBox } from "../src/server/core/secrets.ts";
import { ENTITIES, MIGRATIONS } from "../src/server/database/entities.ts";
import { restore } from "../src/server/operations/restore.ts";
import { readFileArgument } from "./file-argument.ts";
import { runCommand } from "./run-command.ts";

const USAGE = "用法：npm run restore -- 文件 [--replace]（文件写作 - 时从标准输入读取）";

/** Fills the database that the server's settings name from a backup: docs/backup.md. */
await runCommand(async () => {
  const { file, hasFlag: replace } = readFileArgument("replace", USAGE);
  await using resources = new AsyncDisposableStack();
  const config = readConfig(process.env, false, { makeKey: false });
  const { takenAt, productVersion, tables } = await restore({
    place: config,
    file: file === "-" ? await keepInput(resources) : resolve(file),
    replace,
    secrets: createSecretBox(config.encryptionKey, config.oldEncryptionKeys),
    entities: ENTITIES,
    migrations: MIGRATIONS,
    log: createLog({ level: "warn", pretty: false }),
  });
  const time = new Date(takenAt * 1000).toISOString();
  console.log(
    `已还原 ${time} 的备份（版本 ${productVersion}）：${tables.map(({ name, rows }) => `${name} ${rows}`).join("，")}。`,
  );
  console.log("登录状态不在备份中：所有用户需要重新登录。");
});

/** Standard input as a private file, for it is read more than once: all of it is checked before anything is changed. */
async function keepInput(resources: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "host-console-restore-"));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  resources.defer(remove);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.once(signal, () => {
      remove();
      // As it would have ended without this.
      process.kill(process.pid, signal);
    });
  }
  const file = join(directory, "stdin.backup");
  await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }));
  return file;
}
