import { LoaderCircle } from "lucide-react";
import { cn } from "@/lib/cn";

type SpinnerProps = {
  size?: "sm" | "md" | "lg";
  /** Read aloud. Null where the words beside it already say so. */
  label?: string | null;
  className?: string;
};

const sizes = { sm: "size-4", md: "size-6", lg: "size-9" } as const;

export function Spinner({ size = "md", label = "加载中", className }: SpinnerProps) {
  return (
    <span
      data-slot="spinner"
      className={cn("inline-flex text-muted-foreground", className)}
      role={label === null ? undefined : "status"}
    >
      <LoaderCircle
        aria-hidden="true"
        className={cn("animate-spin", sizes[size])}
        strokeWidth={size === "lg" ? 1.75 : 2}
      />
      {label === null ? null : <span className="sr-only">{label}</span>}
    </span>
  );
}

/** While the session is determined or a page's code arrives. */
export function FullScreenSpinner() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center">
      <div className="flex flex-col items-center gap-3">
        <Spinner size="lg" label={null} className="text-primary-ink" />
        <p className="text-sm text-muted-foreground">加载中...</p>
      </div>
    </div>
  );
}
