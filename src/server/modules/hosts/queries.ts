import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { InferResult } from "kysely";
import { jsonArrayFrom, jsonObjectFrom } from "kysely/helpers/postgres";
import type { Host, HostList, ListHostsInput } from "../../../shared/hosts.ts";
import { paginate } from "../../../shared/page.ts";
import { OPEN_RENEWAL_STATUSES } from "../../../shared/renewal-status.ts";
import type { Role } from "../../../shared/roles.ts";
import { isFromFuture, MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import { literals } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import {
  type HostExpressions,
  isVisibleAssignment,
  isVisibleHost,
  showsAddresses,
  type Viewer,
  viewerOf,
} from "./access.ts";
import type { HostsDeps } from "./deps.ts";
import { type FilteredHosts, filterHosts } from "./filters.ts";
import { selectPage } from "./page.ts";
import { presentHost } from "./present.ts";
import { isStale } from "./staleness.ts";

type FilterName = keyof ListHostsInput;

const FOR_SUPER_ADMINS: readonly FilterName[] = ["gone", "configId", "outsideProjects", "assigned"];
const REFUSED_FILTERS: Readonly<Record<Role, readonly FilterName[]>> = {
  super_admin: [],
  admin: FOR_SUPER_ADMINS,
  client: [...FOR_SUPER_ADMINS, "userId", "expiring", "expired", "providerEndsFirst"],
};

/**
 * A host before fields are withheld. `users` and `openRenewal` hold only what is in the viewer's
 * scope.
 */
export type FoundHost = InferResult<ReturnType<typeof selectHosts>>[number];

export function hostNotFound(): AppError {
  return new AppError("NOT_FOUND", "主机不存在或已无权查看");
}

/** First the count, then the page: its ids are found without joins, and the rows joined to them. */
export async function listHosts(
  { em, clock }: HostsDeps,
  caller: Caller,
  input: ListHostsInput,
): Promise<HostList> {
  const refused = REFUSED_FILTERS[caller.role].find((name) => input[name] !== undefined);
  if (refused !== undefined) throw invalidField(refused, `不支持的参数 ${refused}`);

  const viewer = viewerOf({ clock }, caller);
  const hosts = filterHosts(kyselyOf(em), viewer, input);
  const total = await countHosts(hosts);
  if (total === 0) return { hosts: [], pagination: paginate(input, total) };

  const isSearch = Boolean(input.search?.trim());
  const page = selectPage(em, { ...input, viewer, hosts, total, isSearch });
  const rows = await selectHosts(em, viewer)
    .innerJoin(page, "page.id", "h.id")
    .orderBy("page.position")
    .execute();

  return {
    hosts: rows.map((row) => toHost(row, viewer)),
    pagination: paginate(input, total),
  };
}

export async function getHost(
  { em, clock }: HostsDeps,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<Host> {
  const viewer = viewerOf({ clock }, caller);
  const row = await selectHosts(em, viewer)
    .where("h.id", "=", id)
    .where((eb) => isVisibleHost(eb, viewer))
    .executeTakeFirst();
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

export async function countHosts(hosts: FilteredHosts): Promise<number> {
  const { total } = await hosts
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

/** Which hosts, and whether the viewer sees them, is for the callers to say. */
export function selectHosts(em: SqlEntityManager, viewer: Viewer) {
  return kyselyOf(em)
    .selectFrom("hosts as h")
    .select([
      "h.id",
      "h.name",
      "h.ucloudId",
      "h.cpu",
      "h.memory",
      "h.disk",
      "h.osName",
      "h.osType",
      "h.region",
      "h.zone",
      "h.status",
      "h.providerStatus",
      "h.chargeType",
      "h.createTime",
      "h.expireTime",
      "h.ipSet",
      "h.config as configId",
      "h.goneAt",
    ])
    .select((eb) => [
      syncedAt(eb, viewer).as("syncedAt"),
      syncIntervalOf(eb).as("syncIntervalMinutes"),
      usersOf(eb, viewer).as("users"),
      newestOpenRenewal(eb, viewer).as("openRenewal"),
      showsAddresses(eb, viewer).as("showsAddresses"),
    ]);
}

/**
 * When the provider last described the host, in Unix seconds. A complete reading of its partition
 * confirms it without writing it, unless the reading missed it: then it is held or was kept, and
 * `changed_at` has what is known (`holdHosts`).
 */
function syncedAt(eb: HostExpressions, { now }: Viewer) {
  const confirmedAt = eb
    .selectFrom("sync_partitions as p")
    .select("p.readAt")
    .whereRef("p.config", "=", "h.config")
    .whereRef("p.projectId", "=", "h.projectId")
    .whereRef("p.region", "=", "h.region")
    .where("p.readAt", "<=", now + MAX_CLOCK_SKEW_SECONDS)
    .where("h.heldAt", "is", null)
    .where("h.dismissedAt", "is", null);
  return eb.fn<number>("greatest", ["h.changedAt", confirmedAt]);
}

/** Null also where the configuration is switched off: then nothing is synced by itself, either. */
function syncIntervalOf(eb: HostExpressions) {
  return eb
    .selectFrom("configs as c")
    .select("c.syncIntervalMinutes")
    .whereRef("c.id", "=", "h.config")
    .where("c.isActive", "=", true)
    .$asScalar();
}

function usersOf(eb: HostExpressions, viewer: Viewer) {
  const users = eb
    .selectFrom("assignments as a")
    .innerJoin("users as u", "u.id", "a.userId")
    .select([
      "u.id",
      "u.name",
      "u.username",
      "a.assignedAt as assignedAt",
      "a.assignedExpireTime as assignedExpireTime",
    ])
    .whereRef("a.host", "=", "h.id")
    .where((inner) => isVisibleAssignment(inner, viewer))
    .orderBy("a.assignedAt")
    .orderBy("a.id");
  return jsonArrayFrom(users);
}

/**
 * A renewal is open only while its assignment lasts, so the few assignments that the viewer may
 * know of lead to it through the index of open renewals, however many decided ones the host has.
 */
function newestOpenRenewal(eb: HostExpressions, viewer: Viewer) {
  const renewals = eb
    .selectFrom("assignments as a")
    .innerJoin("renewals as r", (join) =>
      join
        .onRef("r.userId", "=", "a.userId")
        .onRef("r.host", "=", "a.host")
        .on("r.status", "in", literals(OPEN_RENEWAL_STATUSES)),
    )
    .select([
      "r.id",
      "r.status",
      "r.requestedDuration as requestedDuration",
      "r.createdAt as createdAt",
    ])
    .whereRef("a.host", "=", "h.id")
    .where((inner) => isVisibleAssignment(inner, viewer))
    .orderBy("r.createdAt", "desc")
    .orderBy("r.id", "desc")
    .limit(1);
  return jsonObjectFrom(renewals);
}
