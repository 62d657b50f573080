import type { Host, HostIp } from "@shared/hosts.ts";
import { isClient, type Role } from "@shared/roles.ts";
import { Network } from "lucide-react";
import { useId, useState } from "react";
import { trpc } from "@/api/trpc";
import { Button } from "@/components/ui/button";
import { DescriptionList } from "@/components/ui/description-list";
import { FactCard } from "./fact-card";
import { IpText, ipKind, sortedIps } from "./ip-list";

type NetworkCardProps = { host: Host; role: Role; now: number };

export function NetworkCard({ host, role, now }: NetworkCardProps) {
  return (
    <FactCard title="网络信息" icon={Network}>
      {host.ipSet.length > 0 ? (
        <Addresses ips={sortedIps(host.ipSet)} />
      ) : isClient(role) ? (
        <WhyHidden host={host} now={now} />
      ) : (
        <Sentence>云服务商没有返回该主机的 IP 地址。</Sentence>
      )}
    </FactCard>
  );
}

/** Many of them would leave the card beside this one half empty: the rest comes when it is asked for. */
function Addresses({ ips }: { ips: readonly HostIp[] }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const id = useId();
  const kinds = ips.map(ipKind);
  const isFolded = ips.length > FOLDED_LENGTH + 1 && !isUnfolded;
  return (
    <>
      <DescriptionList
        id={id}
        items={ips.slice(0, isFolded ? FOLDED_LENGTH : undefined).map((ip, index) => ({
          label: labelOf(ipKind(ip), index, kinds),
          value: <IpText ip={ip} />,
        }))}
      />
      {ips.length > FOLDED_LENGTH + 1 ? (
        <Button
          variant="ghost"
          size="sm"
          className="mt-1 w-full text-muted-foreground"
          aria-expanded={isUnfolded}
          aria-controls={id}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {isUnfolded ? "收起" : `显示全部 ${ips.length} 个 IP`}
        </Button>
      ) : null}
    </>
  );
}

/** As many as make the card no higher than its neighbours; a single one more is shown rather than folded. */
const FOLDED_LENGTH = 4;

/** The server withholds the addresses; this says why, so that nobody takes it for a fault. */
function WhyHidden({ host, now }: { host: Host; now: number }) {
  const settings = trpc.settings.get.useQuery();
  if (settings.data === undefined) return <Sentence>{settings.isError ? "暂无网络信息。" : "加载中..."}</Sentence>;
  if (!settings.data.show_network_info_to_client) {
    return <Sentence>系统未向用户开放网络信息，如需 IP 地址请联系管理员。</Sentence>;
  }
  if (host.expireTime !== null && host.expireTime < now) {
    return <Sentence>您的使用期限已到期，续期后可查看网络信息。</Sentence>;
  }
  return <Sentence>云服务商没有返回该主机的 IP 地址。</Sentence>;
}

function Sentence({ children }: { children: string }) {
  return <p className="py-2 text-sm text-muted-foreground">{children}</p>;
}

/** Two addresses of one kind are told apart by a number. */
function labelOf(kind: string, index: number, kinds: readonly string[]): string {
  if (kinds.filter((other) => other === kind).length < 2) return `${kind} IP`;
  return `${kind} IP ${kinds.slice(0, index + 1).filter((other) => other === kind).length}`;
}
