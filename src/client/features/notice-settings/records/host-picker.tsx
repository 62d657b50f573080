import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "@/api/trpc";
import { Combobox } from "@/components/combobox";
import { hostTitle } from "@/components/hosts/host-facts";
import { halfWidthSearch } from "@/lib/half-width";
import { useDebounced } from "@/lib/use-debounced";

type HostPickerProps = {
  value: string | null;
  /** The name of a value that is not among the options. */
  selectedName: string;
  onValueChange: (hostId: string | null) => void;
};

/** One of all hosts, searched by the server. */
export function HostPicker({ value, selectedName, onValueChange }: HostPickerProps) {
  const [search, setSearch] = useState("");
  const searched = useDebounced(search.trim());
  const hosts = trpc.hosts.list.useQuery(
    { limit: MAX_PAGE_SIZE, search: halfWidthSearch(searched) },
    { placeholderData: keepPreviousData },
  );

  return (
    <Combobox
      aria-label="主机"
      placeholder="全部主机"
      clearable
      value={value}
      selectedLabel={selectedName}
      onValueChange={onValueChange}
      options={(hosts.data?.hosts ?? []).map((host) => ({
        value: host.id,
        label: hostTitle(host),
        description: host.ucloudId,
      }))}
      onSearchChange={setSearch}
      query={hosts}
      isOutdated={search.trim() !== searched || hosts.isPlaceholderData}
      emptyText="没有匹配的主机"
      searchPlaceholder="搜索主机名称、资源 ID 或 IP"
    />
  );
}
