import type { Host } from "@shared/hosts.ts";
import type { RowSelectionState, Updater } from "@tanstack/react-table";
import { useState } from "react";

export type HostSelection = ReturnType<typeof useHostSelection>;

const none: readonly Host[] = [];

/** Chosen hosts, across pages: a host is kept with what was known of it when its row was last among those at hand. */
export function useHostSelection(atHand = none) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Host>>(new Map());
  const renewed = atHand.filter((host) => chosen.has(host.id) && chosen.get(host.id) !== host);
  if (renewed.length > 0) setChosen(new Map([...chosen, ...renewed.map((host) => [host.id, host] as const)]));
  const rowSelection: RowSelectionState = Object.fromEntries([...chosen.keys()].map((id) => [id, true]));
  return {
    chosen: [...chosen.values()],
    rowSelection,
    clear: () => setChosen(new Map()),
    keepOnly: (ids: readonly string[]) => setChosen(new Map([...chosen].filter(([id]) => ids.includes(id)))),
    /** `shown` are the rows at hand, where newly chosen ones are found. */
    update(updater: Updater<RowSelectionState>, shown: readonly Host[]): void {
      const next = typeof updater === "function" ? updater(rowSelection) : updater;
      const known = new Map([...chosen, ...shown.map((host) => [host.id, host] as const)]);
      setChosen(new Map([...known].filter(([id]) => next[id] === true)));
    },
  };
}
