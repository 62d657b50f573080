import { join } from "node:path";
import { createServer } from "vite";
import { z } from "zod";

/** Run by expiry.test.ts in each time zone; prints the results of the console's date functions as JSON. */

const ROOT = join(import.meta.dirname, "../..");
const Format = z.object({
  formatDate: fn<(seconds: number) => string>(),
  formatDateTime: fn<(seconds: number) => string>(),
  formatTimeLeft: fn<(expiry: number, now: number) => string>(),
  dateTimeInput: fn<(seconds: number) => string>(),
  parseDateTime: fn<(value: string) => number | null>(),
});
type Period = { readonly start: number; readonly end: number };
const AssignmentForm = z.object({
  assignmentValues: fn<() => object>(),
  validityPeriod: fn<(values: object, now: number) => Period | null>(),
});
const Renewal = z.object({ expiryAfter: fn<(renewal: object, now: number) => number | null>() });

/** Only the client's own project type-checks these functions. */
function fn<Type>() {
  return z.custom<Type>((value) => typeof value === "function");
}

// Loaded by Vite, which knows the console's import aliases and JSX.
const vite = await createServer({
  configFile: join(ROOT, "vite.config.ts"),
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
  logLevel: "silent",
});
const load = (file: string) => vite.ssrLoadModule(`/${file}`);
const format = Format.parse(await load("lib/format.ts"));
const form = AssignmentForm.parse(await load("hosts/assignment.ts"));
const renewal = Renewal.parse(await load("renewals/renewal-facts.tsx"));
await vite.close();

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
    extended: renewal.expiryAfter({ status: "pending", assignedExpireTime: moment, requestedDuration: days }, now),
  };
}
