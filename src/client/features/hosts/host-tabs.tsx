import type { HostList } from "@shared/hosts.ts";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { SkeletonText } from "@/components/ui/skeleton";
import { TabLink, Tabs, TabsContent, TabsList } from "@/components/ui/tabs";
import { cn } from "@/lib/cn";
import { HostLines } from "./host-lines";
import { HostPages, PageLength, pageRange } from "./host-pages";
import { HostPanel, HostPanelSkeleton } from "./host-panel";
import type { HostSearch } from "./host-search";
import { useShownHost } from "./use-shown-host";

type HostTabsProps = {
  list: HostList;
  search: HostSearch;
  isStale: boolean;
  /** Shown instead of the list where it has no hosts; null where it has. */
  empty: ReactNode;
};

/** One tab per host with its details beside it. */
export function HostTabs({ list, search, isStale, empty }: HostTabsProps) {
  const { hosts } = list;
  const { shownId, keepInAddress } = useShownHost(hosts, search, isStale);
  const isListed = hosts.some(({ id }) => id === shownId);

  return (
    <Tabs
      orientation="vertical"
      // A tab is chosen by a click, or by the keyboard as soon as it has the focus: see `TabLink`.
      activationMode="manual"
      value={shownId ?? ""}
      onValueChange={(id) => search.setParams({ host: id }, { replace: true })}
      className={cn(
        "grid gap-4",
        shownId !== undefined &&
          "grid-cols-[minmax(15rem,21rem)_minmax(0,1fr)] items-start print:grid-cols-1",
      )}
    >
      {empty ?? <TabColumn list={list} search={search} isStale={isStale} />}
      {shownId === undefined ? null : (
        // On paper the list alone. Padded, so that its box cuts no shadow and no ring; positioned, so
        // that what is hidden in it makes the page no longer.
        <TabsContent
          className={cn(PANE, "relative -m-1.5 overflow-y-auto p-1.5 print:hidden")}
          value={shownId}
          onFocus={keepInAddress}
          {...(isListed ? {} : { "aria-label": "主机详情", "aria-labelledby": undefined })}
        >
          <HostPanel id={shownId} hosts={hosts} />
        </TabsContent>
      )}
    </Tabs>
  );
}

/**
 * As high as the window below the filters and above the footer: list and details scroll, each by
 * itself, and the page does not. A low window scrolls as a whole.
 */
const PANE = "max-h-[max(24rem,calc(100dvh-15.5rem))]";

/** The tabs of the page; clipped, not scrolled, so that the pages stick to its foot. */
function TabColumn({ list: { hosts, pagination }, search, isStale }: Omit<HostTabsProps, "empty">) {
  return (
    <div
      className={cn(
        PANE,
        "flex flex-col overflow-clip rounded-md border bg-card shadow-xs print:max-h-none print:overflow-visible",
      )}
    >
      <div className="flex min-h-10 items-center justify-between gap-2 border-b bg-muted/60 py-1.5 pr-1.5 pl-3.5">
        <p className="text-sm text-muted-foreground tabular-nums">{pageRange(pagination)}</p>
        <PageLength search={search} pagination={pagination} />
      </div>
      <TabsList
        aria-label="主机"
        aria-busy={isStale}
        loop={false}
        className={cn(
          "min-h-0 flex-1 overflow-y-auto overscroll-contain transition-opacity print:overflow-visible",
          isStale && "opacity-55",
        )}
      >
        {hosts.map((host) => (
          <TabLink
            key={host.id}
            value={host.id}
            href={search.hrefTo({ host: host.id })}
            className="min-h-20 py-1.5"
          >
            <HostLines host={host} userId={search.params.userId} />
          </TabLink>
        ))}
      </TabsList>
      <div className="sticky bottom-0 border-t bg-card px-3 py-2 empty:hidden print:hidden">
        <HostPages search={search} pagination={pagination} />
      </div>
    </div>
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
