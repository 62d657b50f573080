import { once } from "node:events";
import { parseArgs } from "node:util";
import { stopSignal } from "../src/server/platform/stop-signal.ts";
import { audit } from "./audit.ts";
import { compression } from "./compression.ts";
import { events } from "./events.ts";
import { everyList } from "./every-list.ts";
import { exportHosts } from "./export.ts";
import { growth } from "./growth.ts";
import { growthRuns } from "./growth-runs.ts";
import { type Bench, createBench, type Measurement } from "./harness/bench.ts";
import { describeMachine, type Figure, tableText, writeReport } from "./harness/figure.ts";
import { history } from "./history.ts";
import { hostWrites } from "./host-writes.ts";
import { importFiles } from "./import.ts";
import { largeAccount } from "./large-account.ts";
import { lists } from "./lists.ts";
import { reminders } from "./reminders.ts";
import { signIns } from "./sign-ins.ts";
import { start } from "./start.ts";
import { sync } from "./sync.ts";

/** npm run bench -- [name…] [--only PostgreSQL|embedded] [--write] */
const MEASUREMENTS: Readonly<Record<string, Measurement>> = {
  lists,
  sync,
  events,
  "sign-ins": signIns,
  start,
  growth,
  "growth-runs": growthRuns,
  "large-account": largeAccount,
  "every-list": everyList,
  "host-writes": hostWrites,
  history,
  reminders,
  audit,
  compression,
  export: exportHosts,
  import: importFiles,
};
const ON_POSTGRESQL = [
  "events",
  "sign-ins",
  "growth",
  "growth-runs",
  "large-account",
  "every-list",
  "history",
  "audit",
  "compression",
];

const options = { write: { type: "boolean" }, only: { type: "string" } } as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const names = positionals.length > 0 ? positionals : Object.keys(MEASUREMENTS);
if (names.some((name) => MEASUREMENTS[name] === undefined))
  throw new Error(`known: ${Object.keys(MEASUREMENTS)}`);
const kinds = (["PostgreSQL", "embedded"] as const).filter(
  (kind) => (values.only ?? kind) === kind,
);

// A failure in the background must not end this process before it has stopped the others.
for (const failure of ["unhandledRejection", "uncaughtException"])
  process.on(failure, console.error);
const stopped = once(stopSignal(process.env), "abort").then(() =>
  Promise.reject(new Error("stopped by a signal")),
);
const stack = new AsyncDisposableStack();
try {
  const benches: Bench[] = [];
  for (const kind of kinds) benches.push(await createBench(stack, kind));
  await Promise.race([measure(benches), stopped]);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await stack.disposeAsync();
}
// After a signal the measurement under way may wait for what has been stopped.
process.exit();

async function measure(benches: readonly Bench[]): Promise<void> {
  const machine = describeMachine();
  console.log(machine);
  const figures: Figure[] = [];
  for (const name of names) {
    for (const bench of benches) {
      if (bench.kind === "embedded" && ON_POSTGRESQL.includes(name)) continue;
      const measured = (await bench.scoped(async (own) => MEASUREMENTS[name]?.(bench, own))) ?? [];
      const named = measured.map(([title, ...cells]) => [`${title}, ${bench.kind}`, ...cells]);
      console.log(`\n${tableText(named)}`);
      figures.push(...named);
    }
  }
  const withResult = figures.filter((row) => row.at(-1) !== "–");
  if (values.write) writeReport(tableText(withResult), machine);
}
