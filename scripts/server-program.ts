import { dirname, join } from "node:path";

const ROOT = dirname(import.meta.dirname);

/** Where the code that a start compiles is kept for the next one. */
export const COMPILED = join(ROOT, "node_modules/.cache/compiled");
/**
 * How much of what was just made V8 may hold before it looks what of it is still needed, MB for each half: see src/server/modest-heap.ts.
 * package.json and the Dockerfile say the same.
 */
export const HEAP_FLAG = "--max-semi-space-size=8";
/** The server as it was built. */
export const SERVER = join(ROOT, "dist/server/main.js");
/** Node's arguments for it. */
export const SERVER_ARGS: readonly string[] = [HEAP_FLAG, SERVER];
