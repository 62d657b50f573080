import { type ActivityEntry, auditActionLabel } from "@shared/audit.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "@/api/trpc";
import { OutcomeBadge } from "@/components/audit/outcome-badge";
import { QueryError } from "@/components/error-state";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Pagination } from "@/components/ui/pagination";
import { Skeleton } from "@/components/ui/skeleton";
import { deviceOf } from "@/lib/device-of";
import { formatDateTime } from "@/lib/format";

/** The newest, and the entries of a page of all. */
const NEWEST = 5;
const LIMIT = 20;

/** Sign-ins to the own account, and changes of how it signs in. */
export function ActivityCard() {
  const [showsAll, setShowsAll] = useState(false);
  const [page, setPage] = useState(1);
  const list = useActivity({ page, limit: showsAll ? LIMIT : NEWEST });

  return (
    <Card>
      <CardHeader>
        <CardTitle>近期登录与安全记录</CardTitle>
        <CardDescription>
          最近 90 天的登录，以及密码、两步验证和 API 令牌的改动。如有不是您本人的，请立即修改密码。
        </CardDescription>
      </CardHeader>
      <CardContent className="grid grid-cols-[minmax(0,1fr)] gap-3 pt-2">
        <ActivityList list={list} />
        {list.data === undefined ? null : (
          <More
            showsAll={showsAll}
            total={list.data.pagination.total}
            onShowAll={() => setShowsAll(true)}
          />
        )}
        {showsAll && list.data !== undefined ? (
          <Pagination label="记录分页" unit="条" {...list.data.pagination} onPageChange={setPage} />
        ) : null}
      </CardContent>
    </Card>
  );
}

function useActivity(input: { page: number; limit: number }) {
  return trpc.auth.activity.useQuery(input, { placeholderData: keepPreviousData });
}

function ActivityList({ list }: { list: ReturnType<typeof useActivity> }) {
  if (list.data === undefined) {
    if (list.isError) return <QueryError query={list} className="py-8" />;
    return (
      <div role="status">
        <span className="sr-only">加载中...</span>
        <Skeleton className="h-60" />
      </div>
    );
  }

  if (list.data.entries.length === 0) {
    return <p className="text-sm text-muted-foreground">没有记录</p>;
  }

  return (
    <ul aria-label="近期登录与安全记录" className="divide-y">
      {list.data.entries.map((entry) => (
        <ActivityLine key={entry.id} entry={entry} />
      ))}
    </ul>
  );
}

/** What others do to the own account reads differently from what one does oneself. */
const LABELS_OF_OTHERS = new Map([
  ["users.resetPassword", "密码被超级管理员重置"],
  ["users.resetSecondFactor", "两步验证被超级管理员重置"],
  ["users.revokeToken", "API 令牌被超级管理员撤销"],
]);

function ActivityLine({ entry }: { entry: ActivityEntry }) {
  const { at, action, ip, userAgent } = entry;
  return (
    <li className="flex items-start gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{LABELS_OF_OTHERS.get(action) ?? auditActionLabel(action)}</p>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted-foreground">
          <span className="tabular-nums">{formatDateTime(at)}</span>
          {userAgent === null ? null : (
            <span title={userAgent} className="truncate">
              {deviceOf(userAgent).name}
            </span>
          )}
          {ip === null ? null : (
            <span className="font-mono text-xs leading-5 [overflow-wrap:anywhere]">{ip}</span>
          )}
        </p>
      </div>
      <OutcomeBadge entry={entry} />
    </li>
  );
}

type MoreProps = { showsAll: boolean; total: number; onShowAll: () => void };

function More({ showsAll, total, onShowAll }: MoreProps) {
  if (showsAll || total <= NEWEST) return null;
  return (
    <Button variant="outline" size="sm" className="justify-self-start" onClick={onShowAll}>
      {`查看全部 ${total} 条`}
    </Button>
  );
}
