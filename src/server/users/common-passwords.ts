import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { invalidField } from "../core/errors.ts";

/** One lower-case password a line, made by scripts/make-common-passwords.ts. Read anew each time: passwords are set rarely. */
const LIST = new URL("./common-passwords.txt", import.meta.url);

/** Refuses, with INVALID_INPUT on `field`, a password that everybody tries first. */
export async function assertUncommon(field: string, password: string): Promise<void> {
  if (isListed(await readFile(LIST, "utf8"), password))
    throw invalidField(field, "该密码过于常见，请更换一个更复杂的密码");
}

/** The same question at a start, before there is anybody who could be kept waiting. */
export function isCommonPassword(password: string): boolean {
  return isListed(readFileSync(LIST, "utf8"), password);
}

/** Without regard to case. */
function isListed(list: string, password: string): boolean {
  return list.split("\n").includes(password.toLowerCase());
}
