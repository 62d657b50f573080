import { useRef, useState } from "react";

export type Selection<Row extends { id: string }> = ReturnType<typeof useRowSelection<Row>>;

/**
 * Chosen rows, across pages; `pageRows` is the page of the list, from which they are kept up to
 * date.
 */
export function useRowSelection<Row extends { id: string }>(pageRows: readonly Row[] = []) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  const lastClickedId = useRef<string>(undefined);
  const renewed = pageRows.filter((row) => chosen.has(row.id) && chosen.get(row.id) !== row);
  if (renewed.length > 0) set(renewed, true);

  function set(rows: readonly Row[], isChosen: boolean): void {
    const next = new Map(chosen);
    for (const row of rows) {
      if (isChosen) next.set(row.id, row);
      else next.delete(row.id);
    }
    setChosen(next);
  }

  /** With Shift, all rows from the one clicked last. */
  function toggle(row: Row, withShift: boolean): void {
    const indexes = [lastClickedId.current, row.id].map((id) =>
      pageRows.findIndex((each) => each.id === id),
    );
    const isRange = withShift && !indexes.includes(-1);
    set(
      isRange ? pageRows.slice(Math.min(...indexes), Math.max(...indexes) + 1) : [row],
      !chosen.has(row.id),
    );
    lastClickedId.current = row.id;
  }

  const has = ({ id }: Row) => chosen.has(id);

  return {
    chosen: [...chosen.values()],
    has,
    toggle,
    togglePage: () => set(pageRows, !pageRows.every(has)),
    clear: () => setChosen(new Map()),
    replace: (rows: readonly Row[]) => setChosen(new Map(rows.map((row) => [row.id, row]))),
    keepOnly(ids: readonly string[]): void {
      const kept = new Set(ids);
      setChosen(new Map([...chosen].filter(([id]) => kept.has(id))));
    },
  };
}
