import { CircleAlert, RotateCw, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { errorCode, errorMessage } from "@/api/errors";
import { EmptyState } from "@/components/empty-state";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";

type ErrorStateProps = {
  title?: string;
  message: ReactNode;
  onRetry: () => unknown;
  isRetrying?: boolean;
  className?: string;
};

export function ErrorState({
  title = "加载失败",
  message,
  onRetry,
  isRetrying = false,
  className,
}: ErrorStateProps) {
  return (
    <div
      role="alert"
      className={cn("flex flex-col items-center justify-center px-6 py-14 text-center", className)}
    >
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

type QueryErrorProps = {
  query: FailedQuery;
  /** What is shown of a subject that is not there, or not for the caller, and a way on. */
  missing?: { title: string; action: ReactNode };
  className?: string;
};

/** Of a query without data. */
export function QueryError({
  query: { error, isFetching, refetch },
  missing,
  className = "",
}: QueryErrorProps) {
  if (missing !== undefined && isMissing(error)) {
    return <EmptyState icon={SearchX} {...missing} description="不存在，或者您没有权限查看。" />;
  }
  return (
    <ErrorState
      message={errorMessage(error)}
      onRetry={() => refetch()}
      isRetrying={isFetching}
      className={className}
    />
  );
}

/** Also of an id in the address that is none. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === "NOT_FOUND" || code === "INVALID_INPUT";
}
