import { CircleAlert, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { errorMessage } from "@/api/errors";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";

type ErrorStateProps = {
  title?: string;
  message: ReactNode;
  onRetry: () => unknown;
  isRetrying?: boolean;
  className?: string;
};

export function ErrorState({ title = "加载失败", message, onRetry, isRetrying = false, className }: ErrorStateProps) {
  return (
    <div role="alert" className={cn("flex flex-col items-center justify-center px-6 py-14 text-center", className)}>
      <span className="grid size-11 place-items-center rounded-md bg-danger-soft text-danger-ink">
        <CircleAlert className="size-5" />
      </span>
      <p className="mt-4 font-medium">{title}</p>
      <p className="mt-1 max-w-sm text-sm text-balance text-muted-foreground">{message}</p>
      <Button variant="outline" className="mt-4" loading={isRetrying} onClick={onRetry}>
        <RotateCw />
        重试
      </Button>
    </div>
  );
}

export type FailedQuery = { error: unknown; isFetching: boolean; refetch: () => Promise<unknown> };

/** Of a query without data. */
export function QueryError({
  query: { error, isFetching, refetch },
  className = "",
}: {
  query: FailedQuery;
  className?: string;
}) {
  return (
    <ErrorState message={errorMessage(error)} onRetry={() => refetch()} isRetrying={isFetching} className={className} />
  );
}
