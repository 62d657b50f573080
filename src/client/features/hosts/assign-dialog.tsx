import type { Host, HostUser } from "@shared/hosts.ts";
import { errorMessage } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { otherHolders } from "@/components/assignments/holders";
import { useLastAssignment } from "@/components/assignments/last-assignment";
import { daysOf, periodInput, readPeriod } from "@/components/assignments/period";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { hostTitle } from "@/components/hosts/host-facts";
import { notify } from "@/lib/notify";
import type { DialogProps } from "@/lib/use-dialog";
import {
  AssignmentForm,
  assignmentInput,
  assignmentValues,
  checkAssignment,
  periodFields,
  warnOfInvalid,
} from "./assignment";
import { AssignmentFields } from "./assignment-fields";

type AssignDialogProps = DialogProps & {
  host: Host;
  /** Set to change the period of someone who has the host. */
  user?: HostUser;
};

export function AssignDialog({ host, user, ...dialog }: AssignDialogProps) {
  const assign = trpc.hosts.assign.useMutation();
  const batch = trpc.hosts.batch.useMutation();
  const { client } = trpc.useUtils();
  const { last, remember } = useLastAssignment();
  const isNew = user === undefined;

  async function submit(values: AssignmentForm): Promise<void> {
    const isTransfer = values.sharing === "transfer";
    const assigned = isTransfer ? await transferHost(values) : await assignHost(values);

    if (isNew) remember(values);
    notify.success(isNew ? "分配成功" : "有效期已更新", { message: resultText(assigned, values) });
  }

  function resultText(assigned: Host, values: AssignmentForm): string {
    const name = assigned.users.find(({ id }) => id === values.userId)?.name ?? "用户";
    const period = readPeriod(periodFields(values), user);
    const days = period.kind === "period" ? daysOf(period) : 0;
    return `“${hostTitle(assigned)}”已分配给“${name}”，有效期 ${days} 天`;
  }

  async function assignHost(values: AssignmentForm): Promise<Host> {
    const input = assignmentInput(values, user);
    // The end that the form showed, so that a renewal completed meanwhile is not reverted.
    const shown = user ?? host.users.find(({ id }) => id === values.userId);
    const expected = shown === undefined ? {} : { expectedExpireTime: shown.assignedExpireTime };
    return await assign.mutateAsync({ hostId: host.id, ...input, ...expected });
  }

  /** Whoever has the host hands it over. */
  async function transferHost(values: AssignmentForm): Promise<Host> {
    const period = periodInput(periodFields(values));
    for (const holder of otherHolders([host], values.userId)) {
      const { results } = await batch.mutateAsync({
        operation: "transfer",
        hostIds: [host.id],
        fromUserId: holder.user.id,
        userId: values.userId,
        ...period,
      });
      const [result] = results;
      if (result?.ok !== true) throw new TransferRefused(result?.message);
    }
    return await client.hosts.get.query({ id: host.id });
  }

  return (
    <FormDialog
      {...dialog}
      title={isNew ? "分配主机" : "修改有效期"}
      draft={`hosts.assign:${host.id}:${user?.id ?? ""}`}
      description={`${hostTitle(host)} · ${host.zoneName}`}
      schema={AssignmentForm.superRefine((values, context) =>
        checkAssignment(values, context, { hosts: [host], present: user }),
      )}
      defaultValues={assignmentValues({ present: user, days: last?.days })}
      submitLabel={isNew ? "分配" : "保存"}
      errorTitle="分配失败"
      errorText={(error) =>
        error instanceof TransferRefused ? error.message : errorMessage(error)
      }
      onSubmit={submit}
      onInvalid={warnOfInvalid}
    >
      {() => <AssignmentFields hosts={[host]} present={user} />}
    </FormDialog>
  );
}

/** Why the server left the host with its user. */
class TransferRefused extends Error {
  constructor(reason = "转移失败，请刷新后重试") {
    super(reason);
  }
}
