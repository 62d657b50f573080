import { HOST_SORT_LABELS, HostSort } from "@shared/hosts.ts";
import { SortOrder } from "@shared/page.ts";
import { isClient, type Role } from "@shared/roles.ts";
import { Select } from "@/components/ui/select";
import { type ControlProps, Placed } from "./filter-controls";

const choices = HostSort.options.flatMap((sort) =>
  SortOrder.options.map((order) => ({ value: `${sort} ${order}`, sort, order })),
);

/** The order of the list, for where there are no columns whose heads could be pressed. */
export function SortControl({ state: { params, setFilters }, layout, role }: ControlProps & { role: Role }) {
  const chosen = choices.find(({ sort, order }) => sort === params.sort && order === params.order);
  return (
    <Placed layout={layout} label="排序" className="w-34">
      <Select
        aria-label="排序"
        value={chosen?.value ?? ""}
        onValueChange={(value) => {
          const choice = choices.find((one) => one.value === value);
          setFilters({ sort: choice?.sort, order: choice?.order ?? "asc" });
        }}
        options={[
          { value: "", label: "默认排序" },
          ...choices
            // A client's own end is `expireTime` already.
            .filter(({ sort }) => sort !== "assignedExpireTime" || !isClient(role))
            .map(({ value, sort, order }) => ({ value, label: sortText(role, sort, order) })),
        ]}
      />
    </Placed>
  );
}

/** `云端到期升序` */
export function sortText(role: Role, sort: HostSort, order: SortOrder): string {
  return `${labelFor(role, sort)}${order === "asc" ? "升序" : "降序"}`;
}

/** Dates are a client's own, and the provider's for the others. */
function labelFor(role: Role, sort: HostSort): string {
  if (sort === "createTime" && isClient(role)) return "开始时间";
  if (sort === "expireTime" && !isClient(role)) return "云端到期";
  return HOST_SORT_LABELS[sort];
}
