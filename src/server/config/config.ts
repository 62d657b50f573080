import { isIP } from "node:net";
import { resolve } from "node:path";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { DEFAULT_CONSOLE_LINKS } from "../../shared/console-links.ts";
import { NewPassword } from "../../shared/passwords.ts";
import { Username } from "../../shared/users.ts";
import { StartError } from "../core/errors.ts";
import { readKeyFile } from "../operations/key-file.ts";
import { isCommonPassword } from "../users/passwords.ts";
import { readSecretFiles } from "./secret-files.ts";

const KEY_BYTES = 32;

/** Settings of one process, checked. Times in seconds. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly admin: { readonly username: string; readonly password: string | null };
  readonly encryptionKey: Buffer;
  readonly oldEncryptionKeys: readonly Buffer[];
  /** Whether the key is the one that the embedded mode made for itself in `dataDir`. */
  readonly hasKeyFile: boolean;
  readonly providerAllowedOrigins: readonly string[];
  readonly publicOrigins: readonly string[];
  /** What Express takes as `trust proxy`. */
  readonly trustProxy: false | number | readonly string[];
  readonly connectionLimits: { readonly total: number; readonly perAddress: number };
  readonly session: { readonly ttl: number; readonly idle: number };
  readonly logLevel: string;
  readonly logPretty: boolean;
  readonly metricsToken: string | null;
  readonly links: { readonly support: string; readonly help: string };
}

