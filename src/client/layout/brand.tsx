import { Link } from "wouter";
import { cn } from "@/lib/cn";

/** Where the bar has no room for the whole name it wraps out of sight: a cut name says less than the mark alone. */
export function Brand({ className }: { className?: string }) {
  return (
    <Link
      href="/dashboard"
      className={cn("flex h-7 min-w-7 flex-wrap gap-x-2.5 overflow-hidden rounded-sm", className)}
    >
      <BrandMark className="size-7" />
      <span className="text-lg leading-7 font-semibold whitespace-nowrap">多主机管理系统</span>
    </Link>
  );
}

export function BrandMark({ className }: { className?: string }) {
  return <img src="/favicon.svg" alt="" width={28} height={28} className={cn("shrink-0", className)} />;
}
