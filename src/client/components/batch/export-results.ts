import { hostTitle } from "@/components/hosts/host-facts";
import { downloadCsv } from "@/lib/download-csv";
import { formatDate } from "@/lib/format";
import { serverNow } from "@/lib/server-time";
import { OUTCOME_LABELS, type Result } from "./result";
import type { BatchState } from "./use-batch";

/** Saves the result of each host as a CSV file, those that were not reached among them. */
export async function exportResults({ label, hosts, results }: BatchState): Promise<void> {
  const namesUsers = results.some(({ userName }) => userName !== undefined);
  const rows = hosts.map((host, index) => {
    const result = results[index];
    const row = [hostTitle(host), host.ucloudId, outcomeText(result), result?.message ?? ""];
    return namesUsers ? [...row, result?.userName ?? ""] : row;
  });

  await downloadCsv(`批量${label}结果-${formatDate(serverNow())}.csv`, [
    ["主机", "资源 ID", "结果", "说明", ...(namesUsers ? ["用户"] : [])],
    ...rows,
  ]);
}

function outcomeText(result: Result | undefined): string {
  return result === undefined ? "未执行" : OUTCOME_LABELS[result.outcome];
}
