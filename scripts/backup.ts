import { resolve } from "node:path";
import { readConfig } from "../src/server/config/config.ts";
import { createLog } from "../src/server/core/log.ts";
import { productVersion } from "../src/server/core/product-version.ts";
import { MIGRATIONS } from "../src/server/database/entities.ts";
import { backUp } from "../src/server/operations/back-up.ts";
import { readFileArgument } from "./file-argument.ts";
import { runCommand } from "./run-command.ts";

const USAGE = "用法：npm run backup -- 文件 [--force]（文件写作 - 时输出到标准输出）";

/** Writes the database that the server's settings name into a file: docs/backup.md. */
await runCommand(async () => {
  const { file: given, hasFlag: overwrite } = readFileArgument("force", USAGE);
  const file = given === "-" ? null : resolve(given);
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop.abort(signal));
  const { tables } = await backUp({
    place: readConfig(process.env, false, { makeKey: false }),
    file,
    overwrite,
    productVersion: productVersion(),
    knownSchema: MIGRATIONS.map(({ name }) => name),
    signal: stop.signal,
    log: createLog({ level: "warn", pretty: false, ...(file === null ? { destination: process.stderr } : {}) }),
  });
  // Standard output may be the backup itself.
  const say = file === null ? console.error : console.log;
  say(`已备份到 ${file ?? "标准输出"}：${tables.map(({ name, rows }) => `${name} ${rows}`).join("，")}。`);
  say("备份中的私钥仍是加密的，还原时需要当前的加密密钥：请与备份分开保存。");
});
