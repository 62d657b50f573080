import type { Host } from "@shared/hosts.ts";
import { isClient, isSuperAdmin } from "@shared/roles.ts";
import { Link } from "wouter";
import { openRenewalText, renewedText } from "@/components/hosts/open-renewal";
import { renewalPath } from "@/components/renewals/renewal-path";
import { Alert } from "@/components/ui/alert";
import { formatAgo } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";

/** The host's open request for more time, with the way to it. */
export function OpenRenewalNotice({ host }: { host: Host }) {
  const { role } = useCurrentUser();
  const now = useNow();
  const { openRenewal } = host;
  if (openRenewal === null) return null;

  const state = openRenewalText(openRenewal);
  const renewed = isClient(role) ? renewedText(host, now) : null;
  const facts = [
    `续费 ${openRenewal.requestedDuration} 天`,
    `${formatAgo(openRenewal.createdAt, now)}提交`,
    renewed,
  ].filter((fact) => fact !== null);

  return (
    <Alert tone="info">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span>{`续费申请${state}：${facts.join("，")}`}</span>
        <Link
          href={renewalPath(role, openRenewal.id)}
          className="rounded-sm font-medium text-primary-ink underline-offset-2 hover:underline"
        >
          {isSuperAdmin(role) ? "查看并处理" : "查看申请"}
        </Link>
      </span>
    </Alert>
  );
}
