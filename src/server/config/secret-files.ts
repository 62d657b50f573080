import { readFileSync } from "node:fs";

/** What nobody should read off a list of processes or a manifest. */
const SECRETS = ["DATABASE_URL", "ENCRYPTION_KEY", "ENCRYPTION_KEYS_OLD", "ADMIN_PASSWORD", "METRICS_TOKEN"] as const;

type Settings = Readonly<Record<string, string | undefined>>;

export interface SecretFiles {
  /** Name → content, without the newline that editors and `echo` leave at its end. */
  readonly values: Readonly<Record<string, string>>;
  /** One line each, without the secrets. */
  readonly problems: readonly string[];
}

/** Reads the secrets that come as files: `<NAME>_FILE` names the file that holds `<NAME>`, as Docker's images have it. */
export function readSecretFiles(given: Settings): SecretFiles {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of SECRETS) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    const content = given[name] === undefined ? contentOf(path) : { problem: `is set beside ${name}; set one of them` };
    if ("value" in content) values[name] = content.value;
    else problems.push(`${name}_FILE: ${content.problem}`);
  }
  return { values, problems };
}

function contentOf(path: string): { readonly value: string } | { readonly problem: string } {
  try {
    const value = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    return value === "" ? { problem: `${path} is empty` } : { value };
  } catch (error) {
    return { problem: `cannot be read (${error instanceof Error ? error.message : String(error)})` };
  }
}
