import { isLiveSync, type SyncRun } from "@shared/sync.ts";
import { resultText } from "@/components/sync/run-summary";

/** Runs of one configuration that say the same, newest first; most groups have one run. */
export interface RunGroup {
  /** `quiet`: all is well, and nothing changed. `repeated`: they went wrong in the same way. */
  readonly kind: "quiet" | "repeated" | "single";
  readonly runs: readonly [SyncRun, ...SyncRun[]];
  /** No run of another configuration lies between them. */
  readonly isUnbroken: boolean;
}

/**
 * Runs as a list shows them. At 15 minutes a configuration has 96 runs a day, of which most change
 * nothing, and a key that is refused fails each time. Such runs of one configuration that follow
 * each other are one group, in the place of the newest of them, though runs of other configurations
 * lie between. A run that somebody has opened by its address stands for itself.
 */
export function groupRuns(runs: readonly SyncRun[], openId: string | undefined): RunGroup[] {
  const groups: { what: string | null; runs: [SyncRun, ...SyncRun[]] }[] = [];
  const newest = new Map<string, (typeof groups)[number]>();

  for (const run of runs) {
    const what = run.id === openId ? null : whatItSays(run);
    const group = newest.get(run.configId);
    if (group !== undefined && what !== null && group.what === what) {
      group.runs.push(run);
      continue;
    }
    const next: (typeof groups)[number] = { what, runs: [run] };
    groups.push(next);
    newest.set(run.configId, next);
  }

  return groups.map(({ what, runs: same }) => ({
    kind: kindOf(what, same.length),
    runs: same,
    isUnbroken: followEachOther(same, runs),
  }));
}

function followEachOther([first, ...others]: RunGroup["runs"], all: readonly SyncRun[]): boolean {
  const start = all.indexOf(first);
  return others.every((run, index) => all[start + index + 1] === run);
}

const QUIET = "quiet";

/** The same for runs that say the same; null for one that stands for itself. */
function whatItSays(run: SyncRun): string | null {
  const { status, created, updated, gone, rejected } = run;
  if (isLiveSync(status) || status === "cancelled") return null;
  if (created + updated + gone > 0) return null;
  return status === "succeeded" && rejected === 0 ? QUIET : `${status} ${resultText(run)}`;
}

function kindOf(what: string | null, count: number): RunGroup["kind"] {
  if (what === null || count === 1) return "single";
  return what === QUIET ? "quiet" : "repeated";
}
