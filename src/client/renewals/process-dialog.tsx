import { zodResolver } from "@hookform/resolvers/zod";
import { ProcessRenewalInput, type Renewal } from "@shared/renewals.ts";
import { type Control, useForm, useWatch } from "react-hook-form";
import type { z } from "zod";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogClose,
  DialogContent,
  DialogFooter,
  DialogForm,
  DialogHeader,
} from "@/components/ui/dialog";
import { FormField } from "@/components/ui/form-field";
import { RadioGroup } from "@/components/ui/radio-group";
import { Textarea } from "@/components/ui/textarea";
import { failureCode, showFieldErrors } from "@/failure";
import { notifyFailure } from "@/failure-notice";
import { hostTitle } from "@/hosts/host-tab";
import { CompletionPreview } from "./completion-preview";
import { OvertakenNote, useOvertaken } from "./overtaken-note";
import { useProcessRenewal } from "./use-process-renewal";

type ProcessDialogProps = { renewal: Renewal; open: boolean; onOpenChange: (open: boolean) => void };

/** Approve, reject or complete a pending request. */
export function ProcessDialog({ renewal, open, onOpenChange }: ProcessDialogProps) {
  const { user, host, requestedDuration } = renewal;
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader
          title="处理续费申请"
          description={`${user.name}（${user.username}）申请将 ${hostTitle(host)} 续费 ${requestedDuration} 天`}
        />
        <ProcessForm renewal={renewal} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

type ProcessValues = z.input<typeof ProcessRenewalInput>;

function ProcessForm({ renewal, onDone }: { renewal: Renewal; onDone: () => void }) {
  const defaultValues: ProcessValues = { id: renewal.id, status: "approved", adminRemark: "" };
  const form = useForm({ resolver: zodResolver(ProcessRenewalInput), defaultValues });
  const process = useProcessRenewal({
    onSuccess: onDone,
    onError(error) {
      if (!showFieldErrors(error, form.setError, ["status", "adminRemark"])) notifyFailure("处理失败", error);
      // Decided or taken back meanwhile: there is nothing left to fill in.
      if (failureCode(error) === "STATE_CONFLICT") onDone();
    },
  });
  const overtaken = useOvertaken(renewal, process.isPending || process.isSuccess);
  return (
    <DialogForm isDirty={form.formState.isDirty} onSubmit={form.handleSubmit((values) => process.mutateAsync(values))}>
      {overtaken === null ? null : <OvertakenNote renewal={overtaken} look="banner" />}
      <DialogBody>
        <ProcessFields
          renewal={renewal}
          control={form.control}
          // Only a rejection needs a reason: what was said of it goes with the choice.
          onDecide={() => form.clearErrors("adminRemark")}
        />
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="outline">取消</Button>
        </DialogClose>
        <SubmitButton control={form.control} isBusy={process.isPending} disabled={overtaken !== null} />
      </DialogFooter>
    </DialogForm>
  );
}

type ProcessFieldsProps = { renewal: Renewal; control: Control<ProcessValues>; onDecide: () => void };

function ProcessFields({ renewal, control, onDecide }: ProcessFieldsProps) {
  const status = useWatch({ control, name: "status" });
  return (
    <div className="grid gap-4">
      {renewal.remark === null ? null : (
        <p className="rounded-md bg-muted px-3.5 py-2.5 text-sm [overflow-wrap:anywhere]">
          <span className="text-muted-foreground">用户备注：</span>
          {renewal.remark}
        </p>
      )}
      <FormField control={control} name="status" label="处理结果" required>
        {({ value, onChange }) => (
          <RadioGroup
            look="cards"
            value={value}
            onValueChange={(decision) => {
              onChange(decision);
              onDecide();
            }}
            options={decisions}
          />
        )}
      </FormField>
      {status === "rejected" ? null : (
        <CompletionPreview renewal={renewal} when={status === "approved" ? "标记完成后" : "提交后"} />
      )}
      <FormField
        control={control}
        name="adminRemark"
        label="备注"
        required={status === "rejected"}
        help="用户可以看到，最多 500 个字符"
      >
        {({ value, ...field }) => <Textarea rows={3} maxLength={500} {...field} value={value ?? ""} />}
      </FormField>
    </div>
  );
}

type SubmitButtonProps = { control: Control<ProcessValues>; isBusy: boolean; disabled: boolean };

function SubmitButton({ control, isBusy, disabled }: SubmitButtonProps) {
  const status = useWatch({ control, name: "status" });
  return (
    <Button type="submit" variant={status === "rejected" ? "danger" : "primary"} disabled={disabled} loading={isBusy}>
      {submitLabels[status]}
    </Button>
  );
}

const submitLabels = { approved: "批准申请", completed: "完成续费", rejected: "拒绝申请" } as const;

const decisions = [
  {
    value: "approved" as const,
    label: "批准（待付款）",
    description: "进入待付款状态，到期时间暂不变化。收到付款后，请将申请标记为完成。",
  },
  { value: "completed" as const, label: "已完成", description: "已经收到付款，立即延长到期时间。" },
  { value: "rejected" as const, label: "拒绝", description: "到期时间不变。必须填写备注说明原因。" },
];
