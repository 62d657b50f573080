import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { ExportHostsInput, Host, HostList, ListHostsInput } from "../../../shared/hosts.ts";
import { paginate } from "../../../shared/page.ts";
import { isClient, type Role } from "../../../shared/roles.ts";
import { isFromFuture } from "../../platform/clock.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { type Viewer, viewerOf } from "./access.ts";
import type { HostsDeps } from "./deps.ts";
import { filterHosts, findsFew } from "./filters.ts";
import { findPage, findPlainPage, PLAIN_ORDER } from "./page.ts";
import { presentHost } from "./present.ts";
import { type FoundHost, type HostPage, readClientPage, readHosts } from "./rows.ts";
import { isStale } from "./staleness.ts";

type FilterName = keyof ExportHostsInput;

const FOR_SUPER_ADMINS: readonly FilterName[] = ["gone", "configId", "outsideProjects", "assigned"];
const FOR_ADMINS: readonly FilterName[] = [
  "userId",
  "expiring",
  "expired",
  "autoRenew",
  "providerEndsFirst",
  "tag",
];
const REFUSED_FILTERS: Readonly<Record<Role, readonly FilterName[]>> = {
  super_admin: [],
  admin: FOR_SUPER_ADMINS,
  client: [...FOR_SUPER_ADMINS, ...FOR_ADMINS],
};

export function hostNotFound(): AppError {
  return new AppError("NOT_FOUND", "主机不存在或已无权查看");
}

/** Throws INVALID_INPUT for a filter that the role does not have. */
export function assertFilters({ role }: Caller, input: ExportHostsInput): void {
  const refused = REFUSED_FILTERS[role].find((name) => input[name] !== undefined);
  if (refused !== undefined) throw invalidField(refused, `不支持的参数 ${refused}`);
}

export async function listHosts(
  { em, clock }: HostsDeps,
  caller: Caller,
  input: ListHostsInput,
): Promise<HostList> {
  assertFilters(caller, input);

  const viewer = viewerOf({ clock }, caller);
  const { rows, total } = await readPage(em, viewer, input);
  return {
    hosts: rows.map((row) => toHost(row, viewer)),
    pagination: paginate(input, total),
  };
}

/**
 * The ids of the page and the total are found first, and then the rows are read by their ids. What
 * is asked most, a list without a filter and in its usual order, is the same with statements that
 * are compiled already, and for a client, whose hosts are few, a single one.
 */
async function readPage(
  em: SqlEntityManager,
  viewer: Viewer,
  { page, limit, sort, order, ...filter }: ListHostsInput,
): Promise<HostPage> {
  const range = { limit, offset: (page - 1) * limit };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const isPlain = !isFiltered && sort === PLAIN_ORDER.sort && order === PLAIN_ORDER.order;

  if (isPlain && isClient(viewer.role)) {
    const whole = await readClientPage(em, viewer, range);
    if (whole !== null) return whole;
  }

  const { ids, total } = isPlain
    ? await findPlainPage(em, viewer, range)
    : await findPage(em, {
        ...range,
        sort,
        order,
        viewer,
        userId: filter.userId,
        hosts: filterHosts(kyselyOf(em), viewer, filter),
        isReadFirst: findsFew(viewer, filter),
      });
  return { rows: await readHosts(em, viewer, ids), total };
}

export async function getHost(
  { em, clock }: HostsDeps,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<Host> {
  const viewer = viewerOf({ clock }, caller);
  const [row] = await readHosts(em, viewer, [id]);
  if (row === undefined) throw hostNotFound();

  return toHost(row, viewer);
}

export function toHost(row: FoundHost, viewer: Viewer): Host {
  return presentHost(row, viewer, { isStale: isHostStale(row, viewer.now) });
}

/**
 * By the limit of its configuration's schedule, but by its own time: a region that fails for days
 * makes only its own hosts stale. Of a host that is gone nothing new is expected. A time in the
 * future was written by a wrong clock and says nothing.
 */
function isHostStale({ goneAt, syncedAt, syncIntervalMinutes }: FoundHost, now: number): boolean {
  if (goneAt !== null) return false;
  if (isFromFuture(syncedAt, now)) return true;

  const since = { createdAt: syncedAt, lastSuccessAt: syncedAt };
  return isStale({ intervalMinutes: syncIntervalMinutes, ...since }, now);
}
