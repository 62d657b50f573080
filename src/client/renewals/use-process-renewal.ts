import type { Renewal, RenewalDecision } from "@shared/renewals.ts";
import { hostTitle } from "@/hosts/host-tab";
import { formatDate } from "@/lib/format";
import { notify } from "@/lib/notify";
import { trpc } from "@/trpc";

type Reactions = { onSuccess?: () => void; onError: (error: unknown) => void };

/** Decides a request and says how it went. */
export function useProcessRenewal({ onSuccess, onError }: Reactions) {
  const utils = trpc.useUtils();
  return trpc.renewals.process.useMutation({
    onSuccess(renewal, { status }) {
      notify.success("处理成功", resultText(renewal, status));
      onSuccess?.();
      utils.renewals.get.setData({ id: renewal.id }, renewal);
    },
    onError,
  });
}

function resultText({ user, host, assignedExpireTime }: Renewal, decision: RenewalDecision): string {
  const what = `${user.name} 的 ${hostTitle(host)}`;
  switch (decision) {
    case "approved":
      return `${what} 已批准，收到付款后请标记为完成`;
    case "completed":
      return `${what} 已完成续费，到期时间延长到 ${formatDate(assignedExpireTime)}`;
    case "rejected":
      return `${what} 已拒绝`;
  }
}
