import { hostTitle } from "@/components/hosts/host-display";
import { downloadCsv } from "@/lib/download-csv";
import { formatDate } from "@/lib/format";
import { serverNow } from "@/lib/server-time";
import type { BatchState } from "./use-batch";

export function exportResults({ label, hosts, results }: BatchState): void {
  const rows = hosts.map((host, index) => {
    const result = results[index];
    const outcome = result === undefined ? "未执行" : result.ok ? "成功" : "失败";
    return [hostTitle(host), host.ucloudId, outcome, result?.message ?? ""];
  });
  downloadCsv(`批量${label}结果-${formatDate(serverNow())}.csv`, [
    ["主机", "资源 ID", "结果", "说明"],
    ...rows,
  ]);
}
