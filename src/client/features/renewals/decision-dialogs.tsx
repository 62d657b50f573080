import { BatchProcessRenewalsInput } from "@shared/batch.ts";
import { ProcessRenewalInput, type Renewal, type RenewalDecision } from "@shared/renewals.ts";
import { useEffect } from "react";
import { trpc } from "@/api/trpc";
import { ChosenHosts } from "@/components/batch/batch-results";
import { FORM_TOAST, FormDialog, NoFields } from "@/components/form-dialog";
import { FormField } from "@/components/form-field";
import { hostTitle } from "@/components/hosts/host-display";
import { Remark } from "@/components/remark";
import { RequestResults } from "@/components/renewals/request-results";
import { RadioGroup } from "@/components/ui/radio-group";
import { Textarea } from "@/components/ui/textarea";
import { formatDate } from "@/lib/format";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import { CompletionPreview } from "./renewal-display";

type Labels = Readonly<Record<RenewalDecision, string>>;
const VERBS: Labels = { approved: "批准", completed: "标记完成", rejected: "拒绝" };

const DECISIONS = [
  {
    value: "approved" as const,
    label: "批准（待付款）",
    description: "进入待付款状态，到期时间暂不变化。收到付款后，请将申请标记为完成。",
  },
  {
    value: "completed" as const,
    label: "已完成",
    description: "已经收到付款，立即延长到期时间，不能撤销。",
  },
  {
    value: "rejected" as const,
    label: "拒绝",
    description: "到期时间不变。必须填写备注说明原因。",
  },
];
/**
 * Beside the mouse: A approves, R rejects and goes to the reason, Enter submits; Ctrl-Enter in the
 * text.
 */
const DECISION_KEYS: Readonly<Record<string, RenewalDecision>> = { a: "approved", r: "rejected" };

type ProcessDialogProps = DialogState<Renewal> & {
  status: "approved" | "rejected";
  /** Opens the next request that waits; null when this is the last one. */
  onNext: (() => void) | null;
};

/** Approves, rejects or completes a pending request, then goes on to the next one. */
export function ProcessDialog({
  subject: renewal,
  status: first,
  onNext,
  ...dialog
}: ProcessDialogProps) {
  const { user, host, requestedDuration } = renewal;
  const decide = useDecide();
  // The focus goes to this request's row: the dialog may have been opened by that of an earlier
  // one.
  useEffect(() => {
    if (!dialog.open) {
      document.querySelector<HTMLElement>(`[data-request="${renewal.id}"]`)?.focus();
    }
  }, [dialog.open, renewal.id]);

  return (
    <FormDialog
      {...dialog}
      title="处理续费申请"
      draft={`renewals.process:${renewal.id}`}
      description={`${user.name} · @${user.username} 申请将“${hostTitle(host)}”续费 ${requestedDuration} 天`}
      schema={ProcessRenewalInput}
      defaultValues={{ id: renewal.id, status: first, adminRemark: "" }}
      submitLabel={({ status }) => `${VERBS[status]}${onNext === null ? "申请" : "并处理下一个"}`}
      submitProps={({ status }) => ({ variant: status === "rejected" ? "danger" : "primary" })}
      errorTitle="处理失败"
      onSubmit={decide}
      onDone={onNext ?? undefined}
    >
      {({ control, watch, clearErrors, setValue, setFocus }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: keys of the whole form
        <div
          className="grid gap-4"
          onKeyDown={(event) => {
            const { target, key, currentTarget } = event;
            const isTyping = target instanceof HTMLTextAreaElement;
            // In the text Ctrl makes a key a command, elsewhere it belongs to the browser.
            if (isTyping !== (event.ctrlKey || event.metaKey)) return;

            const status = isTyping ? undefined : DECISION_KEYS[key.toLowerCase()];
            if (status !== undefined) setValue("status", status, { shouldDirty: true });
            // Radix keeps Enter from submitting in a group of radio buttons.
            else if (key === "Enter") currentTarget.closest("form")?.requestSubmit();
            else return;
            event.preventDefault();
            if (status === "rejected") setFocus("adminRemark");
          }}
        >
          {renewal.remark === null ? null : (
            <p className="rounded-md bg-muted px-3.5 py-2.5 text-sm">
              <span className="text-muted-foreground">用户备注：</span>
              <Remark text={renewal.remark} />
            </p>
          )}
          <FormField control={control} name="status" label="处理结果" required>
            {({ value, onChange }) => (
              <RadioGroup
                value={value}
                onValueChange={(status) => {
                  onChange(status);
                  clearErrors("adminRemark");
                }}
                options={DECISIONS}
              />
            )}
          </FormField>
          {watch("status") === "rejected" ? null : (
            <CompletionPreview
              renewal={renewal}
              when={watch("status") === "approved" ? "标记完成后" : "提交后"}
            />
          )}
          <FormField
            control={control}
            name="adminRemark"
            label="备注"
            required={watch("status") === "rejected"}
            help="用户可以看到，最多 500 个字符；按 Ctrl+Enter 提交"
          >
            {(field) => <Textarea data-autofocus={first === "rejected" || undefined} {...field} />}
          </FormField>
        </div>
      )}
    </FormDialog>
  );
}

