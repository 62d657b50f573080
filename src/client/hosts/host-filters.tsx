import { isSuperAdmin, type Role } from "@shared/roles.ts";
import { FilterX, SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { SearchBox } from "@/components/search-box";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DialogBody, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { Sheet, SheetClose, SheetContent, SheetTrigger } from "@/components/ui/sheet";
import { Tooltip } from "@/components/ui/tooltip";
import { cn } from "@/lib/cn";
import { useBack } from "@/lib/use-back";
import { useIsMediumScreen } from "@/lib/use-media";
import { FilterControls } from "./filter-controls";
import { SortControl } from "./sort-control";
import { countFilters, type HostsSearchState, isNarrowed, NO_FILTERS } from "./use-hosts-search";

type HostFiltersProps = { state: HostsSearchState; role: Role };

/** Where the operator's six do not fit beside the search, it has the first line and they share the second: none is left over for a third. */
const SEARCH_ABOVE = "@min-[44rem]:@max-[62.5rem]:max-w-none @min-[44rem]:@max-[62.5rem]:basis-full";
const FILTERS_BELOW =
  "@min-[44rem]:@max-[62.5rem]:*:[div]:min-w-0 @min-[44rem]:@max-[62.5rem]:*:[div]:flex-1 @min-[44rem]:@max-[62.5rem]:*:[div]:basis-0";

/** From medium screens up one line of them, two where it is narrow; the order of the list has its place above, and in the phone's sheet. */
export function HostFilters({ state, role }: HostFiltersProps) {
  const isMedium = useIsMediumScreen();
  const isOperator = isSuperAdmin(role);
  const search = (
    <SearchBox
      label="搜索主机"
      placeholder="搜索主机名称或资源 ID"
      value={state.params.search}
      onSearch={(text) => state.setFilters({ search: text }, { replace: state.params.search !== "" })}
      className={cn("min-w-0 flex-1 md:max-w-64 md:min-w-48", isOperator && SEARCH_ABOVE)}
    />
  );
  if (!isMedium) {
    return (
      <div className="flex items-center gap-2">
        {search}
        <FilterSheet state={state} role={role} />
      </div>
    );
  }
  return (
    <div className="@container">
      <div className={cn("flex flex-wrap items-center gap-2", isOperator && FILTERS_BELOW)}>
        {search}
        <FilterControls state={state} isOperator={isOperator} layout="row" />
        {isNarrowed(state.params) ? (
          <Tooltip content="清除筛选">
            <Button variant="ghost" icon aria-label="清除筛选" onClick={() => state.setFilters(NO_FILTERS)}>
              <FilterX aria-hidden="true" />
            </Button>
          </Tooltip>
        ) : null}
      </div>
    </div>
  );
}

function FilterSheet({ state, role }: HostFiltersProps) {
  const count = countFilters(state.params);
  const [isOpen, setOpen] = useState(false);
  useBack(isOpen, () => setOpen(false));
  return (
    <Sheet open={isOpen} onOpenChange={setOpen}>
      <SheetTrigger asChild>
        <Button variant="outline">
          <SlidersHorizontal aria-hidden="true" />
          筛选
          {count > 0 ? <Badge tone="accent">{count}</Badge> : null}
        </Button>
      </SheetTrigger>
      <SheetContent side="bottom">
        <DialogHeader title="筛选主机" />
        <DialogBody className="grid gap-4">
          <FilterControls state={state} isOperator={isSuperAdmin(role)} layout="stack" />
          <SortControl state={state} role={role} layout="stack" />
        </DialogBody>
        <DialogFooter>
          <Button variant="outline" disabled={count === 0} onClick={() => state.setFilters(NO_FILTERS)}>
            清除筛选
          </Button>
          <SheetClose asChild>
            <Button>查看结果</Button>
          </SheetClose>
        </DialogFooter>
      </SheetContent>
    </Sheet>
  );
}
