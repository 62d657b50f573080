import type { Config } from "@shared/configs.ts";
import { trpc } from "@/api/trpc";

/** Whether hosts are out of date, and how long it is until the next sync, changes without an event. */
const REFETCH_MS = 60_000;

/** The provider configurations with their schedules. For super admins only. */
export function useConfigs() {
  return trpc.configs.list.useQuery(undefined, { refetchInterval: REFETCH_MS });
}

/** Why the schedule is paused and what resumes it, below a title that says that it is. */
export function pauseText({ schedulePausedReason }: Config): string | null {
  return schedulePausedReason?.replace(/^自动同步已暂停：/, "") ?? null;
}
