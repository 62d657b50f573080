import type { HostSummary, MonthlyExpiries, RegionCounts } from "@shared/host-summary.ts";
import { regionName } from "@shared/regions.ts";
import { isSuperAdmin } from "@shared/roles.ts";
import { CalendarCheck, MapPinned } from "lucide-react";
import { Link } from "wouter";
import { BarList, type BarRow } from "@/components/bar-list";
import { EmptyState } from "@/components/empty-state";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { formatNumber } from "@/lib/format-number";
import { useCurrentUser } from "@/session/session";

const HEIGHT = "h-60 lg:h-71";
const SHOWN_REGIONS = 8;
const STATUSES = [
  { label: "运行中", color: "bg-chart-2" },
  { label: "已停止", color: "bg-chart-3" },
  { label: "其他状态", color: "bg-chart-4" },
] as const;

/** When hosts expire and where they are. Undefined while the numbers load. */
export function HostCharts({ numbers }: { numbers: HostSummary | undefined }) {
  return (
    <section aria-label="图表" className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-2">
      <ExpiryCard months={numbers?.expiriesByMonth} />
      <RegionCard regions={numbers?.regions} />
    </section>
  );
}

function ExpiryCard({ months }: { months: readonly MonthlyExpiries[] | undefined }) {
  const { role } = useCurrentUser();
  const total = months?.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card>
      <CardHeader>
        <CardTitle>未来 12 个月到期</CardTitle>
        <CardDescription>
          {isSuperAdmin(role) ? "按云服务商的到期时间，仅包年包月主机" : "按分配的到期时间"}
          {total ? `，共 ${formatNumber(total)} 台` : null}
        </CardDescription>
      </CardHeader>
      <CardContent className="pt-3">
        {months === undefined ? (
          <Skeleton className={HEIGHT} />
        ) : total === 0 ? (
          <EmptyState
            icon={CalendarCheck}
            title="没有即将到期的主机"
            description="未来 12 个月内没有主机到期。"
            className={`${HEIGHT} py-0`}
          />
        ) : (
          <MonthColumns months={months} />
        )}
      </CardContent>
    </Card>
  );
}

/** A table whose rows stand side by side as columns. */
function MonthColumns({ months }: { months: readonly MonthlyExpiries[] }) {
  const highest = Math.max(...months.map(({ count }) => count));
  return (
    <table className="relative block">
      <caption className="sr-only">未来12个月每月到期的主机数</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">月份</th>
          <th scope="col">到期主机数</th>
        </tr>
      </thead>
      <tbody className={`flex ${HEIGHT}`}>
        {months.map(({ month, count }, index) => (
          <tr
            key={month}
            title={`${month}：${formatNumber(count)} 台`}
            className="flex flex-1 flex-col-reverse hover:bg-accent"
          >
            <th
              scope="row"
              className="h-9 pt-1.5 text-center text-[0.6875rem] leading-4 font-normal text-muted-foreground"
            >
              <MonthName month={month} hasYear={index === 0 || month.endsWith("-01")} />
            </th>
            <td className="flex flex-1 items-end justify-center border-b bg-[linear-gradient(var(--color-border)_1px,transparent_1px)] bg-size-[100%_25%] bg-origin-content pt-5 bg-clip-content">
              <span
                className="relative w-3/5 max-w-7 rounded-t-sm bg-chart-1 text-center text-xs text-muted-foreground tabular-nums"
                style={{ height: `${(count / highest) * 100}%` }}
              >
                <span className={count === 0 ? "sr-only" : "absolute inset-x-0 bottom-full -mx-2 pb-0.5"}>
                  {formatNumber(count)}
                </span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function MonthName({ month: text, hasYear }: { month: string; hasYear: boolean }) {
  const [year, month] = text.split("-");
  return (
    <>
      <span className="sr-only">{text}</span>
      <span aria-hidden="true">
        {Number(month)}月{hasYear ? <span className="block text-subtle-foreground">{year}</span> : null}
      </span>
    </>
  );
}

function RegionCard({ regions }: { regions: readonly RegionCounts[] | undefined }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>地域与状态</CardTitle>
        <CardDescription>
          {regions?.length ? `主机分布在 ${regions.length} 个地域，点击可查看` : "各地域的主机数"}
        </CardDescription>
      </CardHeader>
      <CardContent className="pt-3">
        {regions === undefined ? (
          <Skeleton className="h-71" />
        ) : regions.length === 0 ? (
          <EmptyState
            icon={MapPinned}
            title="暂无主机"
            description="同步主机后，这里显示各地域的主机数。"
            action={
              <Button variant="outline" asChild>
                <Link href="/hosts">前往主机管理</Link>
              </Button>
            }
            className="h-56 py-0"
          />
        ) : (
          <BarList caption="各地域各状态的主机数" head="地域" series={STATUSES} rows={regionRows(regions)} />
        )}
      </CardContent>
    </Card>
  );
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
  const sum = (status: "Running" | "Stopped" | "Other") => regions.reduce((total, counts) => total + counts[status], 0);
  return [sum("Running"), sum("Stopped"), sum("Other")];
}
