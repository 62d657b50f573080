import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { isLiveSync, type SyncRun } from "../../shared/sync.ts";
import type { Deps } from "../core/deps.ts";
import { findSyncRuns } from "./queries.ts";

/** The end of a run on another replica is seen by looking, in ms; on this one a notice tells at once. */
const POLL_INTERVAL = 250;

/** The runs as they are when all have ended, or after `seconds`, or when nobody wants to know any more, or this process ends. */
export async function waitForRuns(
  { em, bus, stopping }: Pick<Deps, "em" | "bus" | "stopping">,
  ids: readonly string[],
  { seconds, signal }: { readonly seconds: number; readonly signal?: AbortSignal | undefined },
): Promise<SyncRun[]> {
  const until = performance.now() + seconds * 1000;
  const enough = signal === undefined ? stopping : AbortSignal.any([stopping, signal]);
  for (;;) {
    const runs = await findSyncRuns(em, ids);
    const left = until - performance.now();
    if (left <= 0 || enough.aborted || !runs.some(({ status }) => isLiveSync(status))) return runs;
    const over = new AbortController();
    const wake = { signal: AbortSignal.any([over.signal, enough]) };
    const ignoreAbort = () => undefined;
    await Promise.race([
      once(bus, "sync.finished", wake).catch(ignoreAbort),
      sleep(Math.min(left, POLL_INTERVAL), undefined, wake).catch(ignoreAbort),
    ]);
    over.abort();
  }
}
