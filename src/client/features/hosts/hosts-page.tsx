import type { Host, HostList } from "@shared/hosts.ts";
import { hasPermission } from "@shared/roles.ts";
import { FileUp, LayoutList, Table2 } from "lucide-react";
import { Suspense, useEffect } from "react";
import { Link } from "wouter";
import { z } from "zod";
import { DetailSheet } from "@/components/detail-sheet";
import { QueryError } from "@/components/error-state";
import { UnknownFilters } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { SegmentedControl } from "@/components/segmented-control";
import { SyncButton } from "@/components/sync/sync-button";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { DialogBody, DialogHeader } from "@/components/ui/dialog";
import { SkeletonText } from "@/components/ui/skeleton";
import { formatDate } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { useIsPrinting } from "@/lib/is-printing";
import { lazyPage } from "@/lib/lazy";
import { serverNow } from "@/lib/server-time";
import { useStored } from "@/lib/storage";
import { useIsLargeScreen, useIsMediumScreen } from "@/lib/use-media";
import { type Selection, useRowSelection } from "@/lib/use-row-selection";
import { useCurrentUser } from "@/session/session";
import { HostFilters } from "./host-filters";
import { pageRange } from "./host-pages";
import { HostPanel } from "./host-panel";
import { HostPhoneList } from "./host-phone-list";
import { type HostSearch, useHostList, useHostSearch } from "./host-search";
import { HostTabs, HostTabsSkeleton } from "./host-tabs";
import { NoHosts } from "./no-hosts";
import { useSetFilters } from "./set-filters";
import { SortControl } from "./sort-control";

// The table and its acts: a page with tabs does without.
const HostTable = lazyPage(() => import("./host-table").then((m) => m.HostTable));
const BatchBar = lazyPage(() => import("./batch-bar").then((m) => m.BatchBar));
const RenewBar = lazyPage(() => import("./renew-bar").then((m) => m.RenewBar));

const StoredView = z.enum(["tabs", "table"]);

export function HostsPage() {
  const { role } = useCurrentUser();
  const search = useHostSearch();
  const { view, setView } = useView(search);
  const isLarge = useIsLargeScreen();
  const list = useHostList(search);
  const selection = useRowSelection(list.data?.hosts);
  const canSync = hasPermission(role, "hosts:sync");
  const hasDetailsBeside = view === "tabs" && isLarge;
  useEffect(HostTable.prefetch, []);

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="主机管理"
        aside={<HostCount list={list} />}
        actions={
          <>
            {view === "tabs" ? <SortOfTabs search={search} /> : null}
            <SegmentedControl
              aria-label="视图"
              value={view}
              onValueChange={setView}
              segments={[
                { value: "tabs", label: "标签页", icon: <LayoutList /> },
                { value: "table", label: "表格", icon: <Table2 /> },
              ]}
            />
            {hasPermission(role, "hosts:assign") ? <ImportLink /> : null}
            {canSync ? <SyncButton /> : null}
          </>
        }
      />
      <HostFilters search={search} />
      <PrintedNote search={search} list={list} selection={view === "table" ? selection : null} />
      <UnknownFilters search={search} />
      {/* Outside the table, which goes with its last row. */}
      {view === "table" ? (
        <Suspense>
          <ActsOnSelection search={search} list={list} selection={selection} />
        </Suspense>
      ) : null}
      <HostRows search={search} list={list} view={view} isLarge={isLarge} selection={selection} />
      {hasDetailsBeside ? null : <HostSheet search={search} hosts={list.data?.hosts ?? []} />}
    </div>
  );
}

/** On a phone the icon alone has room. */
function ImportLink() {
  return (
    <Button variant="outline" asChild>
      <Link href="/hosts/import">
        <FileUp />
        <span className="max-md:sr-only">导入分配</span>
      </Link>
    </Button>
  );
}

type View = z.infer<typeof StoredView>;

/** That of the address, else the one that this browser had last. */
function useView({ params, setParams }: HostSearch) {
  const [stored, store] = useStored("hosts.view", StoredView, "tabs");

  function setView(view: View): void {
    store(view);
    setParams({ view }, { replace: true });
  }
  return { view: params.view ?? stored, setView };
}

