import type { HostSummary } from "@shared/host-summary.ts";
import { MAX_PAGE_SIZE } from "@shared/page.ts";
import {
  Banknote,
  CalendarClock,
  ChevronRight,
  CircleCheck,
  CircleHelp,
  CloudAlert,
  Inbox,
  type LucideIcon,
  RefreshCw,
  TriangleAlert,
  Wallet,
} from "lucide-react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { EmptyState } from "@/components/empty-state";
import { QueryError } from "@/components/error-state";
import { useConfigs } from "@/components/sync/use-configs";
import { useStartSync, useSyncRuns } from "@/components/sync/use-sync";
import { softTones } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { useNow } from "@/lib/use-now";
import { LastSync } from "./last-sync";
import {
  balanceTasks,
  hostTasks,
  requestTasks,
  syncTasks,
  type Task,
  type TaskTone,
} from "./today-tasks";
import { useFailedRenewals } from "./use-failed-renewals";

const ICONS: Readonly<Record<Task["kind"], LucideIcon>> = {
  request: Inbox,
  payment: Wallet,
  providerEnd: CloudAlert,
  assignmentEnd: CalendarClock,
  renewalFailed: TriangleAlert,
  balance: Banknote,
  held: CircleHelp,
  sync: RefreshCw,
};

/** What a super admin has to do today, each with the action that does it. Undefined: they load. */
export function TodayCard({ numbers }: { numbers: HostSummary | undefined }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>今日待办</CardTitle>
        <CardAction>
          <LastSync />
        </CardAction>
      </CardHeader>
      {/* As high while it loads, and when nothing is to be done: what is below stays where it is. */}
      <CardContent className="flex min-h-72 flex-col pt-2 pb-2">
        <TaskList numbers={numbers} />
      </CardContent>
    </Card>
  );
}

function TaskList({ numbers }: { numbers: HostSummary | undefined }) {
  const now = useNow();
  const { recent } = useSyncRuns();
  const configs = useConfigs();
  const pending = trpc.renewals.list.useQuery({
    status: "pending",
    sort: "createdAt",
    order: "asc",
    limit: MAX_PAGE_SIZE,
  });
  const approved = trpc.renewals.list.useQuery({
    status: "approved",
    sort: "createdAt",
    order: "asc",
    limit: 1,
  });
  const failedRenewals = useFailedRenewals();
  const queries = [configs, pending, approved, failedRenewals];
  const failed = queries.find(({ isLoadingError }) => isLoadingError);
  if (failed !== undefined) return <QueryError query={failed} className="py-6" />;
  if (!numbers || !configs.data || !pending.data || !approved.data || !failedRenewals.data) {
    return <Skeleton className="my-2 flex-1" />;
  }

  const tasks = [
    ...requestTasks({ pending: pending.data, approved: approved.data }, now),
    ...hostTasks(numbers, failedRenewals.data.pagination.total),
    ...balanceTasks(configs.data, now),
    ...syncTasks(configs.data, recent, now),
  ];
  if (tasks.length === 0) {
    return (
      <EmptyState
        icon={CircleCheck}
        title="今天没有待办"
        description="申请都已处理，近期没有主机到期，同步正常。"
        className="flex-1 py-8"
      />
    );
  }

  return (
    <ul aria-label="今日待办" className="divide-y">
      {tasks.toSorted(worstFirst).map((task) => (
        <TaskRow key={task.id} task={task} />
      ))}
    </ul>
  );
}

const TONES: readonly TaskTone[] = ["critical", "danger", "warning"];

function worstFirst(one: Task, other: Task): number {
  return TONES.indexOf(one.tone) - TONES.indexOf(other.tone);
}

/** Of the icon. */
const TONE_CLASSES: Readonly<Record<TaskTone, string>> = {
  critical: "bg-danger text-danger-foreground",
  danger: softTones.danger,
  warning: softTones.warning,
};

function TaskRow({ task }: { task: Task }) {
  const { kind, tone, title, detail } = task;
  const Icon = ICONS[kind];

  return (
    <li
      className={cn(
        "flex min-h-14 items-center gap-3 py-2",
        tone === "critical" && "-mx-2 rounded-md bg-danger-soft px-2",
      )}
    >
      <span
        className={cn("grid size-8 shrink-0 place-items-center rounded-md", TONE_CLASSES[tone])}
      >
        <Icon className="size-4" />
      </span>
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <p className={cn("font-medium tabular-nums", tone === "critical" && "text-danger-ink")}>
          {title}
        </p>
        <p
          className={cn("line-clamp-3 text-sm", tone !== "critical" && "text-muted-foreground")}
          title={detail}
        >
          {detail}
        </p>
      </div>
      <TaskButton task={task} />
    </li>
  );
}

function TaskButton({ task: { title, action } }: { task: Task }) {
  const { start, isStarting } = useStartSync();
  const name = `${action.label}：${title}`;
  if ("href" in action) {
    return (
      // Not drawn as a button: those act at once.
      <Link
        href={action.href}
        aria-label={name}
        className="inline-flex h-7 shrink-0 items-center gap-0.5 rounded-sm text-sm font-medium text-primary-ink hover:underline"
      >
        <span>{action.label}</span>
        <ChevronRight className="size-3.5" />
      </Link>
    );
  }

  return (
    <Button
      variant="outline"
      size="sm"
      aria-label={name}
      loading={isStarting}
      onClick={() => start(action.configId)}
    >
      {action.label}
    </Button>
  );
}
