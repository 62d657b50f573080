import type { Host } from "@shared/hosts.ts";
import { otherHolders } from "@/components/assignments/holders";
import { periodInput } from "@/components/assignments/period";
import type { BatchCalls } from "@/components/batch/batch-form-dialog";
import { isAssigned, isTransferred } from "@/components/batch/is-done";
import type { BatchGroup } from "@/components/batch/use-batch";
import { type AssignmentForm, assignmentInput, periodFields } from "./assignment";

/**
 * The calls that assign hosts as a form says. With 转移, whoever has a host hands it over to the
 * user; all other hosts are assigned.
 */
export function assignGroups(
  hosts: readonly Host[],
  values: AssignmentForm & { allowShorter: boolean },
  { send, readBack }: BatchCalls,
): BatchGroup[] {
  const handed = values.sharing === "transfer" ? otherHolders(hosts, values.userId) : [];
  const handedIds = new Set(handed.flatMap((holder) => holder.hosts.map(({ id }) => id)));
  const assigned = hosts.filter(({ id }) => !handedIds.has(id));
  const period = periodInput(periodFields(values));

  const transfers = handed.map((holder) => ({
    hosts: holder.hosts,
    whenLost: readBack(isTransferred(holder.user.id, values.userId)),
    send: (hostIds: string[]) =>
      send({
        operation: "transfer",
        hostIds,
        fromUserId: holder.user.id,
        userId: values.userId,
        ...period,
      }),
  }));
  const assignment = {
    hosts: assigned,
    whenLost: readBack(isAssigned(values.userId, period.assignedExpireTime)),
    send: (hostIds: string[]) =>
      send({
        operation: "assign",
        hostIds,
        ...assignmentInput(values),
        allowShorter: values.allowShorter,
      }),
  };
  return [assignment, ...transfers];
}
