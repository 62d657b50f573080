import type { MonthlyExpiries } from "@shared/host-summary.ts";
import { CalendarCheck } from "lucide-react";
import { lazy } from "react";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { ChartTable } from "@/components/ui/chart";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { WhenSeen } from "@/components/ui/when-seen";
import { formatNumber } from "@/lib/format-number";

const ExpiryBars = lazy(() => import("./expiry-bars").then((m) => ({ default: m.ExpiryBars })));

/** Beside the regions it is as high as nine of them and their legend. */
const HEIGHT = "h-60 lg:h-71";

type ExpiryCardProps = {
  /** Undefined while they load. */
  months: readonly MonthlyExpiries[] | undefined;
  /** Which end is meant. */
  basis: string;
};

/** How many hosts end in each of the coming twelve months. */
export function ExpiryCard({ months, basis }: ExpiryCardProps) {
  const total = months?.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card>
      <CardHeader>
        <CardTitle>未来 12 个月到期</CardTitle>
        <CardDescription>
          {basis}
          {total ? `，共 ${formatNumber(total)} 台` : null}
        </CardDescription>
      </CardHeader>
      <CardContent className="pt-3">
        {months === undefined ? (
          <BarsSkeleton />
        ) : total === 0 ? (
          <EmptyState
            icon={CalendarCheck}
            title="没有即将到期的主机"
            description="未来 12 个月内没有主机到期。"
            className={`${HEIGHT} py-0`}
          />
        ) : (
          <>
            <div role="img" aria-label="未来12个月每月到期主机数的柱状图，数字见随后的表格" className={HEIGHT}>
              <WhenSeen fallback={<BarsSkeleton />}>
                <ExpiryBars months={months} />
              </WhenSeen>
            </div>
            <ChartTable
              caption="未来12个月每月到期的主机数"
              head={["月份", "到期主机数"]}
              rows={months.map(({ month, count }) => [month, count])}
            />
          </>
        )}
      </CardContent>
    </Card>
  );
}

const HEIGHTS = [
  "h-1/2",
  "h-3/4",
  "h-2/5",
  "h-4/5",
  "h-1/3",
  "h-3/5",
  "h-2/5",
  "h-1/2",
  "h-1/4",
  "h-2/3",
  "h-1/3",
  "h-1/5",
];

function BarsSkeleton() {
  return (
    <div aria-hidden="true" className={`flex ${HEIGHT} items-end justify-around gap-2 pb-9`}>
      {HEIGHTS.map((height, month) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Skeleton key={month} className={`w-full max-w-7 ${height}`} />
      ))}
    </div>
  );
}
