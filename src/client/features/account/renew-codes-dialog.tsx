import { OwnSecondFactorInput } from "@shared/second-factor.ts";
import type { CurrentUser } from "@shared/users.ts";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import type { DialogState } from "@/lib/use-dialog";
import { NO_FACTOR_VALUES, OwnFactorFields } from "./own-factor-fields";
import { showWrongPassword } from "./show-wrong-password";

type RenewCodesDialogProps = DialogState<CurrentUser> & {
  onRenewed: (recoveryCodes: readonly string[]) => void;
};

/** Another dialog shows the new codes. */
export function RenewCodesDialog({ subject: _, onRenewed, ...dialog }: RenewCodesDialogProps) {
  // The answer is a secret: it is kept by who shows it.
  const renew = trpc.auth.renewRecoveryCodes.useMutation({ gcTime: 0 });

  return (
    <FormDialog
      {...dialog}
      title="重新生成恢复码"
      description="生成十个新的恢复码，原来的全部失效。"
      draft={null}
      schema={OwnSecondFactorInput}
      defaultValues={NO_FACTOR_VALUES}
      submitLabel="重新生成"
      errorTitle="重新生成恢复码失败"
      onSubmit={async (input) => {
        const { recoveryCodes } = await renew.mutateAsync(input);
        onRenewed(recoveryCodes);
      }}
      onError={showWrongPassword}
    >
      {() => <OwnFactorFields />}
    </FormDialog>
  );
}
