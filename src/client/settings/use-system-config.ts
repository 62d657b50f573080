import type { Settings } from "@shared/settings.ts";
import { useEffect } from "react";
import { failureCode } from "@/failure";
import { notify } from "@/lib/notify";
import { trpc } from "@/trpc";

/** The settings and how to change them. `isLoading` is on while they are fetched or updated; `update` rejects with the failure after telling it. */
export function useSystemConfig() {
  const utils = trpc.useUtils();
  const query = trpc.settings.get.useQuery();
  const mutation = trpc.settings.update.useMutation({
    onSuccess(settings) {
      utils.settings.get.setData(undefined, settings);
      notify.success("系统配置更新成功");
    },
    onError: (error) => announce("更新系统配置失败", error),
  });
  const { error, errorUpdateCount } = query;
  // The count makes a second failure of the same kind a second toast.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (error !== null) announce("获取系统配置失败", error);
  }, [error, errorUpdateCount]);
  return {
    settings: query.data,
    error,
    isLoading: query.isFetching || mutation.isPending,
    isUpdating: mutation.isPending,
    /** What has been asked for and not answered yet. */
    wanted: mutation.isPending ? mutation.variables : undefined,
    refetch: query.refetch,
    update: (settings: Settings) => mutation.mutateAsync(settings),
  };
}

function announce(title: string, error: unknown): void {
  // A dead session has its own notice.
  if (failureCode(error) === "UNAUTHENTICATED") return;
  notify.error(title, { message: `${title}，请稍后重试`, id: title });
}
