import type { StatsFs } from "node:fs";
import type { EmbeddedDatabaseUsage } from "../embedded-database/start-worker.ts";
import { type GaugeDescription, only } from "./gauges.ts";

/** Absent on a PostgreSQL server. */
export const USAGE_GAUGES: readonly GaugeDescription<EmbeddedDatabaseUsage>[] = [
  {
    name: "console_embedded_database_memory_bytes",
    help: "Memory of the embedded database, by part: postgres (reserved for good), thread (its JavaScript)",
    labelNames: ["part"],
    samples: ({ wasm, workerHeap }) => [
      { labels: { part: "postgres" }, value: wasm },
      { labels: { part: "thread" }, value: workerHeap },
    ],
  },
  {
    name: "console_embedded_database_connections",
    help: "Connections to the embedded database, of which one is served at a time",
    samples: ({ connections }) => only(connections),
  },
  {
    name: "console_embedded_database_waiting",
    help: "Messages that wait for their turn at the embedded database",
    samples: ({ waiting }) => only(waiting),
  },
];

/** The disk that the embedded database writes to. */
export const DISK_GAUGES: readonly GaugeDescription<Pick<StatsFs, "bsize" | "blocks" | "bavail">>[] = [
  {
    name: "console_data_dir_free_bytes",
    help: "What is free on the disk of DATA_DIR",
    samples: ({ bsize, bavail }) => only(bsize * bavail),
  },
  {
    name: "console_data_dir_total_bytes",
    help: "Size of the disk of DATA_DIR",
    samples: ({ bsize, blocks }) => only(bsize * blocks),
  },
];
