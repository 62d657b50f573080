import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Run by expiry.test.ts, once in each time zone: what the console's own date functions make of these moments, as JSON. */

const CLIENT = join(import.meta.dirname, "../src/client");
const SHARED = join(import.meta.dirname, "../src/shared");

interface Format {
  formatDate(seconds: number): string;
  formatDateTime(seconds: number): string;
  formatTimeLeft(expiry: number, now: number): string;
  parseDateTime(text: string): number | null;
}
interface AssignmentForm {
  emptyAssignment(): object;
  validityPeriod(values: object, now: number): { readonly start: number; readonly end: number } | null;
}
interface Extension {
  expiryAfter(renewal: object, now: number): number | null;
}

/** The console's aliases, which its bundler knows and Node does not. */
registerHooks({
  resolve(specifier, context, next) {
    const [, alias, path = ""] = /^(@shared|@)\/(.+)$/.exec(specifier) ?? [];
    if (alias === undefined) return next(specifier, context);
    const file = alias === "@shared" ? join(SHARED, path) : join(CLIENT, `${path}.ts`);
    return next(pathToFileURL(file).href, context);
  },
});

// By address, because only the client's own project can check these files.
const format: Format = await import(join(CLIENT, "lib/format.ts"));
const form: AssignmentForm = await import(join(CLIENT, "hosts/assignment-form.ts"));
const extension: Extension = await import(join(CLIENT, "renewals/extension.ts"));

const { moments, now, days }: Asked = JSON.parse(process.argv[2] ?? "");
process.stdout.write(JSON.stringify(moments.map(inThisZone)));

export interface Asked {
  readonly moments: readonly number[];
  readonly now: number;
  readonly days: number;
}

/** All in Unix seconds but the texts. */
export interface InZone {
  readonly date: string;
  readonly dateTime: string;
  readonly timeLeft: string;
  /** Typed into the start of an assignment as it is shown, and read back. */
  readonly readBack: number | null;
  readonly period: { readonly start: number; readonly end: number } | null;
  readonly extended: number | null;
}

function inThisZone(moment: number): InZone {
  const start = format.formatDateTime(moment);
  return {
    date: format.formatDate(moment),
    dateTime: format.formatDateTime(moment),
    timeLeft: format.formatTimeLeft(moment, now),
    readBack: format.parseDateTime(start),
    period: form.validityPeriod({ ...form.emptyAssignment(), preset: "custom", customDays: String(days), start }, now),
    extended: extension.expiryAfter({ status: "pending", assignedExpireTime: moment, requestedDuration: days }, now),
  };
}
