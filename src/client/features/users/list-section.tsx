import type { Pagination } from "@shared/page.ts";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { type Column, DataTable } from "@/components/data-table";
import { ListView } from "@/components/list-view";

/** Rows of a page, in each of the lists. */
export const PAGE_LENGTH = 10;

type PageOfList = { pagination: Pagination };

type ListSectionProps<Row extends { id: string }, List extends PageOfList> = {
  noun: string;
  unit?: string;
  icon: LucideIcon;
  list: ComponentProps<typeof ListView<List>>["list"] & { isPlaceholderData: boolean };
  rows: readonly Row[] | undefined;
  columns: readonly Column<Row>[];
  /** A list on this page keeps its page number to itself: three lists share the address. */
  setPage: (page: number) => void;
  /** Beside the heading. */
  aside?: ReactNode;
  selection?: ComponentProps<typeof DataTable<Row>>["selection"];
  /** What acts on the selection. */
  children?: ReactNode;
};

/** One of the lists of a user's page. */
export function ListSection<Row extends { id: string }, List extends PageOfList>(
  props: ListSectionProps<Row, List>,
) {
  const { noun, unit = "条", icon, list, rows, columns, setPage } = props;
  return (
    <section aria-label={noun} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 className="text-lg font-semibold">{noun}</h2>
        {props.aside}
      </div>
      <ListView
        list={list}
        search={{ isNarrowed: false, clear: () => setPage(1), setPage }}
        noun={noun}
        unit={unit}
        empty={{ icon, title: `没有${noun}`, description: `该用户的${noun}会显示在这里。` }}
      >
        {() => (
          <DataTable
            columns={columns}
            rows={rows}
            label={`该用户的${noun}`}
            isStale={list.isPlaceholderData}
            selection={props.selection}
          />
        )}
      </ListView>
      {props.children}
    </section>
  );
}

export const HOST_COLUMN = { id: "host", header: "主机", className: "max-w-72 min-w-36" } as const;
