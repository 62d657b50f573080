import { isLiveSync, type SyncRun } from "@shared/sync.ts";
import { RotateCw, Square } from "lucide-react";
import { Button } from "@/components/ui/button";
import { trpc } from "@/trpc";
import { isWorthAnotherRun } from "./run-facts";
import { useStartSync } from "./use-start-sync";

/** 取消 while it goes on, 重新同步 after an end that is not a full one. */
export function RunActions({ run }: { run: SyncRun }) {
  if (isLiveSync(run.status)) return <CancelButton run={run} />;
  if (isWorthAnotherRun(run) && run.configId !== null) return <AgainButton configId={run.configId} />;
  return null;
}

function CancelButton({ run }: { run: SyncRun }) {
  const cancel = trpc.hosts.cancelSync.useMutation({ meta: { errorTitle: "取消失败" } });
  return (
    <Button
      variant="outline"
      size="sm"
      loading={cancel.isPending}
      aria-label={`取消 ${run.configName} 的同步`}
      onClick={() => cancel.mutate({ id: run.id })}
    >
      <Square aria-hidden="true" />
      取消
    </Button>
  );
}

function AgainButton({ configId }: { configId: string }) {
  const { start, isStarting } = useStartSync();
  return (
    <Button variant="outline" size="sm" loading={isStarting} onClick={() => start(configId)}>
      <RotateCw aria-hidden="true" />
      重新同步
    </Button>
  );
}
