import { keepPreviousData } from "@tanstack/react-query";
import { BellRing } from "lucide-react";
import { trpc } from "@/api/trpc";
import { DaySections } from "@/components/day-sections";
import { ListView } from "@/components/list-view";
import { SkeletonText } from "@/components/ui/skeleton";
import { RecordFilters } from "./record-filters";
import { useRecordSearch } from "./record-search";
import { ReminderLine } from "./reminder-line";

/** Reminders of a page. */
const LIMIT = 20;

/** What was sent to whom, and how it stands with each delivery. Events refetch it. */
export function RecordsTab() {
  const search = useRecordSearch();
  const list = trpc.reminders.list.useQuery(
    { ...search.input, limit: LIMIT },
    { placeholderData: keepPreviousData },
  );

  return (
    <>
      <p className="text-sm text-muted-foreground">
        这里是到期提醒的发送记录，保留 400 天。其他通知最近一次的发送情况见“渠道”。
      </p>
      <RecordFilters search={search} />
      <ListView
        list={list}
        search={search}
        noun="提醒"
        empty={{
          icon: BellRing,
          title: "还没有发出提醒",
          description: "按提醒规则发出的，以及由人发出的提醒，会记录在这里，保留 400 天。",
        }}
      >
        {(page) =>
          page === undefined ? (
            <RecordsSkeleton />
          ) : (
            <DaySections
              rows={page.reminders}
              timeOf={({ createdAt }) => createdAt}
              isStale={list.isPlaceholderData}
            >
              {(reminder) => <ReminderLine key={reminder.id} reminder={reminder} />}
            </DaySections>
          )
        }
      </ListView>
    </>
  );
}

function RecordsSkeleton() {
  return (
    <div role="status" aria-label="正在加载提醒" className="divide-y rounded-md border bg-card">
      {["a", "b", "c", "d", "e"].map((key) => (
        <SkeletonText key={key} lines={3} className="px-3.5 py-3" />
      ))}
    </div>
  );
}
