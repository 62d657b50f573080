import type { HostList } from "@shared/hosts.ts";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { cn } from "@/lib/cn";
import { HostLines } from "./host-lines";
import { HostPages } from "./host-pages";
import type { HostSearch } from "./host-search";

type HostPhoneListProps = {
  list: HostList;
  search: HostSearch;
  isStale: boolean;
  /** Shown instead of the list where it has no hosts; null where it has. */
  empty: ReactNode;
};

/** For small screens: the lines of the tabs, each of which opens the details over the list. */
export function HostPhoneList({
  list: { hosts, pagination },
  search,
  isStale,
  empty,
}: HostPhoneListProps) {
  if (empty !== null) return empty;

  return (
    <div className="grid grid-cols-1 gap-4">
      <ul
        aria-label="主机"
        aria-busy={isStale}
        className={cn(
          "divide-y rounded-md border bg-card shadow-xs transition-opacity",
          isStale && "opacity-55",
        )}
      >
        {hosts.map((host) => (
          <li
            key={host.id}
            // As high as its lines. One out of sight is not laid out: it keeps its last height.
            className="flex min-h-22 [contain-intrinsic-height:auto_5.5rem] [content-visibility:auto] print:[content-visibility:visible]"
          >
            <Link
              href={search.hrefTo({ host: host.id })}
              className="flex w-full items-center gap-2 px-3.5 py-2 text-left hover:bg-accent focus-visible:-outline-offset-2"
            >
              <span className="flex min-w-0 flex-1 flex-col gap-0.5">
                <HostLines host={host} userId={search.params.userId} />
              </span>
              <ChevronRight className="size-4 shrink-0 text-muted-foreground" />
            </Link>
          </li>
        ))}
      </ul>
      <HostPages search={search} pagination={pagination} />
    </div>
  );
}
