import type { Host } from "@shared/hosts.ts";
import { isSuperAdmin } from "@shared/roles.ts";
import type { User } from "@shared/users.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { Server } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { BATCH_LABELS } from "@/components/batch/batch-acts";
import type { BatchSubject } from "@/components/batch/batch-form-dialog";
import type { Column } from "@/components/data-table";
import { SelectionBar } from "@/components/data-table-tools";
import { ExpiryDate } from "@/components/hosts/expiry-date";
import { HostStatusBadge, hostTitle, providerExpiry } from "@/components/hosts/host-display";
import { HostName } from "@/components/hosts/host-name";
import { SelectAll } from "@/components/select-all";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/lib/lazy";
import { useDialog } from "@/lib/use-dialog";
import { type Selection, useRowSelection } from "@/lib/use-row-selection";
import { useCurrentUser } from "@/session/session";
import { HOST_COLUMN, ListSection, PAGE_LENGTH } from "./list-section";

/** The hosts of a client, to be chosen and acted on by the super admin. */
export function UserHosts({ user }: { user: User }) {
  const canAct = isSuperAdmin(useCurrentUser().role);
  const [page, setPage] = useState(1);
  const input = { userId: user.id, sort: "assignedExpireTime", limit: PAGE_LENGTH, page } as const;
  const list = trpc.hosts.list.useQuery(input, { placeholderData: keepPreviousData });
  const hosts = list.data?.hosts;
  const total = list.data?.pagination.total ?? 0;
  const selection = useRowSelection(hosts);
  const label = (host: Host) => `选择 ${hostTitle(host)}`;

  return (
    <ListSection
      noun="主机"
      unit="台"
      icon={Server}
      list={list}
      rows={hosts}
      columns={hostColumns(user.id)}
      setPage={setPage}
      aside={<HostLinks user={user} total={total} canAssign={canAct} />}
      selection={canAct ? { ...selection, label } : undefined}
    >
      {canAct ? <HostActs user={user} selection={selection} rows={hosts} total={total} /> : null}
    </ListSection>
  );
}

const LINK = "rounded-sm text-sm text-primary-ink hover:underline";

type HostLinksProps = { user: User; total: number; canAssign: boolean };

function HostLinks({ user, total, canAssign }: HostLinksProps) {
  return (
    <>
      {total === 0 ? null : (
        <Link className={LINK} href={`/hosts?view=table&userId=${user.id}`}>
          {`在主机管理中查看全部 ${total} 台`}
        </Link>
      )}
      {canAssign && user.isActive ? (
        <Link className={LINK} href="/hosts?view=table&assigned=false">
          分配空闲主机
        </Link>
      ) : null}
    </>
  );
}

/** On a phone the badge stands below the date. */
const EXPIRY = { className: "max-sm:*:flex-col max-sm:*:items-start" } as const;

function hostColumns(userId: string): Column<Host>[] {
  return [
    {
      ...HOST_COLUMN,
      cell: (host) => <HostName href={`/hosts?userId=${userId}&host=${host.id}`} host={host} />,
    },
    {
      ...EXPIRY,
      id: "userExpiry",
      header: "用户到期",
      cell: ({ users }) => (
        <ExpiryDate at={users.find(({ id }) => id === userId)?.assignedExpireTime ?? null} />
      ),
    },
    {
      ...EXPIRY,
      id: "providerExpiry",
      header: "云端到期",
      cell: (host) => <ExpiryDate at={providerExpiry(host)} />,
    },
    { id: "status", header: "状态", cell: (host) => <HostStatusBadge host={host} /> },
  ];
}

const DIALOGS = {
  changeEnd: lazyDialog(() =>
    import("@/components/batch/batch-end-dialog").then((m) => m.BatchEndDialog),
  ),
  transfer: lazyDialog(() =>
    import("@/components/batch/batch-transfer-dialog").then((m) => m.BatchTransferDialog),
  ),
  unassign: lazyDialog(() =>
    import("@/components/batch/batch-unassign-dialog").then((m) => m.BatchUnassignDialog),
  ),
} as const;

type HostAct = keyof typeof DIALOGS;

const ACTS: readonly HostAct[] = ["changeEnd", "transfer", "unassign"];

type HostActsProps = {
  user: User;
  selection: Selection<Host>;
  rows: readonly Host[] | undefined;
  total: number;
};

/** The bar of acts on the user's assignments of the chosen hosts, and their dialogs. */
function HostActs({ user, selection, rows, total }: HostActsProps) {
  const { client } = trpc.useUtils();
  const { show, dialog } = useDialog<HostAct, BatchSubject>();
  const open = (act: HostAct) =>
    show(act, { hosts: selection.chosen, scope: { kind: "fixed", userId: user.id } });

  return (
    <>
      <SelectionBar count={selection.chosen.length} unit="台主机" onClear={selection.clear}>
        <SelectAll
          selection={selection}
          rows={rows}
          total={total}
          read={async (paging) =>
            (await client.hosts.list.query({ userId: user.id, ...paging })).hosts
          }
        >
          {ACTS.map((act) => (
            <Button key={act} variant="outline" onClick={() => open(act)}>
              {BATCH_LABELS[act]}
            </Button>
          ))}
        </SelectAll>
      </SelectionBar>
      {ACTS.map((act) => {
        const Dialog = DIALOGS[act];
        const state = dialog(act);
        return state && <Dialog key={act} {...state} onFinished={selection.keepOnly} />;
      })}
    </>
  );
}
