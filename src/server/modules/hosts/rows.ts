import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { InferResult, Kysely } from "kysely";
import { jsonArrayFrom, jsonObjectFrom } from "kysely/helpers/postgres";
import { OPEN_RENEWAL_STATUSES } from "../../../shared/renewal-status.ts";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import { literals, positionIn } from "../../platform/database/expressions.ts";
import type { Tables } from "../../platform/database/kysely.ts";
import { byRole, prepared } from "../../platform/database/prepared.ts";
import { anyOf } from "../../platform/database/sql.ts";
import {
  type HostExpressions,
  isVisibleAssignment,
  isVisibleHost,
  knowsStatusSince,
  showsAddresses,
  type Viewer,
} from "./access.ts";
import { filterHosts } from "./filters.ts";

/**
 * A host before fields are withheld. `users` and `openRenewal` hold only what is in the viewer's
 * scope.
 */
export type FoundHost = InferResult<ReturnType<typeof selectHosts>>[number];

export interface HostPage {
  readonly rows: readonly FoundHost[];
  /** How many hosts the whole list has. */
  readonly total: number;
}

interface Range {
  readonly limit: number;
  /** How many hosts come before the page. */
  readonly offset: number;
}

type ViewerValues = Pick<Viewer, "id" | "now">;

interface RowValues extends ViewerValues {
  readonly ids: readonly string[];
}

/** In the order of the ids, without those that the viewer does not see, or no longer. */
export async function readHosts(
  em: SqlEntityManager,
  { id, role, now }: Viewer,
  ids: readonly string[],
): Promise<readonly FoundHost[]> {
  if (ids.length === 0) return [];
  return await readRowsByRole[role](em, { ids, id, now });
}

const readRowsByRole = byRole((role) =>
  prepared((db, { ids, id, now }: RowValues) => {
    const viewer = { id, role, now };
    return selectHosts(db, viewer)
      .where("h.id", "=", anyOf(ids))
      .where((eb) => isVisibleHost(eb, viewer))
      .orderBy((eb) => positionIn(ids, eb.ref("h.id")));
  }),
);

/**
 * A page of the client's hosts by name, without a filter, in one statement. Null for a page without
 * hosts: nothing says then how many there are before it.
 */
export async function readClientPage(
  em: SqlEntityManager,
  { id, now }: Viewer,
  range: Range,
): Promise<HostPage | null> {
  const rows = await readOfClient(em, { id, now, ...range });
  const [first] = rows;
  return first === undefined ? null : { rows, total: first.total };
}

interface ClientPageValues extends ViewerValues, Range {}

const readOfClient = prepared((db, { id, now, limit, offset }: ClientPageValues) => {
  const viewer = { id, role: "client", now } as const;
  const own = filterHosts(db, viewer, {});
  const page = own.select("h.id").orderBy("h.sortName").orderBy("h.id").limit(limit).offset(offset);

  return selectHosts(db, viewer)
    .select(
      own
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .$asScalar()
        .$notNull()
        .as("total"),
    )
    .where("h.id", "in", page)
    .orderBy("h.sortName")
    .orderBy("h.id");
});

/** Which hosts, and whether the viewer sees them, is for the callers to say. */
export function selectHosts(db: Kysely<Tables>, viewer: Viewer) {
  return db
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
      "h.statusSince",
      "h.providerStatus",
      "h.chargeType",
      "h.createTime",
      "h.expireTime",
      "h.autoRenew",
      "h.ipSet",
      "h.config as configId",
      "h.goneAt",
      "h.tags",
      "h.note",
    ])
    .select((eb) => [
      syncedAt(eb, viewer).as("syncedAt"),
      syncIntervalOf(eb).as("syncIntervalMinutes"),
      usersOf(eb, viewer).as("users"),
      newestOpenRenewal(eb, viewer).as("openRenewal"),
      showsAddresses(eb, viewer).as("showsAddresses"),
      knowsStatusSince(eb, viewer).as("knowsStatusSince"),
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
    .where((partition) => partition(partition("p.readAt", "-", MAX_CLOCK_SKEW_SECONDS), "<=", now))
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
 * A request is open only while its assignment lasts, so the few assignments that the viewer may
 * know of lead to it through the index of open requests, however many decided ones the host has.
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
