import { hasPermission } from "@shared/roles.ts";
import { LayoutList, Table2 } from "lucide-react";
import { useDeferredValue } from "react";
import { z } from "zod";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { failureText } from "@/failure";
import { formatNumber } from "@/lib/format-number";
import { useIsLargeScreen, useIsMediumScreen } from "@/lib/use-media";
import { useStored } from "@/lib/use-stored";
import { useCurrentUser } from "@/session";
import { SyncButton } from "@/sync/sync-button";
import { SyncStrip } from "@/sync/sync-strip";
import { BatchBar } from "./batch-bar";
import { HostFilters } from "./host-filters";
import { HostTableView } from "./host-table-view";
import { HostTabs, HostTabsSkeleton } from "./host-tabs";
import { NoHosts } from "./no-hosts";
import { SortControl } from "./sort-control";
import { useHostList } from "./use-host-list";
import { useHostSelection } from "./use-host-selection";
import { useHostsSearch } from "./use-hosts-search";

const StoredView = z.enum(["tabs", "table"]);

export function HostsPage() {
  const { role } = useCurrentUser();
  const search = useHostsSearch();
  const { params, setParams } = search;
  const [storedView, storeView] = useStored("hosts.view", StoredView, "tabs");
  const view = params.view ?? storedView;
  const list = useHostList(role, params);
  // Drawn in slices: what is pressed meanwhile, above all while a sync brings one list after the other, does not wait for it.
  const data = useDeferredValue(list.data);
  const selection = useHostSelection(data?.hosts);
  // Where there is room for one, an open host takes the place of the list, and of what narrows it.
  const isReadingOne = !useIsLargeScreen() && view === "tabs" && params.host !== undefined;
  const isMedium = useIsMediumScreen();
  const canSync = hasPermission(role, "hosts:sync");
  // In the list's place, not in the view's: what is open beside it or over it, a half-filled dialog maybe, outlives the last row.
  const empty =
    data !== undefined && data.hosts.length === 0 ? (
      <NoHosts role={role} search={search} pagination={data.pagination} />
    ) : null;
  const shared = { search, role, empty, isStale: list.isPlaceholderData };
  return (
    <div className="grid gap-4">
      <PageHeader
        title="主机管理"
        aside={data ? <Badge className="tabular-nums">{formatNumber(data.pagination.total)} 台</Badge> : null}
        actions={
          <>
            {isMedium && view === "tabs" && !isReadingOne ? (
              <SortControl state={search} role={role} layout="row" />
            ) : null}
            <SegmentedControl
              aria-label="视图"
              value={view}
              onValueChange={(next) => {
                storeView(next);
                setParams({ view: next }, { replace: true });
              }}
              segments={[
                { value: "tabs", label: "标签页", icon: <LayoutList aria-hidden="true" /> },
                { value: "table", label: "表格", icon: <Table2 aria-hidden="true" /> },
              ]}
            />
            {canSync ? <SyncButton /> : null}
          </>
        }
      />
      {canSync ? <SyncStrip /> : null}
      {isReadingOne ? null : <HostFilters state={search} role={role} />}
      {/* Not the table's, which goes with its last row while the results of a batch are still to be read. Before the rows: by keyboard it is a
      few steps back from them instead of all the way through. */}
      {view === "table" && hasPermission(role, "hosts:assign") ? <BatchBar selection={selection} /> : null}
      {list.isError && data === undefined ? (
        <Card>
          <ErrorState message={failureText(list.error)} onRetry={() => list.refetch()} isRetrying={list.isFetching} />
        </Card>
      ) : view === "table" ? (
        <HostTableView {...shared} list={data} selection={selection} />
      ) : data === undefined ? (
        <HostTabsSkeleton />
      ) : (
        <HostTabs search={search} empty={empty} isStale={list.isPlaceholderData} list={data} />
      )}
    </div>
  );
}
