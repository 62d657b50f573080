import type { Host } from "@shared/hosts.ts";
import { useFormContext } from "react-hook-form";
import { z } from "zod";
import { holdersOf } from "@/components/assignments/holders";
import { useCancelledRequests } from "@/components/renewals/cancelled-requests";
import { Alert } from "@/components/ui/alert";
import { formatNumber } from "@/lib/format-number";
import { type BatchDialogProps, BatchFormDialog, type BatchSubject } from "./batch-form-dialog";
import { chosenHolders, EVERYBODY, HolderField, presetHolder } from "./holder-field";
import { isUnassigned } from "./is-done";

const UnassignForm = z.object({ holderId: z.string().min(1, "请选择取消谁的分配") });
type UnassignForm = z.infer<typeof UnassignForm>;

/** Takes the chosen hosts back from one user or, if that is chosen, from everybody. */
export function BatchUnassignDialog(props: BatchDialogProps) {
  const { hosts, scope } = props.subject;

  return (
    <BatchFormDialog
      {...props}
      act="unassign"
      emptyText={
        holdersOf(hosts).length === 0 ? "所选主机都没有分配给用户，没有可以取消的分配。" : null
      }
      schema={UnassignForm}
      defaultValues={{ holderId: presetHolder(hosts, scope) }}
      concerned={(values) => hostsOf(hosts, values)}
      toGroups={(values, { send, readBack }) => {
        const from: { userId?: string } =
          values.holderId === EVERYBODY ? {} : { userId: values.holderId };
        return [
          {
            hosts: hostsOf(hosts, values),
            whenLost: readBack(isUnassigned(from.userId)),
            send: (hostIds) => send({ operation: "unassign", hostIds, ...from }),
          },
        ];
      }}
    >
      <UnassignFields {...props.subject} />
    </BatchFormDialog>
  );
}

function UnassignFields({ hosts, scope }: BatchSubject) {
  const values = useFormContext<UnassignForm>().watch();
  const concerned = hostsOf(hosts, values);
  const cancelled = useCancelledRequests(chosenHolders(hosts, values));

  const rest = hosts.length - concerned.length;
  const untouched = rest === 0 ? "" : `其余 ${formatNumber(rest)} 台不变。`;

  return (
    <>
      <HolderField hosts={hosts} scope={scope} label="取消谁的分配" everybody="last" />
      {concerned.length === 0 ? null : (
        <Alert tone="warning">{`${unassignWarning(concerned, values)}，${cancelled}。${untouched}`}</Alert>
      )}
    </>
  );
}

/** The hosts that the chosen user has; with 全部用户 those that anybody has. */
function hostsOf(hosts: readonly Host[], values: UnassignForm): readonly Host[] {
  const ids = new Set(
    chosenHolders(hosts, values).flatMap((holder) => holder.hosts.map(({ id }) => id)),
  );
  return hosts.filter(({ id }) => ids.has(id));
}

function unassignWarning(concerned: readonly Host[], { holderId }: UnassignForm): string {
  const count = formatNumber(concerned.length);
  if (holderId === EVERYBODY) {
    const assignments = concerned.reduce((sum, { users }) => sum + users.length, 0);
    return `这 ${count} 台主机目前共有 ${formatNumber(assignments)} 条分配，取消后全部用户将立即看不到它们`;
  }

  return `该用户将立即看不到这 ${count} 台主机`;
}
