import type { Host } from "@shared/hosts.ts";
import { Card } from "@/components/ui/card";
import { ErrorState } from "@/components/ui/error-state";
import { Skeleton } from "@/components/ui/skeleton";
import { failureText } from "@/failure";
import { trpc } from "@/trpc";
import { HostDetail } from "./host-detail";

type OpenHostProps = {
  id: string;
  /** The page of the list at hand: a host that is on it needs no call of its own. */
  hosts: readonly Host[];
};

export function OpenHost({ id, hosts }: OpenHostProps) {
  const listed = hosts.find((host) => host.id === id);
  const asked = trpc.hosts.get.useQuery({ id }, { enabled: listed === undefined });
  const host = listed ?? asked.data;
  if (host !== undefined) return <HostDetail key={host.id} host={host} />;
  if (asked.isError) {
    return (
      <Card>
        <ErrorState message={failureText(asked.error)} onRetry={() => asked.refetch()} isRetrying={asked.isFetching} />
      </Card>
    );
  }
  return <HostDetailSkeleton />;
}

export function HostDetailSkeleton() {
  return (
    <div className="grid gap-4" aria-hidden="true">
      <div className="flex h-14 items-center justify-between">
        <div className="grid gap-2">
          <Skeleton className="h-5 w-48" />
          <Skeleton className="h-4 w-32" />
        </div>
        <Skeleton className="h-8 w-28" />
      </div>
      <div className="grid gap-4 xl:grid-cols-2">
        {["a", "b", "c", "d"].map((key) => (
          <Card key={key} className="gap-4 p-4">
            <Skeleton className="h-4 w-20" />
            {["1", "2", "3", "4"].map((line) => (
              <div key={line} className="flex justify-between">
                <Skeleton className="h-4 w-16" />
                <Skeleton className="h-4 w-28" />
              </div>
            ))}
          </Card>
        ))}
      </div>
    </div>
  );
}
