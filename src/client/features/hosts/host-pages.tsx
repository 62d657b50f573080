import type { Pagination as PaginationShape } from "@shared/page.ts";
import { PAGE_SIZE } from "@shared/page.ts";
import { NativeSelect } from "@/components/ui/native-select";
import { Pagination } from "@/components/ui/pagination";
import { formatNumber } from "@/lib/format-number";
import type { HostSearch } from "./host-search";

type HostPagesProps = { search: HostSearch; pagination: PaginationShape };

const LENGTHS = [20, 50, 100];

/** Nothing while everything fits on the shortest page. */
export function PageLength({ search, pagination }: HostPagesProps) {
  if (pagination.total <= PAGE_SIZE) return null;

  const { limit } = search.params;
  const lengths = LENGTHS.includes(limit) ? LENGTHS : [limit, ...LENGTHS];

  return (
    <NativeSelect
      aria-label="每页数量"
      size="sm"
      className="w-26"
      value={String(limit)}
      onValueChange={(value) => search.setLimit(Number(value))}
      options={lengths.map((length) => ({ value: String(length), label: `${length} 台/页` }))}
    />
  );
}

/** `第 21–40 台` */
export function pageRange({ page, limit, total }: PaginationShape): string {
  return `第 ${formatNumber((page - 1) * limit + 1)}–${formatNumber(Math.min(total, page * limit))} 台`;
}

export function HostPages({ search, pagination }: HostPagesProps) {
  return <Pagination label="主机分页" unit="台" {...pagination} onPageChange={search.setPage} />;
}
