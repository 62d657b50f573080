/** What of Emscripten's file system is used here. */
interface FileSystem {
  open(path: string, flags: number | string, ...rest: unknown[]): unknown;
}

/** Of the free pages of one table or index. */
const MAP = /_fsm$/;
/** The flag of open(2), as PostgreSQL was compiled with it. */
const O_CREAT = 0o100;

/**
 * Remembers which maps of free pages are not there. PostgreSQL looks for one at each new page of an index, a thousand times while
 * 10,000 hosts are written, and has none until the first vacuum. Elsewhere that is a cheap question to the system; here a
 * tenth of all that the database does. Nobody else may make files in its directory.
 */
export function rememberMissingMaps(fs: FileSystem): void {
  const open = fs.open;
  const missing = new Map<string, unknown>();
  fs.open = (path, flags, ...rest) => {
    if (!MAP.test(path)) return open(path, flags, ...rest);
    if ((Number(flags) & O_CREAT) !== 0) missing.delete(path);
    if (missing.has(path)) throw missing.get(path);
    try {
      return open(path, flags, ...rest);
    } catch (error) {
      if (isNotThere(error)) missing.set(path, error);
      throw error;
    }
  };
}

const ENOENT = 44;

/** What the file system throws is an error of its own, with WASI's numbers. */
function isNotThere(error: unknown): boolean {
  return typeof error === "object" && error !== null && "errno" in error && error.errno === ENOENT;
}
