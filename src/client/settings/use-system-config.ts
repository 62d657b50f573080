import type { Settings } from "@shared/settings.ts";
import { trpc } from "@/api/trpc";
import { notify } from "@/lib/notify";

/** The settings and how to change them. `isLoading` is on while they are fetched or updated; failures are toasted. */
export function useSystemConfig() {
  const utils = trpc.useUtils();
  const query = trpc.settings.get.useQuery(undefined, { meta: failure("获取系统配置失败") });
  const mutation = trpc.settings.update.useMutation({
    meta: failure("更新系统配置失败"),
    onSuccess(settings) {
      utils.settings.get.setData(undefined, settings);
      notify.success("系统配置更新成功");
    },
  });
  return {
    settings: query.data,
    error: query.error,
    isLoading: query.isFetching || mutation.isPending,
    isUpdating: mutation.isPending,
    /** What has been asked for and not answered yet. */
    wanted: mutation.isPending ? mutation.variables : undefined,
    refetch: query.refetch,
    update: (settings: Settings) => mutation.mutateAsync(settings),
  };
}

function failure(title: string) {
  return { errorTitle: title, errorMessage: `${title}，请稍后重试` };
}
