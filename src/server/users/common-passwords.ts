import { readFile } from "node:fs/promises";
import { invalidField } from "../core/errors.ts";

/** One lower-case password a line, made by scripts/make-common-passwords.ts. */
const LIST = new URL("./common-passwords.txt", import.meta.url);

/** Refuses, with INVALID_INPUT on `field`, a password that everybody tries first. */
export async function assertUncommon(field: string, password: string): Promise<void> {
  if (await isCommonPassword(password)) throw invalidField(field, "该密码过于常见，请更换一个更复杂的密码");
}

/** Whether the password is one of the most common ones, without regard to case. Read anew each time: passwords are set rarely. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const list = await readFile(LIST, "utf8");
  return list.split("\n").includes(password.toLowerCase());
}
