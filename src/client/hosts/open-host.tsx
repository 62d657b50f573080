import type { Host } from "@shared/hosts.ts";
import { ServerOff } from "lucide-react";
import { useState } from "react";
import { errorCode, errorMessage } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Skeleton } from "@/components/ui/skeleton";
import { HostDetail } from "./host-detail";

type OpenHostProps = {
  id: string;
  /** The page of the list at hand: a host that is on it needs no call of its own. */
  hosts: readonly Host[];
};

export function OpenHost({ id, hosts }: OpenHostProps) {
  const listed = hosts.find((host) => host.id === id);
  const [last, setLast] = useState(listed);
  if (listed !== undefined && listed !== last) setLast(listed);
  const asked = trpc.hosts.get.useQuery({ id }, { enabled: listed === undefined });
  if (listed === undefined && errorCode(asked.error) === "NOT_FOUND") return <NoSuchHost />;
  // One that has just left the page of the list stays drawn meanwhile: a dialog over it may be half filled in.
  const host = listed ?? asked.data ?? (last?.id === id ? last : undefined);
  if (host !== undefined) return <HostDetail key={host.id} host={host} />;
  if (asked.isError) {
    return (
      <Card>
        <ErrorState message={errorMessage(asked.error)} onRetry={() => asked.refetch()} isRetrying={asked.isFetching} />
      </Card>
    );
  }
  return <HostDetailSkeleton />;
}

/** Taken away while it was open, most likely: what was known of it is not shown on, and asking again would not help. */
function NoSuchHost() {
  return (
    <Card>
      <EmptyState icon={ServerOff} title="看不到这台主机" description="主机不存在，或者您已没有权限查看。" />
    </Card>
  );
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
