import { trpc } from "@/api/trpc";
import { endsText, holdersOf } from "@/components/assignments/holders";
import { NoFields } from "@/components/form-dialog/form-dialog";
import { formatNumber } from "@/lib/format-number";
import { type BatchDialogProps, BatchFormDialog } from "./batch-form-dialog";
import { useReadReminded } from "./use-read-reminded";

/** Reminds the clients who have the chosen hosts of their ends. */
export function BatchRemindDialog(props: BatchDialogProps) {
  const { hosts } = props.subject;
  const remind = trpc.reminders.send.useMutation();
  const readReminded = useReadReminded();
  const concerned = hosts.filter(({ users }) => users.length > 0);

  return (
    <BatchFormDialog
      {...props}
      act="remind"
      emptyText={concerned.length === 0 ? "所选主机都没有分配给用户，没有可以提醒的客户。" : null}
      schema={NoFields}
      defaultValues={{}}
      concerned={() => concerned}
      toGroups={() => [
        {
          hosts: concerned,
          whenLost: readReminded,
          send: (hostIds) => remind.mutateAsync({ hostIds }),
        },
      ]}
    >
      <Recipients {...props.subject} />
    </BatchFormDialog>
  );
}

/** Who is told, of how many hosts and which ends. */
function Recipients({ hosts }: Pick<BatchDialogProps["subject"], "hosts">) {
  const holders = holdersOf(hosts);
  const free = hosts.filter(({ users }) => users.length === 0).length;
  const rest = free === 0 ? "" : `其余 ${formatNumber(free)} 台没有分配给用户。`;

  return (
    <>
      <p className="text-muted-foreground">
        {`向 ${formatNumber(holders.length)} 位客户发送到期提醒，同一台主机每天最多提醒一次。${rest}`}
      </p>
      {/* A long list scrolls by keyboard. */}
      <ul
        aria-label="提醒谁"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        className="max-h-60 divide-y overflow-y-auto rounded-md border"
      >
        {holders.map((holder) => (
          <li
            key={holder.user.id}
            className="flex flex-wrap justify-between gap-x-4 px-3 py-2 text-sm tabular-nums"
          >
            <span className="font-medium">{holder.user.name}</span>
            <span className="text-muted-foreground">
              {`${formatNumber(holder.hosts.length)} 台，使用至 ${endsText(holder)}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
