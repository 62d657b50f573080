import type { HostSummary, RegionCounts } from "@shared/host-summary.ts";
import { regionName } from "@shared/regions.ts";
import { isSuperAdmin } from "@shared/roles.ts";
import { CalendarCheck, MapPinned } from "lucide-react";
import type { ComponentProps } from "react";
import { Link } from "wouter";
import { BarList, type BarRow } from "@/components/bar-list";
import { EmptyState } from "@/components/empty-state";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { useCurrentUser } from "@/session/session";

/** Of twelve months. */
const HEIGHT = "h-84";
const SHOWN_REGIONS = 8;
const EXPIRIES = [{ label: "到期主机数", color: "bg-chart-1" }];
const STATUSES = [
  { label: "运行中", color: "bg-chart-2" },
  { label: "已停止", color: "bg-chart-3" },
  { label: "其他状态", color: "bg-chart-4" },
];

/** When hosts expire and where they are. Undefined while the numbers load. */
export function HostCharts({ numbers }: { numbers: HostSummary | undefined }) {
  const isSuper = isSuperAdmin(useCurrentUser().role);
  return (
    <section aria-label="图表" className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-2">
      <ChartCard
        title="未来 12 个月到期"
        description={isSuper ? "按云服务商的到期时间，仅包年包月主机" : "按分配的到期时间"}
        caption="未来12个月每月到期的主机数"
        head="月份"
        series={EXPIRIES}
        rows={numbers?.expiriesByMonth.map(({ month, count }) => ({
          name: month,
          values: [count],
          href: null,
        }))}
        empty={{
          icon: CalendarCheck,
          title: "没有即将到期的主机",
          description: "未来 12 个月内没有主机到期。",
        }}
      />
      <ChartCard
        title="地域与状态"
        description="各地域的主机数，点击地域可查看"
        caption="各地域各状态的主机数"
        head="地域"
        series={STATUSES}
        rows={numbers && regionRows(numbers.regions)}
        empty={{
          icon: MapPinned,
          title: "暂无主机",
          description: "同步主机后，这里显示各地域的主机数。",
          action: (
            <Button variant="outline" asChild>
              <Link href="/hosts">前往主机管理</Link>
            </Button>
          ),
        }}
      />
    </section>
  );
}

type ChartCardProps = Omit<ComponentProps<typeof BarList>, "rows"> & {
  title: string;
  description: string;
  /** Undefined while they load. */
  rows: readonly BarRow[] | undefined;
  /** Shown where no row has a value. */
  empty: ComponentProps<typeof EmptyState>;
};

function ChartCard({ title, description, ...chart }: ChartCardProps) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
        <CardDescription>{description}</CardDescription>
      </CardHeader>
      <CardContent className="pt-3">
        <Chart {...chart} />
      </CardContent>
    </Card>
  );
}

function Chart({ rows, empty, ...chart }: Omit<ChartCardProps, "title" | "description">) {
  if (rows === undefined) return <Skeleton className={HEIGHT} />;

  const hasNoValue = rows.every(({ values }) => values.every((value) => value === 0));
  if (hasNoValue) return <EmptyState {...empty} className={`${HEIGHT} py-0`} />;

  return <BarList {...chart} rows={rows} />;
}

/** The biggest regions, and one row for all others. */
function regionRows(regions: readonly RegionCounts[]): BarRow[] {
  const shown = regions.length <= SHOWN_REGIONS + 1 ? regions.length : SHOWN_REGIONS;
  const rows = regions.slice(0, shown).map(({ region, ...counts }) => ({
    name: regionName(region),
    values: valuesOf([counts]),
    href: `/hosts?${new URLSearchParams({ region })}`,
  }));
  const rest = regions.slice(shown);

  return rest.length === 0
    ? rows
    : [...rows, { name: `其他 ${rest.length} 个地域`, values: valuesOf(rest), href: null }];
}

function valuesOf(regions: readonly Omit<RegionCounts, "region">[]): number[] {
  const sum = (status: "Running" | "Stopped" | "Other") =>
    regions.reduce((total, counts) => total + counts[status], 0);
  return [sum("Running"), sum("Stopped"), sum("Other")];
}
