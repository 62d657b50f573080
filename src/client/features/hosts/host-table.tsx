import { type Host, type HostList, HostSort } from "@shared/hosts.ts";
import { hasAnyPermission, isClient } from "@shared/roles.ts";
import type { ReactNode } from "react";
import { DataTable } from "@/components/data-table";
import { HostCardList } from "@/components/hosts/host-card-list";
import { hostColumns } from "@/components/hosts/host-columns";
import { hostTitle } from "@/components/hosts/host-facts";
import { useHostLayout } from "@/components/hosts/use-host-layout";
import { useIsPrinting } from "@/lib/is-printing";
import { useIsMediumScreen } from "@/lib/use-media";
import type { Selection } from "@/lib/use-row-selection";
import { useCurrentUser } from "@/session/session";
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

export function HostTable({ list, search, selection, isStale, empty }: HostTableProps) {
  const { role } = useCurrentUser();
  const { params, hrefTo, setFilters } = search;
  const isMedium = useIsMediumScreen();
  const userId = isClient(role) ? undefined : params.userId;
  const layout = useHostLayout({ hasUsers: !isClient(role) && userId === undefined });
  const { density, setDensity, visibility, setVisibility, isShown } = layout;
  // On paper the chosen hosts alone, from whatever page they are.
  const isChoicePrinted = useIsPrinting() && selection.chosen.length > 0;
  const hosts = isChoicePrinted ? selection.chosen : list?.hosts;

  const columns = hostColumns({ role, hosts, hrefTo: (host) => hrefTo({ host }), userId });
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
          columns={columns.filter(isShown)}
          rows={hosts}
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
        <HostCardList
          {...shared}
          hosts={hosts}
          hrefTo={(host) => hrefTo({ host })}
          userId={userId}
        />
      )}
      {list === undefined ? null : <HostPages search={search} pagination={list.pagination} />}
    </>
  );
}

function selectionLabel(host: Host): string {
  return `选择 ${hostTitle(host)}`;
}
