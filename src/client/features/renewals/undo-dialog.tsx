import { RENEWAL_STATUS_LABELS } from "@shared/renewal-status.ts";
import type { Renewal } from "@shared/renewals.ts";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { hostTitle } from "@/components/hosts/host-facts";
import { formatDate } from "@/lib/format";
import type { DialogState } from "@/lib/use-dialog";
import { ChangedMeanwhile, useChange } from "./changed-meanwhile";
import { formerEnd } from "./former-end";
import { UNDO_FAILED, useUndo } from "./use-undo";

/** The super admin takes back the last decision of a request. */
export function UndoDialog({ subject: renewal, ...dialog }: DialogState<Renewal>) {
  const undo = useUndo();
  const change = useChange({ ...dialog, subject: renewal });

  return (
    <ConfirmDialog
      {...dialog}
      tone="warning"
      title="撤销处理"
      description={
        <>
          <p>
            <strong>{renewal.user.name}</strong> 的 <strong>{hostTitle(renewal.host)}</strong>：
            {stateText(renewal)}
          </p>
          <p>{endText(renewal)}</p>
          {change === null ? null : (
            <div className="mt-3">
              <ChangedMeanwhile change={change} />
            </div>
          )}
        </>
      }
      confirmLabel="撤销处理"
      cancelLabel="保留"
      errorTitle={UNDO_FAILED}
      isDisabled={change !== null}
      onConfirm={() => undo(renewal)}
    />
  );
}

/** What a request becomes, its details say; until they are read, only an approval tells it. */
function stateText({ status, undoneStatus }: Renewal): string {
  const former = status === "approved" ? "pending" : undoneStatus;
  if (former === undefined) return "申请恢复为处理前的状态（待处理或已批准）。";

  return `申请恢复为${RENEWAL_STATUS_LABELS[former]}。`;
}

function endText(renewal: Renewal): string {
  if (renewal.status !== "completed") return "到期时间不变。";

  const end = formatDate(renewal.assignedExpireTime);
  const former = formerEnd(renewal);
  return former === null
    ? `到期时间从 ${end} 恢复为续费前的时间，该主机随即到期。`
    : `到期时间从 ${end} 恢复为 ${formatDate(former)}。`;
}
