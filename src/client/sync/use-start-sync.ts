import { notifyFailure } from "@/failure-notice";
import { notify } from "@/lib/notify";
import { trpc } from "@/trpc";

/** Starts runs without waiting for their end, which the live stream tells. `start()` takes every active configuration. */
export function useStartSync() {
  const utils = trpc.useUtils();
  const sync = trpc.hosts.sync.useMutation({
    onSuccess({ runs }) {
      if (runs.length === 0) notify.warning("同步失败", "没有启用中的配置，请先在配置管理中添加或启用一个配置");
      return utils.hosts.syncRuns.invalidate();
    },
    onError: (error) => notifyFailure("同步失败", error),
  });
  return {
    isStarting: sync.isPending,
    start: (configId?: string) => sync.mutate(configId === undefined ? { wait: 0 } : { configId, wait: 0 }),
  };
}
