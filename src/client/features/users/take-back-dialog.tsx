import { NoFields } from "@/components/form-dialog/form-dialog";
import { Alert } from "@/components/ui/alert";
import { HostActDialog, type HostActProps } from "./host-act-dialog";

/** Takes chosen hosts back from their user. Other users of the same hosts keep them. */
export function TakeBackDialog(props: HostActProps) {
  const { user } = props;
  return (
    <HostActDialog
      {...props}
      act="取消分配"
      variant="danger"
      schema={NoFields}
      defaultValues={{}}
      toInput={(_values, hostIds) => ({ operation: "unassign", hostIds, userId: user.id })}
    >
      <Alert tone="warning">
        {`“${user.name}”将立即看不到这些主机，未完成的续费申请一并取消。其他用户的分配不变。`}
      </Alert>
    </HostActDialog>
  );
}
