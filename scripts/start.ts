import { existsSync } from "node:fs";
import { join } from "node:path";

// A production image carries the built console and not what builds it.
if (existsSync(join(import.meta.dirname, "../vite.config.ts"))) {
  const { ensureConsole } = await import("./console-build.ts");
  await ensureConsole();
}
await import("../src/server/main.ts");
