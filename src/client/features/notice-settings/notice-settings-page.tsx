import { ListChecks, type LucideIcon, Radio, SlidersHorizontal } from "lucide-react";
import { type ComponentType, Suspense } from "react";
import { z } from "zod";
import { PageHeader } from "@/components/page-header";
import { SegmentedControl } from "@/components/segmented-control";
import { Card } from "@/components/ui/card";
import { SkeletonText } from "@/components/ui/skeleton";
import { lazyPage } from "@/lib/lazy";
import { useSearchParams } from "@/lib/use-search-params";

const RulesTab = lazyPage(() => import("./rules/rules-tab").then((m) => m.RulesTab));
const ChannelsTab = lazyPage(() => import("./channels/channels-tab").then((m) => m.ChannelsTab));
const RecordsTab = lazyPage(() => import("./records/records-tab").then((m) => m.RecordsTab));

const Tab = z.enum(["rules", "channels", "records"]);
type Tab = z.infer<typeof Tab>;

const PageSearch = z.object({ tab: Tab.catch("rules") });

const TABS: Readonly<Record<Tab, { label: string; icon: LucideIcon; content: ComponentType }>> = {
  rules: { label: "提醒规则", icon: SlidersHorizontal, content: RulesTab },
  channels: { label: "渠道", icon: Radio, content: ChannelsTab },
  records: { label: "发送记录", icon: ListChecks, content: RecordsTab },
};

/** When who is reminded of an end, by which ways notices leave the console, and what was sent. */
export function NoticeSettingsPage() {
  const { params, setParams } = useSearchParams(PageSearch);
  const { content: Content } = TABS[params.tab];

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader title="通知设置" description="到期前提醒谁，通知经哪些渠道发出，以及发出了什么" />
      <SegmentedControl
        aria-label="通知设置"
        className="max-sm:w-full print:hidden"
        value={params.tab}
        onValueChange={(tab) => setParams({ tab })}
        segments={Tab.options.map((value) => {
          const { label, icon: Icon } = TABS[value];
          return { value, label, icon: <Icon /> };
        })}
      />
      <Suspense fallback={<TabSkeleton />}>
        <Content />
      </Suspense>
    </div>
  );
}

function TabSkeleton() {
  return (
    <Card role="status" aria-label="加载中...">
      <SkeletonText lines={9} className="gap-6 p-4" />
    </Card>
  );
}
