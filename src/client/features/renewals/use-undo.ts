import { RENEWAL_STATUS_LABELS } from "@shared/renewal-status.ts";
import { type Renewal, RenewalDecision, type UndoRenewalInput } from "@shared/renewals.ts";
import { errorMessage, toastActError } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { hostTitle } from "@/components/hosts/host-facts";
import { formatDate } from "@/lib/format";
import { type NotifyOptions, notify } from "@/lib/notify";
import { undoneToastId } from "./undone-toast-id";

/** How long a toast offers to undo what it tells of. The details offer it as long as it works. */
const OFFERED_MS = 10_000;
export const UNDO_FAILED = "撤销失败";
/** A toast has room for so many. */
const MAX_REASONS = 2;

/** Undoes the decision of one request and says what became of it. Rejects when that failed. */
export function useUndo(): (decided: Renewal) => Promise<void> {
  const undo = trpc.renewals.undo.useMutation();

  return async (decided) => {
    const { id } = decided;
    const renewal = await undo.mutateAsync({ id, ...decisionOf(decided) });
    notify.success("已撤销", {
      // The event that follows makes no second toast.
      id: undoneToastId(id),
      message: undoneText(decided, renewal),
    });
  };
}

/** What a toast offers that tells of decided requests. */
export function useUndoAction(): (decided: readonly Renewal[]) => NotifyOptions {
  const undo = useUndo();
  const undoSeveral = useUndoSeveral();

  async function undoAll(decided: readonly Renewal[]): Promise<void> {
    const [only, ...others] = decided;
    if (only === undefined || others.length > 0) return await undoSeveral(decided);

    await undo(only).catch((error) => toastActError(UNDO_FAILED, error, { id: UNDO_FAILED }));
  }

  return (decided) => ({
    durationMs: OFFERED_MS,
    action: { label: "撤销", onClick: () => void undoAll(decided) },
  });
}

/** One after the other, each on its own: that one is refused says nothing of the others. */
function useUndoSeveral(): (decided: readonly Renewal[]) => Promise<void> {
  const utils = trpc.useUtils();

  return async (decided) => {
    const reasons: string[] = [];
    for (const renewal of decided) {
      const { id, user, host } = renewal;
      try {
        await utils.client.renewals.undo.mutate({ id, ...decisionOf(renewal) });
      } catch (error) {
        reasons.push(`${user.name} 的 ${hostTitle(host)}：${errorMessage(error)}`);
      }
    }

    reportSeveral(decided.length, reasons);
    await utils.invalidate();
  };
}

function reportSeveral(count: number, reasons: readonly string[]): void {
  if (reasons.length === 0) {
    notify.success(`已撤销 ${count} 个申请的处理`);
    return;
  }

  const more = reasons.length > MAX_REASONS ? "；其余的请查看申请详情" : "";
  notify.error(`已撤销 ${count - reasons.length} 个，${reasons.length} 个未撤销`, {
    id: UNDO_FAILED,
    message: `${reasons.slice(0, MAX_REASONS).join("；")}${more}`,
  });
}

/** The decision that the person saw, so that no later one of somebody else is taken back. */
function decisionOf({ status }: Renewal): Pick<UndoRenewalInput, "expectedStatus"> {
  const expectedStatus = RenewalDecision.safeParse(status).data;
  return expectedStatus === undefined ? {} : { expectedStatus };
}

/** `“张客户”的“web-01”恢复为待处理，到期时间恢复为 2026-12-01` */
function undoneText(decided: Renewal, { user, host, status, assignedExpireTime }: Renewal): string {
  const isEndMoved = decided.assignedExpireTime !== assignedExpireTime;
  const end = isEndMoved ? `，到期时间恢复为 ${formatDate(assignedExpireTime)}` : "";
  return `“${user.name}”的“${hostTitle(host)}”恢复为${RENEWAL_STATUS_LABELS[status]}${end}`;
}
