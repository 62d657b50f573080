import { StartError } from "../src/server/core/errors.ts";
import { rotateKeys } from "../src/server/operations/rotate-keys.ts";
import { runCommand } from "./run-command.ts";

const usage = "用法：npm run keys:rotate [-- --new]";
const NO_KEY_FILE =
  "--new 只用于 DATA_DIR 中自动生成的密钥；密钥由 ENCRYPTION_KEY 给出时，请把新密钥设为 ENCRYPTION_KEY、" +
  "原密钥列入 ENCRYPTION_KEYS_OLD，再运行不带 --new 的命令。";

/** Seals the stored private keys with the current encryption key, or with a new one: docs/backup.md. */
await runCommand({ usage, flag: "new", takesFile: false }, async ({ config, log, hasFlag: isNew }) => {
  if (isNew && !config.hasKeyFile) throw new StartError(NO_KEY_FILE);
  const { resealed, current, unopenable } = await rotateKeys(config, isNew, log);
  console.log(
    `已改用当前密钥重新加密 ${resealed} 项，原本就是当前密钥 ${current} 项，无法打开 ${unopenable.length} 项。`,
  );
  if (unopenable.length === 0) return;
  throw new StartError(`用现有密钥都无法打开、未作改动的数据：${unopenable.join("、")}。旧密钥请勿丢弃。`);
});
