import type { Host } from "@shared/hosts.ts";
import type { Role } from "@shared/roles.ts";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight } from "lucide-react";
import { useRef } from "react";
import { cn } from "@/lib/cn";
import { HostTabContent } from "./host-tab";

const ROW_PX = 68;

type HostPhoneListProps = {
  hosts: readonly Host[];
  onOpen: (id: string) => void;
  role: Role;
  now: number;
  isStale: boolean;
};

/** On phones the list is the page: it scrolls with the window, and a host opens in its place. */
export function HostPhoneList({ hosts, onOpen, role, now, isStale }: HostPhoneListProps) {
  const list = useRef<HTMLUListElement>(null);
  const virtualizer = useWindowVirtualizer({
    count: hosts.length,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => hosts[index]?.id ?? index,
    scrollMargin: list.current?.offsetTop ?? 0,
    overscan: 10,
  });
  return (
    <ul
      ref={list}
      aria-label="主机"
      aria-busy={isStale}
      className={cn(
        "relative overflow-hidden rounded-md border bg-card shadow-xs transition-opacity",
        isStale && "opacity-55",
      )}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const host = hosts[index];
        if (host === undefined) return null;
        return (
          <li
            key={key}
            className="absolute inset-x-0 top-0 border-b"
            style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
          >
            <button
              type="button"
              onClick={() => onOpen(host.id)}
              className="flex h-17 w-full items-center gap-2 px-3.5 text-left hover:bg-accent focus-visible:-outline-offset-2"
            >
              <span className="flex min-w-0 flex-1 flex-col gap-0.5">
                <HostTabContent host={host} role={role} now={now} />
              </span>
              <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
