import type { Renewal } from "@shared/renewals.ts";
import { FormDialog, NoFields } from "@/components/form-dialog/form-dialog";
import { hostTitle } from "@/components/hosts/host-facts";
import type { DialogState } from "@/lib/use-dialog";
import { CompletionPreview } from "./renewal-display";
import { useDecide } from "./use-decide";

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
