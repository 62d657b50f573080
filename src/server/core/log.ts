import { type DestinationStream, type Logger, pino } from "pino";
import { standardOutput } from "./standard-output.ts";

export type Log = Logger;

/** Wherever one of these stands in a logged object it is blanked; the list is the second fence, not logging them is the first. */
const SECRET_KEYS = [
  "password",
  "newPassword",
  "currentPassword",
  "passwordHash",
  "token",
  "privateKey",
  "publicKey",
  "Signature",
  "authorization",
  "cookie",
];

export interface LogOptions {
  readonly level: string;
  /** Coloured lines for a person at a terminal instead of JSON. */
  readonly pretty: boolean;
  /** Tests read the lines here. */
  readonly destination?: DestinationStream;
}

/** JSON lines on stdout, one event a line, `time` in epoch milliseconds. */
export function createLog({ level, pretty, destination }: LogOptions): Log {
  const options = {
    level,
    base: null,
    serializers: { err: errorForLog },
    redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: "[redacted]" },
  };
  if (destination !== undefined) return pino(options, destination);
  if (!pretty) {
    const log = pino(
      options,
      standardOutput((lost) => log.warn({ lost }, "lines of the log were lost")),
    );
    return log;
  }
  return pino({ ...options, transport: { target: "pino-pretty", options: { translateTime: "SYS:HH:MM:ss" } } });
}

/** The driver hangs its whole connection on some errors: pages of state that say nothing about them. */
function errorForLog(error: unknown): unknown {
  return error instanceof Error ? { ...pino.stdSerializers.err(error), client: undefined } : error;
}
