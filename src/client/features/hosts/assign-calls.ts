import type { BatchHosts, BatchHostsInput } from "@shared/batch.ts";
import type { Host } from "@shared/hosts.ts";
import { otherHolders } from "@/components/assignments/holders";
import { periodInput } from "@/components/assignments/period";
import type { BatchGroup } from "@/components/batch/use-batch";
import { type AssignmentForm, assignmentInput, periodFields } from "./assignment";

type Send = (input: BatchHostsInput) => Promise<BatchHosts>;

/**
 * The calls that assign hosts as a form says. With 转移, whoever has a host hands it over to the
 * user; all other hosts are assigned.
 */
export function assignGroups(
  hosts: readonly Host[],
  values: AssignmentForm & { allowShorter: boolean },
  send: Send,
): BatchGroup[] {
  const handed = values.sharing === "transfer" ? otherHolders(hosts, values.userId) : [];
  const handedIds = new Set(handed.flatMap((holder) => holder.hosts.map(({ id }) => id)));
  const assigned = hosts.filter(({ id }) => !handedIds.has(id));
  const period = periodInput(periodFields(values));

  const transfers = handed.map((holder) => ({
    hosts: holder.hosts,
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
