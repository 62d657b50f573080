import type { RenewalStatus } from "@shared/renewal-status.ts";
import type { Renewal } from "@shared/renewals.ts";
import { Kbd } from "@/components/ui/kbd";
import { useSingleKeys } from "@/session/single-keys";
import type { StatusFilter } from "./renewal-search";

type Hint = { keys: readonly string[]; label: string };

const MOVE: Hint = { keys: ["J", "K"], label: "移动" };

const PENDING_HINTS: readonly Hint[] = [
  MOVE,
  { keys: ["A"], label: "批准" },
  { keys: ["R"], label: "拒绝" },
  { keys: ["Enter"], label: "确认" },
];

const APPROVED_HINTS: readonly Hint[] = [
  MOVE,
  { keys: ["R"], label: "关闭申请" },
  { keys: ["Enter"], label: "标记完成" },
];

type QueueHintProps = {
  /** That the list was asked for. */
  status: StatusFilter;
  /** Undefined while they load: the place is kept, so that nothing moves when they are there. */
  requests: readonly Renewal[] | undefined;
};

/** The keys of the queue, where there are requests that they act on. */
export function QueueHint({ status, requests }: QueueHintProps) {
  const [areSingleKeysOn] = useSingleKeys();
  const hints = hintsFor(requests?.map((request) => request.status) ?? [expectedStatus(status)]);
  if (hints === null || !areSingleKeysOn) return null;

  return (
    <p className="-mb-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted-foreground max-lg:hidden print:hidden">
      {hints.map(({ keys, label }) => (
        <span key={label} className="inline-flex items-center gap-1">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
          <span>{label}</span>
        </span>
      ))}
    </p>
  );
}

function hintsFor(statuses: readonly RenewalStatus[]): readonly Hint[] | null {
  if (statuses.includes("pending")) return PENDING_HINTS;
  if (statuses.includes("approved")) return APPROVED_HINTS;
  return null;
}

/** Among all requests there usually are some that wait. */
function expectedStatus(status: StatusFilter): RenewalStatus {
  return status === "all" ? "pending" : status;
}
