import { readFileSync } from "node:fs";
import { reasonOf } from "../errors.ts";

const SECRETS = [
  "DATABASE_URL",
  "ENCRYPTION_KEY",
  "ENCRYPTION_KEYS_OLD",
  "ADMIN_PASSWORD",
  "METRICS_TOKEN",
] as const;

/**
 * Reads secrets from files: `<NAME>_FILE` names the file that holds `<NAME>`. Problems are one line
 * each, without the secrets.
 */
export function readSecretFiles(given: Readonly<Record<string, string | undefined>>) {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of SECRETS) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined) {
      problems.push(`${name}_FILE: is set beside ${name}; set one of them`);
      continue;
    }
    try {
      const value = readFileSync(path, "utf8").replace(/\r?\n$/, "");
      if (value === "") problems.push(`${name}_FILE: ${path} is empty`);
      else values[name] = value;
    } catch (error) {
      problems.push(`${name}_FILE: cannot be read (${reasonOf(error)})`);
    }
  }
  return { values, problems };
}
