import { LoaderCircle } from "lucide-react";
import { cn } from "@/lib/cn";

const sizes = { sm: "size-4", md: "size-6", lg: "size-9" } as const;

/** Decoration: words beside it must say what is awaited. */
export function Spinner({
  size = "md",
  className,
}: {
  size?: keyof typeof sizes;
  className?: string;
}) {
  return (
    <LoaderCircle
      className={cn("shrink-0 animate-spin text-muted-foreground", sizes[size], className)}
      strokeWidth={size === "lg" ? 1.75 : 2}
    />
  );
}

/** While the session is determined or a page's code arrives. */
export function FullScreenSpinner() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center">
      <div className="flex flex-col items-center gap-3">
        <Spinner size="lg" className="text-primary-ink" />
        <p className="text-sm text-muted-foreground">加载中...</p>
      </div>
    </div>
  );
}
