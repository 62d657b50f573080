import type { ProcessRenewalInput, RenewalDecision } from "@shared/renewals.ts";
import { trpc } from "@/api/trpc";
import { hostTitle } from "@/components/hosts/host-facts";
import { formatDate } from "@/lib/format";
import { notify } from "@/lib/notify";

/** Decides one request and says what became of it. */
export function useDecide(): (decision: ProcessRenewalInput) => Promise<void> {
  const process = trpc.renewals.process.useMutation();

  return async (decision) => {
    const { user, host, assignedExpireTime } = await process.mutateAsync(decision);
    const results: Readonly<Record<RenewalDecision, string>> = {
      approved: "已批准，收到付款后请标记完成",
      completed: `已完成续费，到期时间延长到 ${formatDate(assignedExpireTime)}`,
      rejected: "已拒绝",
    };
    notify.success("处理成功", {
      message: `“${user.name}”的“${hostTitle(host)}”${results[decision.status]}`,
    });
  };
}
