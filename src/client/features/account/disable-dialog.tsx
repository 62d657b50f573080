import { OwnSecondFactorInput } from "@shared/second-factor.ts";
import type { CurrentUser } from "@shared/users.ts";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import { NO_FACTOR_VALUES, OwnFactorFields } from "./own-factor-fields";
import { showWrongPassword } from "./show-wrong-password";

export function DisableDialog({ subject: _, ...dialog }: DialogState<CurrentUser>) {
  const disable = trpc.auth.disableTotp.useMutation();

  return (
    <FormDialog
      {...dialog}
      title="关闭两步验证"
      description="之后只用密码就能登录，恢复码全部失效，其他设备上的登录会全部退出。"
      draft={null}
      schema={OwnSecondFactorInput}
      defaultValues={NO_FACTOR_VALUES}
      submitLabel="关闭两步验证"
      submitProps={() => ({ variant: "danger" })}
      errorTitle="关闭两步验证失败"
      onSubmit={async (input) => {
        await disable.mutateAsync(input);
        notify.success("两步验证已关闭", { message: "其他设备上的登录已全部退出" });
      }}
      onError={showWrongPassword}
    >
      {() => <OwnFactorFields />}
    </FormDialog>
  );
}
