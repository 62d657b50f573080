import { parseArgs } from "node:util";
import { type Config, readConfig } from "../src/server/config/config.ts";
import { describeOperationalError, StartError } from "../src/server/core/errors.ts";
import { createLog, type Log } from "../src/server/core/log.ts";

export interface CommandOptions {
  readonly usage: string;
  /** The command's only flag, without dashes. */
  readonly flag: string;
  readonly takesFile: boolean;
}

export interface CommandInput {
  readonly config: Config;
  readonly log: Log;
  /** As written; `-` is standard input or output. */
  readonly file: string;
  readonly hasFlag: boolean;
}

/** Runs an operator's command with the server's settings. An expected failure is one line and exit code 1. */
export async function runCommand(options: CommandOptions, work: (input: CommandInput) => Promise<void>): Promise<void> {
  try {
    const command = readArguments(options);
    const config = readConfig(process.env, false, { makeKey: false });
    await work({ ...command, config, log: createLog({ level: "warn", pretty: false, destination: process.stderr }) });
  } catch (error) {
    process.exitCode = 1;
    console.error(describeOperationalError(error) ?? error);
  }
}

function readArguments({ usage, flag, takesFile }: CommandOptions): Pick<CommandInput, "file" | "hasFlag"> {
  try {
    const options = { [flag]: { type: "boolean" } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: takesFile });
    const [file = "", ...more] = positionals;
    if (more.length === 0 && takesFile === (file !== "")) return { file, hasFlag: values[flag] === true };
  } catch {
    // An unknown option.
  }
  throw new StartError(usage);
}
