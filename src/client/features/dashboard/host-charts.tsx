import type { HostSummary, MonthlyExpiries, RegionCounts } from "@shared/host-summary.ts";
import { regionName } from "@shared/regions.ts";
import { isSuperAdmin } from "@shared/roles.ts";
import { CalendarCheck, type LucideIcon, MapPinned } from "lucide-react";
import type { ReactNode } from "react";
import { BarList, type BarRow } from "@/components/bar-list";
import { EmptyState } from "@/components/empty-state";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { formatNumber } from "@/lib/format-number";
import { useCurrentUser } from "@/session/session";

const SHOWN_REGIONS = 10;
const MONTH_SERIES = [{ label: "到期主机数", color: "bg-chart-1" }] as const;
const STATUS_SERIES = [
  { label: "运行中", color: "bg-chart-2" },
  { label: "已停止", color: "bg-chart-3" },
  { label: "其他状态", color: "bg-chart-4" },
] as const;

/** When hosts expire and where they are. Undefined while the numbers load. */
export function HostCharts({ numbers }: { numbers: HostSummary | undefined }) {
  const { role } = useCurrentUser();
  const { expiriesByMonth: months, regions } = numbers ?? {};
  const expiring = months?.reduce((sum, { count }) => sum + count, 0);
  const clock = isSuperAdmin(role) ? "按云服务商的到期时间，仅包年包月主机" : "按分配的到期时间";
  return (
    <section aria-label="图表" className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-2">
      <ChartCard
        title="未来 12 个月到期"
        description={expiring ? `${clock}，共 ${formatNumber(expiring)} 台` : clock}
        count={expiring}
        empty={{ icon: CalendarCheck, title: "没有即将到期的主机", description: "未来 12 个月内没有主机到期。" }}
      >
        <BarList
          caption="未来12个月每月到期的主机数"
          head="月份"
          series={MONTH_SERIES}
          rows={monthRows(months ?? [])}
        />
      </ChartCard>
      <ChartCard
        title="地域与状态"
        description={regions?.length ? `主机分布在 ${regions.length} 个地域，点击可查看` : "各地域的主机数"}
        count={regions?.length}
        empty={{ icon: MapPinned, title: "暂无主机", description: "同步主机后，这里显示各地域的主机数。" }}
      >
        <BarList caption="各地域各状态的主机数" head="地域" series={STATUS_SERIES} rows={regionRows(regions ?? [])} />
      </ChartCard>
    </section>
  );
}

type ChartCardProps = {
  title: string;
  description: string;
  /** Undefined while it loads; zero draws `empty`. */
  count: number | undefined;
  empty: { icon: LucideIcon; title: string; description: string };
  children: ReactNode;
};

function ChartCard({ title, description, count, empty, children }: ChartCardProps) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
        <CardDescription>{description}</CardDescription>
      </CardHeader>
      <CardContent className="min-h-100 pt-3">
        {count === undefined ? <Skeleton className="h-88" /> : count === 0 ? <EmptyState {...empty} /> : children}
      </CardContent>
    </Card>
  );
}

function monthRows(months: readonly MonthlyExpiries[]): BarRow[] {
  return months.map(({ month, count }) => ({ name: month, values: [count], href: null }));
}

/** The biggest regions, and one row for all others. */
function regionRows(regions: readonly RegionCounts[]): BarRow[] {
  const rows = regions.slice(0, SHOWN_REGIONS).map((counts) => ({
    name: regionName(counts.region),
    values: valuesOf([counts]),
    href: `/hosts?${new URLSearchParams({ region: counts.region })}`,
  }));
  const rest = regions.slice(SHOWN_REGIONS);
  return rest.length === 0
    ? rows
    : [...rows, { name: `其他 ${rest.length} 个地域`, values: valuesOf(rest), href: null }];
}

function valuesOf(regions: readonly RegionCounts[]): number[] {
  const sum = (status: "Running" | "Stopped" | "Other") => regions.reduce((total, counts) => total + counts[status], 0);
  return [sum("Running"), sum("Stopped"), sum("Other")];
}
