import type { Config } from "@shared/configs.ts";
import { notify } from "@/lib/notify";
import { useConfirm } from "@/lib/use-confirm";
import { trpc } from "@/trpc";

/** What is done to a configuration beside editing it. Render `confirmDialog` once. */
export function useConfigChanges(config: Config) {
  const { confirm, confirmDialog } = useConfirm();
  const update = trpc.configs.update.useMutation({
    meta: { errorTitle: "更新失败" },
    onSuccess: (updated) => notify.success("更新成功", `${updated.name} 已设为默认配置`),
  });
  const remove = trpc.configs.delete.useMutation({ meta: { errorTitle: "删除失败" } });

  return {
    confirmDialog,
    /** `onDone` is called after a success only. */
    makeDefault: (onDone: () => void) =>
      update.mutateAsync({ id: config.id, isDefault: true }).then(onDone, () => undefined),
    remove(): void {
      confirm({
        title: "删除配置",
        description: (
          <>
            确定删除配置 <strong>{config.name}</strong>
            ？由它同步来的主机会保留并标记为“已消失”，分配和历史记录不受影响；这些主机以后由其他配置同步到时会自动恢复。正在进行的同步会立即停止，保存的密钥会被销毁。
          </>
        ),
        confirmLabel: "删除配置",
        onConfirm: async () => {
          await remove.mutateAsync({ id: config.id });
          notify.success("删除成功", `配置 ${config.name} 已删除`);
        },
      });
    },
  };
}
