import type { Config } from "@shared/configs.ts";
import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { trpc } from "@/api/trpc";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { formatNumber } from "@/lib/format-number";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";

export function DeleteConfigDialog({ subject: config, ...dialog }: DialogState<Config>) {
  const deletion = trpc.configs.delete.useMutation();

  async function deleteConfig(): Promise<void> {
    await deletion.mutateAsync({ id: config.id });
    notify.success("删除成功", { message: `配置“${config.name}”已删除` });
  }

  return (
    <ConfirmDialog
      {...dialog}
      title="删除配置"
      description={
        <>
          <p>
            确定删除云账号 <strong>{config.name}</strong> 的配置？
          </p>
          <WhatEnds config={config} open={dialog.open} />
          <p>
            由它同步来的主机会保留并标记为“已消失”，分配和历史记录不受影响；这些主机以后由其他配置同步到时会自动恢复。正在进行的同步会立即停止，保存的密钥会被销毁。
          </p>
        </>
      }
      confirmLabel="删除配置"
      errorTitle="删除失败"
      onConfirm={deleteConfig}
    />
  );
}

function WhatEnds({ config, open }: { config: Config; open: boolean }) {
  const { isCounted, isCutOff, assignments, requests } = useWhatEnds(config, open);
  if (!isCounted) return <p>正在统计受影响的主机…</p>;

  const atLeast = isCutOff ? "至少 " : "";
  return (
    <p>
      涉及 <strong>{formatNumber(config.hostCount)} 台主机</strong>、
      <strong>{`${atLeast}${formatNumber(assignments)} 个分配`}</strong>、
      <strong>{`${atLeast}${formatNumber(requests)} 个未完成的续费申请`}</strong>。
    </p>
  );
}

/** So many pages of hosts are read to count what ends; beyond, the numbers are "at least". */
const COUNTED_PAGES = 10;

/** What ends with a configuration: the assignments of its hosts and the requests that are open. */
function useWhatEnds(config: Config, enabled: boolean) {
  const input = { configId: config.id, assigned: true, limit: MAX_PAGE_SIZE };
  const first = trpc.hosts.list.useQuery(input, { enabled });
  const pageCount = Math.min(first.data?.pagination.totalPages ?? 1, COUNTED_PAGES);
  const others = trpc.useQueries((t) =>
    Array.from({ length: pageCount - 1 }, (_, index) =>
      t.hosts.list({ ...input, page: index + 2 }, { enabled }),
    ),
  );
  const pages = [first, ...others].map(({ data }) => data);
  const hosts = pages.flatMap((page) => page?.hosts ?? []);

  return {
    isCounted: pages.every((page) => page !== undefined),
    isCutOff: (first.data?.pagination.totalPages ?? 0) > COUNTED_PAGES,
    assignments: hosts.reduce((sum, { users }) => sum + users.length, 0),
    requests: hosts.filter(({ openRenewal }) => openRenewal !== null).length,
  };
}
