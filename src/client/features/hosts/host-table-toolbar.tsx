import type { Host, HostList } from "@shared/hosts.ts";
import { PAGE_SIZE } from "@shared/page.ts";
import { trpc } from "@/api/trpc";
import { ColumnChooser, DensityToggle } from "@/components/data-table-tools";
import { ExportButton } from "@/components/export/export-button";
import type { HostColumn } from "@/components/hosts/host-columns";
import { SelectMany } from "@/components/select-all";
import type { Density } from "@/components/ui/table";
import { formatNumber } from "@/lib/format-number";
import type { Selection } from "@/lib/use-row-selection";
import { useCurrentUser } from "@/session/session";
import { CopyHostsButton } from "./copy-hosts-button";
import { PageLength, pageRange } from "./host-pages";
import { type HostSearch, listInput, readHosts } from "./host-search";

type HostTableToolbarProps = {
  list: HostList | undefined;
  search: HostSearch;
  /** Null for those who cannot select. */
  selection: Selection<Host> | null;
  density: Density;
  onDensityChange: (density: Density) => void;
  columns: readonly HostColumn[];
  visibility: Readonly<Record<string, boolean>>;
  onVisibilityChange: (visibility: Record<string, boolean>) => void;
};

/** Above the rows: which they are, all of them at once, and how they are drawn. */
export function HostTableToolbar(props: HostTableToolbarProps) {
  const { list, search, selection } = props;
  const { role } = useCurrentUser();
  const { client } = trpc.useUtils();
  const total = list?.pagination.total ?? 0;
  const hasMorePages = total > (list?.hosts.length ?? 0);
  const chosen = selection?.chosen ?? [];
  const input = listInput(role, search.input);
  const exportRequest = { list: "hosts", input, total: list?.pagination.total } as const;

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1 border-b px-3 py-2 print:hidden">
      <div className="flex min-h-8.5 min-w-0 items-center gap-1">
        <p
          className="min-w-0 pl-1 text-sm whitespace-nowrap text-muted-foreground tabular-nums"
          aria-live="polite"
        >
          {list === undefined ? null : pageRange(list.pagination)}
        </p>
        {selection !== null && total > PAGE_SIZE ? (
          <SelectMany
            selection={selection}
            total={total}
            isAllOffered={hasMorePages && selection.chosen.length === 0}
            read={(paging) => readHosts(client, role, { ...search.input, ...paging })}
          />
        ) : null}
      </div>
      <div className="flex shrink-0 items-center gap-2">
        {list === undefined ? null : <PageLength search={search} pagination={list.pagination} />}
        {list === undefined ? null : (
          <CopyHostsButton
            search={search}
            total={total}
            columns={props.columns.filter(({ id }) => props.visibility[id] !== false)}
            chosen={chosen}
            exportRequest={exportRequest}
          />
        )}
        <div className="max-md:hidden">
          <ExportButton
            {...exportRequest}
            // Beside a button that takes the chosen ones it says that it does not.
            {...(chosen.length > 0
              ? { label: `导出全部 ${formatNumber(total)} 台` }
              : { labelClassName: "max-xl:sr-only" })}
          />
        </div>
        <div className="max-md:hidden">
          <DensityToggle density={props.density} onDensityChange={props.onDensityChange} />
        </div>
        <div className="max-md:hidden">
          <ColumnChooser
            columns={props.columns}
            visibility={props.visibility}
            onChange={props.onVisibilityChange}
          />
        </div>
      </div>
    </div>
  );
}
