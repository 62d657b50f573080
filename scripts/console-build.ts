import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = dirname(import.meta.dirname);
const OUTPUT = join(ROOT, "dist/client");
const STAMP = join(ROOT, "dist/client.sha256");
const SOURCES = ["src/client/**/*", "src/shared/**/*", "vite.config.ts", "package-lock.json"];

/** Builds the console unless dist/client was built from exactly these sources. */
export async function ensureConsole(): Promise<void> {
  const fingerprint = sourceFingerprint();
  const isFresh =
    existsSync(join(OUTPUT, "index.html")) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint;
  if (isFresh) return;
  console.log("正在构建控制台…");
  await run("node_modules/.bin/vite", ["build", "--logLevel", "warn"]);
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, fingerprint);
}

function sourceFingerprint(): string {
  const hash = createHash("sha256");
  const files = globSync(SOURCES, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(file.slice(ROOT.length)).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

function run(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(ROOT, command), args, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with code ${code}`))));
  });
}
