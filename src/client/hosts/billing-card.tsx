import { chargeTypeLabel, type Host } from "@shared/hosts.ts";
import { hasPermission, isClient, type Role } from "@shared/roles.ts";
import { CreditCard } from "lucide-react";
import { DescriptionList } from "@/components/ui/description-list";
import { formatDateTime, formatTimeLeft, NOTHING } from "@/lib/format";
import { RenewButton } from "@/renewals/renew-button";
import { ExpiryBadge } from "./expiry-badge";
import { FactCard } from "./fact-card";
import { billedUntil, isBilledByTime } from "./host-expiry";

type BillingCardProps = { host: Host; role: Role; now: number };

/** A client reads the own period here; the others what the provider says. */
export function BillingCard({ host, role, now }: BillingCardProps) {
  const expiry = billedUntil(role, host);
  const isOwn = isClient(role);
  return (
    <FactCard
      title="计费信息"
      icon={CreditCard}
      {...(hasPermission(role, "renewals:create") ? { action: <RenewButton host={host} /> } : {})}
    >
      <DescriptionList
        items={[
          { label: "计费方式", value: chargeTypeLabel(host.chargeType) },
          { label: isOwn ? "开始时间" : "创建时间", value: formatDateTime(host.createTime) },
          { label: isOwn ? "我的到期时间" : "云端到期时间", value: expiryText(host, expiry) },
          {
            label: "剩余时间",
            value:
              expiry === null ? null : (
                <span className="inline-flex items-center gap-2">
                  {formatTimeLeft(expiry, now)}
                  <ExpiryBadge expiry={expiry} now={now} look="state" />
                </span>
              ),
          },
        ]}
      />
    </FactCard>
  );
}

function expiryText(host: Host, expiry: number | null): string {
  if (expiry !== null) return formatDateTime(expiry);
  return isBilledByTime(host) ? "按时计费，无到期时间" : NOTHING;
}
