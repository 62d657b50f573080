import { Skeleton, SkeletonText } from "@/components/ui/skeleton";

/** While a page's code arrives: heading, tools, content. */
export function PageSkeleton() {
  return (
    <div role="status" className="grid gap-5">
      <span className="sr-only">加载中...</span>
      <div className="grid gap-2">
        <Skeleton className="h-7 w-36" />
        <Skeleton className="h-5 w-64 max-w-full" />
      </div>
      <Skeleton className="h-8.5 w-full max-w-xl" />
      <div className="grid h-72 content-start gap-4 rounded-md border bg-card p-4 shadow-xs">
        <Skeleton className="h-5 w-48 max-w-full" />
        <SkeletonText lines={4} />
      </div>
    </div>
  );
}
