import { isClient } from "@shared/roles.ts";
import { FilterX, SlidersHorizontal } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { FilterChip, SearchBox } from "@/components/list-filters";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DialogBody, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { Sheet, SheetClose, SheetContent, SheetTrigger } from "@/components/ui/sheet";
import { SkeletonText } from "@/components/ui/skeleton";
import { lazyPage } from "@/lib/lazy";
import { useBack } from "@/lib/use-back";
import { useIsMediumScreen } from "@/lib/use-media";
import { useCurrentUser } from "@/session/session";
import type { HostSearch } from "./host-search";
import { MainFilterFields } from "./main-filter-fields";
import { type SetFilter, useSetFilters } from "./set-filters";
import { SortControl } from "./sort-control";

const MoreFilterFields = lazyPage(() =>
  import("./more-filter-fields").then((m) => m.MoreFilterFields),
);

type FiltersProps = { search: HostSearch };

/**
 * Search, state and region in sight, the other filters behind a button; on phones all of them are in
 * a sheet. What is set behind a button stands beside it.
 */
export function HostFilters({ search }: FiltersProps) {
  const isMedium = useIsMediumScreen();
  const { role } = useCurrentUser();
  const { params, setFilters } = search;
  const inSight = isMedium ? IN_SIGHT[isClient(role) ? "client" : "others"] : [];
  useEffect(MoreFilterFields.prefetch, []);
  const chips = useSetFilters(search).filter(({ name }) => !inSight.includes(name));

  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <SearchBox
        label="搜索主机"
        placeholder={isClient(role) ? "搜索名称或资源 ID" : "搜索名称、资源 ID 或 IP"}
        value={params.search}
        onSearch={(text) => setFilters({ search: text }, { replace: params.search !== "" })}
        className="min-w-0 flex-1 md:max-w-72 md:min-w-52"
      />
      {isMedium ? (
        <>
          <MainFilterFields search={search} isInRow />
          {isClient(role) ? null : <MoreFilters search={search} count={chips.length} />}
        </>
      ) : (
        <FilterSheet search={search} />
      )}
      {/* On a phone in lines of their own, or the search would have no room. */}
      <div className="contents max-md:flex max-md:w-full max-md:flex-wrap max-md:gap-2 max-md:empty:hidden">
        {chips.map(({ text, href, remove }) => (
          <FilterChip key={text} text={text} href={href} onRemove={remove} />
        ))}
      </div>
      {isMedium && search.isNarrowed ? (
        <Button variant="ghost" onClick={search.clear}>
          <FilterX />
          清除筛选
        </Button>
      ) : null}
    </div>
  );
}

/** The filters that show by themselves whether they are set. */
const IN_SIGHT: Record<"client" | "others", readonly SetFilter["name"][]> = {
  client: ["status", "region", "assignedExpired", "assignedExpiring"],
  others: ["status", "region"],
};

function MoreFilters({ search, count }: FiltersProps & { count: number }) {
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button variant="outline">
          <SlidersHorizontal />
          更多筛选
          {count > 0 ? <Badge tone="accent">{count}</Badge> : null}
        </Button>
      </PopoverTrigger>
      <PopoverContent
        aria-label="更多筛选"
        className="max-h-(--radix-popover-content-available-height) w-120 overflow-y-auto p-4"
      >
        <div className="grid grid-cols-2 gap-4">
          <Suspense fallback={<SkeletonText lines={4} />}>
            <MoreFilterFields search={search} />
          </Suspense>
        </div>
      </PopoverContent>
    </Popover>
  );
}

function FilterSheet({ search }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  useBack(isOpen, () => setOpen(false));

  return (
    <Sheet open={isOpen} onOpenChange={setOpen}>
      <SheetTrigger asChild>
        <Button variant="outline">
          <SlidersHorizontal />
          筛选
          {search.filterCount > 0 ? <Badge tone="accent">{search.filterCount}</Badge> : null}
        </Button>
      </SheetTrigger>
      <SheetContent side="bottom">
        <DialogHeader title="筛选主机" />
        <DialogBody className="grid gap-4">
          <MainFilterFields search={search} isInRow={false} />
          <Suspense fallback={<SkeletonText lines={4} />}>
            <MoreFilterFields search={search} />
          </Suspense>
          <SortControl search={search} />
        </DialogBody>
        <DialogFooter>
          <Button variant="outline" disabled={search.filterCount === 0} onClick={search.clear}>
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
