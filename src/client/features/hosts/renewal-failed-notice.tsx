import { providerPeriod } from "@shared/host-ends.ts";
import type { Host } from "@shared/hosts.ts";
import { isClient, isSuperAdmin } from "@shared/roles.ts";
import { RENEWAL_FAILED } from "@/components/hosts/period-note";
import { Alert } from "@/components/ui/alert";
import { formatDate } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";

/** The provider was to renew the host by itself, and did not: it may be lost within days. */
export function RenewalFailedNotice({ host }: { host: Host }) {
  const { role } = useCurrentUser();
  const period = providerPeriod(host, useNow());
  if (isClient(role) || host.goneAt !== null || period?.renewal !== "failed") return null;

  const step = isSuperAdmin(role)
    ? "请立即检查云账号余额，并到云服务商处续费"
    : "请立即通知超级管理员到云服务商处续费";

  return (
    <Alert tone="danger" title={RENEWAL_FAILED}>
      {`云端已于 ${formatDate(period.end)} 过期。${step}，否则主机可能被云服务商收回。`}
    </Alert>
  );
}
