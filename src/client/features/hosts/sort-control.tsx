import { HOST_SORT_LABELS, HostSort } from "@shared/hosts.ts";
import { SortOrder } from "@shared/page.ts";
import { isClient, type Role } from "@shared/roles.ts";
import { useCurrentUser } from "@/session/session";
import { HostFilter } from "./host-filter";
import type { HostSearch } from "./host-search";

type SortControlProps = { search: HostSearch; inRow?: string };

/** For views without column heads. */
export function SortControl({ search: { params, setFilters }, inRow }: SortControlProps) {
  const { role } = useCurrentUser();
  const choices = HostSort.options
    // A client's own expiry is `expireTime`.
    .filter((sort) => sort !== "assignedExpireTime" || !isClient(role))
    .flatMap((sort) =>
      SortOrder.options.map((order) => ({ value: `${sort} ${order}`, sort, order })),
    );
  const chosen = choices.find(({ sort, order }) => sort === params.sort && order === params.order);

  return (
    <HostFilter
      label="排序"
      all="默认排序"
      inRow={inRow}
      value={chosen?.value}
      onValueChange={(value) => {
        const choice = choices.find((one) => one.value === value);
        setFilters({ sort: choice?.sort, order: choice?.order ?? "asc" });
      }}
      options={choices.map(({ value, sort, order }) => ({
        value,
        label: sortText(role, sort, order),
      }))}
    />
  );
}

/** `云端到期升序`: dates are a client's own, and the provider's for the others. */
function sortText(role: Role, sort: HostSort, order: SortOrder): string {
  const own = isClient(role)
    ? { ...HOST_SORT_LABELS, createTime: "开始时间" }
    : { ...HOST_SORT_LABELS, expireTime: "云端到期" };
  return `${own[sort]}${order === "asc" ? "升序" : "降序"}`;
}
