import { Link } from "wouter";
import { cn } from "@/lib/cn";

export function Brand({ className }: { className?: string }) {
  return (
    <Link href="/dashboard" className={cn("flex min-w-0 items-center gap-2.5 rounded-sm", className)}>
      <BrandMark className="size-7" />
      <span className="truncate text-lg font-semibold">多主机管理系统</span>
    </Link>
  );
}

export function BrandMark({ className }: { className?: string }) {
  return <img src="/favicon.svg" alt="" width={28} height={28} className={cn("shrink-0", className)} />;
}
