import { existsSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
/** When what a start compiles has long been compiled, ms. */
const CACHE_AFTER = 5_000;

// Half of a start is stripping types and compiling. Where the directory cannot be written, that is done anew each time.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, "node_modules/.cache/compiled");
enableCompileCache();
setTimeout(flushCompileCache, CACHE_AFTER).unref();

// A production image carries the built console and not what builds it.
if (existsSync(join(ROOT, "vite.config.ts"))) {
  const { ensureConsole } = await import("./console-build.ts");
  await ensureConsole();
}
await import("../src/server/main.ts");
