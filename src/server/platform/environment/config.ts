import { isIP } from "node:net";
import { resolve } from "node:path";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { DEFAULT_CONSOLE_LINKS } from "../../../shared/console-links.ts";
import { NewPassword } from "../../../shared/passwords.ts";
import { DAY_SECONDS } from "../../../shared/time.ts";
import { Username } from "../../../shared/users.ts";
import type { DatabaseTarget } from "../database/open-connection.ts";
import { StartError } from "../errors.ts";
import { isCommonPassword } from "../passwords.ts";
import { findDatabaseUrlProblem } from "./database-url.ts";
import { KEY_PATTERN, readKeyFile } from "./key-file.ts";
import { readSecretFiles } from "./secret-files.ts";

/** Times in seconds. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

/**
 * Throws StartError with every problem at once. `makeKey`: whether the embedded mode may make its
 * key when there is none.
 */
export function readConfig(env: NodeJS.ProcessEnv, terminal: boolean, { makeKey = true } = {}) {
  return readKeys(readSettings(env, terminal), makeKey);
}

/** The first half of `readConfig`: it creates nothing. */
export function readSettings(env: NodeJS.ProcessEnv, terminal: boolean) {
  const set = withoutEmpty(env);
  const files = readSecretFiles(set);
  const given: typeof set = { ...set, ...files.values };
  const parsed = Environment.safeParse(given);

  const problems = [...describeIssues(parsed.error), ...findMissingKey(given), ...files.problems];
  if (!parsed.success || problems.length > 0) throw new StartError(problems.join("\n"));

  const settings = parsed.data;
  return {
    port: settings.PORT,
    host: settings.HOST,
    databaseUrl: settings.DATABASE_URL ?? null,
    dataDir: resolve(settings.DATA_DIR),
    admin: { username: settings.ADMIN_USERNAME, password: settings.ADMIN_PASSWORD ?? null },
    encryptionKey: settings.ENCRYPTION_KEY,
    oldEncryptionKeys: settings.ENCRYPTION_KEYS_OLD,
    providerAllowedOrigins: settings.PROVIDER_ALLOWED_ORIGINS,
    outboundAllowed: settings.OUTBOUND_ALLOWED,
    publicOrigins: settings.PUBLIC_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    connectionLimits: {
      total: settings.MAX_CONNECTIONS,
      perAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
    },
    session: { ttl: settings.SESSION_TTL_HOURS, idle: settings.SESSION_IDLE_MINUTES },
    auditRetention: settings.AUDIT_RETENTION_DAYS,
    logLevel: settings.LOG_LEVEL,
    logPretty: terminal,
    metricsToken: settings.METRICS_TOKEN ?? null,
    links: { support: settings.SUPPORT_URL, help: settings.HELP_URL },
  };
}

/** One line for each setting that is refused. */
function describeIssues(error: Pick<z.ZodError, "issues"> | undefined): string[] {
  const messages = new Map<string, Set<string>>();
  for (const { path, message } of error?.issues ?? []) {
    const name = String(path[0]);
    messages.set(name, (messages.get(name) ?? new Set()).add(message));
  }
  return [...messages].map(([name, ofName]) => `${name}: ${[...ofName].join("；")}`);
}

/**
 * Only the embedded database makes its own key. A file of the key that cannot be read is among the
 * problems already.
 */
function findMissingKey(given: NodeJS.ProcessEnv): string[] {
  const { DATABASE_URL, ENCRYPTION_KEY, ENCRYPTION_KEY_FILE } = given;
  const isServer = DATABASE_URL !== undefined;
  const isGiven = ENCRYPTION_KEY !== undefined || ENCRYPTION_KEY_FILE !== undefined;
  return isServer && !isGiven ? [KEY_MISSING] : [];
}

/** Completes the settings with the key file of the embedded database when no key is given. */
export function readKeys(
  { encryptionKey, ...settings }: ReturnType<typeof readSettings>,
  makeKey = true,
) {
  if (encryptionKey !== undefined) return { ...settings, encryptionKey, hasKeyFile: false };

  const { current, old } = readKeyFile(settings.dataDir, makeKey);
  return {
    ...settings,
    encryptionKey: current,
    oldEncryptionKeys: [...settings.oldEncryptionKeys, ...old],
    hasKeyFile: true,
  };
}

/**
 * The settings that name the database, for a program that opens nothing encrypted. Throws
 * StartError.
 */
export function readDatabaseTarget(env: NodeJS.ProcessEnv): DatabaseTarget {
  const { DATABASE_URL, DATABASE_URL_FILE, DATA_DIR } = env;
  const set = withoutEmpty({ DATABASE_URL, DATABASE_URL_FILE, DATA_DIR });
  const files = readSecretFiles(set);
  const parsed = Environment.pick({ DATABASE_URL: true, DATA_DIR: true }).safeParse({
    ...set,
    ...files.values,
  });
  const problems = [...describeIssues(parsed.error), ...files.problems];
  if (!parsed.success || problems.length > 0) throw new StartError(problems.join("\n"));

  return { databaseUrl: parsed.data.DATABASE_URL ?? null, dataDir: resolve(parsed.data.DATA_DIR) };
}

