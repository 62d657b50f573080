import type { HostSummary, RegionCounts } from "@shared/host-summary.ts";
import { regionName } from "@shared/regions.ts";
import { MapPinned } from "lucide-react";
import { Link } from "wouter";
import { BarList, type BarRow } from "@/components/bar-list";
import { EmptyState } from "@/components/empty-state";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { hostsHref } from "./hosts-href";

const SHOWN_REGIONS = 8;
const STATUSES = [
  { label: "运行中", color: "bg-chart-2" },
  { label: "已停止", color: "bg-chart-3" },
  { label: "其他状态", color: "bg-chart-4" },
];

/** Where the hosts are. Undefined while the numbers load. */
export function RegionChart({ numbers }: { numbers: HostSummary | undefined }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>地域与状态</CardTitle>
        <CardDescription>各地域的主机数，点击地域可查看</CardDescription>
      </CardHeader>
      {/* As high as with all its rows: what is beside and below stays where it is. */}
      <CardContent className="flex min-h-79 flex-col pt-3">
        <Chart rows={numbers && regionRows(numbers.regions)} />
      </CardContent>
    </Card>
  );
}

function Chart({ rows }: { rows: readonly BarRow[] | undefined }) {
  if (rows === undefined) return <Skeleton className="flex-1" />;
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={MapPinned}
        title="暂无主机"
        description="同步主机后，这里显示各地域的主机数。"
        action={
          <Button variant="outline" asChild>
            <Link href="/hosts">前往主机管理</Link>
          </Button>
        }
        className="flex-1 py-0"
      />
    );
  }

  return <BarList caption="各地域各状态的主机数" head="地域" series={STATUSES} rows={rows} />;
}

/** The biggest regions, and one row for all others. */
function regionRows(regions: readonly RegionCounts[]): BarRow[] {
  const shown = regions.length <= SHOWN_REGIONS + 1 ? regions.length : SHOWN_REGIONS;
  const rows = regions.slice(0, shown).map(({ region, ...counts }) => ({
    name: regionName(region),
    values: valuesOf([counts]),
    href: hostsHref({ region }),
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
