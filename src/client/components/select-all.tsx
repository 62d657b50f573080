import { type FormEvent, type ReactNode, useState } from "react";
import { toastError } from "@/api/errors";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { formatNumber } from "@/lib/format-number";
import { halfWidthCode } from "@/lib/half-width";
import { readFirst } from "@/lib/read-pages";
import type { Selection } from "@/lib/use-row-selection";

/** The largest number of hosts that can be selected at once. */
const MAX_SELECTED = 5000;

type SelectManyOptions<Row extends { id: string }> = {
  selection: Pick<Selection<Row>, "replace">;
  /** Of the hosts that match the filters. */
  total: number;
  /** Reads a page of the longest length. */
  read: (paging: { page: number; limit: number }) => Promise<readonly Row[]>;
};

type SelectManyProps<Row extends { id: string }> = SelectManyOptions<Row> & {
  /** Once some are chosen, the bar of what acts on them offers all. */
  isAllOffered: boolean;
};

/**
 * Chooses as many of the first hosts that match the filters as are typed, or all of them, on every
 * page. The form stays when hosts are chosen: its number may have to be corrected.
 */
export function SelectMany<Row extends { id: string }>(props: SelectManyProps<Row>) {
  const { total, isAllOffered } = props;
  const { isReading, selectFirst } = useSelectFirst(props);
  return (
    <>
      <FirstForm isReading={isReading} onSelect={selectFirst} />
      {isAllOffered ? (
        <AllButton total={total} isReading={isReading} onClick={() => selectFirst(total)} />
      ) : null}
    </>
  );
}

type SelectAllProps<Row extends { id: string }> = SelectManyOptions<Row> & {
  selection: Selection<Row>;
  /** The page of the list; undefined while it is loading. */
  rows: readonly Row[] | undefined;
  /** What acts on the selection; not there while that is being read. */
  children: ReactNode;
};

/** When all hosts of the page are chosen, a button that chooses all that match the filters. */
export function SelectAll<Row extends { id: string }>(props: SelectAllProps<Row>) {
  const { selection, rows, total, children } = props;
  const { isReading, selectFirst } = useSelectFirst(props);
  const isPageChosen = rows?.every(selection.has) ?? false;
  const isAllChosen = Math.min(total, MAX_SELECTED) === selection.chosen.length;
  const isOffered = isPageChosen && !isAllChosen && total > (rows?.length ?? 0);

  return (
    <>
      {isOffered || isReading ? (
        <AllButton total={total} isReading={isReading} onClick={() => selectFirst(total)} />
      ) : null}
      {isReading ? null : children}
    </>
  );
}

function useSelectFirst<Row extends { id: string }>(options: SelectManyOptions<Row>) {
  const { selection, total, read } = options;
  const [isReading, setReading] = useState(false);

  /** In the order of the list; all where there are no more. */
  async function selectFirst(wanted: number): Promise<void> {
    const count = Math.min(wanted, total, MAX_SELECTED);

    setReading(true);
    try {
      selection.replace(await readFirst(count, read));
    } catch (error) {
      toastError("选择失败", error);
    } finally {
      setReading(false);
    }
  }

  return { isReading, selectFirst };
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

type FirstFormProps = { isReading: boolean; onSelect: (count: number) => Promise<void> };

/** `选择前 30 台`, by Enter or the button. */
function FirstForm({ isReading, onSelect }: FirstFormProps) {
  const [text, setText] = useState("");
  const count = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;

  function submit(event: FormEvent): void {
    event.preventDefault();
    void onSelect(count);
  }

  return (
    <form
      noValidate
      aria-label="选择前几台主机"
      className="ml-4 flex items-center gap-1.5 text-sm text-muted-foreground max-xl:hidden"
      onSubmit={submit}
    >
      <span>选择前</span>
      <Input
        aria-label="台数"
        inputMode="numeric"
        autoComplete="off"
        rewrite={halfWidthCode}
        size="sm"
        className="w-14"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <span>台</span>
      {/* While it is disabled or busy, Enter in the field does nothing either. */}
      <Button
        type="submit"
        variant="ghost"
        className="text-primary-ink"
        disabled={count === 0}
        loading={isReading}
      >
        确定
      </Button>
    </form>
  );
}
