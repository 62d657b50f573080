import type { User } from "@shared/users.ts";
import { useFormContext } from "react-hook-form";
import { z } from "zod";
import { FormField } from "@/components/form-field";
import { Alert } from "@/components/ui/alert";
import { UserPicker } from "@/components/user-picker";
import { HostActDialog, type HostActProps } from "./host-act-dialog";

const TransferForm = z.object({ userId: z.string().min(1, "请选择接收用户") });

/** Hands chosen hosts over to another client, who has them until the same end. */
export function TransferDialog(props: HostActProps) {
  const { user } = props;
  return (
    <HostActDialog
      {...props}
      act="转移"
      variant="primary"
      schema={TransferForm.refine(({ userId }) => userId !== user.id, {
        error: "接收用户不能与原用户相同",
        path: ["userId"],
      })}
      defaultValues={{ userId: "" }}
      toInput={({ userId }, hostIds) => ({
        operation: "transfer",
        hostIds,
        fromUserId: user.id,
        userId,
      })}
    >
      <Receiver user={user} />
    </HostActDialog>
  );
}

function Receiver({ user }: { user: User }) {
  const { control } = useFormContext<z.infer<typeof TransferForm>>();
  return (
    <>
      <FormField control={control} name="userId" label="接收用户" required>
        {({ value, onChange, ref }) => (
          <UserPicker
            only="client"
            ref={ref}
            placeholder="选择接收用户"
            value={value === "" ? null : value}
            onValueChange={(userId) => onChange(userId ?? "")}
          />
        )}
      </FormField>
      <Alert tone="warning">
        {`各主机的到期时间不变。“${user.name}”将立即看不到这些主机，未完成的续费申请一并取消。`}
      </Alert>
    </>
  );
}
