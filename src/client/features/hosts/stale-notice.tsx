import type { Host } from "@shared/hosts.ts";
import { Link } from "wouter";
import { useConfigs } from "@/components/sync/use-configs";
import { Alert } from "@/components/ui/alert";
import { formatDateTime } from "@/lib/format";

/**
 * Says that the configuration of a host has not been synced for long. For super admins only. Nothing
 * of a host that is gone: its page says since when.
 */
export function StaleNotice({ host: { configId, goneAt } }: { host: Host }) {
  const config = useConfigs().data?.find(({ id }) => id === configId);
  if (config === undefined || !config.isStale || goneAt !== null) return null;

  const { name, lastSuccessAt } = config;
  const last =
    lastSuccessAt === null
      ? "还没有成功同步过"
      : `最近一次成功的同步在 ${formatDateTime(lastSuccessAt)}`;
  return (
    <Alert tone="warning" title="数据可能已过时">
      {`云账号“${name}”${last}。`}
      <Link href="/configs" className="text-primary-ink underline underline-offset-2">
        查看配置
      </Link>
    </Alert>
  );
}
