import type { RowSelectionState, Updater } from "@tanstack/react-table";
import { useState } from "react";

export type Selection<Row extends { id: string }> = ReturnType<typeof useRowSelection<Row>>;

/** Chosen rows, across pages; `atHand` is the page of the list, from which they are kept up to date. */
export function useRowSelection<Row extends { id: string }>(atHand: readonly Row[] = []) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  const renewed = atHand.filter((row) => chosen.has(row.id) && chosen.get(row.id) !== row);
  if (renewed.length > 0) setChosen(new Map([...chosen, ...renewed.map((row) => [row.id, row] as const)]));
  const state: RowSelectionState = Object.fromEntries([...chosen.keys()].map((id) => [id, true]));
  return {
    chosen: [...chosen.values()],
    /** `state` and `onChange` are for the table. */
    state,
    clear: () => setChosen(new Map()),
    replace: (rows: readonly Row[]) => setChosen(new Map(rows.map((row) => [row.id, row]))),
    keepOnly(ids: readonly string[]): void {
      const kept = new Set(ids);
      setChosen(new Map([...chosen].filter(([id]) => kept.has(id))));
    },
    onChange(updater: Updater<RowSelectionState>): void {
      const next = typeof updater === "function" ? updater(state) : updater;
      const known = new Map([...chosen, ...atHand.map((row) => [row.id, row] as const)]);
      setChosen(new Map([...known].filter(([id]) => next[id] === true)));
    },
  };
}
