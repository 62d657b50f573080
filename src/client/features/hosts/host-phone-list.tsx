import { isClient } from "@shared/roles.ts";
import { ArrowLeft, ChevronRight } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { useCurrentUser } from "@/session/session";
import { HostLines } from "./host-lines";
import { HostPages } from "./host-pages";
import { HostPanel } from "./host-panel";
import type { HostTabsProps } from "./host-tabs";

/** For small screens: a list, then the details of one host. */
export function HostPhoneList({ list: { hosts, pagination }, search, isStale, empty }: HostTabsProps) {
  const { role } = useCurrentUser();
  const { host: openId } = search.params;
  const isOpenedHere = useRef(false);
  useEffect(() => {
    if (openId !== undefined) window.scrollTo(0, 0);
  }, [openId]);

  function open(id: string): void {
    isOpenedHere.current = true;
    search.setParams({ host: id });
  }

  /** Back to where the list was, or from an address that named the host. */
  function close(): void {
    if (isOpenedHere.current) history.back();
    else search.setParams({ host: undefined }, { replace: true });
    isOpenedHere.current = false;
  }

  if (openId !== undefined) {
    return (
      <div className="grid gap-3">
        <Button variant="ghost" className="-ml-2 w-fit" onClick={close}>
          <ArrowLeft aria-hidden="true" />
          返回列表
        </Button>
        <HostPanel id={openId} hosts={hosts} />
      </div>
    );
  }
  if (empty !== null) return empty;
  return (
    <div className="grid grid-cols-1 gap-4">
      <ul
        aria-label="主机"
        aria-busy={isStale}
        className={cn("divide-y rounded-md border bg-card shadow-xs transition-opacity", isStale && "opacity-55")}
      >
        {hosts.map((host) => (
          <li key={host.id} className={cn("[content-visibility:auto]", isClient(role) ? "h-22" : "h-17")}>
            <button
              type="button"
              onClick={() => open(host.id)}
              className="flex size-full items-center gap-2 px-3.5 text-left hover:bg-accent focus-visible:-outline-offset-2"
            >
              <span className="flex min-w-0 flex-1 flex-col gap-0.5">
                <HostLines host={host} />
              </span>
              <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
            </button>
          </li>
        ))}
      </ul>
      <HostPages search={search} pagination={pagination} />
    </div>
  );
}
