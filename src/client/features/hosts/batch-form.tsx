import { zodResolver } from "@hookform/resolvers/zod";
import type { Host } from "@shared/hosts.ts";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { DialogForm } from "@/components/form";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DialogBody, DialogClose, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { RadioGroup } from "@/components/ui/radio-group";
import { UserPicker } from "@/features/users/user-picker";
import { currentSeconds } from "@/lib/format";
import { notify } from "@/lib/notify";
import { warnOfInvalid } from "./assign-dialog";
import { assignmentForm, assignmentInput, assignmentValues, assignmentWarnings } from "./assignment";
import { AssignmentFields } from "./assignment-fields";
import { hostTitle } from "./host-facts";
import { BATCH_LABELS, type BatchOperation, type BatchOrder } from "./use-batch";

type BatchFormProps = {
  hosts: readonly Host[];
  operation: BatchOperation | null;
  /** Resolves when the run has ended. */
  onSubmit: (order: BatchOrder) => Promise<void>;
};

export function BatchForm({ hosts, operation: initial, onSubmit }: BatchFormProps) {
  const [operation, setOperation] = useState<BatchOperation | undefined>(initial ?? undefined);
  const [isMissing, setMissing] = useState(false);
  const [unassigned, setUnassigned] = useState("");
  const form = useForm({
    resolver: zodResolver(assignmentForm()),
    mode: "onTouched",
    defaultValues: assignmentValues(),
  });

  async function submit(): Promise<void> {
    switch (operation) {
      case undefined:
        setMissing(true);
        notify.warning("请选择操作", { id: "batch-invalid" });
        return;
      case "sync":
        return onSubmit({ operation });
      case "unassign":
        return onSubmit({ operation, ...(unassigned === "" ? {} : { userId: unassigned }) });
      case "assign":
        return form.handleSubmit(
          (values) => onSubmit({ operation, ...assignmentInput(values, currentSeconds()) }),
          warnOfInvalid,
        )();
    }
  }

  return (
    <DialogForm
      isDirty={form.formState.isDirty}
      onSubmit={(event) => {
        event.preventDefault();
        return submit();
      }}
    >
      <DialogBody className="grid content-start gap-4">
        <ChosenHosts hosts={hosts} />
        <Field label="操作" required error={isMissing && operation === undefined ? "请选择操作" : undefined}>
          <RadioGroup
            variant="cards"
            className="sm:grid-cols-3"
            value={operation}
            onValueChange={setOperation}
            options={operationOptions}
          />
        </Field>
        {operation === "assign" ? (
          <AssignmentFields
            control={form.control}
            warningsFor={(userId, end) => assignmentWarnings(hosts, { userId, end })}
          />
        ) : null}
        {operation === "unassign" ? <UnassignFields value={unassigned} onChange={setUnassigned} hosts={hosts} /> : null}
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="outline">取消</Button>
        </DialogClose>
        <Button type="submit" variant={operation === "unassign" ? "danger" : "primary"}>
          {operation === undefined ? "执行" : `${BATCH_LABELS[operation]} ${hosts.length} 台`}
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}

const operationOptions: { value: BatchOperation; label: ReactNode; description: string }[] = [
  { value: "sync", label: BATCH_LABELS.sync, description: "逐台向云服务商查询最新状态" },
  { value: "assign", label: BATCH_LABELS.assign, description: "把所选主机分配给同一个用户" },
  { value: "unassign", label: BATCH_LABELS.unassign, description: "收回所选主机的使用权限" },
];

type UnassignFieldsProps = { value: string; onChange: (userId: string) => void; hosts: readonly Host[] };

function UnassignFields({ value, onChange, hosts }: UnassignFieldsProps) {
  const affected = hosts.reduce((sum, { users }) => sum + users.length, 0);
  return (
    <>
      <Field label="用户" help="不选择则取消所选主机的全部用户">
        <UserPicker
          only="client"
          clearable
          placeholder="全部用户"
          value={value === "" ? null : value}
          onValueChange={(userId) => onChange(userId ?? "")}
        />
      </Field>
      {value === "" ? (
        <Alert tone="warning">
          所选主机目前共有 {affected} 条分配，取消后相关用户将立即看不到这些主机，待处理的续费申请也会一并取消。
        </Alert>
      ) : (
        <Alert tone="warning">该用户将立即看不到所选主机，待处理的续费申请也会一并取消。</Alert>
      )}
    </>
  );
}

const NAMED = 5;

/** Hosts of the same name are named with their id. */
function ChosenHosts({ hosts }: { hosts: readonly Host[] }) {
  const more = hosts.length - NAMED;
  const titles = hosts.map(hostTitle);
  const named = hosts.slice(0, NAMED).map((host) => {
    const title = hostTitle(host);
    return titles.indexOf(title) === titles.lastIndexOf(title) ? title : `${title}（${host.ucloudId}）`;
  });
  return (
    <p className="text-sm text-muted-foreground [overflow-wrap:anywhere]">
      {named.join("、")}
      {more > 0 ? ` 等 ${hosts.length} 台` : ""}
    </p>
  );
}
