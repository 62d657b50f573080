import type { Host } from "@shared/hosts.ts";
import type { Role } from "@shared/roles.ts";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useRef } from "react";
import { cn } from "@/lib/cn";
import { HostTabContent } from "./host-tab";

export const HOST_PANEL_ID = "host-panel";
const ROW_PX = 60;

type HostTabListProps = {
  hosts: readonly Host[];
  /** Null when the open host is not among these. */
  selectedId: string | null;
  onSelect: (id: string) => void;
  role: Role;
  now: number;
  isStale: boolean;
};

export function hostTabId(id: string): string {
  return `host-tab-${id}`;
}

/** A vertical tab list that draws only what is in sight, plus the selected tab, which keeps the focus. */
export function HostTabList({ hosts, selectedId, onSelect, role, now, isStale }: HostTabListProps) {
  const box = useRef<HTMLDivElement>(null);
  const selectedIndex = hosts.findIndex(({ id }) => id === selectedId);
  const stop = Math.max(0, selectedIndex);
  const virtualizer = useVirtualizer({
    count: hosts.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => hosts[index]?.id ?? index,
    overscan: 8,
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), stop),
  });

  function move(event: KeyboardEvent): void {
    const target = targetIndex(event.key, stop, hosts.length);
    const host = target === null ? undefined : hosts[target];
    if (target === null || host === undefined) return;
    event.preventDefault();
    onSelect(host.id);
    virtualizer.scrollToIndex(target);
    requestAnimationFrame(() => document.getElementById(hostTabId(host.id))?.focus({ preventScroll: true }));
  }

  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <div
        role="tablist"
        aria-orientation="vertical"
        aria-label="主机"
        aria-busy={isStale}
        onKeyDown={move}
        className={cn("relative transition-opacity", isStale && "opacity-55")}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const host = hosts[index];
          if (host === undefined) return null;
          const isSelected = index === selectedIndex;
          return (
            <button
              key={key}
              type="button"
              role="tab"
              id={hostTabId(host.id)}
              aria-selected={isSelected}
              aria-controls={isSelected ? HOST_PANEL_ID : undefined}
              aria-posinset={index + 1}
              aria-setsize={hosts.length}
              tabIndex={index === stop ? 0 : -1}
              onClick={() => onSelect(host.id)}
              className={cn(
                "absolute inset-x-0 top-0 flex h-15 flex-col items-start justify-center gap-0.5 border-b px-3.5 text-left transition-colors",
                "before:absolute before:inset-y-0 before:left-0 before:w-0.5 hover:bg-accent focus-visible:-outline-offset-2",
                isSelected && "bg-primary-soft before:bg-primary hover:bg-primary-soft dark:before:bg-primary-ink",
              )}
              style={{ transform: `translateY(${start}px)` }}
            >
              <HostTabContent host={host} role={role} now={now} />
            </button>
          );
        })}
      </div>
    </div>
  );
}

function withIndex(indexes: number[], index: number): number[] {
  return indexes.includes(index) ? indexes : [...indexes, index].sort((a, b) => a - b);
}

function targetIndex(key: string, from: number, count: number): number | null {
  switch (key) {
    case "ArrowDown":
      return Math.min(count - 1, from + 1);
    case "ArrowUp":
      return Math.max(0, from - 1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