type ListQuery = ReturnType<typeof useHostList>;

function HostCount({ list: { data } }: { list: ListQuery }) {
  if (data === undefined) return null;
  return (
    <Badge className="tabular-nums print:hidden">{formatNumber(data.pagination.total)} 台</Badge>
  );
}

type PrintedNoteProps = {
  search: HostSearch;
  list: ListQuery;
  /** Null where nothing can be chosen. */
  selection: Selection<Host> | null;
};

/** Below the title on paper: whose hosts and which these are, and as of when. */
function PrintedNote(props: PrintedNoteProps) {
  const { data } = props.list;
  const isPrinting = useIsPrinting();
  return isPrinting && data !== undefined ? <NoteText {...props} list={data} /> : null;
}

function NoteText({
  search,
  list: { pagination },
  selection,
}: Omit<PrintedNoteProps, "list"> & { list: HostList }) {
  const filters = useSetFilters(search);
  const { search: searched } = search.params;
  const chosen = selection?.chosen.length ?? 0;

  const which =
    chosen > 0
      ? `所选 ${formatNumber(chosen)} 台`
      : `${pageRange(pagination)}，共 ${formatNumber(pagination.total)} 台`;
  const parts = [
    ...filters.map(({ text }) => text),
    ...(searched === "" ? [] : [`搜索：${searched}`]),
    which,
    formatDate(serverNow()),
  ];

  return <p className="hidden print:block">{parts.join(" · ")}</p>;
}

/** On a phone it is among the filters. */
function SortOfTabs({ search }: { search: HostSearch }) {
  return useIsMediumScreen() ? <SortControl search={search} inRow="w-40" /> : null;
}

type ActsOnSelectionProps = { search: HostSearch; list: ListQuery; selection: Selection<Host> };

/** What the role may do with chosen rows. */
function ActsOnSelection({ search, list, selection }: ActsOnSelectionProps) {
  const { role } = useCurrentUser();
  if (hasPermission(role, "hosts:assign")) {
    const page = list.isPlaceholderData ? undefined : list.data;
    return <BatchBar selection={selection} search={search} list={page} />;
  }

  return hasPermission(role, "renewals:create") ? <RenewBar selection={selection} /> : null;
}

/** The open host, over the list. */
function HostSheet({ search, hosts }: { search: HostSearch; hosts: readonly Host[] }) {
  const { params, setParams } = search;
  return (
    <DetailSheet
      id={params.host}
      onClose={() => setParams({ host: undefined, tab: undefined }, { replace: true })}
      size="lg"
    >
      {(id) => (
        <>
          <DialogHeader title="主机详情" />
          <DialogBody>
            <HostPanel id={id} hosts={hosts} />
          </DialogBody>
        </>
      )}
    </DetailSheet>
  );
}

type HostRowsProps = {
  search: HostSearch;
  list: ListQuery;
  view: View;
  isLarge: boolean;
  selection: Selection<Host>;
};

/**
 * The hosts as a table, as tabs beside the details, or on a small screen as lines that open them.
 */
function HostRows({ search, list, view, isLarge, selection }: HostRowsProps) {
  const { data } = list;

  if (list.isError && data === undefined) {
    return (
      <Card>
        <QueryError query={list} />
      </Card>
    );
  }

  // Replaces the list alone: details and dialogs outlive the last row.
  const empty =
    data?.hosts.length === 0 ? <NoHosts search={search} pagination={data.pagination} /> : null;
  const shared = { search, empty, isStale: list.isPlaceholderData };

  if (view === "table") {
    return (
      <Suspense fallback={<HostTableSkeleton />}>
        <HostTable {...shared} list={data} selection={selection} />
      </Suspense>
    );
  }
  if (data === undefined) return <HostTabsSkeleton />;
  if (isLarge) return <HostTabs {...shared} list={data} />;
  return <HostPhoneList {...shared} list={data} />;
}

/** While the code of the table is on its way, which draws a skeleton of its own for the rows. */
function HostTableSkeleton() {
  return (
    <Card role="status" className="divide-y">
      <span className="sr-only">加载中...</span>
      {Array.from({ length: 10 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <SkeletonText key={row} lines={1} className="h-11 content-center px-3.5" />
      ))}
    </Card>
  );
}
