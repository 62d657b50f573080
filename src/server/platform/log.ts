import { type DestinationStream, type Logger, pino } from "pino";

export type Log = Logger;

const SECRET_KEYS = [
  "password",
  "newPassword",
  "currentPassword",
  "passwordHash",
  "token",
  "secret",
  "otpauthUrl",
  "recoveryCodes",
  "challenge",
  "privateKey",
  "publicKey",
  "Signature",
  "authorization",
  "cookie",
];

export interface LogOptions {
  readonly level: string;
  readonly pretty: boolean;
  readonly destination?: DestinationStream;
}

/** JSON lines on stdout, `time` in epoch milliseconds; coloured lines when `pretty`. */
export function createLog({ level, pretty, destination }: LogOptions): Log {
  const options = {
    level,
    base: null,
    serializers: { err: serializeError },
    redact: {
      paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
      censor: "[redacted]",
    },
  };
  if (destination !== undefined) return pino(options, destination);
  if (!pretty) return pino(options, process.stdout);

  const transport = { target: "pino-pretty", options: { translateTime: "SYS:HH:MM:ss" } };
  return pino({ ...options, transport });
}

/** A full disk or a closed pipe loses lines; without a listener it would end the process. */
export function ignoreOutputErrors(): void {
  process.stdout.on("error", () => undefined);
}

/** Without the connection that the driver attaches to some errors. */
function serializeError(error: unknown): unknown {
  return error instanceof Error ? { ...pino.stdSerializers.err(error), client: undefined } : error;
}
