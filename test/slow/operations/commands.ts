import { createReadStream } from "node:fs";
import { join } from "node:path";
import { backUp } from "../../../src/server/operations/backup.ts";
import { restore as restoreFrom } from "../../../src/server/operations/restore.ts";
import { rotateKeys as rotate } from "../../../src/server/operations/rotate-keys.ts";
import { readConfig } from "../../../src/server/platform/environment/config.ts";
import { describeOperationalError } from "../../../src/server/platform/errors.ts";
import { createSecretBox } from "../../../src/server/platform/secrets.ts";
import { type Program, ROOT, startProgram } from "../../harness/programs.ts";
import { silentLog } from "../../harness/silent-log.ts";
import { openTestStorage, type TestStorage } from "../../harness/storage.ts";

type Settings = Readonly<Record<string, string>>;

/** Written by the last version before the fifth migration, by `fillEveryTable` with 12 hosts. */
export const OLD_BACKUP = join(import.meta.dirname, "format-1.backup");

export function backup(env: Settings, file: string, overwrite = false) {
  return backUp({ target: configOf(env), file, overwrite, log: silentLog });
}

export function restore(env: Settings, file: string, replace = true) {
  const config = configOf(env);
  const secrets = createSecretBox(config.encryptionKey, config.oldEncryptionKeys);
  return restoreFrom({
    target: config,
    input: createReadStream(file),
    name: file,
    replace,
    secrets,
    log: silentLog,
  });
}

export function rotateKeys(env: Settings, isNew = false) {
  return rotate(configOf(env), isNew, silentLog);
}

/** The line that a refused command prints. */
export async function refusalOf(command: Promise<unknown>): Promise<string> {
  const error = await command.then(
    () => new Error("the command was not refused"),
    (reason: unknown) => reason,
  );
  return describeOperationalError(error) ?? String(error);
}

/** A database on the PostgreSQL server with what the old backup holds. */
export async function openFilled(): Promise<TestStorage> {
  const storage = await openTestStorage({ bare: true });
  await restore(storage.env, OLD_BACKUP);
  return storage;
}

export function startAdmin(env: Settings, ...args: readonly string[]): Program {
  return startProgram({ args: [join(ROOT, "scripts/admin.ts"), ...args], env });
}

/** A shell script that starts the program; `files` are its $0, $1 and so on. */
export function startAdminBy(script: string, env: Settings, ...files: readonly string[]): Program {
  return startProgram({ file: "sh", args: ["-c", script, ...files], env });
}

function configOf(env: Settings) {
  return readConfig(env, false, { makeKey: false });
}
