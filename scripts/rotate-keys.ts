import { parseArgs } from "node:util";
import { type Config, readConfig } from "../src/server/config/config.ts";
import { createLog } from "../src/server/core/log.ts";
import { createSecretBox } from "../src/server/core/secrets.ts";
import { StartError } from "../src/server/core/start-error.ts";
import { askOn } from "../src/server/database/ask.ts";
import { connect, openExisting } from "../src/server/operations/command-database.ts";
import { type ResealResult, resealAll } from "../src/server/operations/reseal.ts";
import { rotateKeyFile } from "../src/server/operations/rotate.ts";
import { runCommand } from "./run-command.ts";

const USAGE = "用法：npm run keys:rotate [-- --new]";
const NOT_OURS =
  "--new 只用于 DATA_DIR 中自动生成的密钥；密钥由 ENCRYPTION_KEY 给出时，请把新密钥设为 ENCRYPTION_KEY、" +
  "原密钥列入 ENCRYPTION_KEYS_OLD，再运行不带 --new 的命令。";

/** Seals everything with the present key, or with a new one: docs/backup.md. */
await runCommand(async () => {
  const makeNew = readArguments();
  const config = readConfig(process.env, false, { makeKey: false });
  if (makeNew && !config.hasKeyFile) throw new StartError(NOT_OURS);
  const { resealed, current, unopenable } = await rotate(config, makeNew);
  console.log(
    `已改用当前密钥重新加密 ${resealed} 项，原本就是当前密钥 ${current} 项，无法打开 ${unopenable.length} 项。`,
  );
  if (unopenable.length === 0) return;
  throw new StartError(`用现有密钥都无法打开、未作改动的数据：${unopenable.join("、")}。旧密钥请勿丢弃。`);
});

async function rotate(config: Config, makeNew: boolean): Promise<ResealResult> {
  await using database = await openExisting(config, createLog({ level: "warn", pretty: false }));
  await using client = await connect(database.connection);
  const ask = askOn(client);
  const { dataDir, encryptionKey, oldEncryptionKeys } = config;
  return config.hasKeyFile
    ? await rotateKeyFile({ ask, dataDir, oldKeys: oldEncryptionKeys, makeNew })
    : await resealAll(ask, createSecretBox(encryptionKey, oldEncryptionKeys));
}

function readArguments(): boolean {
  try {
    return parseArgs({ options: { new: { type: "boolean" } } }).values.new === true;
  } catch {
    throw new StartError(USAGE);
  }
}
