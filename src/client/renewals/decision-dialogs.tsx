import { ProcessRenewalInput, type Renewal, type RenewalDecision } from "@shared/renewals.ts";
import { z } from "zod";
import { errorCode } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog";
import { FormField } from "@/components/form-field";
import { RadioGroup } from "@/components/ui/radio-group";
import { Textarea } from "@/components/ui/textarea";
import { hostTitle } from "@/hosts/host-facts";
import { formatDate } from "@/lib/format";
import { notify } from "@/lib/notify";
import { CompletionPreview } from "./renewal-facts";

type DecisionDialogProps = { subject: Renewal; open: boolean; onOpenChange: (open: boolean) => void };
type ProcessDialogProps = DecisionDialogProps & {
  /** What is chosen at first. */
  status: "approved" | "rejected";
  /** Opens the next request that waits; null when this is the last one. */
  onNext: (() => void) | null;
};

/** Approves, rejects or completes a pending request, then goes on to the next one. */
export function ProcessDialog({ subject: renewal, status: first, onNext, open, onOpenChange }: ProcessDialogProps) {
  const { user, host, requestedDuration } = renewal;
  const decide = useDecide();
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title="处理续费申请"
      description={`${user.name}（${user.username}）申请将 ${hostTitle(host)} 续费 ${requestedDuration} 天`}
      schema={ProcessRenewalInput}
      defaultValues={{ id: renewal.id, status: first, adminRemark: "" }}
      submitLabel={({ status }) => (onNext === null ? submitLabels[status] : `${NEXT_LABELS[status]}并处理下一个`)}
      submitProps={({ status }) => ({ variant: status === "rejected" ? "danger" : "primary" })}
      errorTitle="处理失败"
      onSubmit={decide}
      onDone={onNext ?? undefined}
    >
      {({ control, watch, clearErrors, setValue }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: keys of the whole form
        <div
          className="grid gap-4"
          onKeyDown={(event) => {
            const { target, key, currentTarget } = event;
            if (target instanceof HTMLTextAreaElement || event.nativeEvent.isComposing || event.ctrlKey) return;
            const status = DECISION_KEYS.get(key.toLowerCase());
            if (status !== undefined) setValue("status", status, { shouldDirty: true });
            // Radix keeps Enter from submitting in a group of radio buttons.
            else if (key === "Enter") currentTarget.closest("form")?.requestSubmit();
            else return;
            event.preventDefault();
          }}
        >
          {renewal.remark === null ? null : (
            <p className="rounded-md bg-muted px-3.5 py-2.5 text-sm [overflow-wrap:anywhere]">
              <span className="text-muted-foreground">用户备注：</span>
              {renewal.remark}
            </p>
          )}
          <FormField control={control} name="status" label="处理结果" required>
            {({ value, onChange }) => (
              <RadioGroup
                variant="cards"
                value={value}
                onValueChange={(status) => {
                  onChange(status);
                  // Only a rejection needs a reason.
                  clearErrors("adminRemark");
                }}
                options={decisions}
              />
            )}
          </FormField>
          {watch("status") === "rejected" ? null : (
            <CompletionPreview renewal={renewal} when={watch("status") === "approved" ? "标记完成后" : "提交后"} />
          )}
          <FormField
            control={control}
            name="adminRemark"
            label="备注"
            required={watch("status") === "rejected"}
            help="用户可以看到，最多 500 个字符"
          >
            {({ value, ...field }) => <Textarea rows={3} maxLength={500} {...field} value={value ?? ""} />}
          </FormField>
        </div>
      )}
    </FormDialog>
  );
}

/** Beside the mouse: A approves, R rejects, Enter submits. */
const DECISION_KEYS = new Map<string, RenewalDecision>([
  ["a", "approved"],
  ["r", "rejected"],
]);

const NEXT_LABELS: Readonly<Record<RenewalDecision, string>> = {
  approved: "批准",
  completed: "完成",
  rejected: "拒绝",
};

const submitLabels: Readonly<Record<RenewalDecision, string>> = {
  approved: "批准申请",
  completed: "完成续费",
  rejected: "拒绝申请",
};

const decisions = [
  {
    value: "approved" as const,
    label: "批准（待付款）",
    description: "进入待付款状态，到期时间暂不变化。收到付款后，请将申请标记为完成。",
  },
  { value: "completed" as const, label: "已完成", description: "已经收到付款，立即延长到期时间。" },
  { value: "rejected" as const, label: "拒绝", description: "到期时间不变。必须填写备注说明原因。" },
];

const Nothing = z.object({});

/** Confirms the payment of an approved request, which extends the client's time. */
export function CompleteDialog({ subject: renewal, open, onOpenChange }: DecisionDialogProps) {
  const { id, user, host } = renewal;
  const decide = useDecide();
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title="标记完成"
      description={`确认已收到 ${user.name} 对 ${hostTitle(host)} 的续费付款？完成后立即延长到期时间，不能撤销。`}
      schema={Nothing}
      defaultValues={{}}
      submitLabel="标记完成"
      errorTitle="处理失败"
      onSubmit={() => decide({ id, status: "completed" })}
      // Decided meanwhile: there is nothing left to confirm.
      onError={(error) => errorCode(error) === "STATE_CONFLICT" && onOpenChange(false)}
    >
      {() => <CompletionPreview renewal={renewal} when="标记完成后" />}
    </FormDialog>
  );
}

function useDecide(): (decision: ProcessRenewalInput) => Promise<void> {
  const process = trpc.renewals.process.useMutation();
  return async (decision) => {
    const { user, host, assignedExpireTime } = await process.mutateAsync(decision);
    const results: Readonly<Record<RenewalDecision, string>> = {
      approved: "已批准，收到付款后请标记为完成",
      completed: `已完成续费，到期时间延长到 ${formatDate(assignedExpireTime)}`,
      rejected: "已拒绝",
    };
    notify.success("处理成功", `${user.name} 的 ${hostTitle(host)} ${results[decision.status]}`);
  };
}
