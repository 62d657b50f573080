import { isClient } from "@shared/roles.ts";
import { FilterX, SlidersHorizontal, X } from "lucide-react";
import { useState } from "react";
import { trpc } from "@/api/trpc";
import { SearchBox } from "@/components/list-filters";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DialogBody, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { Sheet, SheetClose, SheetContent, SheetTrigger } from "@/components/ui/sheet";
import { useBack } from "@/lib/use-back";
import { useIsMediumScreen } from "@/lib/use-media";
import { useCurrentUser } from "@/session/session";
import { HostFilterFields } from "./host-filter-fields";
import type { HostSearch } from "./host-search";
import { SortControl } from "./sort-control";

type FiltersProps = { search: HostSearch };

/** As many lines as they need on wide screens, a sheet on phones. */
export function HostFilters({ search }: FiltersProps) {
  const isMedium = useIsMediumScreen();
  const { role } = useCurrentUser();
  const { params, setFilters } = search;

  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <SearchBox
        label="搜索主机"
        placeholder={isClient(role) ? "搜索名称或资源 ID" : "搜索名称、资源 ID 或 IP"}
        value={params.search}
        onSearch={(text) => setFilters({ search: text }, { replace: params.search !== "" })}
        className="min-w-0 flex-1 md:max-w-72 md:min-w-56"
      />
      {isMedium ? <HostFilterFields search={search} /> : <FilterSheet search={search} />}
      <ChosenPerson search={search} />
      {isMedium && search.isNarrowed ? (
        <Button variant="ghost" onClick={search.clear}>
          <FilterX />
          清除筛选
        </Button>
      ) : null}
    </div>
  );
}

/** Whose hosts are listed, when the address names a person. */
function ChosenPerson({ search: { params, setFilters } }: FiltersProps) {
  const { role } = useCurrentUser();
  const { userId } = params;
  const isShown = userId !== undefined && !isClient(role);
  const user = trpc.users.get.useQuery({ id: userId ?? "" }, { enabled: isShown });
  if (!isShown) return null;

  return (
    <span className="flex h-8.5 max-w-full items-center gap-1 rounded-md border border-primary bg-primary-soft pl-3 text-sm font-medium text-primary-ink max-md:w-full max-md:justify-between">
      <span className="truncate">
        用户：{user.data?.name ?? (user.isError ? "不存在，或不由您负责" : "…")}
      </span>
      <Button
        variant="ghost"
        size="sm"
        icon
        aria-label="不再按用户筛选"
        onClick={() => setFilters({ userId: undefined })}
      >
        <X />
      </Button>
    </span>
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
          <HostFilterFields search={search} />
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
