import type { ProcessRenewalInput, Renewal, RenewalDecision } from "@shared/renewals.ts";
import { trpc } from "@/api/trpc";
import { hostTitle } from "@/components/hosts/host-facts";
import { formatDate } from "@/lib/format";
import { notify } from "@/lib/notify";
import { expectedOf } from "./renewal-rules";
import { useUndoAction } from "./use-undo";

type Decision = Pick<ProcessRenewalInput, "status" | "adminRemark">;

/** Decides one request as it was seen, says what became of it, and offers to undo it. */
export function useDecide(): (seen: Renewal, decision: Decision) => Promise<void> {
  const process = trpc.renewals.process.useMutation();
  const undoAction = useUndoAction();

  return async (seen, { status, adminRemark }) => {
    const renewal = await process.mutateAsync({
      id: seen.id,
      status,
      adminRemark,
      ...expectedOf(seen),
    });
    const { user, host, assignedExpireTime } = renewal;
    const results: Readonly<Record<RenewalDecision, string>> = {
      approved: "已批准，收到付款后请标记完成",
      completed: `已完成续费，到期时间延长到 ${formatDate(assignedExpireTime)}`,
      rejected: "已拒绝",
    };
    notify.success("处理成功", {
      message: `“${user.name}”的“${hostTitle(host)}”${results[status]}`,
      ...undoAction([renewal]),
    });
  };
}
