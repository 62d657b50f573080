import type { RegionCounts } from "@shared/host-summary.ts";
import { MapPinned } from "lucide-react";
import { lazy } from "react";
import { Link } from "wouter";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { ChartLegend, ChartTable } from "@/components/ui/chart";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { WhenSeen } from "@/components/ui/when-seen";
import { formatNumber } from "@/lib/format-number";
import { REGION_SERIES, type RegionRow, regionRows } from "./region-rows";

const RegionBars = lazy(() => import("./region-bars").then((m) => ({ default: m.RegionBars })));

const ROW = "flex h-7 items-center";

/** Which regions hold how many hosts in which state; a region's name and its bars lead to its list. */
export function RegionCard({ regions }: { regions: readonly RegionCounts[] | undefined }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>地域与状态</CardTitle>
        <CardDescription>
          {regions?.length ? `主机分布在 ${regions.length} 个地域，点击可查看` : "各地域的主机数"}
        </CardDescription>
      </CardHeader>
      <CardContent className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 pt-3">
        {regions === undefined ? (
          <RowsSkeleton />
        ) : regions.length === 0 ? (
          <EmptyState icon={MapPinned} title="暂无主机" className="h-56 py-0" />
        ) : (
          <RegionChart rows={regionRows(regions)} />
        )}
      </CardContent>
    </Card>
  );
}

function RegionChart({ rows }: { rows: readonly RegionRow[] }) {
  return (
    <>
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 text-sm">
        <ul className="max-w-28 sm:max-w-40">
          {rows.map(({ name, href }) => (
            <li key={name} className={ROW}>
              {href === null ? (
                <span className="truncate text-muted-foreground">{name}</span>
              ) : (
                <Link href={href} title={name} className="truncate py-1 hover:text-primary-ink hover:underline">
                  {name}
                </Link>
              )}
            </li>
          ))}
        </ul>
        <div role="img" aria-label="各地域主机状态的条形图，数字见随后的表格">
          <WhenSeen fallback={null}>
            <RegionBars rows={rows} />
          </WhenSeen>
        </div>
        <ul aria-hidden="true">
          {rows.map(({ name, total }) => (
            <li key={name} className={`${ROW} justify-end font-medium tabular-nums`}>
              {formatNumber(total)}
            </li>
          ))}
        </ul>
      </div>
      <ChartLegend series={REGION_SERIES} />
      <ChartTable
        caption="各地域各状态的主机数"
        head={["地域", ...REGION_SERIES.map(({ label }) => label), "合计"]}
        rows={rows.map(({ name, Running, Stopped, Other, total }) => [name, Running, Stopped, Other, total])}
      />
    </>
  );
}

const WIDTHS = ["w-full", "w-4/5", "w-3/5", "w-1/2", "w-2/5", "w-1/3", "w-1/4", "w-1/5", "w-1/6"];

/** As many rows as there are at most, and the legend. */
function RowsSkeleton() {
  return (
    <>
      <div aria-hidden="true">
        {WIDTHS.map((width) => (
          <div key={width} className={`${ROW} gap-3`}>
            <Skeleton className="h-3.5 w-24 shrink-0" />
            <Skeleton className={`h-3 ${width}`} />
          </div>
        ))}
      </div>
      <Skeleton className="my-0.5 h-4 w-48" />
    </>
  );
}
