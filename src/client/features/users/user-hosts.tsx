import type { Host } from "@shared/hosts.ts";
import { isSuperAdmin } from "@shared/roles.ts";
import type { User } from "@shared/users.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { Server } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { toastError } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { BATCH_LABELS } from "@/components/batch/batch-acts";
import type { BatchSubject } from "@/components/batch/batch-form-dialog";
import { useReadHostsById } from "@/components/batch/use-read-back";
import { useRestOfBatch } from "@/components/batch/use-rest-of-batch";
import type { Column } from "@/components/data-table";
import { SelectionBar } from "@/components/data-table-tools";
import { ExpiryDate } from "@/components/hosts/expiry-date";
import { hostTitle, providerExpiry } from "@/components/hosts/host-facts";
import { HostName } from "@/components/hosts/host-name";
import { HostStatusCell } from "@/components/hosts/host-status";
import { SelectAll } from "@/components/select-all";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/lib/lazy";
import { notify } from "@/lib/notify";
import { useDialog } from "@/lib/use-dialog";
import { type Selection, useRowSelection } from "@/lib/use-row-selection";
import { useCurrentUser } from "@/session/session";
import { HOST_COLUMN, ListSection, PAGE_LENGTH } from "./list-section";
import { useReadHosts } from "./use-read-hosts";

/** The hosts of a client, to be chosen and acted on by the super admin. */
export function UserHosts({ user }: { user: User }) {
  const canAct = isSuperAdmin(useCurrentUser().role);
  const [page, setPage] = useState(1);
  const input = { userId: user.id, sort: "assignedExpireTime", limit: PAGE_LENGTH, page } as const;
  const list = trpc.hosts.list.useQuery(input, { placeholderData: keepPreviousData });
  const hosts = list.data?.hosts;
  const total = list.data?.pagination.total ?? 0;
  const selection = useRowSelection(hosts);
  useRestOfBatch(selection, useReadHostsById());
  const label = (host: Host) => `选择 ${hostTitle(host)}`;
  const { show, dialog } = useDialog<HostAct, BatchSubject>();
  const open = (act: HostAct, chosen: readonly Host[]) =>
    show(act, { hosts: chosen, scope: { kind: "fixed", userId: user.id } });

  return (
    <ListSection
      noun="主机"
      unit="台"
      icon={Server}
      list={list}
      rows={hosts}
      columns={hostColumns(user.id)}
      setPage={setPage}
      aside={
        <HostLinks
          user={user}
          total={total}
          canAct={canAct}
          onTransfer={(all) => open("transfer", all)}
        />
      }
      selection={canAct ? { ...selection, label } : undefined}
    >
      {canAct ? (
        <HostActs user={user} selection={selection} rows={hosts} total={total} onAct={open} />
      ) : null}
      {HOST_ACTS.map((act) => {
        const Dialog = DIALOGS[act];
        const state = dialog(act);
        return state && <Dialog key={act} {...state} onFinished={selection.keepOnly} />;
      })}
    </ListSection>
  );
}

const LINK = "rounded-sm text-sm text-primary-ink hover:underline";

type HostLinksProps = {
  user: User;
  total: number;
  canAct: boolean;
  onTransfer: (all: readonly Host[]) => void;
};

function HostLinks({ user, total, canAct, onTransfer }: HostLinksProps) {
  return (
    <>
      {total === 0 ? null : (
        <Link className={LINK} href={`/hosts?view=table&userId=${user.id}`}>
          {`在主机管理中查看全部 ${total} 台`}
        </Link>
      )}
      {canAct && total > 0 ? <TransferAll user={user} onTransfer={onTransfer} /> : null}
      {canAct && user.isActive ? (
        <Link className={LINK} href="/hosts?view=table&assigned=false">
          分配空闲主机
        </Link>
      ) : null}
    </>
  );
}

/**
 * Everything that the user has goes to somebody else, without choosing it page by page. What is gone
 * at the provider can only be taken back.
 */
function TransferAll({ user, onTransfer }: Pick<HostLinksProps, "user" | "onTransfer">) {
  const readHosts = useReadHosts();

  async function transferAll(): Promise<void> {
    try {
      const hosts = await readHosts(user.id);
      const present = hosts.filter(({ goneAt }) => goneAt === null);
      if (present.length > 0) {
        onTransfer(present);
        return;
      }
      notify.warning("没有可以转移的主机", { message: "它们在云服务商处已不存在，请取消分配。" });
    } catch (error) {
      toastError("读取主机失败", error);
    }
  }

  return (
    <Button variant="ghost" size="sm" className="-mx-2 px-2 text-primary-ink" onClick={transferAll}>
      转移全部主机
    </Button>
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
    { id: "status", header: "状态", cell: (host) => <HostStatusCell host={host} /> },
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

const HOST_ACTS: readonly HostAct[] = ["changeEnd", "transfer", "unassign"];

type HostActsProps = {
  user: User;
  selection: Selection<Host>;
  rows: readonly Host[] | undefined;
  total: number;
  onAct: (act: HostAct, hosts: readonly Host[]) => void;
};

/** The bar of acts on the user's assignments of the chosen hosts. */
function HostActs({ user, selection, rows, total, onAct }: HostActsProps) {
  const { client } = trpc.useUtils();

  return (
    <SelectionBar count={selection.chosen.length} unit="台主机" onClear={selection.clear}>
      <SelectAll
        selection={selection}
        rows={rows}
        total={total}
        read={async (paging) =>
          (await client.hosts.list.query({ userId: user.id, ...paging })).hosts
        }
      >
        {HOST_ACTS.map((act) => (
          <Button key={act} variant="outline" onClick={() => onAct(act, selection.chosen)}>
            {BATCH_LABELS[act]}
          </Button>
        ))}
      </SelectAll>
    </SelectionBar>
  );
}
