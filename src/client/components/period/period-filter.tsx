import { useId } from "react";
import { DateInput } from "@/components/date-input";
import { SegmentedControl } from "@/components/segmented-control";
import { useDebouncedText } from "@/lib/use-debounced";
import { type ChosenPeriod, isDate, PERIOD_LABELS, Period } from "./period";

type PeriodFilterProps = {
  params: ChosenPeriod;
  setFilters: (patch: Partial<ChosenPeriod>, options?: { replace?: boolean }) => void;
};

/** Of which time a list is: some days until now, or from a first to a last day. */
export function PeriodFilter({ params, setFilters }: PeriodFilterProps) {
  return (
    <>
      <SegmentedControl
        aria-label="时间"
        className="max-md:w-full"
        value={params.period}
        onValueChange={(period) => setFilters({ period, fromDate: undefined, toDate: undefined })}
        segments={Period.options.map((value) => ({ value, label: PERIOD_LABELS[value] }))}
      />
      {params.period === "dates" ? <DateFilters params={params} setFilters={setFilters} /> : null}
    </>
  );
}

/** The first and the last day, each open while it is empty. */
function DateFilters({ params, setFilters }: PeriodFilterProps) {
  const { fromDate = "", toDate = "" } = params;
  const errorId = useId();
  const isReversed = toDate !== "" && fromDate > toDate;
  const described = isReversed ? { "aria-invalid": true, "aria-describedby": errorId } : {};

  return (
    <div className="flex flex-wrap items-center gap-2 max-md:w-full">
      <DateFilter
        label="从"
        value={fromDate}
        onChoose={(date) => setFilters({ fromDate: date }, { replace: true })}
      />
      <span aria-hidden="true" className="text-muted-foreground">
        至
      </span>
      <DateFilter
        {...described}
        label="至"
        value={toDate}
        onChoose={(date) => setFilters({ toDate: date }, { replace: true })}
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
