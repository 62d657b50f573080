import { isLiveSync } from "@shared/sync.ts";
import { useState } from "react";
import { latestRuns } from "@/components/sync/run-summary";
import { useSyncRuns } from "@/components/sync/use-sync";

/**
 * Live runs, and the last run of each configuration that ended since this was mounted, until it is
 * dismissed. Not those of a schedule: nobody waits for them, and they would pop up all day.
 */
export function useVisibleRuns() {
  const { isLoaded, recent: all } = useSyncRuns();
  const recent = all.filter(({ trigger }) => trigger === "manual");
  const [wasLoaded, setLoaded] = useState(false);
  const [hiddenIds, setHiddenIds] = useState<readonly string[]>([]);
  // Runs that had ended before are not news.
  if (isLoaded && !wasLoaded) {
    setLoaded(true);
    setHiddenIds(recent.filter(({ status }) => !isLiveSync(status)).map(({ id }) => id));
  }
  const latest = latestRuns(recent).filter(({ id }) => !hiddenIds.includes(id));

  return {
    visibleRuns: recent.filter((run) => isLiveSync(run.status) || latest.includes(run)),
    dismiss: (id: string) => setHiddenIds((ids) => [...ids, id]),
  };
}
