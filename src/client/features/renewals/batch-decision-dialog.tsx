import { BatchProcessRenewalsInput } from "@shared/batch.ts";
import type { Renewal, RenewalDecision } from "@shared/renewals.ts";
import { trpc } from "@/api/trpc";
import type { Result } from "@/components/batch/result";
import { sendBatch } from "@/components/batch/send-batch";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { FORM_TOAST } from "@/components/form-dialog/form-toast";
import { FormField } from "@/components/form-field";
import { hostTitle } from "@/components/hosts/host-facts";
import { RequestResults } from "@/components/renewals/request-results";
import { Textarea } from "@/components/ui/textarea";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import type { RenewalAction } from "./decisions";
import { ExtensionTable } from "./extension-table";

export type BatchSubject = { renewals: readonly Renewal[]; action: RenewalAction };

type BatchAct = {
  /** Also what the button says, with the number. */
  title: string;
  decision: RenewalDecision;
  consequence: string;
  /** The toast when all of them are done. */
  done: string;
};

export const BATCH_ACTS: Readonly<Record<RenewalAction, BatchAct>> = {
  approve: {
    title: "批准",
    decision: "approved",
    consequence: "到期时间暂不变化，收到付款后再标记完成。",
    done: "已批准，等待付款",
  },
  reject: {
    title: "拒绝",
    decision: "rejected",
    consequence: "到期时间不变，用户会看到原因。",
    done: "已拒绝",
  },
  complete: {
    title: "标记完成",
    decision: "completed",
    consequence: "确认已收到付款：到期时间立即延长，不能撤销。",
    done: "已完成续费",
  },
  close: {
    title: "关闭",
    decision: "rejected",
    consequence: "关闭后申请变为已拒绝，到期时间不变，用户会看到原因。",
    done: "已关闭",
  },
};

type BatchDecisionDialogProps = DialogState<BatchSubject> & {
  onFinished: (failedIds: readonly string[]) => void;
};

/** Decides several requests in the same way. The results stay only where one of them failed. */
export function BatchDecisionDialog({ subject, onFinished, ...dialog }: BatchDecisionDialogProps) {
  const { renewals, action } = subject;
  const { title, decision: status, consequence, done } = BATCH_ACTS[action];
  const needsReason = status === "rejected";
  const process = trpc.renewals.processBatch.useMutation();
  const { client } = trpc.useUtils();

  async function decide({ ids, adminRemark }: BatchProcessRenewalsInput): Promise<Result[]> {
    // An empty one would remove what was written at the approval.
    const remark = adminRemark ? { adminRemark } : {};
    const results = await sendBatch({
      items: renewals,
      hostOf: hostOfUser,
      send: async () => {
        const answer = await process.mutateAsync({ ids, status, ...remark });
        return (renewal) => answer.results.find(({ id }) => id === renewal.id);
      },
      readDone: () => readDecided(ids),
    });
    const unfinished = results.filter(({ outcome }) => outcome !== "succeeded");

    onFinished(unfinished.map(({ id }) => id));
    if (unfinished.length === 0) notify.success(`${renewals.length} 个申请${done}`);
    return results;
  }

  /** Those that are decided in this way by now. */
  async function readDecided(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const read = await Promise.all(ids.map((id) => client.renewals.get.query({ id })));
    return new Set(read.filter((renewal) => renewal.status === status).map(({ id }) => id));
  }

  return (
    <FormDialog
      {...dialog}
      size="lg"
      title={`${title} ${renewals.length} 个申请`}
      draft={`renewals.processBatch:${action}`}
      description={consequence}
      schema={BatchProcessRenewalsInput}
      defaultValues={{ ids: renewals.map(({ id }) => id), status, adminRemark: "" }}
      submitLabel={`${title} ${renewals.length} 个申请`}
      submitProps={() => ({ variant: needsReason ? "danger" : "primary" })}
      errorTitle="处理失败"
      onInvalid={({ ids }) => ids?.message && notify.warning(ids.message, { id: FORM_TOAST })}
      onSubmit={decide}
      closesAfter={(results) => results.every(({ outcome }) => outcome === "succeeded")}
      result={(results) => <RequestResults results={results} />}
    >
      {({ control }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <ExtensionTable renewals={renewals} isExtended={!needsReason} />
          <FormField
            control={control}
            name="adminRemark"
            label={needsReason ? "原因" : "备注"}
            required={needsReason}
            help="用户可以看到，最多 500 个字符"
          >
            {(field) => <Textarea rows={2} data-autofocus {...field} />}
          </FormField>
        </div>
      )}
    </FormDialog>
  );
}

/** The host, named with its applicant. */
function hostOfUser({ user, host }: Renewal): Renewal["host"] {
  return { ...host, name: `${user.name} 的 ${hostTitle(host)}` };
}
