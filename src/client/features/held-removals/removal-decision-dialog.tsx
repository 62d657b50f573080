import type { Host } from "@shared/hosts.ts";
import { trpc } from "@/api/trpc";
import { BatchProgress } from "@/components/batch/batch-progress";
import { ChosenHosts } from "@/components/batch/batch-results";
import { useBatchDialog } from "@/components/batch/use-batch-dialog";
import { FormDialog, NoFields } from "@/components/form-dialog/form-dialog";
import { formatNumber } from "@/lib/format-number";
import type { DialogState } from "@/lib/use-dialog";
import { DECISION_LABELS, type RemovalDecision } from "./removal-decisions";
import { useReadHeld } from "./use-read-held";

const EXPLANATIONS: Readonly<Record<RemovalDecision, string>> = {
  confirm:
    "系统先按资源 ID 向云服务商逐台核实：找不到的标记为“已消失”，分配和历史记录不受影响；仍能找到的恢复正常；没有得到应答的继续待确认。",
  dismiss:
    "主机保持存在。在云服务商处重新出现之前，同步不再将其列为待确认，也不会标记为“已消失”；单独同步该主机时会重新判断。",
};

type RemovalDecisionDialogProps = DialogState<readonly Host[]> & {
  decision: RemovalDecision;
  /** With the hosts that stay undecided. */
  onFinished: (failedIds: readonly string[]) => void;
};

/** What the decision means, then the result of each host. */
export function RemovalDecisionDialog(props: RemovalDecisionDialogProps) {
  const { decision, subject: hosts, onFinished, ...dialog } = props;
  const confirm = trpc.hosts.confirmRemovals.useMutation();
  const dismiss = trpc.hosts.dismissRemovals.useMutation();
  const call = decision === "confirm" ? confirm : dismiss;
  const label = DECISION_LABELS[decision];
  const { onOpenChange } = dialog;
  const { state, start, progress } = useBatchDialog({ label, onFinished, onOpenChange });
  const readHeld = useReadHeld();
  const assigned = hosts.filter(({ users }) => users.length > 0).length;

  async function decide(): Promise<void> {
    const send = (hostIds: string[]) => call.mutateAsync({ hostIds });
    start([{ hosts, send, whenLost: readDecided }]);
  }

  /** Those that do not wait for a decision any more. */
  async function readDecided(asked: readonly Host[]): Promise<ReadonlySet<string>> {
    const held = new Set((await readHeld()).map(({ host }) => host.id));
    return new Set(asked.map(({ id }) => id).filter((id) => !held.has(id)));
  }

  return (
    <FormDialog
      {...dialog}
      onOpenChange={(next) => state?.isRunning || onOpenChange(next)}
      title={label}
      draft={null}
      description={`已选择 ${formatNumber(hosts.length)} 台主机`}
      schema={NoFields}
      defaultValues={{}}
      submitLabel={`${label} ${formatNumber(hosts.length)} 台`}
      submitProps={() => ({ variant: decision === "confirm" ? "danger" : "primary" })}
      errorTitle={decision === "confirm" ? "确认失败" : "保留失败"}
      onSubmit={decide}
      result={() => state && <BatchProgress state={state} {...progress} messageLabel="仍存在" />}
    >
      {() => (
        <div className="grid gap-2 text-muted-foreground">
          <ChosenHosts hosts={hosts} />
          <p>{EXPLANATIONS[decision]}</p>
          {assigned > 0 ? <p>其中 {formatNumber(assigned)} 台已分配给用户。</p> : null}
        </div>
      )}
    </FormDialog>
  );
}
