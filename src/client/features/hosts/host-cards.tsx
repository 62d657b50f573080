import { lastAssignmentEnd, providerPeriod } from "@shared/host-ends.ts";
import {
  autoRenewLabel,
  chargeTypeLabel,
  HOST_STATUS_LABELS,
  type Host,
  type HostIp,
} from "@shared/hosts.ts";
import { regionName } from "@shared/regions.ts";
import { isClient, isSuperAdmin } from "@shared/roles.ts";
import { expiryState } from "@shared/time.ts";
import { Cpu, CreditCard, type LucideIcon, MonitorCog, Network } from "lucide-react";
import type { ReactNode } from "react";
import { trpc } from "@/api/trpc";
import { Mono } from "@/components/copyable-text";
import { DescriptionList } from "@/components/description-list";
import { ConfigName } from "@/components/hosts/config-name";
import { END_TONES } from "@/components/hosts/end-tones";
import { isBilledByTime, providerExpiry } from "@/components/hosts/host-facts";
import { IpText, ipKind, sortedIps } from "@/components/hosts/host-ips";
import { ProviderEndNote } from "@/components/hosts/provider-end-date";
import { RelativeTime } from "@/components/relative-time";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { useResponsibleAdmin } from "@/components/use-responsible-admin";
import { cn } from "@/lib/cn";
import { formatDateTime, formatDisk, formatMemory, formatTimeLeft } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";

type HostCardsProps = { host: Host };

type FactCardProps = {
  title: string;
  icon: LucideIcon;
  action?: ReactNode;
  className?: string;
  children: ReactNode;
};

export function FactCard({ title, icon: Icon, action, className, children }: FactCardProps) {
  return (
    <Card className={className}>
      <CardHeader className={cn("items-center", action && "min-h-8")}>
        <CardTitle level={3} className="flex items-center gap-2">
          <Icon className="size-4 text-muted-foreground" />
          <span>{title}</span>
        </CardTitle>
        {action ? <CardAction>{action}</CardAction> : null}
      </CardHeader>
      <CardContent className="pt-2 pb-2.5">{children}</CardContent>
    </Card>
  );
}

export function Note({ children }: { children: string }) {
  return <p className="py-2 text-sm [overflow-wrap:anywhere] text-muted-foreground">{children}</p>;
}

/**
 * What the host is. To a client the dates are those of the own assignment, to the others the
 * provider's.
 */
export function HostCards({ host }: HostCardsProps) {
  const { role } = useCurrentUser();
  const now = useNow();

  return (
    <>
      <FactCard title="基本配置" icon={Cpu}>
        <DescriptionList
          items={[
            { label: "CPU", value: `${host.cpu} 核` },
            { label: "内存", value: formatMemory(host.memory) },
            { label: "磁盘", value: formatDisk(host.disk) },
            {
              label: "地域",
              value: <NamedCode name={regionName(host.region)} code={host.region} />,
            },
            { label: "可用区", value: <NamedCode name={host.zoneName} code={host.zone} /> },
          ]}
        />
      </FactCard>
      <FactCard title="系统信息" icon={MonitorCog}>
        <DescriptionList
          items={[
            { label: "操作系统", value: host.osName },
            { label: "系统类型", value: host.osType },
            { label: "运行状态", value: statusText(host) },
            ...(isSuperAdmin(role)
              ? [{ label: "云账号", value: <ConfigName id={host.configId} /> }]
              : []),
            { label: "最近同步", value: <RelativeTime at={host.syncedAt} /> },
          ]}
        />
      </FactCard>
      <FactCard title="计费信息" icon={CreditCard}>
        <DescriptionList
          items={[
            { label: "计费方式", value: chargeTypeLabel(host.chargeType) },
            {
              label: isClient(role) ? "开始时间" : "创建时间",
              value: formatDateTime(host.createTime),
            },
            ...(isClient(role) ? [] : providerEndItems(host, now)),
          ]}
        />
      </FactCard>
      <FactCard title="网络信息" icon={Network}>
        <NetworkInfo host={host} />
      </FactCard>
    </>
  );
}

/** Nothing is left or renewed of what is billed by time, which has no end, or of what is gone. */
function providerEndItems(host: Host, now: number) {
  const period = providerPeriod(host, now);
  if (period === null) {
    const text = isBilledByTime(host)
      ? "按时计费，无到期时间"
      : formatDateTime(providerExpiry(host));
    return [{ label: "云端到期时间", value: text }];
  }

  const tone = period.renewal === "expected" ? "normal" : expiryState(period.end, now);

  return [
    {
      label: "云端到期时间",
      value: <span className={END_TONES[tone]}>{formatDateTime(period.end)}</span>,
    },
    {
      label: "剩余时间",
      value: (
        <span className="inline-flex items-baseline gap-2">
          <span className={END_TONES[tone]}>{formatTimeLeft(period.end, now)}</span>
          {period.renewal === "none" ? (
            <ProviderEndNote period={period} until={lastAssignmentEnd(host)} />
          ) : null}
        </span>
      ),
    },
    { label: "自动续费", value: autoRenewLabel(host.autoRenew) },
  ];
}

function NamedCode({ name, code }: { name: string; code: string }) {
  if (name === code) return <Mono>{code}</Mono>;
  return (
    <span>
      {name} <Mono className="whitespace-nowrap text-muted-foreground">{code}</Mono>
    </span>
  );
}

/** With the provider's own word where the status is unknown. */
function statusText({ status, providerStatus, goneAt }: Host): string {
  const label = HOST_STATUS_LABELS[status];
  if (goneAt !== null) return `已消失（此前${label}）`;
  return status === "Unknown" && providerStatus ? `${label}（${providerStatus}）` : label;
}

const NO_ADDRESS = "云服务商没有返回该主机的 IP 地址。";

function NetworkInfo({ host }: HostCardsProps) {
  const { role } = useCurrentUser();

  if (host.ipSet.length > 0) return <Addresses ips={sortedIps(host.ipSet)} />;
  if (isClient(role)) return <WhyHidden host={host} />;
  return <Note>{NO_ADDRESS}</Note>;
}

function Addresses({ ips }: { ips: readonly HostIp[] }) {
  return (
    <DescriptionList
      className="max-h-60 overflow-y-auto print:max-h-none"
      items={ips.map((ip, index) => ({ label: ipLabel(ips, index), value: <IpText ip={ip} /> }))}
    />
  );
}

/** Several addresses of one kind are numbered. */
function ipLabel(ips: readonly HostIp[], index: number): string {
  const kinds = ips.map(ipKind);
  const kind = kinds[index] ?? "";
  if (kinds.indexOf(kind) === kinds.lastIndexOf(kind)) return `${kind} IP`;
  return `${kind} IP ${kinds.slice(0, index + 1).filter((other) => other === kind).length}`;
}

/** Why the server withholds the addresses from a client. */
function WhyHidden({ host }: HostCardsProps) {
  const now = useNow();
  const admin = useResponsibleAdmin();
  const settings = trpc.settings.get.useQuery();
  if (settings.data === undefined) {
    return <Note>{settings.isError ? "暂无网络信息。" : "加载中..."}</Note>;
  }
  if (!settings.data.show_network_info_to_client) {
    return <Note>{`系统未向用户开放网络信息，如需 IP 地址请联系${admin}。`}</Note>;
  }

  const isOver = host.expireTime !== null && host.expireTime < now;
  return <Note>{isOver ? "您的使用期限已到期，续期后可查看网络信息。" : NO_ADDRESS}</Note>;
}
