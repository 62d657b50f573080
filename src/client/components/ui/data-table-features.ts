import {
  columnVisibilityFeature,
  createColumnHelper,
  createSortedRowModel,
  type ReactTable,
  rowSelectionFeature,
  rowSortingFeature,
  sortFn_basic,
  sortFn_text,
  tableFeatures,
} from "@tanstack/react-table";

type DataTableColumnMeta = {
  /** The column's name in the column chooser and in its sort button's name. */
  label?: string;
  align?: "right";
  /** On header and cells: widths, breakpoints at which it hides. */
  className?: string;
  /** Stays at the right edge of the box while the others scroll under it: for what may be done with the row. */
  isPinned?: boolean;
};

const columnMeta: DataTableColumnMeta = {};

/** Sorting (of the rows at hand), selection and hidden columns; paging is the server's. Pass it to `useTable`. */
export const dataTableFeatures = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  columnVisibilityFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic, text: sortFn_text },
  columnMeta,
});
export type DataTableFeatures = typeof dataTableFeatures;
export type DataTableInstance<Row extends object> = ReactTable<DataTableFeatures, Row>;

/** At module level: `const column = dataColumns<User>(); const columns = column.columns([column.accessor("name", {header: "姓名", meta: {label: "姓名"}})])`. */
export function dataColumns<Row extends object>() {
  return createColumnHelper<DataTableFeatures, Row>();
}
