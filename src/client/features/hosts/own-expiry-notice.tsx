import type { Host } from "@shared/hosts.ts";
import { Alert } from "@/components/ui/alert";
import { useResponsibleAdmin } from "@/components/use-responsible-admin";
import { useNow } from "@/lib/use-now";

/** What it means for a client that the own assignment has expired, and what to do. */
export function OwnExpiryNotice({ host }: { host: Host }) {
  const now = useNow();
  const admin = useResponsibleAdmin();
  const isOver = host.goneAt === null && host.expireTime !== null && host.expireTime < now;
  if (!isOver) return null;

  const step =
    host.openRenewal === null
      ? "如需继续使用，请申请续费。"
      : "续费申请完成后，使用期限从完成时起延长。";

  return (
    <Alert tone="danger" title="使用期限已到期">
      {`到期后不再显示 IP 地址，主机可能随时被收回。${step}如有疑问，请联系${admin}。`}
    </Alert>
  );
}
