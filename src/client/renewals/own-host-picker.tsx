import type { Host } from "@shared/hosts.ts";
import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { type Ref, useState } from "react";
import { errorMessage } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { Combobox } from "@/components/combobox";
import { hostTitle } from "@/hosts/host-facts";
import { formatExpiry } from "@/lib/format";
import { useDebounced } from "@/lib/use-debounced";

type OwnHostPickerProps = {
  /** "" for none. */
  value: string;
  onValueChange: (hostId: string) => void;
  /** The name of a value that is not among the options. */
  selectedName: string | undefined;
  disabled: boolean;
  ref: Ref<HTMLButtonElement>;
};

/** The caller's own hosts, searched by the server. */
export function OwnHostPicker({ value, onValueChange, selectedName, disabled, ref }: OwnHostPickerProps) {
  const [search, setSearch] = useState("");
  const searched = useDebounced(search.trim());
  const hosts = useOwnHosts(searched, { enabled: !disabled });
  const pending = usePendingRequests();
  return (
    <Combobox
      ref={ref}
      disabled={disabled}
      value={value === "" ? null : value}
      onValueChange={(hostId) => onValueChange(hostId ?? "")}
      options={(hosts.data?.hosts ?? []).map((host) => optionOf(host, pending.has(host.id)))}
      selectedLabel={selectedName ?? "加载中..."}
      onSearchChange={setSearch}
      isLoading={hosts.isFetching}
      errorText={hosts.isError ? `加载失败：${errorMessage(hosts.error)}` : undefined}
      onRetry={() => hosts.refetch()}
      emptyText={searched === "" ? "还没有主机分配给您" : "没有匹配的主机"}
      placeholder="选择要续费的主机"
      searchPlaceholder="搜索主机名称或资源 ID"
    />
  );
}

function optionOf(host: Host, isPending: boolean) {
  return {
    value: host.id,
    label: hostTitle(host),
    description: `${host.ucloudId} · ${isPending ? "已有待处理的续费申请" : formatExpiry(host.expireTime)}`,
    disabled: isPending,
  };
}

/** One page of the caller's own hosts; all of them without a search. */
export function useOwnHosts(search: string, { enabled }: { enabled: boolean }) {
  return trpc.hosts.list.useQuery({ limit: MAX_PAGE_SIZE, search }, { placeholderData: keepPreviousData, enabled });
}

/** The own pending requests: the id of each by its host's id. A host has at most one. */
export function usePendingRequests(): ReadonlyMap<string, string> {
  const pending = trpc.renewals.list.useQuery({ status: "pending", limit: MAX_PAGE_SIZE });
  return new Map(pending.data?.requests.map(({ id, host }) => [host.id, id]));
}
