import { cn } from "@/lib/cn";

/**
 * A grey block where content will be: give it that content's size. Mark the region around it
 * `aria-busy`.
 */
export function Skeleton({ className }: { className: string }) {
  return (
    <div
      aria-hidden="true"
      data-slot="skeleton"
      className={cn("animate-shimmer rounded-sm bg-secondary", className)}
    />
  );
}

/** Lines of text to come; the last one is shorter. */
export function SkeletonText({ lines, className }: { lines: number; className?: string }) {
  return (
    <div aria-hidden="true" className={cn("grid gap-2", className)}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no identity
        <Skeleton key={line} className={cn("h-3.5", line === lines - 1 ? "w-3/5" : "w-full")} />
      ))}
    </div>
  );
}
