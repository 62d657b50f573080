import { createLog, type Log } from "../../src/server/platform/log.ts";

/** A debug log that collects its lines. */
export function useLogLines(): { readonly lines: string[]; readonly log: Log } {
  const lines: string[] = [];
  const log = createLog({
    level: "trace",
    pretty: false,
    destination: { write: (line) => void lines.push(line) },
  });
  return { lines, log };
}
