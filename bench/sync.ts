import type { DatabaseKind, Databases } from "./harness/databases.ts";
import { fetchAlone } from "./harness/fetch-floor.ts";
import type { Figure } from "./harness/figure.ts";
import type { Measurement } from "./harness/measurement.ts";
import { median } from "./harness/samples.ts";
import { timeSyncs } from "./harness/sync-run.ts";
import { startProvider, startWorkbench, type Workbench } from "./harness/workbench.ts";

const HOSTS = 10_000;
const ROUNDS = 3;
const UNCHANGED_SYNCS = 3;

/** Times in seconds. */
interface Round {
  /** Fetching alone in a new process, and in one that has done it before. */
  readonly alone: { readonly cold: number; readonly warm: number };
  /** Into an empty table, the first thing that the server does. */
  readonly cold: number;
  readonly unchanged: number;
  readonly rowsWritten: number;
}

/** Syncs of 10,000 hosts at 20 ms a call, new and unchanged, beside the same calls without a server and a database. */
export const sync: Measurement = async (databases) => {
  const figures: Figure[] = [];
  for (const kind of databases.kinds) {
    const rounds: Round[] = [];
    while (rounds.length < ROUNDS) rounds.push(await measure(databases, kind));
    const of = (pick: (round: Round) => number) => median(rounds.map(pick));
    const common = { unit: "s", goal: { ratio: 1.3 } } as const;
    figures.push(
      {
        ...common,
        name: `sync of 10,000 new hosts, ${kind}`,
        measured: of(({ cold }) => cold),
        against: { name: "fetching alone, new process", value: of(({ alone }) => alone.cold) },
      },
      {
        ...common,
        name: `sync of 10,000 unchanged hosts, ${kind}`,
        measured: of(({ unchanged }) => unchanged),
        against: { name: "fetching alone, second time", value: of(({ alone }) => alone.warm) },
      },
      {
        name: `host rows written by unchanged syncs, ${kind}`,
        unit: "rows",
        measured: of(({ rowsWritten }) => rowsWritten),
        against: { name: "hosts", value: HOSTS },
        goal: { limit: 0 },
      },
    );
  }
  return figures;
};

async function measure(databases: Databases, kind: DatabaseKind): Promise<Round> {
  await using stack = new AsyncDisposableStack();
  const providerUrl = await startProvider(stack, { hosts: HOSTS, latency: 20 });
  // The provider's own process must be warm.
  await fetchAlone(providerUrl, 1);
  const [first, second = first] = await fetchAlone(providerUrl, 2);
  const workbench = await startWorkbench(stack, databases, { kind, providerUrl });
  const clock = await timeSyncs(workbench);
  const { total: cold, run } = await clock.run();
  if (run.created !== HOSTS) throw new Error(`${run.created} hosts were written`);
  const before = await rowVersions(workbench);
  const totals: number[] = [];
  while (totals.length < UNCHANGED_SYNCS) totals.push((await clock.run()).total);
  const after = await rowVersions(workbench);
  return {
    alone: { cold: first.seconds, warm: second.seconds },
    cold,
    unchanged: median(totals),
    rowsWritten: [...after].filter(([id, version]) => before.get(id) !== version).length,
  };
}

/** Which transaction wrote each row last, and where the row lies. */
async function rowVersions({ database }: Workbench): Promise<Map<string, string>> {
  const rows = await database.query("select id, xmin::text || ' ' || ctid::text as version from hosts");
  return new Map(rows.map(({ id, version }) => [String(id), String(version)]));
}
