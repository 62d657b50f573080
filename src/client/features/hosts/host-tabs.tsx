import type { Host, HostList } from "@shared/hosts.ts";
import { isClient } from "@shared/roles.ts";
import { type FocusEvent, type ReactNode, useState } from "react";
import { Skeleton } from "@/components/ui/skeleton";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { cn } from "@/lib/cn";
import { useCurrentUser } from "@/session/session";
import { HostLines } from "./host-lines";
import { HostPages, PageLength, pageRange } from "./host-pages";
import { HostPanel, HostPanelSkeleton } from "./host-panel";
import type { HostSearch } from "./host-search";

export type HostTabsProps = {
  list: HostList;
  search: HostSearch;
  isStale: boolean;
  /** Shown instead of the list where it has no hosts; null where it has. */
  empty: ReactNode;
};

/** One tab per host with its details beside it. */
export function HostTabs({ list: { hosts, pagination }, search, isStale, empty }: HostTabsProps) {
  const { role } = useCurrentUser();
  const firstId = useSteadyFirst(hosts);
  const openId = search.params.host ?? firstId;
  const isListed = hosts.some(({ id }) => id === openId);

  /** A menu or dialog of the first host opens that host, so that another first row does not close it. */
  function keepOpen({ target, currentTarget }: FocusEvent<HTMLElement>): void {
    const isOverPage = target instanceof Node && !currentTarget.contains(target);
    if (isOverPage && search.params.host === undefined) search.setParams({ host: openId }, { replace: true });
  }

  return (
    <Tabs
      orientation="vertical"
      value={openId ?? ""}
      onValueChange={(id) => search.setParams({ host: id }, { replace: true })}
      className={cn("grid gap-4", openId !== undefined && "grid-cols-[minmax(15rem,21rem)_minmax(0,1fr)] items-start")}
    >
      {empty ?? (
        // As high as the window below the filters; clipped, not scrolled, so that the pages stick to its foot.
        <div className="sticky top-18 flex max-h-[max(24rem,calc(100dvh-11.5rem))] flex-col overflow-clip rounded-md border bg-card shadow-xs max-xl:max-h-[max(24rem,calc(100dvh-14.5rem))] print:static print:max-h-none">
          <div className="flex min-h-10 items-center justify-between gap-2 border-b bg-muted/60 py-1.5 pr-1.5 pl-3.5">
            <p className="text-sm text-muted-foreground tabular-nums">{pageRange(pagination)}</p>
            <PageLength search={search} pagination={pagination} />
          </div>
          <TabsList
            aria-label="主机"
            aria-busy={isStale}
            loop={false}
            className={cn(
              "min-h-0 flex-1 overflow-y-auto overscroll-contain transition-opacity",
              isStale && "opacity-55",
            )}
          >
            {hosts.map((host) => (
              <TabsTrigger key={host.id} value={host.id} className={isClient(role) ? "h-20" : "h-15"}>
                <HostLines host={host} />
              </TabsTrigger>
            ))}
          </TabsList>
          <div className="sticky bottom-0 border-t bg-card px-3 py-2 empty:hidden">
            <HostPages search={search} pagination={pagination} />
          </div>
        </div>
      )}
      {openId === undefined ? null : (
        <TabsContent
          value={openId}
          onFocus={keepOpen}
          {...(isListed ? {} : { "aria-label": "主机详情", "aria-labelledby": undefined })}
        >
          <HostPanel id={openId} hosts={hosts} />
        </TabsContent>
      )}
    </Tabs>
  );
}

export function HostTabsSkeleton() {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(15rem,21rem)_minmax(0,1fr)]" role="status">
      <span className="sr-only">加载中...</span>
      <Skeleton className="h-120" />
      <div className="max-lg:hidden">
        <HostPanelSkeleton />
      </div>
    </div>
  );
}

/** The first host, until it leaves the page: rows that a sync adds above it do not change what is shown. */
function useSteadyFirst(hosts: readonly Host[]): string | undefined {
  const [steadyId, setSteadyId] = useState(hosts[0]?.id);
  if (hosts.some(({ id }) => id === steadyId)) return steadyId;
  const firstId = hosts[0]?.id;
  if (firstId !== steadyId) setSteadyId(firstId);
  return firstId;
}
