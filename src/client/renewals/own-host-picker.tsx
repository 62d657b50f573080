import type { Host } from "@shared/hosts.ts";
import { type Ref, useState } from "react";
import { Combobox } from "@/components/ui/combobox";
import { failureText } from "@/failure";
import { hostTitle } from "@/hosts/host-tab";
import { formatExpiry } from "@/lib/format";
import { useDebounced } from "@/lib/use-debounced";
import { useOwnHosts } from "./use-own-hosts";

type OwnHostPickerProps = {
  /** "" for none. */
  value: string;
  onValueChange: (hostId: string) => void;
  /** The name of a value that is not on the list at hand. */
  selectedName: string | undefined;
  /** Hosts that have a request waiting already. */
  waiting: ReadonlyMap<string, unknown>;
  disabled: boolean;
  ref: Ref<HTMLButtonElement>;
};

/** The caller's own hosts, searched by the server. */
export function OwnHostPicker({ value, onValueChange, selectedName, waiting, disabled, ref }: OwnHostPickerProps) {
  const [search, setSearch] = useState("");
  const wanted = useDebounced(search.trim());
  const hosts = useOwnHosts(wanted, { enabled: !disabled });
  return (
    <Combobox
      ref={ref}
      disabled={disabled}
      value={value === "" ? null : value}
      onValueChange={(hostId) => onValueChange(hostId ?? "")}
      options={(hosts.data?.hosts ?? []).map((host) => optionOf(host, waiting.has(host.id)))}
      selectedLabel={selectedName ?? "加载中..."}
      onSearchChange={setSearch}
      isLoading={hosts.isFetching}
      errorText={hosts.isError ? `加载失败：${failureText(hosts.error)}` : undefined}
      onRetry={() => hosts.refetch()}
      emptyText={wanted === "" ? "还没有主机分配给您" : "没有匹配的主机"}
      placeholder="选择要续费的主机"
      searchPlaceholder="搜索主机名称或资源 ID"
    />
  );
}

function optionOf(host: Host, isWaiting: boolean) {
  return {
    value: host.id,
    label: hostTitle(host),
    description: `${host.ucloudId} · ${isWaiting ? "已有待处理的续费申请" : formatExpiry(host.expireTime)}`,
    disabled: isWaiting,
  };
}
