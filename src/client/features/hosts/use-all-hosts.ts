import type { Host } from "@shared/hosts.ts";
import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { useEffect, useRef, useState } from "react";
import { toastError } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { useCurrentUser } from "@/session/session";
import { type HostSearch, listInput } from "./host-search";

/** The largest number of hosts that can be selected at once. */
export const MAX_SELECTED = 5000;

/** Reads all hosts that match the filters of the address, page by page and in its order, up to `MAX_SELECTED`. */
export function useAllHosts({ input }: HostSearch, onRead: (hosts: readonly Host[]) => void) {
  const { client } = trpc.useUtils();
  const { role } = useCurrentUser();
  /** Hosts read so far; null while none are being read. */
  const [count, setCount] = useState<number | null>(null);
  const reading = useRef<AbortController>(undefined);
  const { page: _, limit: __, ...filters } = input;
  const key = JSON.stringify(filters);
  const stop = () => reading.current?.abort();

  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters end the reading
  useEffect(() => stop, [key]);

  async function selectAll(): Promise<void> {
    const controller = new AbortController();
    reading.current = controller;
    const { signal } = controller;
    // A host that moves to a later page meanwhile is read twice.
    const hosts = new Map<string, Host>();
    setCount(0);
    try {
      for (let page = 1, pages = 1; page <= pages; page++) {
        const pageInput = { ...listInput(role, input), page, limit: MAX_PAGE_SIZE };
        const list = await client.hosts.list.query(pageInput, { signal });
        for (const host of list.hosts) hosts.set(host.id, host);
        pages = Math.min(list.pagination.totalPages, MAX_SELECTED / MAX_PAGE_SIZE);
        setCount(hosts.size);
      }
      if (!signal.aborted) onRead([...hosts.values()]);
    } catch (error) {
      if (!signal.aborted) toastError("选择失败", error);
    } finally {
      setCount(null);
    }
  }

  return { count, selectAll, stop };
}
