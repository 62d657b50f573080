import { parseArgs } from "node:util";
import { StartError } from "../src/server/core/start-error.ts";

export interface FileArgument {
  /** As it was written; `-` is standard input or output. */
  readonly file: string;
  readonly hasFlag: boolean;
}

/** Reads the arguments of a command that takes one file and perhaps one flag. Throws the usage when there is anything else. */
export function readFileArgument(flag: string, usage: string): FileArgument {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { [flag]: { type: "boolean" } } });
    const [file, ...more] = positionals;
    if (file !== undefined && more.length === 0) return { file, hasFlag: values[flag] === true };
  } catch {
    // An option that there is not.
  }
  throw new StartError(usage);
}
