import { dirname, join } from "node:path";

const ROOT = dirname(import.meta.dirname);

/** Where the code that a start compiles is kept for the next one. */
export const COMPILED = join(ROOT, "node_modules/.cache/compiled");
/** Compiles PGlite's WebAssembly once. Optimising it later takes 800 MB and a second of processor at every start. */
export const WASM_FLAG = "--liftoff-only";
/** The server as it was built. */
export const SERVER = join(ROOT, "dist/server/main.js");
/** Node's arguments for it. */
export const SERVER_ARGS: readonly string[] = [WASM_FLAG, SERVER];
