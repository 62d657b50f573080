import { SkeletonText } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";

export function NoticesSkeleton({ className }: { className?: string }) {
  return (
    <div role="status" aria-label="正在加载通知" className={cn("divide-y", className)}>
      {[3, 2, 3, 2].map((lines, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never move
        <SkeletonText key={index} lines={lines} className="px-3.5 py-3" />
      ))}
    </div>
  );
}
