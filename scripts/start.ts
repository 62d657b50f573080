import { existsSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { COMPILED, SERVER } from "./server-program.ts";

const ROOT = join(import.meta.dirname, "..");
/** When what a start compiles has long been compiled, ms. */
const CACHE_AFTER = 5_000;

// A quarter of a start is compiling. Where the directory cannot be written, that is done anew each time.
process.env.NODE_COMPILE_CACHE ??= COMPILED;
enableCompileCache();
setTimeout(flushCompileCache, CACHE_AFTER).unref();

// A production image carries what was built and not what builds it.
if (existsSync(join(ROOT, "vite.config.ts"))) {
  const { ensureBuilt } = await import("./builds.ts");
  await ensureBuilt();
}
// Made by the build, so the compiler must not look for it.
await import(SERVER);