/** Bad settings, one line each. */
export class ConfigError extends StartError {
  override readonly name = "ConfigError";

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

/**
 * Environment → Config; the only reader of the environment. Throws ConfigError with every problem at once. `makeKey`: whether the
 * embedded mode may make its key when there is none.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  terminal: boolean,
  { makeKey = true }: { readonly makeKey?: boolean } = {},
): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const files = readSecretFiles(set);
  const given: typeof set = { ...set, ...files.values };
  const isKeyMissing =
    given.DATABASE_URL !== undefined && given.ENCRYPTION_KEY === undefined && given.ENCRYPTION_KEY_FILE === undefined;
  const parsed = Environment.safeParse(given);
  if (!parsed.success || isKeyMissing || files.problems.length > 0) {
    throw new ConfigError([...problemsOf(parsed.error), ...(isKeyMissing ? [KEY_MISSING] : []), ...files.problems]);
  }
  const settings = parsed.data;
  const dataDir = resolve(settings.DATA_DIR);
  const key = settings.ENCRYPTION_KEY;
  const keys = key === undefined ? readKeyFile(dataDir, makeKey) : { current: key, old: [] };
  return {
    port: settings.PORT,
    host: settings.HOST,
    databaseUrl: settings.DATABASE_URL ?? null,
    dataDir,
    admin: { username: settings.ADMIN_USERNAME, password: settings.ADMIN_PASSWORD ?? null },
    encryptionKey: keys.current,
    oldEncryptionKeys: [...settings.ENCRYPTION_KEYS_OLD, ...keys.old],
    hasKeyFile: key === undefined,
    providerAllowedOrigins: settings.PROVIDER_ALLOWED_ORIGINS,
    publicOrigins: settings.PUBLIC_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    connectionLimits: { total: settings.MAX_CONNECTIONS, perAddress: settings.MAX_CONNECTIONS_PER_ADDRESS },
    session: {
      ttl: wholeSeconds(settings.SESSION_TTL_HOURS * 3600),
      idle: wholeSeconds(settings.SESSION_IDLE_MINUTES * 60),
    },
    logLevel: settings.LOG_LEVEL,
    logPretty: terminal,
    metricsToken: settings.METRICS_TOKEN ?? null,
    links: { support: settings.SUPPORT_URL, help: settings.HELP_URL },
  };
}

const KEY_MISSING =
  "ENCRYPTION_KEY: is required with DATABASE_URL (32 bytes, base64; make one with: openssl rand -base64 32)";

/** One line for each variable, whatever the number of rules that it breaks. */
function problemsOf(error: z.ZodError | undefined): string[] {
  const messages = new Map<PropertyKey, string[]>();
  for (const { path, message } of error?.issues ?? []) {
    const name = path[0] ?? "";
    messages.set(name, [...(messages.get(name) ?? []), message]);
  }
  return [...messages].map(([name, texts]) => `${String(name)}: ${[...new Set(texts)].join("；")}`);
}

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const EncryptionKey = z
  .base64("must be base64")
  .transform((value) => Buffer.from(value, "base64"))
  .refine((key) => key.length === KEY_BYTES, `must be ${KEY_BYTES} bytes, base64`);

const Origins = z
  .string()
  .transform((value) => value.split(",").map((origin) => origin.trim()))
  .refine((origins) => origins.every(isOrigin), "must be a comma list of exact origins such as http://127.0.0.1:4999");

const TrustProxy = z.string().transform((value, context): Config["trustProxy"] => {
  if (/^\d{1,2}$/.test(value)) return Number(value) === 0 ? false : Number(value);
  const ranges = value.split(",").map((range) => range.trim());
  if (ranges.every(isRange)) return ranges;
  context.addIssue({ code: "custom", message: "must be a number of proxies or a comma list of addresses and CIDRs" });
  return z.NEVER;
});

const Link = z.url({ protocol: /^(https?|mailto)$/, error: "must be an http(s) or mailto address" });

const Environment = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, "must be a port number")
    .transform(Number)
    .refine((port) => port <= 65_535, "must be a port number")
    .default(3000),
  HOST: z.string().refine(isHost, "must be an IP address or a host name").default("127.0.0.1"),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// address" })
    .refine(namesDatabase, "must name a database, as in postgres://user@host/console")
    .optional(),
  DATA_DIR: z.string().default("./data"),
  ADMIN_USERNAME: Username.default("admin"),
  ADMIN_PASSWORD: NewPassword.refine(
    (password) => !isCommonPassword(password),
    "is one of the most common passwords; choose another one",
  ).optional(),
  ENCRYPTION_KEY: EncryptionKey.optional(),
  ENCRYPTION_KEYS_OLD: z
    .string()
    .transform((value) => value.split(",").map((key) => key.trim()))
    .pipe(z.array(EncryptionKey))
    .default([]),
  PROVIDER_ALLOWED_ORIGINS: Origins.default([]),
  PUBLIC_ORIGINS: Origins.default([]),
  TRUST_PROXY: TrustProxy.default(false),
  MAX_CONNECTIONS: positiveInteger(2_000),
  MAX_CONNECTIONS_PER_ADDRESS: positiveInteger(200),
  SESSION_TTL_HOURS: positiveNumber(12),
  SESSION_IDLE_MINUTES: positiveNumber(120),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{1,200}$/, "must be up to 200 letters, digits and ._~+/=-, as a bearer token may be")
    .optional(),
  SUPPORT_URL: Link.default(DEFAULT_CONSOLE_LINKS.support),
  HELP_URL: Link.default(DEFAULT_CONSOLE_LINKS.help),
});

function positiveNumber(fallback: number) {
  return z
    .string()
    .regex(/^\d+(\.\d+)?$/, "must be a positive number")
    .transform(Number)
    .refine((value) => value > 0 && value <= 100_000, "must be a positive number")
    .default(fallback);
}

function positiveInteger(fallback: number) {
  return z
    .string()
    .regex(/^[1-9]\d{0,5}$/, "must be a whole number from 1 to 999999")
    .transform(Number)
    .default(fallback);
}

/** `*` is a legal character of a URL; in an origin it is meant as a wildcard, which is refused. */
function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value && /^https?:/.test(value) && !value.includes("*");
}

/** Whether the system knows the name shows when it listens. */
function isHost(value: string): boolean {
  return isIP(value) !== 0 || /^[\w.-]+$/.test(value);
}

/** One address in full, or a CIDR: the short forms of IPv4 would let `1,2` and `100` through as addresses. */
function isRange(value: string): boolean {
  const [address = ""] = value.split("/");
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  return ipaddr.isValid(value) || ipaddr.isValidCIDR(value);
}

function namesDatabase(url: string): boolean {
  return !URL.canParse(url) || new URL(url).pathname.length > 1;
}

/** Never 0: a session that ends as it begins would let nobody in. */
function wholeSeconds(seconds: number): number {
  return Math.max(1, Math.round(seconds));
}
