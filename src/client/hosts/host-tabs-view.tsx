import type { Host, HostList } from "@shared/hosts.ts";
import type { Role } from "@shared/roles.ts";
import { ArrowLeft } from "lucide-react";
import { type FocusEvent, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { HostPages, PageLength, pageRange } from "./host-pages";
import { HostPhoneList } from "./host-phone-list";
import { HOST_PANEL_ID, HostTabList, hostTabId } from "./host-tab-list";
import { OpenHost } from "./open-host";
import type { HostsSearchState } from "./use-hosts-search";
import { useTwoPanes } from "./use-two-panes";

type HostTabsViewProps = {
  list: HostList;
  search: HostsSearchState;
  role: Role;
  now: number;
  isStale: boolean;
  /** Takes the place of the list where it has no hosts; null where it has. */
  empty: ReactNode;
};

/** One tab per host with its details beside it; where there is no room one after the other. */
export function HostTabsView(props: HostTabsViewProps) {
  return useTwoPanes() ? <BesideEachOther {...props} /> : <OneAfterTheOther {...props} />;
}

function BesideEachOther({ list, search, empty, ...look }: HostTabsViewProps) {
  const { hosts, pagination } = list;
  const unchosenId = useSteadyFirst(hosts);
  const shownId = search.params.host ?? unchosenId;
  const selectedId = hosts.find(({ id }) => id === shownId)?.id ?? null;

  /** Whoever opens something of the first host means this one, also when another comes to be the first. */
  function chooseShown({ target, currentTarget }: FocusEvent<HTMLElement>): void {
    const isOverPage = target instanceof Node && !currentTarget.contains(target);
    if (isOverPage && search.params.host === undefined) search.setParams({ host: shownId }, { replace: true });
  }

  return (
    <div
      className={cn("grid gap-4", shownId !== undefined && "grid-cols-[minmax(15rem,21rem)_minmax(0,1fr)] items-start")}
    >
      {empty ?? (
        // As high as the window leaves room below one line of filters, or two; clipped, not scrolled, so that its foot can stick to the window's.
        <div className="sticky top-18 flex max-h-[max(24rem,calc(100dvh-11.5rem))] flex-col overflow-clip rounded-md border bg-card shadow-xs max-xl:max-h-[max(24rem,calc(100dvh-14.5rem))]">
          <div className="flex items-center justify-between gap-2 min-h-10 border-b bg-muted/60 py-1.5 pr-1.5 pl-3.5">
            <p className="text-sm text-muted-foreground tabular-nums">{pageRange(pagination)}</p>
            <PageLength search={search} pagination={pagination} />
          </div>
          <HostTabList
            {...look}
            hosts={hosts}
            selectedId={selectedId}
            onSelect={(id) => search.setParams({ host: id }, { replace: true })}
          />
          <div className="sticky bottom-0 border-t bg-card px-3 py-2 empty:hidden">
            <HostPages search={search} pagination={pagination} />
          </div>
        </div>
      )}
      {shownId === undefined ? null : (
        <div
          role="tabpanel"
          id={HOST_PANEL_ID}
          onFocus={chooseShown}
          {...(selectedId === null ? { "aria-label": "主机详情" } : { "aria-labelledby": hostTabId(selectedId) })}
        >
          <OpenHost id={shownId} hosts={hosts} />
        </div>
      )}
    </div>
  );
}

function OneAfterTheOther({ list, search, empty, ...look }: HostTabsViewProps) {
  const { host: openId } = search.params;
  if (openId === undefined) {
    return (
      empty ?? (
        <div className="grid gap-4">
          <HostPhoneList {...look} hosts={list.hosts} onOpen={(id) => search.setParams({ host: id })} />
          <HostPages search={search} pagination={list.pagination} />
        </div>
      )
    );
  }
  return (
    <div className="grid gap-3">
      <Button
        variant="ghost"
        className="-ml-2 w-fit"
        onClick={() => search.setParams({ host: undefined }, { replace: true })}
      >
        <ArrowLeft aria-hidden="true" />
        返回列表
      </Button>
      <OpenHost id={openId} hosts={list.hosts} />
    </div>
  );
}

/** The first host, until it leaves the page: rows that arrive above it while a sync runs do not change what is shown. */
function useSteadyFirst(hosts: readonly Host[]): string | undefined {
  const [steadyId, setSteadyId] = useState(hosts[0]?.id);
  if (hosts.some(({ id }) => id === steadyId)) return steadyId;
  const firstId = hosts[0]?.id;
  if (firstId !== steadyId) setSteadyId(firstId);
  return firstId;
}
