import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { createSecretBox } from "../src/server/core/secrets.ts";
import { restore } from "../src/server/operations/restore.ts";
import { runCommand } from "./run-command.ts";

const usage = "用法：npm run restore -- 文件 [--replace]（文件写作 - 时从标准输入读取）";

/** Fills the database from a backup: docs/backup.md. */
await runCommand({ usage, flag: "replace", takesFile: true }, async ({ config, log, file, hasFlag: replace }) => {
  const source =
    file === "-"
      ? { input: process.stdin, name: "标准输入" }
      : { input: createReadStream(resolve(file)), name: resolve(file) };
  const secrets = createSecretBox(config.encryptionKey, config.oldEncryptionKeys);
  const { takenAt, productVersion, tables } = await restore({ place: config, ...source, replace, secrets, log });
  const time = new Date(takenAt * 1000).toISOString();
  const counts = tables.map(({ name, rows }) => `${name} ${rows}`).join("，");
  console.log(`已还原 ${time} 的备份（版本 ${productVersion}）：${counts}。`);
  console.log("登录状态不在备份中：所有用户需要重新登录。");
});
