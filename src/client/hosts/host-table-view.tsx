import { type Host, type HostList, HostSort } from "@shared/hosts.ts";
import { hasPermission, isSuperAdmin, type Role } from "@shared/roles.ts";
import { useTable } from "@tanstack/react-table";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { z } from "zod";
import { trpc } from "@/api/trpc";
import { Card } from "@/components/ui/card";
import { DataTable } from "@/components/ui/data-table";
import { dataTableFeatures } from "@/components/ui/data-table-features";
import { ColumnChooser, DensityToggle } from "@/components/ui/data-table-tools";
import { DialogBody, DialogHeader } from "@/components/ui/dialog";
import { Sheet, SheetContent } from "@/components/ui/sheet";
import { useStored } from "@/lib/use-stored";
import { hostColumns } from "./host-columns";
import { HostPages, PageLength, pageRange } from "./host-pages";
import { hostTitle } from "./host-tab";
import { OpenHost } from "./open-host";
import { sortText } from "./sort-control";
import type { HostSelection } from "./use-host-selection";
import type { HostsSearchState } from "./use-hosts-search";

type HostTableViewProps = {
  /** Undefined draws skeleton rows. */
  list: HostList | undefined;
  search: HostsSearchState;
  selection: HostSelection;
  role: Role;
  isStale: boolean;
  /** Takes the place of the table where it has no rows; null where it has. */
  empty: ReactNode;
};

const none: readonly Host[] = [];
const HIDDEN_AT_FIRST = { disk: false, osName: false, config: false, synced: false };
const ColumnVisibility = z.record(z.string(), z.boolean());
const StoredDensity = z.enum(["comfortable", "compact"]);

export function HostTableView({ list, search, selection, role, isStale, empty }: HostTableViewProps) {
  const hosts = list?.hosts ?? none;
  const { setParams, setFilters } = search;
  const { sort, order } = search.params;
  const [density, setDensity] = useStored("hosts.density", StoredDensity, "comfortable");
  const [columnVisibility, setColumnVisibility] = useStored("hosts.columns", ColumnVisibility, HIDDEN_AT_FIRST);
  const configName = useConfigName(role);
  const columns = useMemo(
    () => hostColumns({ role, configName, onOpen: (host) => setParams({ host }) }),
    [role, configName, setParams],
  );
  const table = useTable({
    features: dataTableFeatures,
    columns,
    data: hosts,
    getRowId: (host) => host.id,
    state: { columnVisibility, rowSelection: selection.rowSelection },
    onColumnVisibilityChange: (updater) =>
      setColumnVisibility(typeof updater === "function" ? updater(columnVisibility) : updater),
    onRowSelectionChange: (updater) => selection.update(updater, hosts),
  });
  const canBatch = hasPermission(role, "hosts:assign");
  return (
    <>
      {empty ?? (
        <Card className="overflow-hidden">
          <div className="flex items-center justify-between gap-2 border-b px-3 py-2">
            <p
              className="flex min-w-0 flex-wrap gap-x-3 pl-1 text-sm whitespace-nowrap text-muted-foreground tabular-nums"
              aria-live="polite"
            >
              {list === undefined ? null : <span>{pageRange(list.pagination)}</span>}
              {/* What it is sorted by may have no column, or a hidden one. */}
              {sort === undefined ? null : <span>{sortText(role, sort, order)}</span>}
            </p>
            <div className="flex shrink-0 items-center gap-2">
              {list === undefined ? null : <PageLength search={search} pagination={list.pagination} />}
              <div className="max-sm:hidden">
                <DensityToggle density={density} onDensityChange={setDensity} />
              </div>
              <ColumnChooser table={table} />
            </div>
          </div>
          <DataTable
            table={table}
            label="主机列表"
            density={density}
            isLoading={list === undefined}
            isStale={isStale}
            sort={{
              by: sort,
              order,
              onChange: (by, next) => setFilters({ sort: HostSort.safeParse(by).data, order: next }),
            }}
            onRowClick={(host) => setParams({ host: host.id })}
            {...(canBatch ? { selectionLabel: (host: Host) => `选择 ${hostTitle(host)}` } : {})}
          />
        </Card>
      )}
      {list === undefined || empty !== null ? null : <HostPages search={search} pagination={list.pagination} />}
      <HostSheet
        hosts={hosts}
        openId={search.params.host}
        onClose={() => setParams({ host: undefined }, { replace: true })}
      />
      {/* Room for the batch bar, so that it never covers the pages below the table. */}
      {selection.chosen.length > 0 ? <div className="h-14" /> : null}
    </>
  );
}

type HostSheetProps = { hosts: readonly Host[]; openId: string | undefined; onClose: () => void };

/** The details of a row, over the table. The host stays drawn while the sheet slides out. */
function HostSheet({ hosts, openId, onClose }: HostSheetProps) {
  const [lastId, setLastId] = useState(openId);
  if (openId !== undefined && openId !== lastId) setLastId(openId);
  const shown = openId ?? lastId;
  return (
    <Sheet open={openId !== undefined} onOpenChange={(open) => !open && onClose()}>
      <SheetContent size="lg">
        <DialogHeader title="主机详情" />
        <DialogBody>{shown === undefined ? null : <OpenHost id={shown} hosts={hosts} />}</DialogBody>
      </SheetContent>
    </Sheet>
  );
}

function useConfigName(role: Role): (id: string) => string {
  const configs = trpc.configs.list.useQuery(undefined, { enabled: isSuperAdmin(role) });
  return useCallback((id) => configs.data?.find((config) => config.id === id)?.name ?? "", [configs.data]);
}
