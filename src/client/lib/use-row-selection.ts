import { replaceEqualDeep } from "@tanstack/react-query";
import { useRef, useState } from "react";

export type Selection<Row extends { id: string }> = ReturnType<typeof useRowSelection<Row>>;

/**
 * Chosen rows, across pages; `pageRows` is the page of the list, from which they are kept up to
 * date.
 */
export function useRowSelection<Row extends { id: string }>(pageRows: readonly Row[] = []) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  const lastClickedId = useRef<string>(undefined);
  const outdated = pageRows.filter((row) => isOutdated(row));
  if (outdated.length > 0) set(outdated, true);

  /**
   * Whether the row is chosen as it was before its last change. By content: a caller whose rows are
   * new objects each time would be drawn without end.
   */
  function isOutdated(row: Row): boolean {
    const known = chosen.get(row.id);
    return known !== undefined && replaceEqualDeep(known, row) !== known;
  }

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
    const rows = withShift ? rowsFromLastClick(row) : [row];
    set(rows, !chosen.has(row.id));
    lastClickedId.current = row.id;
  }

  /** The row alone where the one clicked last is on another page. */
  function rowsFromLastClick(row: Row): readonly Row[] {
    const last = pageRows.findIndex(({ id }) => id === lastClickedId.current);
    const current = pageRows.findIndex(({ id }) => id === row.id);
    if (last === -1 || current === -1) return [row];

    const first = Math.min(last, current);
    const end = Math.max(last, current) + 1;
    return pageRows.slice(first, end);
  }

  function togglePage(): void {
    const isPageChosen = pageRows.every(has);
    set(pageRows, !isPageChosen);
  }

  const has = ({ id }: Row) => chosen.has(id);

  return {
    chosen: [...chosen.values()],
    has,
    toggle,
    togglePage,
    clear: () => setChosen(new Map()),
    replace: (rows: readonly Row[]) => setChosen(new Map(rows.map((row) => [row.id, row]))),
    keepOnly(ids: readonly string[]): void {
      const kept = new Set(ids);
      setChosen(new Map([...chosen].filter(([id]) => kept.has(id))));
    },
  };
}

/** Of the checkbox for all rows of a page. */
export function pageCheckedState<Row>(
  rows: readonly Row[],
  isChosen: (row: Row) => boolean,
): boolean | "indeterminate" {
  const count = rows.filter((row) => isChosen(row)).length;
  if (count === 0) return false;
  return count === rows.length ? true : "indeterminate";
}
