import type { Host } from "@shared/hosts.ts";
import { isSuperAdmin } from "@shared/roles.ts";
import type { User } from "@shared/users.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { Server } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Link } from "wouter";
import { toastError } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { BATCH_LABELS } from "@/components/batch/batch-acts";
import type { BatchSubject } from "@/components/batch/batch-form-dialog";
import { useReadHostsById } from "@/components/batch/use-read-back";
import { useRestOfBatch } from "@/components/batch/use-rest-of-batch";
import { DataTable } from "@/components/data-table";
import { SelectionBar } from "@/components/data-table-tools";
import { HostCardList } from "@/components/hosts/host-card-list";
import { hostColumns } from "@/components/hosts/host-columns";
import { hostTitle } from "@/components/hosts/host-facts";
import { useHostLayout } from "@/components/hosts/use-host-layout";
import { SelectAll } from "@/components/select-all";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/lib/lazy";
import { notify } from "@/lib/notify";
import { useDialog } from "@/lib/use-dialog";
import { useMedia } from "@/lib/use-media";
import { type Selection, useRowSelection } from "@/lib/use-row-selection";
import { useCurrentUser } from "@/session/session";
import { ListFrame, PAGE_LENGTH } from "./list-section";
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
  const { show, dialog } = useDialog<HostAct, BatchSubject>();
  const open = (act: HostAct, chosen: readonly Host[]) =>
    show(act, { hosts: chosen, scope: { kind: "fixed", userId: user.id } });

  return (
    <ListFrame
      noun="主机"
      unit="台"
      icon={Server}
      list={list}
      rows={
        <HostRows
          user={user}
          hosts={hosts}
          isStale={list.isPlaceholderData}
          selection={canAct ? { ...selection, label: selectionLabel } : undefined}
        />
      }
      setPage={setPage}
      aside={
        <HostLinks
          user={user}
          total={total}
          canAct={canAct}
          onTransfer={(all) => open("transfer", all)}
        />
      }
    >
      {canAct ? (
        <HostActs user={user} selection={selection} rows={hosts} total={total} onAct={open} />
      ) : null}
      {HOST_ACTS.map((act) => {
        const Dialog = DIALOGS[act];
        const state = dialog(act);
        return state && <Dialog key={act} {...state} onFinished={selection.keepOnly} />;
      })}
    </ListFrame>
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

function selectionLabel(host: Host): string {
  return `选择 ${hostTitle(host)}`;
}

type HostRowsProps = Pick<
  ComponentProps<typeof HostCardList>,
  "hosts" | "isStale" | "selection"
> & { user: User };

/** As the page of hosts lists them; a table where it has room without scrolling sideways. */
function HostRows({ user, hosts, ...shared }: HostRowsProps) {
  const { role } = useCurrentUser();
  const { density, isShown } = useHostLayout({ hasUsers: false });
  const isWide = useMedia("(min-width: 80rem)");
  const userId = user.id;
  const hrefTo = (id: string) => `/hosts?userId=${userId}&host=${id}`;

  if (!isWide) return <HostCardList {...shared} hosts={hosts} hrefTo={hrefTo} userId={userId} />;
  return (
    <DataTable
      {...shared}
      columns={hostColumns({ role, hosts, hrefTo, userId }).filter(isShown)}
      rows={hosts}
      label="该用户的主机"
      density={density}
    />
  );
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
