import { type BatchHostResult, MAX_BATCH_HOSTS } from "@shared/batch.ts";
import type { HeldHostsInput } from "@shared/held-hosts.ts";
import { useState } from "react";
import { trpc } from "@/api/trpc";

export type Decision = "confirm" | "dismiss";

export const DECISION_LABELS: Readonly<Record<Decision, string>> = { confirm: "确认已消失", dismiss: "保留" };

/** Sends a decision about held hosts, in portions that a call takes. */
export function useDecision(decision: Decision) {
  const confirm = trpc.hosts.confirmRemovals.useMutation({ meta: { errorTitle: "确认失败" } });
  const dismiss = trpc.hosts.dismissRemovals.useMutation({ meta: { errorTitle: "保留失败" } });
  const call = decision === "confirm" ? confirm : dismiss;
  const [results, setResults] = useState<readonly BatchHostResult[] | null>(null);

  async function decide(input: HeldHostsInput): Promise<void> {
    if (input.all) return setResults((await call.mutateAsync(input)).results);
    const found: BatchHostResult[] = [];
    for (let from = 0; from < input.hostIds.length; from += MAX_BATCH_HOSTS) {
      const hostIds = input.hostIds.slice(from, from + MAX_BATCH_HOSTS);
      found.push(...(await call.mutateAsync({ hostIds })).results);
    }
    setResults(found);
  }

  return { results, decide, isRunning: call.isPending, reset: () => setResults(null) };
}
