import type { Notice } from "@shared/notices.ts";
import { isSuperAdmin } from "@shared/roles.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { Bell, BellRing, CheckCheck } from "lucide-react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { DaySections } from "@/components/day-sections";
import { ListView } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { formatNumber } from "@/lib/format-number";
import { notify } from "@/lib/notify";
import { type DialogState, useDialog } from "@/lib/use-dialog";
import { useCurrentUser } from "@/session/session";
import { NoticeFilters, useNoticeSearch } from "./notice-filters";
import { NoticeLine } from "./notice-line";
import { NoticesSkeleton } from "./notices-skeleton";
import { useNoticeAct } from "./use-notice-act";
import { useReadNotices } from "./use-read-notices";
import { useUnreadCount } from "./use-unread-count";

/** The inbox of whoever is signed in. Events refetch it. */
export function NoticesPage() {
  const { role } = useCurrentUser();
  const search = useNoticeSearch();
  const list = trpc.notices.list.useQuery(search.input, { placeholderData: keepPreviousData });
  const { begin, dialogs } = useNoticeAct();
  const { show, dialog } = useDialog<"delete", Notice>();
  const deletion = dialog("delete");

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="通知"
        description="保留 180 天，最多 500 条。"
        aside={
          list.data ? (
            <Badge className="tabular-nums">{formatNumber(list.data.pagination.total)} 条</Badge>
          ) : null
        }
        actions={
          <>
            {isSuperAdmin(role) ? <SettingsLink /> : null}
            <ReadAllButton />
          </>
        }
      />
      <NoticeFilters search={search} />
      <ListView
        list={list}
        search={search}
        noun="通知"
        empty={{ icon: Bell, title: "暂无通知", description: EXPLANATIONS[role] }}
      >
        {(page) =>
          page === undefined ? (
            <div>
              <Skeleton className="mb-2 h-5 w-32" />
              <NoticesSkeleton className="rounded-md border bg-card" />
            </div>
          ) : (
            <DaySections
              rows={page.notices}
              timeOf={({ createdAt }) => createdAt}
              isStale={list.isPlaceholderData}
            >
              {(notice) => (
                <NoticeLine
                  key={notice.id}
                  notice={notice}
                  onAct={begin}
                  onDelete={(chosen) => show("delete", chosen)}
                />
              )}
            </DaySections>
          )
        }
      </ListView>
      {dialogs}
      {deletion === null ? null : <DeleteDialog {...deletion} />}
    </div>
  );
}

const EXPLANATIONS = {
  super_admin: "主机到期、新的续费申请和同步故障，都会在这里通知您。",
  admin: "您负责的用户的主机即将到期时，会在这里通知您。",
  client: "主机即将到期、续费申请有了结果时，会在这里通知您。",
} as const;

function SettingsLink() {
  return (
    <Button variant="outline" asChild>
      <Link href="/notice-settings">
        <BellRing />
        通知设置
      </Link>
    </Button>
  );
}

function ReadAllButton() {
  const { readAll } = useReadNotices();
  const unread = useUnreadCount();
  return (
    <Button variant="outline" disabled={unread === 0} onClick={readAll}>
      <CheckCheck />
      全部已读
    </Button>
  );
}

function DeleteDialog({ subject: notice, ...dialog }: DialogState<Notice>) {
  const remove = trpc.notices.delete.useMutation();
  return (
    <ConfirmDialog
      {...dialog}
      title="删除通知"
      description={
        <>
          确定删除通知<strong>“{notice.title}”</strong>？删除后不能恢复，所说的主机和申请不受影响。
        </>
      }
      confirmLabel="删除"
      errorTitle="删除失败"
      onConfirm={async () => {
        await remove.mutateAsync({ id: notice.id });
        notify.success("通知已删除");
      }}
    />
  );
}
