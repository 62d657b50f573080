import type { Pagination } from "@shared/page.ts";
import { CalendarClock } from "lucide-react";
import type { ReactNode } from "react";
import { ListEmpty } from "@/components/list-empty";
import { isNarrowed, NO_FILTERS, type RenewalsSearchState } from "./use-renewals-search";

type RenewalListEmptyProps = {
  state: RenewalsSearchState;
  /** Undefined until the first answer. */
  pagination: Pagination | undefined;
  description: string;
  action?: ReactNode;
};

export function RenewalListEmpty({ state, pagination, description, action }: RenewalListEmptyProps) {
  if (pagination === undefined) return null;
  return (
    <ListEmpty
      pagination={pagination}
      isNarrowed={isNarrowed(state.params)}
      onPage={(page) => state.setParams({ page })}
      onClear={() => state.setFilters(NO_FILTERS)}
      noun="续费申请"
      icon={CalendarClock}
      title="暂无续费申请"
      description={description}
      action={action}
    />
  );
}
