import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = dirname(import.meta.dirname);

/** One of the two things that are built, into `dist/<name>`. Paths are relative to the root. */
interface Build {
  readonly name: "client" | "server";
  readonly announcement: string;
  readonly config: string;
  /** A file that every build makes. */
  readonly made: string;
  readonly sources: readonly string[];
}

const BUILDS: readonly Build[] = [
  {
    name: "client",
    announcement: "正在构建控制台…",
    config: "vite.config.ts",
    made: "index.html",
    sources: ["src/client/**/*", "src/sdk/**/*.ts", "src/shared/**/*"],
  },
  {
    name: "server",
    announcement: "正在构建服务端…",
    config: "vite.server.config.ts",
    made: "main.js",
    sources: ["src/server/**/*", "src/shared/**/*"],
  },
];
const COMMON_SOURCES = ["package.json", "package-lock.json"];

/** Builds the console and the server unless `dist` was built from exactly these sources. */
export async function ensureBuilt(): Promise<void> {
  for (const build of BUILDS) await ensure(build);
}

async function ensure({ name, announcement, config, made, sources }: Build): Promise<void> {
  const stamp = join(ROOT, `dist/${name}.sha256`);
  const fingerprint = fingerprintOf([...sources, config, ...COMMON_SOURCES]);
  const isMade = existsSync(join(ROOT, "dist", name, made)) && existsSync(stamp);
  if (isMade && readFileSync(stamp, "utf8") === fingerprint) return;
  console.log(announcement);
  await run("node_modules/.bin/vite", ["build", "--config", config, "--logLevel", "warn"]);
  writeFileSync(stamp, fingerprint);
}

function fingerprintOf(sources: readonly string[]): string {
  const hash = createHash("sha256");
  const files = globSync(sources, { cwd: ROOT, withFileTypes: true })
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
