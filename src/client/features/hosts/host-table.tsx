import { type Host, type HostList, HostSort } from "@shared/hosts.ts";
import { hasAnyPermission, isSuperAdmin } from "@shared/roles.ts";
import type { ReactNode } from "react";
import { z } from "zod";
import { DataTable } from "@/components/data-table";
import { hostTitle } from "@/components/hosts/host-facts";
import { useStored } from "@/lib/storage";
import { useIsMediumScreen, useMedia } from "@/lib/use-media";
import type { Selection } from "@/lib/use-row-selection";
import { useCurrentUser } from "@/session/session";
import { HostCardList } from "./host-card-list";
import { hostColumns } from "./host-columns";
import { HostPages } from "./host-pages";
import type { HostSearch } from "./host-search";
import { HostTableToolbar } from "./host-table-toolbar";

type HostTableProps = {
  /** Undefined draws skeleton rows. */
  list: HostList | undefined;
  search: HostSearch;
  selection: Selection<Host>;
  isStale: boolean;
  /** Shown instead of the table where it has no rows; null where it has. */
  empty: ReactNode;
};

const HIDDEN_AT_FIRST = {
  memory: false,
  disk: false,
  osName: false,
  charge: false,
  config: false,
  synced: false,
};
const ColumnVisibility = z.record(z.string(), z.boolean());
const StoredDensity = z.enum(["comfortable", "compact"]);

export function HostTable({ list, search, selection, isStale, empty }: HostTableProps) {
  const { role } = useCurrentUser();
  const { params, hrefTo, setFilters } = search;
  const isMedium = useIsMediumScreen();
  const { density, setDensity, visibility, setVisibility } = useLayout();

  const columns = hostColumns({ role, hosts: list?.hosts, hrefTo: (host) => hrefTo({ host }) });
  const canSelect = hasAnyPermission(role, ["hosts:assign", "renewals:create"]);
  const shared = {
    isStale,
    selection: canSelect ? { ...selection, label: selectionLabel } : undefined,
    toolbar: (
      <HostTableToolbar
        list={list}
        search={search}
        selection={canSelect ? selection : null}
        density={density}
        onDensityChange={setDensity}
        columns={columns}
        visibility={visibility}
        onVisibilityChange={setVisibility}
      />
    ),
  };

  if (empty !== null) return empty;

  return (
    <>
      {isMedium ? (
        <DataTable
          {...shared}
          columns={columns.filter(({ id }) => visibility[id] !== false)}
          rows={list?.hosts}
          label="主机列表"
          density={density}
          sorting={{
            by: params.sort,
            order: params.order,
            onChange: (by, order) => setFilters({ sort: HostSort.safeParse(by).data, order }),
          }}
          rowHref={(host) => hrefTo({ host: host.id })}
        />
      ) : (
        <HostCardList {...shared} hosts={list?.hosts} hrefTo={(host) => hrefTo({ host })} />
      )}
      {list === undefined ? null : <HostPages search={search} pagination={list.pagination} />}
    </>
  );
}

function selectionLabel(host: Host): string {
  return `选择 ${hostTitle(host)}`;
}

/**
 * How high the rows are and which columns they have, as this browser had them last. A super admin
 * works through long lists: on a wide screen a compact row holds every column in one line.
 */
function useLayout() {
  const { role } = useCurrentUser();
  const isWide = useMedia("(min-width: 80rem)");
  const [chosenDensity, setDensity] = useStored("hosts.density", StoredDensity.nullable(), null);
  const [chosenVisibility, setVisibility] = useStored("hosts.columns", ColumnVisibility, {});
  const usualDensity = isWide && isSuperAdmin(role) ? "compact" : "comfortable";
  const visibility: Record<string, boolean> = { ...HIDDEN_AT_FIRST, ...chosenVisibility };

  return { density: chosenDensity ?? usualDensity, setDensity, visibility, setVisibility };
}
