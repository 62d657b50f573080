import { ProcessRenewalInput, type Renewal } from "@shared/renewals.ts";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { FormField } from "@/components/form-field";
import { hostTitle } from "@/components/hosts/host-facts";
import { Textarea } from "@/components/ui/textarea";
import type { DialogState } from "@/lib/use-dialog";
import { useDecide } from "./use-decide";

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
