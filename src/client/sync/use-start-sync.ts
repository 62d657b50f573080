import { navigate } from "wouter/use-browser-location";
import { failureCode } from "@/failure";
import { notifyFailure } from "@/failure-notice";
import { trpc } from "@/trpc";

const toConfigs = { label: "前往配置管理", onClick: () => navigate("/configs") };

/** Starts runs without waiting for their end, which the live stream tells. `start()` takes every active configuration. */
export function useStartSync(onStarted?: () => void) {
  const sync = trpc.hosts.sync.useMutation({
    onSuccess: () => onStarted?.(),
    // The state that forbids it is that of the configurations: there are none, or none that is active.
    onError: (error) =>
      notifyFailure("同步失败", error, failureCode(error) === "STATE_CONFLICT" ? { action: toConfigs } : {}),
  });
  return {
    isStarting: sync.isPending,
    start: (configId?: string) => sync.mutate(configId === undefined ? { wait: 0 } : { configId, wait: 0 }),
  };
}