/** Confirms the payment of an approved request, which extends the client's time. */
export function CompleteDialog({ subject: renewal, ...dialog }: DialogState<Renewal>) {
  const { id, user, host } = renewal;
  const decide = useDecide();

  return (
    <FormDialog
      {...dialog}
      title="标记完成"
      draft={null}
      description={`确认已收到“${user.name}”对“${hostTitle(host)}”的续费付款？完成后立即延长到期时间，不能撤销。`}
      schema={NoFields}
      defaultValues={{}}
      submitLabel="标记完成"
      errorTitle="处理失败"
      onSubmit={() => decide({ id, status: "completed" })}
    >
      {() => <CompletionPreview renewal={renewal} when="标记完成后" />}
    </FormDialog>
  );
}

/** Rejects an approved request that was not paid for. */
export function CloseDialog({ subject: renewal, ...dialog }: DialogState<Renewal>) {
  const { id, user, host } = renewal;
  const decide = useDecide();

  return (
    <FormDialog
      {...dialog}
      title="关闭申请"
      draft={`renewals.close:${id}`}
      description={`“${user.name}”对“${hostTitle(host)}”的续费已批准，尚未付款。关闭后申请变为已拒绝，到期时间不变。`}
      schema={ProcessRenewalInput}
      defaultValues={{ id, status: "rejected" as const, adminRemark: "" }}
      submitLabel="关闭申请"
      submitProps={() => ({ variant: "danger" })}
      errorTitle="处理失败"
      onSubmit={decide}
    >
      {({ control }) => (
        <FormField
          control={control}
          name="adminRemark"
          label="原因"
          required
          help="用户可以看到，例如“一直没有付款”，最多 500 个字符"
        >
          {(field) => <Textarea data-autofocus {...field} />}
        </FormField>
      )}
    </FormDialog>
  );
}

function useDecide(): (decision: ProcessRenewalInput) => Promise<void> {
  const process = trpc.renewals.process.useMutation();
  return async (decision) => {
    const { user, host, assignedExpireTime } = await process.mutateAsync(decision);
    const results: Labels = {
      approved: "已批准，收到付款后请标记为完成",
      completed: `已完成续费，到期时间延长到 ${formatDate(assignedExpireTime)}`,
      rejected: "已拒绝",
    };
    notify.success("处理成功", {
      message: `“${user.name}”的“${hostTitle(host)}”${results[decision.status]}`,
    });
  };
}

export type BatchDecision = { renewals: readonly Renewal[]; status: RenewalDecision };

type BatchDecisionDialogProps = DialogState<BatchDecision> & {
  onFinished: (failedIds: readonly string[]) => void;
};

export function BatchDecisionDialog({ subject, onFinished, ...dialog }: BatchDecisionDialogProps) {
  const { renewals, status } = subject;
  const process = trpc.renewals.processBatch.useMutation();

  return (
    <FormDialog
      {...dialog}
      title={`批量${VERBS[status]}`}
      draft={`renewals.processBatch:${status}`}
      description={`已选择 ${renewals.length} 个申请。${DECISIONS.find(({ value }) => value === status)?.description}`}
      schema={BatchProcessRenewalsInput}
      defaultValues={{ ids: renewals.map(({ id }) => id), status, adminRemark: "" }}
      submitLabel={`${VERBS[status]} ${renewals.length} 个申请`}
      submitProps={() => ({ variant: status === "rejected" ? "danger" : "primary" })}
      errorTitle="处理失败"
      onInvalid={({ ids }) => ids?.message && notify.warning(ids.message, { id: FORM_TOAST })}
      onSubmit={async ({ adminRemark, ...decision }) => {
        // An empty one would remove what was written at the approval.
        const { results } = await process.mutateAsync({
          ...decision,
          ...(adminRemark ? { adminRemark } : {}),
        });
        onFinished(results.filter(({ ok }) => !ok).map(({ id }) => id));

        return renewals.map((renewal) => ({
          ...results.find(({ id }) => id === renewal.id),
          id: renewal.id,
          host: hostOfUser(renewal),
        }));
      }}
      result={(results) => <RequestResults results={results} />}
    >
      {({ control }) => (
        <div className="grid gap-4">
          <ChosenHosts unit="个申请" hosts={renewals.map(hostOfUser)} />
          <FormField
            control={control}
            name="adminRemark"
            label="备注"
            required={status === "rejected"}
          >
            {(field) => <Textarea placeholder="用户可以看到，最多 500 个字符" {...field} />}
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
