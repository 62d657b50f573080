import type { Host, HostList } from "@shared/hosts.ts";
import { isClient } from "@shared/roles.ts";
import { ChevronRight } from "lucide-react";
import { type FocusEvent, type ReactNode, useState } from "react";
import { Link } from "wouter";
import {
  HostExpiryBadge,
  HostStatusDot,
  hostEnds,
  hostSize,
  hostTitle,
  isBilledByTime,
} from "@/components/hosts/host-display";
import { OpenRenewalBadge } from "@/components/hosts/open-renewal";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { SkeletonText } from "@/components/ui/skeleton";
import { TabLink, Tabs, TabsContent, TabsList } from "@/components/ui/tabs";
import { cn } from "@/lib/cn";
import { useCurrentUser } from "@/session/session";
import { HostEndsText } from "./host-ends-text";
import { HostPages, PageLength, pageRange } from "./host-pages";
import { HostPanel, HostPanelSkeleton } from "./host-panel";
import type { HostSearch } from "./host-search";

type HostListProps = {
  list: HostList;
  search: HostSearch;
  isStale: boolean;
  /** Shown instead of the list where it has no hosts; null where it has. */
  empty: ReactNode;
};

/** One tab per host with its details beside it. */
export function HostTabs({ list: { hosts, pagination }, search, isStale, empty }: HostListProps) {
  const firstId = useSteadyFirst(hosts, JSON.stringify(search.input), isStale);
  const openId = search.params.host ?? firstId;
  const isListed = hosts.some(({ id }) => id === openId);

  /**
   * A menu or dialog of the first host opens that host, so that another first row does not close
   * it.
   */
  function keepOpen({ target, currentTarget }: FocusEvent<HTMLElement>): void {
    const isOverPage = target instanceof Node && !currentTarget.contains(target);
    if (isOverPage && search.params.host === undefined) {
      search.setParams({ host: openId }, { replace: true });
    }
  }

  return (
    <Tabs
      orientation="vertical"
      // A tab is chosen by a click, or by the keyboard as soon as it has the focus: see `TabLink`.
      activationMode="manual"
      value={openId ?? ""}
      onValueChange={(id) => search.setParams({ host: id }, { replace: true })}
      className={cn(
        "grid gap-4",
        openId !== undefined && "grid-cols-[minmax(15rem,21rem)_minmax(0,1fr)] items-start",
      )}
    >
      {empty ?? (
        // As high as the window below the filters; clipped, not scrolled, so that the pages stick
        // to its foot.
        <div className="sticky top-18 flex max-h-[max(24rem,calc(100dvh-14.5rem))] flex-col overflow-clip rounded-md border bg-card shadow-xs print:static print:max-h-none">
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
              <TabLink
                key={host.id}
                value={host.id}
                href={search.hrefTo({ host: host.id })}
                className="h-20"
              >
                <HostLines host={host} />
              </TabLink>
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
    <div
      className="grid items-start gap-4 lg:grid-cols-[minmax(15rem,21rem)_minmax(0,1fr)]"
      role="status"
    >
      <span className="sr-only">加载中...</span>
      <Card className="divide-y">
        {Array.from({ length: 10 }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <SkeletonText key={row} lines={3} className="h-20 content-center px-3.5" />
        ))}
      </Card>
      <div className="max-lg:hidden">
        <HostPanelSkeleton />
      </div>
    </div>
  );
}

/**
 * The first host, until it leaves the page or the filters change: rows that a sync adds above it do
 * not change what is shown. A stale list still belongs to the filters of before.
 */
function useSteadyFirst(
  hosts: readonly Host[],
  filters: string,
  isStale: boolean,
): string | undefined {
  const [steady, setSteady] = useState({ id: hosts[0]?.id, filters });
  const isKept =
    isStale || (steady.filters === filters && hosts.some(({ id }) => id === steady.id));
  const id = isKept ? steady.id : hosts[0]?.id;
  if (!isStale && (id !== steady.id || filters !== steady.filters)) setSteady({ id, filters });
  return id;
}

/** For small screens: the lines of the tabs, each of which opens the details over the list. */
export function HostPhoneList({
  list: { hosts, pagination },
  search,
  isStale,
  empty,
}: HostListProps) {
  if (empty !== null) return empty;

  return (
    <div className="grid grid-cols-1 gap-4">
      <ul
        aria-label="主机"
        aria-busy={isStale}
        className={cn(
          "divide-y rounded-md border bg-card shadow-xs transition-opacity",
          isStale && "opacity-55",
        )}
      >
        {hosts.map((host) => (
          <li key={host.id} className="h-22 [content-visibility:auto]">
            <Link
              href={search.hrefTo({ host: host.id })}
              className="flex size-full items-center gap-2 px-3.5 text-left hover:bg-accent focus-visible:-outline-offset-2"
            >
              <span className="flex min-w-0 flex-1 flex-col gap-0.5">
                <HostLines host={host} />
              </span>
              <ChevronRight className="size-4 shrink-0 text-muted-foreground" />
            </Link>
          </li>
        ))}
      </ul>
      <HostPages search={search} pagination={pagination} />
    </div>
  );
}

/** What is most urgent about a host. */
function HostLineBadge({ host }: { host: Host }) {
  const { role } = useCurrentUser();

  if (host.goneAt !== null) return <Badge tone="danger">已消失</Badge>;
  if (isClient(role) && host.openRenewal !== null) {
    return <OpenRenewalBadge renewal={host.openRenewal} />;
  }
  if (hostEnds(role, host).length === 0 && isBilledByTime(host)) return <Badge>按时</Badge>;
  return <HostExpiryBadge role={role} host={host} />;
}

/** Name, status and badge; below, when it ends for whom; below that, where and how large it is. */
function HostLines({ host }: { host: Host }) {
  return (
    <>
      <span className="flex w-full items-center gap-2">
        <HostStatusDot host={host} />
        <span className="min-w-0 flex-1 truncate font-medium">{hostTitle(host)}</span>
        <HostLineBadge host={host} />
      </span>
      <span className="block w-full truncate pl-4 text-sm tabular-nums">
        <HostEndsText host={host} />
      </span>
      <span className="block w-full truncate pl-4 text-sm text-muted-foreground tabular-nums">
        {host.zoneName} · {hostSize(host)}
      </span>
    </>
  );
}