/** A variable that is set to nothing counts as unset. */
function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );
}

const KEY_MISSING =
  "ENCRYPTION_KEY: is required with DATABASE_URL (32 bytes, base64; make one with: openssl rand -base64 32)";
const TOKEN_RULE = "must be up to 200 letters, digits and ._~+/=-, as a bearer token may be";
const COMMON_PASSWORD = "is one of the most common passwords; choose another one";
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const EncryptionKey = z
  .string()
  .regex(KEY_PATTERN, "must be 32 bytes, base64")
  .transform((value) => Buffer.from(value, "base64"));

const ORIGINS_RULE = "must be a comma list of exact origins such as http://127.0.0.1:4999";
const Origins = commaList().refine((origins) => origins.every(isOrigin), ORIGINS_RULE);

const OUTBOUND_RULE =
  "must be a comma list of host:port such as relay.example:25, or of origins such as http://127.0.0.1:8080";
const OutboundAllowed = commaList()
  .refine((items) => items.every((item) => isOrigin(item) || isServer(item)), OUTBOUND_RULE)
  .transform((items) => ({
    origins: items.filter(isOrigin),
    servers: items.filter(isServer),
  }));

const PROXY_RULE = "must be a number of proxies or a comma list of addresses and CIDRs";
const ProxyCount = z.string().regex(/^\d{1,2}$/);
const TrustProxy = z.union([
  ProxyCount.transform((value): number | false => Number(value) || false),
  commaList().refine((ranges) => ranges.every(isRange), PROXY_RULE),
]);

const DatabaseUrl = z.string().superRefine((value, context) => {
  const message = findDatabaseUrlProblem(value);
  if (message !== null) context.addIssue({ code: "custom", message });
});

const Link = z.url({
  protocol: /^(https?|mailto)$/,
  error: "must be an http(s) or mailto address",
});

const Environment = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z
    .string()
    .refine(
      (host) => isIP(host) !== 0 || /^[\w.-]+$/.test(host),
      "must be an IP address or a host name",
    )
    .default("127.0.0.1"),
  DATABASE_URL: DatabaseUrl.optional(),
  DATA_DIR: z.string().default("./data"),
  ADMIN_USERNAME: Username.default("admin"),
  ADMIN_PASSWORD: NewPassword.refine(
    (password) => !isCommonPassword(password),
    COMMON_PASSWORD,
  ).optional(),
  ENCRYPTION_KEY: EncryptionKey.optional(),
  ENCRYPTION_KEYS_OLD: commaList().pipe(z.array(EncryptionKey)).default([]),
  PROVIDER_ALLOWED_ORIGINS: Origins.default([]),
  OUTBOUND_ALLOWED: OutboundAllowed.default({ origins: [], servers: [] }),
  PUBLIC_ORIGINS: Origins.default([]),
  TRUST_PROXY: TrustProxy.default(false),
  MAX_CONNECTIONS: wholeNumber(1, 999_999).default(2_000),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(1, 999_999).default(200),
  SESSION_TTL_HOURS: duration(3_600).default(12 * 3_600),
  SESSION_IDLE_MINUTES: duration(60).default(120 * 60),
  AUDIT_RETENTION_DAYS: wholeNumber(180, 99_999)
    .transform((days) => days * DAY_SECONDS)
    .default(400 * DAY_SECONDS),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{1,200}$/, TOKEN_RULE)
    .optional(),
  SUPPORT_URL: Link.default(DEFAULT_CONSOLE_LINKS.support),
  HELP_URL: Link.default(DEFAULT_CONSOLE_LINKS.help),
});

function commaList() {
  return z.string().transform((value) => value.split(",").map((item) => item.trim()));
}

function wholeNumber(min: number, max: number) {
  const isInRange = (value: string) =>
    /^\d{1,6}$/.test(value) && Number(value) >= min && Number(value) <= max;
  return z
    .string()
    .refine(isInRange, `must be a whole number from ${min} to ${max}`)
    .transform(Number);
}

/** A number of units of so many seconds → whole seconds, at least one. */
function duration(unit: number) {
  const isPositive = (value: string) =>
    /^\d+(\.\d+)?$/.test(value) && Number(value) > 0 && Number(value) <= 100_000;
  const text = z.string().refine(isPositive, "must be a positive number");
  return text.transform((value) => Math.max(1, Math.round(Number(value) * unit)));
}

/** `*` is legal in a URL, but would be meant as a wildcard. */
function isOrigin(value: string): boolean {
  return (
    URL.canParse(value) &&
    new URL(value).origin === value &&
    /^https?:/.test(value) &&
    !value.includes("*")
  );
}

/** `host:port`, with a literal address of IPv6 in brackets. */
function isServer(value: string): boolean {
  const [, host, port] = /^([\w.-]+|\[[\dA-Fa-f:.]+\]):(\d{1,5})$/.exec(value) ?? [];
  return host !== undefined && Number(port) > 0 && URL.canParse(`http://${value}`);
}

/** A full address or a CIDR, not a short form of IPv4 such as `100`. */
function isRange(value: string): boolean {
  const [address = ""] = value.split("/");
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  return ipaddr.isValid(value) || ipaddr.isValidCIDR(value);
}
