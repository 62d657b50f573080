import type { Renewal } from "@shared/renewals.ts";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";

type CardsFrameProps = {
  /** Undefined draws skeleton cards. */
  renewals: readonly Renewal[] | undefined;
  isStale: boolean;
  empty: ReactNode;
  children: (renewal: Renewal) => ReactNode;
};

/** The grid of request cards, with its skeletons and its emptiness. */
export function CardsFrame({ renewals, isStale, empty, children }: CardsFrameProps) {
  if (renewals === undefined) return <CardsSkeleton />;
  if (renewals.length === 0) return <Card>{empty}</Card>;
  return (
    <ul
      aria-label="续费申请列表"
      aria-busy={isStale}
      className={cn("grid gap-4 transition-opacity sm:grid-cols-2 xl:grid-cols-3", isStale && "opacity-55")}
    >
      {renewals.map((renewal) => (
        <li key={renewal.id} className="grid min-w-0">
          {children(renewal)}
        </li>
      ))}
    </ul>
  );
}

function CardsSkeleton() {
  return (
    <div role="status" className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      <span className="sr-only">加载中...</span>
      {["a", "b", "c"].map((key) => (
        <Card key={key} className="gap-3 p-4">
          <div className="flex justify-between">
            <Skeleton className="h-5 w-36" />
            <Skeleton className="h-5 w-16 rounded-full" />
          </div>
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-28 w-full" />
          <Skeleton className="h-8.5 w-32" />
        </Card>
      ))}
    </div>
  );
}
