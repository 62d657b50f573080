import type { Config } from "@shared/configs.ts";
import type { Host } from "@shared/hosts.ts";
import { isSuperAdmin } from "@shared/roles.ts";
import { Link } from "wouter";
import { STALE } from "@/components/hosts/stale-mark";
import { useConfigs } from "@/components/sync/use-configs";
import { Alert } from "@/components/ui/alert";
import { formatDateTime } from "@/lib/format";
import { useCurrentUser } from "@/session/session";

/** Says how old the data of a host are when they may be out of date. */
export function StaleNotice({ host }: { host: Host }) {
  const { role } = useCurrentUser();
  if (!host.isStale) return null;

  return (
    <Alert tone="warning" title={STALE}>
      {`以下信息读取于 ${formatDateTime(host.syncedAt)}，此后在云服务商处的变化可能还没有显示。`}
      {isSuperAdmin(role) ? <WhyStale host={host} /> : null}
    </Alert>
  );
}

/** The configuration was not synced for long, or its last syncs did not see this host. */
function WhyStale({ host: { configId } }: { host: Host }) {
  const config = useConfigs().data?.find(({ id }) => id === configId);
  if (config === undefined) return null;

  return (
    <>
      <span>{`云账号“${config.name}”${whyStale(config)}。`}</span>
      <Link href="/configs" className="text-primary-ink underline underline-offset-2">
        查看配置
      </Link>
    </>
  );
}

function whyStale({ isActive, isStale, lastSuccessAt }: Config): string {
  if (!isActive) return "已停用";
  if (lastSuccessAt === null) return "还没有成功同步过";
  if (!isStale)
    return "最近的同步没有完整读取这台主机所在的地域，或没有再列出这台主机（请看“待确认消失”）";
  return `最近一次成功的同步在 ${formatDateTime(lastSuccessAt)}`;
}
