import type { Renewal } from "@shared/renewals.ts";
import type { ComponentProps } from "react";
import { DataTable } from "@/components/data-table";
import { useIsLargeScreen } from "@/lib/use-media";
import type { OnAct } from "./decision-buttons";
import { renewalColumns } from "./renewal-columns";
import { RENEWAL_LIST } from "./renewal-rules";
import type { StatusFilter } from "./renewal-search";
import { RequestCards } from "./request-cards";

type TableProps = ComponentProps<typeof DataTable<Renewal>>;

type RenewalRowsProps = Pick<TableProps, "rows" | "isStale" | "sorting" | "selection"> & {
  /** Of the rows: no row repeats a state that was chosen for all of them. */
  status: StatusFilter;
  /** The address of a request's details. */
  hrefTo: (id: string) => string;
  /** Null for those who only read. */
  onAct: OnAct | null;
};

/** The requests of several clients: a table, or cards where it has no room. */
export function RenewalRows({ sorting, ...props }: RenewalRowsProps) {
  const { rows, isStale, selection, hrefTo } = props;
  if (!useIsLargeScreen()) return <RequestCards {...props} />;

  return (
    <DataTable
      columns={renewalColumns(props)}
      label={RENEWAL_LIST}
      rowHref={(renewal) => hrefTo(renewal.id)}
      rows={rows}
      isStale={isStale ?? false}
      selection={selection}
      {...(sorting === undefined ? {} : { sorting })}
    />
  );
}
