import { type Cell, type HostRecord, windowOf } from "../cell.ts";
import { type Outcome, refuse, succeed } from "../outcome.ts";
import type { World } from "../world.ts";
import { type ActionCall, resolveProject } from "./action.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Lists one region of one project, page by page, or picks hosts by id. Unknown ids are left out, not an error. */
export function describeUHostInstance(call: ActionCall): Outcome {
  const { params, world } = call;
  const region = params.get("Region");
  if (!region) return refuse(220, "Missing params [Region]");
  const project = resolveProject(call);
  if ("retCode" in project) return project;
  const cell = world.cell(project.id, region);
  if (cell === undefined || !world.isOpen(region)) return unavailable("Region");
  const offset = wholeNumber(params.get("Offset"), 0);
  const limit = wholeNumber(params.get("Limit"), DEFAULT_LIMIT);
  if (offset === undefined) return unavailable("Offset");
  if (limit === undefined || limit < 1 || limit > MAX_LIMIT) return unavailable("Limit");

  const chosen = select(world, cell, params);
  const total = chosen?.length ?? cell.live.length;
  if (offset > total) return unavailable("Offset");
  const hosts =
    chosen?.slice(offset, offset + limit) ?? windowOf(cell, offset, limit).map((number) => world.record(cell, number));
  if (chosen === undefined && total > 0) cell.drift = (cell.drift + call.pageDrift) % total;
  return succeed({ TotalCount: total, UHostSet: hosts });
}

/** The ids asked for (`UHostIds.N`), in the order asked. */
export function requestedIds(params: ReadonlyMap<string, string>): string[] {
  return [...params].filter(([name]) => /^UHostIds\.\d+$/.test(name)).map(([, id]) => id);
}

/** @returns undefined when nothing narrows the list, so that whole regions are never generated for one page */
function select(world: World, cell: Cell, params: ReadonlyMap<string, string>): HostRecord[] | undefined {
  const ids = requestedIds(params);
  const zone = params.get("Zone");
  const tag = params.get("Tag");
  if (ids.length === 0 && !zone && !tag) return undefined;
  const numbers = ids.length === 0 ? cell.live : numbersOf(world, cell, ids);
  return numbers
    .map((number) => world.record(cell, number))
    .filter((host) => (!zone || host.Zone === zone) && (!tag || host.Tag === tag));
}

function numbersOf(world: World, cell: Cell, ids: readonly string[]): number[] {
  const numbers = new Set<number>();
  for (const id of ids) {
    const found = world.locate(id);
    if (found?.cell === cell) numbers.add(found.number);
  }
  return [...numbers];
}

function wholeNumber(text: string | undefined, fallback: number): number | undefined {
  if (text === undefined || text === "") return fallback;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function unavailable(name: string): Outcome {
  return refuse(230, `Params [${name}] not available`);
}
