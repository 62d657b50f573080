import type { Region } from "./catalogue.ts";

/** What a caller of the control laid over a generated host; values are served as they are, however wrong. */
export type HostPatch = Readonly<Record<string, unknown>>;

/** A host as it is served: generated fields with a patch on top. */
export type HostRecord = Record<string, unknown>;

/** The hosts of one project in one region. Hosts are numbers here; their records are made when asked for. */
export interface Cell {
  /** Position among all cells, part of every host id. */
  number: number;
  projectId: string;
  region: Region;
  /** Hosts that ever were: numbers 0…size-1. */
  size: number;
  /** Numbers of the hosts that are there now, ascending: the order of the listing. */
  live: number[];
  removed: Set<number>;
  patches: Map<number, HostPatch>;
  /** How far the listing has rotated (see `pageDrift`). */
  drift: number;
}

export function createCell(number: number, projectId: string, region: Region, size: number): Cell {
  return {
    number,
    projectId,
    region,
    size,
    live: Array.from({ length: size }, (_, i) => i),
    removed: new Set(),
    patches: new Map(),
    drift: 0,
  };
}

export function growCell(cell: Cell, count: number): number[] {
  const added = Array.from({ length: count }, (_, i) => cell.size + i);
  cell.size += count;
  cell.live = cell.live.concat(added);
  return added;
}

/** Takes hosts out of the listing; numbers that are not there are left alone. */
export function removeFromCell(cell: Cell, numbers: readonly number[]): void {
  for (const number of numbers) if (number < cell.size) cell.removed.add(number);
  cell.live = cell.live.filter((number) => !cell.removed.has(number));
}

export function restoreToCell(cell: Cell, numbers: readonly number[]): number[] {
  const back = numbers.filter((number) => cell.removed.delete(number));
  if (back.length > 0) cell.live = cell.live.concat(back).toSorted((a, b) => a - b);
  return back;
}

/** `count` numbers from `offset` on, as the listing stands after its drift. */
export function windowOf(cell: Cell, offset: number, count: number): number[] {
  const total = cell.live.length;
  const end = Math.min(offset + count, total);
  const window: number[] = [];
  for (let i = offset; i < end; i++) {
    const number = cell.live[(i + cell.drift) % total];
    if (number !== undefined) window.push(number);
  }
  return window;
}
