import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { type ReactNode, useState } from "react";
import { toastError } from "@/api/errors";
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/lib/format-number";
import type { Selection } from "@/lib/use-row-selection";

/** The largest number of hosts that can be selected at once. */
const MAX_SELECTED = 5000;

type SelectAllOptions<Row extends { id: string }> = {
  selection: Pick<Selection<Row>, "replace">;
  /** Of the hosts that match the filters. */
  total: number;
  /** Reads a page of the longest length. */
  read: (paging: { page: number; limit: number }) => Promise<readonly Row[]>;
};

/** Chooses all hosts that match the filters, on every page. */
export function SelectAllButton<Row extends { id: string }>(props: SelectAllOptions<Row>) {
  const { isReading, selectAll } = useSelectAll(props);
  return <AllButton total={props.total} isReading={isReading} onClick={selectAll} />;
}

type SelectAllProps<Row extends { id: string }> = SelectAllOptions<Row> & {
  selection: Selection<Row>;
  /** The page of the list; undefined while it is loading. */
  rows: readonly Row[] | undefined;
  /** What acts on the selection; not there while that is being read. */
  children: ReactNode;
};

/** When all hosts of the page are chosen, a button that chooses all that match the filters. */
export function SelectAll<Row extends { id: string }>(props: SelectAllProps<Row>) {
  const { selection, rows, total, children } = props;
  const { isReading, selectAll } = useSelectAll(props);
  const isPageChosen = rows?.every(selection.has) ?? false;
  const isAllChosen = Math.min(total, MAX_SELECTED) === selection.chosen.length;
  const isOffered = isPageChosen && !isAllChosen && total > (rows?.length ?? 0);

  return (
    <>
      {isOffered || isReading ? (
        <AllButton total={total} isReading={isReading} onClick={selectAll} />
      ) : null}
      {isReading ? null : children}
    </>
  );
}

function useSelectAll<Row extends { id: string }>(options: SelectAllOptions<Row>) {
  const { selection, total, read } = options;
  const [isReading, setReading] = useState(false);
  const pageCount = Math.ceil(Math.min(total, MAX_SELECTED) / MAX_PAGE_SIZE);

  async function selectAll(): Promise<void> {
    setReading(true);
    try {
      const pages = Array.from({ length: pageCount }, (_, index) =>
        read({ page: index + 1, limit: MAX_PAGE_SIZE }),
      );
      selection.replace((await Promise.all(pages)).flat());
    } catch (error) {
      toastError("选择失败", error);
    } finally {
      setReading(false);
    }
  }

  return { isReading, selectAll };
}

type AllButtonProps = { total: number; isReading: boolean; onClick: () => Promise<void> };

function AllButton({ total, isReading, onClick }: AllButtonProps) {
  const most = Math.min(total, MAX_SELECTED);
  return (
    <Button variant="ghost" className="text-primary-ink" loading={isReading} onClick={onClick}>
      <span>
        选择{most < total ? "前" : "全部"} {formatNumber(most)} 台
        <span className="max-sm:sr-only">符合条件的主机</span>
      </span>
    </Button>
  );
}
