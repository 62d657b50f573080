import type { Renewal } from "@shared/renewals.ts";
import { useTable } from "@tanstack/react-table";
import { type ReactNode, useMemo } from "react";
import { Card } from "@/components/ui/card";
import { DataTable, type DataTableSort } from "@/components/ui/data-table";
import { dataTableFeatures } from "@/components/ui/data-table-features";
import { renewalColumns } from "./renewal-columns";
import type { RenewalDecisions } from "./use-renewal-decisions";

export type RenewalRowsProps = {
  /** Undefined draws skeleton rows. */
  renewals: readonly Renewal[] | undefined;
  /** Null for those who only read. */
  decisions: RenewalDecisions | null;
  onOpen: (id: string) => void;
  isStale: boolean;
  sort: DataTableSort;
  empty: ReactNode;
};

const none: readonly Renewal[] = [];

export function RenewalTable({ renewals, decisions, onOpen, isStale, sort, empty }: RenewalRowsProps) {
  const columns = useMemo(() => renewalColumns({ decisions, onOpen }), [decisions, onOpen]);
  const table = useTable({
    features: dataTableFeatures,
    columns,
    data: renewals ?? none,
    getRowId: (renewal) => renewal.id,
  });
  return (
    <Card className="overflow-hidden">
      <DataTable
        table={table}
        label="续费申请列表"
        isLoading={renewals === undefined}
        isStale={isStale}
        sort={sort}
        empty={empty}
        onRowClick={(renewal) => onOpen(renewal.id)}
      />
    </Card>
  );
}
