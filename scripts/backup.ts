import { resolve } from "node:path";
import { backUp } from "../src/server/operations/backup.ts";
import { runCommand } from "./run-command.ts";

const usage = "用法：npm run backup -- 文件 [--force]（文件写作 - 时输出到标准输出）";

/** Writes a backup of the database: docs/backup.md. */
await runCommand(
  { usage, flag: "force", takesFile: true },
  async ({ config, log, file: given, hasFlag: overwrite }) => {
    const file = given === "-" ? null : resolve(given);
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.once(signal, () => {
        console.error(file === null ? "备份已中止：请勿使用已写出的部分。" : "备份已中止，没有留下文件。");
        process.exit(1);
      });
    }
    const { tables } = await backUp({ place: config, file, overwrite, log });
    // Standard output may be the backup itself.
    const print = file === null ? console.error : console.log;
    print(`已备份到 ${file ?? "标准输出"}：${tables.map(({ name, rows }) => `${name} ${rows}`).join("，")}。`);
    print("备份中的私钥仍是加密的，还原时需要当前的加密密钥：请与备份分开保存。");
  },
);
