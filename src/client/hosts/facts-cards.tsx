import { HOST_STATUS_LABELS, type Host } from "@shared/hosts.ts";
import { regionName } from "@shared/regions.ts";
import { isSuperAdmin } from "@shared/roles.ts";
import { Cpu, MonitorCog } from "lucide-react";
import { trpc } from "@/api/trpc";
import { Mono } from "@/components/ui/copyable-text";
import { DescriptionList } from "@/components/ui/description-list";
import { formatAgo, formatDateTime, formatDisk, formatMemory } from "@/lib/format";
import { useCurrentUser } from "@/session/session";
import { FactCard } from "./fact-card";

export function BasicCard({ host }: { host: Host }) {
  return (
    <FactCard title="基本配置" icon={Cpu}>
      <DescriptionList
        items={[
          { label: "CPU", value: `${host.cpu} 核` },
          { label: "内存", value: formatMemory(host.memory) },
          { label: "磁盘", value: formatDisk(host.disk) },
          { label: "地域", value: <NamedCode name={regionName(host.region)} code={host.region} /> },
          { label: "可用区", value: <NamedCode name={host.zoneName} code={host.zone} /> },
        ]}
      />
    </FactCard>
  );
}

export function SystemCard({ host }: { host: Host }) {
  const { role } = useCurrentUser();
  const isOperator = isSuperAdmin(role);
  return (
    <FactCard title="系统信息" icon={MonitorCog}>
      <DescriptionList
        items={[
          { label: "操作系统", value: host.osName },
          { label: "系统类型", value: host.osType },
          { label: "运行状态", value: statusText(host) },
          ...(isOperator && host.configId !== null
            ? [{ label: "所属配置", value: <ConfigName id={host.configId} /> }]
            : []),
          {
            label: "最近同步",
            value: <time title={formatDateTime(host.syncedAt)}>{formatAgo(host.syncedAt)}</time>,
          },
        ]}
      />
    </FactCard>
  );
}

/** With the provider's own word where ours says less. */
function statusText(host: Host): string {
  const label = HOST_STATUS_LABELS[host.status];
  const word = host.providerStatus;
  if (host.goneAt !== null) return `已消失（此前${label}）`;
  return host.status === "Unknown" && word !== null && word !== "" ? `${label}（${word}）` : label;
}

function NamedCode({ name, code }: { name: string; code: string }) {
  return name === code ? (
    <Mono>{code}</Mono>
  ) : (
    <>
      {name} <Mono className="whitespace-nowrap text-muted-foreground">{code}</Mono>
    </>
  );
}

function ConfigName({ id }: { id: string }) {
  const configs = trpc.configs.list.useQuery();
  return configs.data?.find((config) => config.id === id)?.name ?? "…";
}
