import { parseArgs } from "node:util";
import { events } from "./events.ts";
import { firstHosts } from "./first-hosts.ts";
import { growth } from "./growth.ts";
import { openDatabases } from "./harness/databases.ts";
import { type Figure, tableText } from "./harness/figure.ts";
import type { Measurement } from "./harness/measurement.ts";
import { describeMachine, writeReport } from "./harness/report.ts";
import { large } from "./large.ts";
import { lists } from "./lists.ts";
import { memory } from "./memory.ts";
import { scale } from "./scale.ts";
import { signIns } from "./sign-ins.ts";
import { start } from "./start.ts";
import { sync } from "./sync.ts";

/** npm run bench -- [name…] [--write] [--only embedded|PostgreSQL] */
const MEASUREMENTS: Readonly<Record<string, Measurement>> = {
  "first-hosts": firstHosts,
  sync,
  large,
  lists,
  growth,
  events,
  scale,
  "sign-ins": signIns,
  start,
  memory,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean", default: false }, only: { type: "string" } },
});
const names = positionals.length > 0 ? positionals : Object.keys(MEASUREMENTS);
const unknown = names.find((name) => MEASUREMENTS[name] === undefined);
if (unknown !== undefined) {
  throw new Error(`there is no measurement ${unknown}, only ${Object.keys(MEASUREMENTS).join(", ")}`);
}

// Ctrl+C ends what is measured too; the measurement fails at that, and everything is taken down in order.
process.once("SIGINT", () => undefined);
// What goes on beside a measurement may fail before it is awaited; what was started is taken down all the same.
process.on("unhandledRejection", (reason) => console.error(reason));
await using stack = new AsyncDisposableStack();
const databases = openDatabases(stack);
const kinds = databases.kinds.filter((kind) => values.only === undefined || kind === values.only);
if (!databases.kinds.includes("PostgreSQL")) console.log("PostgreSQL is not installed: measured without it");
const machine = describeMachine();
console.log(machine);
const figures: Figure[] = [];
for (const name of names) {
  const found = (await MEASUREMENTS[name]?.({ ...databases, kinds })) ?? [];
  console.log(`\n${tableText(found)}`);
  figures.push(...found);
}
if (names.length > 1) console.log(`\n${tableText(figures)}`);
if (values.write) writeReport(figures, machine);
