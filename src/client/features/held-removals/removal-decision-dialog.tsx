import { type BatchHostResult, MAX_BATCH_HOSTS } from "@shared/batch.ts";
import type { Host } from "@shared/hosts.ts";
import { trpc } from "@/api/trpc";
import { FormDialog, NoFields } from "@/components/form-dialog";
import { BatchResults } from "@/features/hosts/batch-results";
import { formatNumber } from "@/lib/format-number";
import type { DialogState } from "@/lib/use-dialog";

export type RemovalDecision = "confirm" | "dismiss";

export const DECISION_LABELS: Readonly<Record<RemovalDecision, string>> = { confirm: "确认已消失", dismiss: "保留" };

const EXPLANATIONS: Readonly<Record<RemovalDecision, string>> = {
  confirm:
    "系统先按资源 ID 向云服务商逐台核实：找不到的标记为“已消失”，分配和历史记录不受影响；仍能找到的恢复正常；没有得到应答的继续待确认。",
  dismiss: "主机保持存在。在云平台重新出现之前，同步不再将其列为待确认，也不会标记为“已消失”。",
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
  const assigned = hosts.filter(({ users }) => users.length > 0).length;

  async function decide(): Promise<readonly BatchHostResult[]> {
    const decided: BatchHostResult[] = [];
    for (let from = 0; from < hosts.length; from += MAX_BATCH_HOSTS) {
      const hostIds = hosts.slice(from, from + MAX_BATCH_HOSTS).map(({ id }) => id);
      decided.push(...(await call.mutateAsync({ hostIds })).results);
    }
    onFinished(decided.filter(({ ok }) => !ok).map(({ hostId }) => hostId));
    return decided;
  }

  return (
    <FormDialog
      {...dialog}
      onOpenChange={(next) => call.isPending || dialog.onOpenChange(next)}
      title={DECISION_LABELS[decision]}
      description={`已选择 ${formatNumber(hosts.length)} 台主机`}
      schema={NoFields}
      defaultValues={{}}
      submitLabel={`${DECISION_LABELS[decision]} ${formatNumber(hosts.length)} 台`}
      submitProps={() => ({ variant: decision === "confirm" ? "danger" : "primary" })}
      errorTitle={decision === "confirm" ? "确认失败" : "保留失败"}
      onSubmit={decide}
      result={(results) => <DecisionResults results={results} hosts={hosts} decision={decision} />}
    >
      {() => (
        <div className="grid gap-2 text-muted-foreground">
          <p>{EXPLANATIONS[decision]}</p>
          {assigned > 0 ? <p>其中 {formatNumber(assigned)} 台已分配给用户。</p> : null}
        </div>
      )}
    </FormDialog>
  );
}

type DecisionResultsProps = { results: readonly BatchHostResult[]; hosts: readonly Host[]; decision: RemovalDecision };

function DecisionResults({ results, hosts, decision }: DecisionResultsProps) {
  const failed = results.filter(({ ok }) => !ok).length;
  const found = results.filter(({ ok, message }) => ok && message !== undefined).length;
  return (
    <BatchResults
      label="每台主机的结果"
      results={hosts.map((host) => ({ ...results.find(({ hostId }) => hostId === host.id), id: host.id, host }))}
    >
      <p role="status" className="flex flex-wrap gap-x-3 font-medium tabular-nums">
        <span className="text-success-ink">
          {decision === "confirm" ? "已标记消失" : "已保留"} {formatNumber(results.length - failed - found)} 台
        </span>
        {found > 0 ? <span>仍存在 {formatNumber(found)} 台</span> : null}
        {failed > 0 ? <span className="text-danger-ink">失败 {formatNumber(failed)} 台</span> : null}
      </p>
    </BatchResults>
  );
}
