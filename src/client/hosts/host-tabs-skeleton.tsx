import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { HostDetailSkeleton } from "./open-host";

const ROWS = ["a", "b", "c", "d", "e", "f", "g", "h"];

export function HostTabsSkeleton() {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(15rem,21rem)_minmax(0,1fr)]" role="status">
      <span className="sr-only">加载中...</span>
      <Card className="divide-y">
        {ROWS.map((row) => (
          <div key={row} className="grid h-15 content-center gap-2 px-3.5">
            <div className="flex justify-between gap-4">
              <Skeleton className="h-4 w-2/5" />
              <Skeleton className="h-4 w-16" />
            </div>
            <Skeleton className="h-3.5 w-3/5" />
          </div>
        ))}
      </Card>
      <div className="max-lg:hidden">
        <HostDetailSkeleton />
      </div>
    </div>
  );
}
