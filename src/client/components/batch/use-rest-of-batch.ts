import { Id } from "@shared/ids.ts";
import { useEffect, useEffectEvent } from "react";
import { navigate, useHistoryState } from "wouter/use-browser-location";
import { z } from "zod";
import { toastError } from "@/api/errors";
import type { Selection } from "@/lib/use-row-selection";

/** Of the browser's history: goes with an entry, and outlives a reload. */
const RestState = z.object({ restOfBatch: z.array(Id) });

/** Opens the page where the hosts can be chosen, with these chosen. */
export function openRestOfBatch(path: string, hostIds: readonly string[]): void {
  const state: z.infer<typeof RestState> = { restOfBatch: [...hostIds] };
  navigate(path, { state, replace: path === currentPath() });
}

/** On such a page: chooses them once. Nothing is done to them before a person says what. */
export function useRestOfBatch<Row extends { id: string }>(
  selection: Pick<Selection<Row>, "replace">,
  read: (hostIds: readonly string[]) => Promise<readonly Row[]>,
): void {
  const { data } = RestState.safeParse(useHistoryState<unknown>());
  const key = data?.restOfBatch.join() ?? "";

  const choose = useEffectEvent(async () => {
    try {
      selection.replace(await read(data?.restOfBatch ?? []));
      navigate(currentPath(), { state: null, replace: true });
    } catch (error) {
      toastError("选择失败", error);
    }
  });

  useEffect(() => {
    if (key !== "") void choose();
  }, [key]);
}

function currentPath(): string {
  return `${location.pathname}${location.search}`;
}
