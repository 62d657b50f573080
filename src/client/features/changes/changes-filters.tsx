import { HOST_CHANGE_LABELS, HostChangeKind } from "@shared/host-history.ts";
import { Id } from "@shared/ids.ts";
import { useId } from "react";
import { z } from "zod";
import { DateInput } from "@/components/date-input";
import { FilterSelect, SearchBox } from "@/components/list-filters";
import { SegmentedControl } from "@/components/segmented-control";
import { AccountFilter } from "@/components/sync/account-filter";
import { Button } from "@/components/ui/button";
import { listSearch, SearchParam } from "@/lib/list-search";
import { useDebouncedText } from "@/lib/use-debounced";
import { isDate, PERIOD_LABELS, Period } from "./period";

const DateParam = z.string().refine(isDate).optional().catch(undefined);

export const useChangesSearch = listSearch({
  input: {
    search: SearchParam,
    configId: Id.optional().catch(undefined),
    kind: HostChangeKind.optional().catch(undefined),
  },
  urlOnly: {
    period: Period.catch("yesterday"),
    fromDate: DateParam,
    toDate: DateParam,
  },
});

type FiltersProps = { search: ReturnType<typeof useChangesSearch> };

export function ChangesFilters({ search }: FiltersProps) {
  const { params, setFilters } = search;

  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox
        label="搜索变化"
        placeholder="搜索名称、资源 ID 或变化的值"
        value={params.search}
        onSearch={(text) => setFilters({ search: text }, { replace: params.search !== "" })}
        className="min-w-0 basis-full md:max-w-72 md:flex-1 md:basis-48"
      />
      <AccountFilter
        className="min-w-0 flex-1 basis-2/5 md:w-40 md:flex-none"
        value={params.configId}
        onValueChange={(configId) => setFilters({ configId })}
      />
      <FilterSelect
        label="变化的种类"
        all="全部变化"
        className="min-w-0 flex-1 basis-2/5 md:w-36 md:flex-none"
        value={params.kind}
        onValueChange={(kind) => setFilters({ kind })}
        options={HostChangeKind.options.map((value) => ({
          value,
          label: HOST_CHANGE_LABELS[value],
        }))}
      />
      <SegmentedControl
        aria-label="时间"
        className="max-md:w-full"
        value={params.period}
        onValueChange={(period) => setFilters({ period, fromDate: undefined, toDate: undefined })}
        segments={Period.options.map((value) => ({ value, label: PERIOD_LABELS[value] }))}
      />
      {params.period === "dates" ? <DateFilters search={search} /> : null}
      {search.isNarrowed ? (
        <Button variant="outline" onClick={search.clear}>
          清除筛选
        </Button>
      ) : null}
    </div>
  );
}

/** The first and the last day, each open while it is empty. */
function DateFilters({ search }: FiltersProps) {
  const { fromDate = "", toDate = "" } = search.params;
  const errorId = useId();
  const isReversed = toDate !== "" && fromDate > toDate;
  const described = isReversed ? { "aria-invalid": true, "aria-describedby": errorId } : {};

  return (
    <div className="flex flex-wrap items-center gap-2 max-md:w-full">
      <DateFilter
        label="从"
        value={fromDate}
        onChoose={(date) => search.setFilters({ fromDate: date }, { replace: true })}
      />
      <span aria-hidden="true" className="text-muted-foreground">
        至
      </span>
      <DateFilter
        {...described}
        label="至"
        value={toDate}
        onChoose={(date) => search.setFilters({ toDate: date }, { replace: true })}
      />
      {isReversed ? (
        <p id={errorId} role="alert" className="text-sm text-danger-ink">
          最后一天早于第一天，请重新选择
        </p>
      ) : null}
    </div>
  );
}

type DateFilterProps = {
  label: string;
  value: string;
  onChoose: (date: string) => void;
  "aria-invalid"?: boolean;
  "aria-describedby"?: string;
};

function DateFilter({ label, value, onChoose, ...described }: DateFilterProps) {
  const { text, setText } = useDebouncedText({
    value,
    commit: onChoose,
    isAccepted: (date) => date === "" || isDate(date),
  });
  return (
    <DateInput
      {...described}
      type="date"
      aria-label={label}
      className="max-md:min-w-0 max-md:flex-1 md:w-38"
      value={text}
      onChange={setText}
    />
  );
}
