import { ChevronLeft, ChevronRight } from "lucide-react";
import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/lib/format-number";

type PaginationProps = {
  page: number;
  totalPages: number;
  total: number;
  onPageChange: (page: number) => void;
  /** Names the list, for screen readers: "主机分页". */
  label: string;
  /** The measure word of what is listed: "台". */
  unit: string;
};

const WINDOW = 5;

/**
 * At most five page buttons round the present page; the next one is read from its start. Draws
 * nothing when there is one page.
 */
export function Pagination({
  page,
  totalPages,
  total,
  onPageChange,
  label,
  unit,
}: PaginationProps) {
  const nav = useRef<HTMLElement>(null);
  if (totalPages <= 1) return null;

  function turnTo(next: number): void {
    const list = nav.current?.parentElement;
    if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView();
    onPageChange(next);
  }

  return (
    <nav
      data-slot="pagination"
      ref={nav}
      aria-label={label}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 print:hidden"
    >
      <p className="text-sm text-muted-foreground tabular-nums">
        {`共 ${formatNumber(total)} ${unit} · 第 ${formatNumber(page)} / ${formatNumber(totalPages)} 页`}
      </p>
      <ul className="flex items-center gap-1">
        <li>
          <Button
            variant="ghost"
            icon
            aria-label="上一页"
            disabled={page <= 1}
            // The address may name a page behind the last.
            onClick={() => turnTo(Math.min(page - 1, totalPages))}
          >
            <ChevronLeft />
          </Button>
        </li>
        {pageWindow(page, totalPages).map((number) => (
          <li key={number}>
            <Button
              variant={number === page ? "outline" : "ghost"}
              className="min-w-8.5 px-2 tabular-nums aria-[current=page]:border-primary aria-[current=page]:text-primary-ink"
              aria-label={`第 ${number} 页`}
              aria-current={number === page ? "page" : undefined}
              onClick={() => number !== page && turnTo(number)}
            >
              {number}
            </Button>
          </li>
        ))}
        <li>
          <Button
            variant="ghost"
            icon
            aria-label="下一页"
            disabled={page >= totalPages}
            onClick={() => turnTo(page + 1)}
          >
            <ChevronRight />
          </Button>
        </li>
      </ul>
    </nav>
  );
}

/** Five consecutive pages with the present one in the middle, where the ends allow it. */
function pageWindow(page: number, totalPages: number): number[] {
  const length = Math.min(WINDOW, totalPages);
  const first = Math.min(Math.max(1, page - Math.floor(WINDOW / 2)), totalPages - length + 1);
  return Array.from({ length }, (_, offset) => first + offset);
}
