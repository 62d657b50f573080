import { z } from "zod";
import type { SecretBox } from "../core/secrets.ts";
import { StartError } from "../core/start-error.ts";
import { readBackup } from "./read-backup.ts";
import { SEALED_COLUMNS, sealedPlace } from "./sealed-columns.ts";
import { tryOpen } from "./try-open.ts";

const Row = z.record(z.string(), z.unknown());

/** Throws StartError when a sealed value in the backup does not open with the keys at hand. */
export async function verifyKeys(file: string, secrets: SecretBox): Promise<void> {
  await readBackup(file, (table, rows) => {
    for (const sealed of SEALED_COLUMNS.filter((column) => column.table === table)) {
      for (const row of rows) {
        const { id, [sealed.column]: value } = Row.parse(JSON.parse(row));
        const plain = tryOpen(secrets, String(value), sealedPlace(sealed, String(id)));
        if (plain === null) throw wrongKey(`${table} ${id}`);
      }
    }
  });
}

function wrongKey(row: string): StartError {
  return new StartError(
    `备份中 ${row} 的私钥无法用当前密钥打开，数据库未作任何改动：请把备份时使用的密钥设为 ENCRYPTION_KEY` +
      "（或列入 ENCRYPTION_KEYS_OLD；内置数据库也可把原来的 encryption.key 放进 DATA_DIR），再还原。",
  );
}
