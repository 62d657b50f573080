import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { type ReactNode, useState } from "react";
import { toastError } from "@/api/errors";
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/lib/format-number";
import type { Selection } from "@/lib/use-row-selection";

/** The largest number of hosts that can be selected at once. */
const MAX_SELECTED = 5000;

type SelectAllButtonProps<Row extends { id: string }> = {
  selection: Pick<Selection<Row>, "replace">;
  /** Of the hosts that match the filters. */
  total: number;
  /** Reads a page of the longest length. */
  read: (paging: { page: number; limit: number }) => Promise<readonly Row[]>;
  onReading?: (isReading: boolean) => void;
};

/** Chooses all hosts that match the filters, on every page. */
export function SelectAllButton<Row extends { id: string }>(props: SelectAllButtonProps<Row>) {
  const { selection, total, read, onReading } = props;
  const [isReading, setReading] = useState(false);
  const most = Math.min(total, MAX_SELECTED);

  function report(reading: boolean): void {
    setReading(reading);
    onReading?.(reading);
  }

  async function selectAll(): Promise<void> {
    report(true);
    try {
      const pages = Array.from({ length: Math.ceil(most / MAX_PAGE_SIZE) }, (_, index) =>
        read({ page: index + 1, limit: MAX_PAGE_SIZE }),
      );
      const found = (await Promise.all(pages)).flat();
      selection.replace(found);
    } catch (error) {
      toastError("选择失败", error);
    } finally {
      report(false);
    }
  }

  return (
    <Button variant="ghost" className="text-primary-ink" loading={isReading} onClick={selectAll}>
      <span>
        选择{most < total ? "前" : "全部"} {formatNumber(most)} 台
        <span className="max-sm:sr-only">符合条件的主机</span>
      </span>
    </Button>
  );
}

type SelectAllProps<Row extends { id: string }> = Omit<SelectAllButtonProps<Row>, "selection"> & {
  selection: Selection<Row>;
  /** The page of the list; undefined while it is loading. */
  rows: readonly Row[] | undefined;
  /** What acts on the selection; not there while that is being read. */
  children: ReactNode;
};

/** When all hosts of the page are chosen, a button that chooses all that match the filters. */
export function SelectAll<Row extends { id: string }>(props: SelectAllProps<Row>) {
  const { selection, rows, total, read, children } = props;
  const [isReading, setReading] = useState(false);
  const isPageChosen = rows?.every(selection.has) ?? false;
  const isAllChosen = Math.min(total, MAX_SELECTED) === selection.chosen.length;
  const isOffered = isPageChosen && !isAllChosen && total > (rows?.length ?? 0);

  return (
    <>
      {isOffered || isReading ? (
        <SelectAllButton selection={selection} total={total} read={read} onReading={setReading} />
      ) : null}
      {isReading ? null : children}
    </>
  );
}
