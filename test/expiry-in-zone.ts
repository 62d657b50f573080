import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Run by expiry.test.ts in each time zone; prints the results of the console's date functions as JSON. */

const CLIENT = join(import.meta.dirname, "../src/client");
const SHARED = join(import.meta.dirname, "../src/shared");

interface Format {
  formatDate(seconds: number): string;
  formatDateTime(seconds: number): string;
  formatTimeLeft(expiry: number, now: number): string;
  dateTimeInput(seconds: number): string;
  parseDateTime(value: string): number | null;
}
interface AssignmentForm {
  assignmentValues(): object;
  validityPeriod(values: object, now: number): { readonly start: number; readonly end: number } | null;
}
interface Extension {
  expiryAfter(renewal: object, now: number): number | null;
}

/** Resolves the console's import aliases in Node. */
registerHooks({
  resolve(specifier, context, next) {
    const [, alias, path = ""] = /^(@shared|@)\/(.+)$/.exec(specifier) ?? [];
    if (alias === undefined) return next(specifier, context);
    const file = alias === "@shared" ? join(SHARED, path) : join(CLIENT, `${path}.ts`);
    return next(pathToFileURL(file).href, context);
  },
});

// Dynamic imports, because only the client's own project type-checks these files.
const format: Format = await import(join(CLIENT, "lib/format.ts"));
const form: AssignmentForm = await import(join(CLIENT, "hosts/assignment.ts"));
const extension: Extension = await import(join(CLIENT, "renewals/extension.ts"));

const { moments, now, days }: ZoneInput = JSON.parse(process.argv[2] ?? "");
process.stdout.write(JSON.stringify(moments.map(inThisZone)));

export interface ZoneInput {
  readonly moments: readonly number[];
  readonly now: number;
  readonly days: number;
}

/** Numbers are Unix seconds. */
export interface InZone {
  readonly date: string;
  readonly dateTime: string;
  readonly timeLeft: string;
  /** The formatted start of an assignment, parsed back. */
  readonly readBack: number | null;
  readonly period: { readonly start: number; readonly end: number } | null;
  readonly extended: number | null;
}

function inThisZone(moment: number): InZone {
  const start = format.dateTimeInput(moment);
  return {
    date: format.formatDate(moment),
    dateTime: format.formatDateTime(moment),
    timeLeft: format.formatTimeLeft(moment, now),
    readBack: format.parseDateTime(start),
    period: form.validityPeriod({ ...form.assignmentValues(), preset: "custom", customDays: String(days), start }, now),
    extended: extension.expiryAfter({ status: "pending", assignedExpireTime: moment, requestedDuration: days }, now),
  };
}
