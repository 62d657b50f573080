import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { backUp } from "../src/server/operations/backup.ts";
import { resetSecondFactor } from "../src/server/operations/reset-second-factor.ts";
import { restore } from "../src/server/operations/restore.ts";
import { rotateKeys } from "../src/server/operations/rotate-keys.ts";
import { type Config, readConfig } from "../src/server/platform/environment/config.ts";
import { describeOperationalError, StartError } from "../src/server/platform/errors.ts";
import { createLog, type Log } from "../src/server/platform/log.ts";
import { createSecretBox } from "../src/server/platform/secrets.ts";

interface Input {
  readonly config: Config;
  readonly log: Log;
  /** As given: a user name, or a file, where `-` is standard input or output. */
  readonly argument: string;
  readonly hasFlag: boolean;
}

interface Command {
  readonly flag: string | null;
  readonly takesArgument: boolean;
  readonly run: (input: Input) => Promise<void>;
}

const COMMANDS = new Map<string, Command>([
  ["backup", { flag: "force", takesArgument: true, run: runBackup }],
  ["restore", { flag: "replace", takesArgument: true, run: runRestore }],
  ["rotate-keys", { flag: "new", takesArgument: false, run: runRotateKeys }],
  ["reset-second-factor", { flag: null, takesArgument: true, run: runResetSecondFactor }],
]);
const USAGE =
  "用法：npm run admin -- backup 文件 [--force] | restore 文件 [--replace] | rotate-keys [--new]" +
  " | reset-second-factor 用户名（文件写作 - 时使用标准输出或标准输入）";
const NO_KEY_FILE =
  "--new 只用于 DATA_DIR 中自动生成的密钥；密钥由 ENCRYPTION_KEY 给出时，请把新密钥设为 ENCRYPTION_KEY、" +
  "原密钥列入 ENCRYPTION_KEYS_OLD，再运行不带 --new 的命令。";

/**
 * Runs a command with the server's settings: docs/operations.md. An expected failure is one line
 * and exit code 1.
 */
try {
  const { command, argument, hasFlag } = readArguments(process.argv.slice(2));
  const config = readConfig(process.env, false, { makeKey: false });
  const log = createLog({ level: "warn", pretty: false, destination: process.stderr });
  await command.run({ config, log, argument, hasFlag });
} catch (error) {
  process.exitCode = 1;
  console.error(describeOperationalError(error) ?? error);
}

function readArguments([name = "", ...args]: readonly string[]) {
  const command = COMMANDS.get(name);
  try {
    if (command === undefined) throw new Error("no such command");
    const { flag, takesArgument } = command;
    const { values, positionals } = parseArgs({
      args,
      options: flag === null ? {} : { [flag]: { type: "boolean" } },
      allowPositionals: takesArgument,
    });
    const [argument = "", ...more] = positionals;
    if (more.length > 0 || takesArgument !== (argument !== "")) {
      throw new Error("wrong number of arguments");
    }
    return { command, argument, hasFlag: flag !== null && values[flag] === true };
  } catch {
    throw new StartError(USAGE);
  }
}

async function runBackup({
  config,
  log,
  argument: given,
  hasFlag: overwrite,
}: Input): Promise<void> {
  const file = given === "-" ? null : resolve(given);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      console.error(
        file === null ? "备份已中止：请勿使用已写出的部分。" : "备份已中止，没有留下文件。",
      );
      process.exit(1);
    });
  }
  const { tables } = await backUp({ target: config, file, overwrite, log });
  // Standard output may be the backup itself.
  const print = file === null ? console.error : console.log;
  print(
    `已备份到 ${file ?? "标准输出"}：${tables.map(({ name, rows }) => `${name} ${rows}`).join("，")}。`,
  );
  print("备份中的私钥仍是加密的，还原时需要当前的加密密钥：请与备份分开保存。");
}

async function runRestore({ config, log, argument: file, hasFlag: replace }: Input): Promise<void> {
  const path = resolve(file);
  const source =
    file === "-"
      ? { input: process.stdin, name: "标准输入" }
      : { input: createReadStream(path), name: path };
  const secrets = createSecretBox(config.encryptionKey, config.oldEncryptionKeys);
  const { takenAt, productVersion, tables } = await restore({
    target: config,
    ...source,
    replace,
    secrets,
    log,
  });
  const time = new Date(takenAt * 1000).toISOString();
  const counts = tables.map(({ name, rows }) => `${name} ${rows}`).join("，");
  console.log(`已还原 ${time} 的备份（版本 ${productVersion}）：${counts}。`);
  console.log("登录状态不在备份中：所有用户需要重新登录。");
}

async function runRotateKeys({ config, log, hasFlag: isNew }: Input): Promise<void> {
  if (isNew && !config.hasKeyFile) throw new StartError(NO_KEY_FILE);
  const { resealed, current, unopenable } = await rotateKeys(config, isNew, log);
  console.log(
    `已改用当前密钥重新加密 ${resealed} 项，原本就是当前密钥 ${current} 项，无法打开 ${unopenable.length} 项。`,
  );
  if (unopenable.length === 0) return;
  throw new StartError(
    `用现有密钥都无法打开、未作改动的数据：${unopenable.join("、")}。旧密钥请勿丢弃。`,
  );
}

async function runResetSecondFactor({ config, log, argument: username }: Input): Promise<void> {
  const wasThere = await resetSecondFactor(config, username, log);
  console.log(
    wasThere
      ? `已关闭 ${username} 的两步验证，其全部登录已失效：现在只用密码登录。`
      : `${username} 没有开启两步验证；其全部登录已失效，登录失败的计数已清除。`,
  );
}
