import { BatchProcessRenewalsInput } from "@shared/renewal-batch.ts";
import type { RenewalDecision } from "@shared/renewals.ts";
import { useState } from "react";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog";
import { FormField } from "@/components/form-field";
import { Textarea } from "@/components/ui/textarea";
import type { Result } from "@/hosts/result-list";
import { ResultsDialog } from "./results-dialog";

type BatchDecisionDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  subject: { status: RenewalDecision; renewals: readonly { id: string; host: Result["host"] }[] };
  /** With the requests that it failed for. */
  onFinished: (failedIds: readonly string[]) => void;
};

const LABELS: Readonly<Record<RenewalDecision, string>> = { approved: "批准", completed: "标记完成", rejected: "拒绝" };
const EXPLANATIONS: Readonly<Record<RenewalDecision, string>> = {
  approved: "进入待付款状态，到期时间暂不变化。",
  completed: "确认已收到付款，立即延长到期时间，不能撤销。",
  rejected: "到期时间不变。每位申请人都会看到下面的原因。",
};

/** One decision for several requests, then the ones that failed. */
export function BatchDecisionDialog({ subject, open, onOpenChange, onFinished }: BatchDecisionDialogProps) {
  const { status, renewals } = subject;
  const process = trpc.renewals.processBatch.useMutation();
  const [results, setResults] = useState<readonly Result[] | null>(null);
  const ids = renewals.map(({ id }) => id);
  return results === null ? (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`批量${LABELS[status]}`}
      description={`已选择 ${renewals.length} 个申请。${EXPLANATIONS[status]}`}
      schema={BatchProcessRenewalsInput}
      defaultValues={{ ids, status, adminRemark: "" }}
      submitLabel={`${LABELS[status]} ${renewals.length} 个申请`}
      submitProps={() => ({ variant: status === "rejected" ? "danger" : "primary" })}
      errorTitle="处理失败"
      onSubmit={async ({ adminRemark, ...decision }) => {
        // An empty one would remove what was written at the approval.
        const answer = await process.mutateAsync({ ...decision, ...(adminRemark ? { adminRemark } : {}) });
        setResults(
          renewals.map(({ id, host }) => {
            const { ok = false, message } = answer.results.find((result) => result.id === id) ?? {};
            return { id, host, ok, message };
          }),
        );
        onFinished(answer.results.filter(({ ok }) => !ok).map(({ id }) => id));
      }}
      onDone={() => undefined}
    >
      {({ control }) => (
        <FormField control={control} name="adminRemark" label="备注" required={status === "rejected"}>
          {({ value, ...field }) => (
            <Textarea
              rows={3}
              maxLength={500}
              placeholder="用户可以看到，最多 500 个字符"
              {...field}
              value={value ?? ""}
            />
          )}
        </FormField>
      )}
    </FormDialog>
  ) : (
    <ResultsDialog title={`批量${LABELS[status]}`} results={results} open={open} onOpenChange={onOpenChange} />
  );
}
