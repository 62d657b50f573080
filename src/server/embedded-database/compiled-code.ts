import { createHash } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import { threadId } from "node:worker_threads";

const NAME = "pglite.code";
/** SHA-256, before the code itself. */
const DIGEST_BYTES = 32;
/** V8's own functions that read and write the machine code of a module. */
const READ = "(function (code, source) { return %DeserializeWasmModule(code, source); })";
const WRITE = "(function (module) { return %SerializeWasmModule(module); })";

/** PostgreSQL's WebAssembly, ready to be started. */
export interface CompiledCode {
  readonly module: WebAssembly.Module;
  /** Bytes of machine code that an earlier process left; 0 when all is compiled anew. */
  readonly found: number;
  /** Writes down what has been compiled by now, when that is more than was found. Never rejects. */
  keep(): Promise<void>;
}

/**
 * Takes PostgreSQL with the machine code that earlier processes left in `directory`, where Node keeps the server's own compiled
 * JavaScript. Without it V8 compiles everything quickly and what is called often a second time and well, which at each start
 * takes half a second of processor and 80 MB that never come back.
 *
 * Browsers keep the same for the pages they know. Node's only door to it are V8's own functions; where they are missing or refuse,
 * PostgreSQL is compiled as ever. V8 refuses what another version, processor or flags made; that it is whole is looked at here.
 */
export async function loadCompiledCode(directory: string): Promise<CompiledCode> {
  const source = await readFile(new URL("pglite.wasm", import.meta.resolve("@electric-sql/pglite")));
  const origin = digest(source);
  const path = join(directory, NAME);
  const code = await readWhole(path, origin);
  const compiled = code && natively<WebAssembly.Module>(READ, new Uint8Array(code).buffer, source);
  const module = compiled ?? (await WebAssembly.compile(source));
  const found = compiled ? code.length : 0;
  let kept = found;
  return {
    module,
    found,
    async keep() {
      const now = natively<ArrayBuffer>(WRITE, module);
      if (now === null || now.byteLength <= kept) return;
      kept = now.byteLength;
      await writeWhole(path, origin, new Uint8Array(now));
    },
  };
}

/** What V8's own function answers; null when it refuses, or this V8 does not have it. */
function natively<Answer>(source: string, ...args: unknown[]): Answer | null {
  try {
    return nativeFunction(source)(...args) ?? null;
  } catch {
    return null;
  }
}

/** Allowed only while it is compiled, and called at once: V8 throws away a function that is not called for long, and compiles it again when it is. */
function nativeFunction(source: string) {
  setFlagsFromString("--allow-natives-syntax");
  try {
    return runInThisContext(source);
  } finally {
    setFlagsFromString("--no-allow-natives-syntax");
  }
}

/** Null for what is not there, is not whole, or was made of something else. */
async function readWhole(path: string, origin: Buffer): Promise<Buffer | null> {
  const file = await readFile(path).catch(() => null);
  const code = file?.subarray(DIGEST_BYTES);
  return code && file?.subarray(0, DIGEST_BYTES).equals(digest(origin, code)) ? code : null;
}

/** Other servers may read and write the same file, and it may be in a read-only file system. */
async function writeWhole(path: string, origin: Buffer, code: Uint8Array): Promise<void> {
  const aside = `${path}.${process.pid}-${threadId}`;
  try {
    await writeFile(aside, Buffer.concat([digest(origin, code), code]), { mode: 0o600 });
    await rename(aside, path);
  } catch {
    await rm(aside, { force: true }).catch(() => undefined);
  }
}

function digest(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}
