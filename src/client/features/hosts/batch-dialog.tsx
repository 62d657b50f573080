import type { BatchHostsInput } from "@shared/batch.ts";
import type { Host } from "@shared/hosts.ts";
import type { ReactNode } from "react";
import { z } from "zod";
import { trpc } from "@/api/trpc";
import { BatchProgress } from "@/components/batch/batch-progress";
import { ChosenHosts } from "@/components/batch/batch-results";
import { useBatch } from "@/components/batch/use-batch";
import { FORM_TOAST, FormDialog } from "@/components/form-dialog";
import { FormField } from "@/components/form-field";
import { Alert } from "@/components/ui/alert";
import { RadioGroup } from "@/components/ui/radio-group";
import { UserPicker } from "@/components/user-picker";
import { formatNumber } from "@/lib/format-number";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import { warnOfInvalid } from "./assign-dialog";
import { AssignmentForm, assignmentInput, assignmentValues, checkAssignment } from "./assignment";
import { BatchAssignmentFields } from "./batch-assignment-fields";
import { BATCH_LABELS, type BatchOperation } from "./batch-labels";

const BatchForm = AssignmentForm.extend({
  operation: z.enum(["", "sync", "assign", "unassign"]),
  /** Whose assignments end; empty for everybody's. */
  unassignedId: z.string(),
  /** Also for hosts that the user has for longer. */
  allowShorter: z.boolean(),
}).superRefine((values, context) => {
  if (values.operation === "") {
    context.addIssue({ code: "custom", path: ["operation"], message: "请选择操作" });
  }
  if (values.operation === "assign") checkAssignment(values, context);
});
type BatchForm = z.infer<typeof BatchForm>;

type DistributiveOmit<Union, Keys extends PropertyKey> = Union extends unknown
  ? Omit<Union, Keys>
  : never;
/** The call's input without its hosts. */
type BatchCommand = DistributiveOmit<BatchHostsInput, "hostIds">;

/** A sync calls the provider for every host; small chunks stay within the time-out of a call. */
const SYNC_CHUNK_SIZE = 20;

/** The hosts, and what the form starts with; "" leaves the choice open. */
export type BatchSubject = { hosts: readonly Host[]; operation: BatchForm["operation"] };

type BatchDialogProps = DialogState<BatchSubject> & {
  /** After a run, with the hosts that it failed for and those that it did not reach. */
  onFinished: (unfinishedIds: readonly string[]) => void;
};

/** A form, then the progress and the result of each host. */
export function BatchDialog({
  subject: { hosts, operation },
  open,
  onOpenChange,
  onFinished,
}: BatchDialogProps) {
  const batch = trpc.hosts.batch.useMutation({ meta: { errorTitle: "批量操作失败" } });
  const { state, run, stop } = useBatch();

  async function submit(command: BatchCommand): Promise<void> {
    const size = command.operation === "sync" ? SYNC_CHUNK_SIZE : undefined;
    const send = (hostIds: string[]) => batch.mutateAsync({ ...command, hostIds });
    onFinished(await run(BATCH_LABELS[command.operation], hosts, send, size));
  }

  return (
    <FormDialog
      open={open}
      onOpenChange={(next) => state?.isRunning || onOpenChange(next)}
      title="批量操作"
      draft={`hosts.batch:${operation}`}
      description={`已选择 ${formatNumber(hosts.length)} 台主机`}
      schema={BatchForm}
      defaultValues={{ ...assignmentValues(), operation, unassignedId: "", allowShorter: false }}
      submitLabel={(values) =>
        values.operation === ""
          ? "执行"
          : `${BATCH_LABELS[values.operation]} ${formatNumber(hosts.length)} 台`
      }
      submitProps={(values) => ({
        variant: values.operation === "unassign" ? "danger" : "primary",
      })}
      errorTitle="批量操作失败"
      onSubmit={async (values) => void submit(toCommand(values))}
      onInvalid={(errors) => {
        if (errors.operation) notify.warning("请选择操作", { id: FORM_TOAST });
        else warnOfInvalid(errors);
      }}
      result={() => state && <BatchProgress state={state} onStop={stop} />}
    >
      {({ control, watch }) => (
        <div className="grid gap-4">
          <ChosenHosts hosts={hosts} />
          <FormField control={control} name="operation" label="操作" required>
            {({ value, onChange }) => (
              <RadioGroup
                className="sm:grid-cols-3"
                value={value}
                onValueChange={onChange}
                options={operationOptions}
              />
            )}
          </FormField>
          {watch("operation") === "assign" ? <BatchAssignmentFields hosts={hosts} /> : null}
          {watch("operation") === "unassign" ? (
            <>
              <FormField
                control={control}
                name="unassignedId"
                label="用户"
                help="不选择则取消所选主机的全部用户"
              >
                {({ value, onChange, ref }) => (
                  <UserPicker
                    only="client"
                    clearable
                    ref={ref}
                    placeholder="全部用户"
                    value={value === "" ? null : value}
                    onValueChange={(userId) => onChange(userId ?? "")}
                  />
                )}
              </FormField>
              <Alert tone="warning">{unassignWarning(hosts, watch("unassignedId"))}</Alert>
            </>
          ) : null}
        </div>
      )}
    </FormDialog>
  );
}

function toCommand({
  operation,
  unassignedId,
  allowShorter,
  ...assignment
}: BatchForm): BatchCommand {
  if (operation === "assign") return { operation, ...assignmentInput(assignment), allowShorter };
  if (operation === "unassign") {
    return { operation, ...(unassignedId === "" ? {} : { userId: unassignedId }) };
  }
  return { operation: "sync" };
}

const operationOptions: { value: BatchOperation; label: ReactNode; description: string }[] = [
  { value: "sync", label: BATCH_LABELS.sync, description: "逐台向云服务商查询最新状态" },
  { value: "assign", label: BATCH_LABELS.assign, description: "把所选主机分配给同一个用户" },
  { value: "unassign", label: BATCH_LABELS.unassign, description: "收回所选主机的使用权限" },
];

function unassignWarning(hosts: readonly Host[], userId: string): string {
  if (userId !== "") return "该用户将立即看不到所选主机，待处理的续费申请也会一并取消。";
  const affected = hosts.reduce((sum, { users }) => sum + users.length, 0);
  return `所选主机目前共有 ${formatNumber(affected)} 条分配，取消后相关用户将立即看不到这些主机，待处理的续费申请也会一并取消。`;
}
