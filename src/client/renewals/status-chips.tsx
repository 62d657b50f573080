import { RENEWAL_STATUS_LABELS, RenewalStatus } from "@shared/renewals.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { StatusDot } from "@/components/ui/badge";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format-number";
import { trpc } from "@/trpc";
import { renewalTones } from "./renewal-status";
import { type RenewalsSearchState, searchInput } from "./use-renewals-search";

/** The status filter, each with how many requests of it match the search. */
export function StatusChips({ state }: { state: RenewalsSearchState }) {
  const { params, setFilters } = state;
  const counts = useStatusCounts(params.search);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own borders and layout quirks
    <div role="group" aria-label="按状态筛选" className="-mx-1 flex min-w-0 gap-1.5 overflow-x-auto p-1">
      <Chip
        label="全部"
        count={counts.all}
        isChosen={params.status === undefined}
        onChoose={() => setFilters({ status: undefined })}
      />
      {RenewalStatus.options.map((status) => (
        <Chip
          key={status}
          status={status}
          label={RENEWAL_STATUS_LABELS[status]}
          count={counts[status]}
          isChosen={params.status === status}
          onChoose={() => setFilters({ status })}
        />
      ))}
    </div>
  );
}

type ChipProps = {
  status?: RenewalStatus;
  label: string;
  count: number | undefined;
  isChosen: boolean;
  onChoose: () => void;
};

function Chip({ status, label, count, isChosen, onChoose }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={cn(
        "inline-flex h-8 shrink-0 items-center gap-1.5 rounded-full border px-3 text-sm whitespace-nowrap transition-colors",
        isChosen
          ? "border-primary bg-primary-soft font-medium text-primary-ink"
          : "bg-card text-muted-foreground hover:bg-accent hover:text-foreground",
      )}
    >
      {status === undefined ? null : <StatusDot tone={renewalTones[status]} />}
      {label}
      <span className="min-w-2 tabular-nums">{count === undefined ? "" : formatNumber(count)}</span>
    </button>
  );
}

/** Six counts in one batched request. */
function useStatusCounts(search: string) {
  const wanted = { page: 1, limit: 1, ...searchInput(search) };
  const all = trpc.renewals.list.useQuery(wanted, { placeholderData: keepPreviousData });
  const each = trpc.useQueries((t) =>
    RenewalStatus.options.map((status) =>
      t.renewals.list({ ...wanted, status }, { placeholderData: keepPreviousData }),
    ),
  );
  const count = (status: RenewalStatus) => each[RenewalStatus.options.indexOf(status)]?.data?.pagination.total;
  return {
    all: all.data?.pagination.total,
    pending: count("pending"),
    approved: count("approved"),
    rejected: count("rejected"),
    completed: count("completed"),
    cancelled: count("cancelled"),
  };
}
