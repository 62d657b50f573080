import type { Host } from "@shared/hosts.ts";
import type { RowSelectionState, Updater } from "@tanstack/react-table";
import { useState } from "react";

export type HostSelection = ReturnType<typeof useHostSelection>;

const none: readonly Host[] = [];

/** Chosen hosts, across pages; `atHand` is the page of the list, from which they are kept up to date. */
export function useHostSelection(atHand: readonly Host[] = none) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Host>>(new Map());
  const renewed = atHand.filter((host) => chosen.has(host.id) && chosen.get(host.id) !== host);
  if (renewed.length > 0) setChosen(new Map([...chosen, ...renewed.map((host) => [host.id, host] as const)]));
  const rowSelection: RowSelectionState = Object.fromEntries([...chosen.keys()].map((id) => [id, true]));
  return {
    chosen: [...chosen.values()],
    rowSelection,
    clear: () => setChosen(new Map()),
    replace: (hosts: readonly Host[]) => setChosen(new Map(hosts.map((host) => [host.id, host]))),
    keepOnly(ids: readonly string[]): void {
      const kept = new Set(ids);
      setChosen(new Map([...chosen].filter(([id]) => kept.has(id))));
    },
    update(updater: Updater<RowSelectionState>): void {
      const next = typeof updater === "function" ? updater(rowSelection) : updater;
      const known = new Map([...chosen, ...atHand.map((host) => [host.id, host] as const)]);
      setChosen(new Map([...known].filter(([id]) => next[id] === true)));
    },
  };
}
