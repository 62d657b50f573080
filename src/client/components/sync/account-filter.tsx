import type { ComponentProps } from "react";
import { trpc } from "@/api/trpc";
import { FilterSelect } from "@/components/list-filters";

type AccountFilterProps = Pick<
  ComponentProps<typeof FilterSelect<string>>,
  "value" | "onValueChange" | "className"
>;

/** Of one provider configuration, or of all. For super admins only. */
export function AccountFilter(props: AccountFilterProps) {
  const configs = trpc.configs.list.useQuery();
  return (
    <FilterSelect
      {...props}
      label="云账号"
      all="全部云账号"
      options={(configs.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
