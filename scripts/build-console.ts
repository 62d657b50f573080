import { existsSync, globSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const OUTPUT = join(ROOT, "dist/client");
const SOURCES = [
  "src/client/**/*",
  "src/sdk/**/*",
  "src/shared/**/*",
  "vite.config.ts",
  "package-lock.json",
];

/**
 * Builds the console when it is missing or older than its sources. Without Vite, as in production,
 * the existing build is used.
 */
const builtAt = statSync(join(OUTPUT, "index.html"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isStale = globSync(SOURCES, { cwd: ROOT }).some(
  (file) => statSync(join(ROOT, file)).mtimeMs > builtAt,
);

if (isStale && existsSync(join(ROOT, "node_modules/vite"))) {
  console.error("正在构建控制台…");
  const { build } = await import("vite");
  // Built aside, so that two starts at once do not write into one directory.
  const outDir = `${OUTPUT}-${process.pid}`;
  await build({ configFile: join(ROOT, "vite.config.ts"), logLevel: "warn", build: { outDir } });
  rmSync(OUTPUT, { recursive: true, force: true });
  renameSync(outDir, OUTPUT);
} else if (builtAt === 0) {
  console.error("控制台尚未构建，也没有安装 Vite：请先运行 npm ci && npm run build。");
  process.exitCode = 1;
}
