import {
  columnVisibilityFeature,
  createColumnHelper,
  type ReactTable,
  rowSelectionFeature,
  tableFeatures,
} from "@tanstack/react-table";

type DataTableColumnMeta = {
  /** The column's name in the column chooser. */
  label?: string;
  /** What the server is asked to sort by when the column's head is pressed; without it the head is no button. */
  sort?: string;
  align?: "right";
  /** On header and cells: widths, breakpoints at which it hides. */
  className?: string;
  /** Stays at the right edge of the box while the others scroll under it: for what may be done with the row. */
  isPinned?: boolean;
};

const columnMeta: DataTableColumnMeta = {};

/** Selection and hidden columns; order and paging are the server's, which alone has all rows. Pass it to `useTable`. */
export const dataTableFeatures = tableFeatures({
  rowSelectionFeature,
  columnVisibilityFeature,
  columnMeta,
});
export type DataTableFeatures = typeof dataTableFeatures;
export type DataTableInstance<Row extends object> = ReactTable<DataTableFeatures, Row>;

/** At module level: `const column = dataColumns<User>(); const columns = column.columns([column.accessor("name", {header: "姓名", meta: {label: "姓名"}})])`. */
export function dataColumns<Row extends object>() {
  return createColumnHelper<DataTableFeatures, Row>();
}
