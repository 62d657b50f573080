import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { jsonBuildObject } from "kysely/helpers/postgres";
import type { IdInput } from "../../../shared/ids.ts";
import { paginate } from "../../../shared/page.ts";
import type { ListRenewalsInput, Renewal, RenewalList } from "../../../shared/renewals.ts";
import { isClient } from "../../../shared/roles.ts";
import { columnsOf } from "../../platform/database/columns.ts";
import { positionIn } from "../../platform/database/expressions.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { isCurrentAssignment, type Viewer, viewerOf } from "../hosts/access.ts";
import { type ClientScope, findScope, isOfClients } from "./access.ts";
import { resolveFilter } from "./filters.ts";
import { countByStatus, findPage } from "./page.ts";
import { presentRenewal } from "./present.ts";

type ReadDeps = Pick<Deps, "em" | "clock">;

/** A request before fields are withheld. */
export type FoundRenewal = Awaited<ReturnType<typeof readRenewals>>[number];

export function renewalNotFound(): AppError {
  return new AppError("NOT_FOUND", "续费申请不存在");
}

/** First the counts, then the ids of the page, then its rows: each reads as little as it can. */
export async function listRenewals(
  { em, clock }: ReadDeps,
  caller: Caller,
  input: ListRenewalsInput,
): Promise<RenewalList> {
  const { status, userId } = input;
  if (userId !== undefined && isClient(caller.role)) {
    throw invalidField("userId", "不支持的参数 userId");
  }

  const viewer = viewerOf({ clock }, caller);
  const filter = await resolveFilter(em, viewer, input);
  const counts = await countByStatus(em, viewer, filter);
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const total = status === undefined ? all : counts[status];
  const ids = await findPage(em, { ...input, viewer, filter, total });
  const rows = await readRenewals(em, viewer, { ids, clientIds: filter.clientIds });

  return {
    requests: rows.map((row) => presentRenewal(row, viewer)),
    pagination: paginate(input, total),
    counts,
  };
}

export async function getRenewal(
  { em, clock }: ReadDeps,
  caller: Caller,
  { id }: IdInput,
): Promise<Renewal> {
  const viewer = viewerOf({ clock }, caller);
  const clientIds = await findScope(em, viewer);
  const [row] = await readRenewals(em, viewer, { ids: [id], clientIds });
  if (row === undefined) throw renewalNotFound();

  return presentRenewal(row, viewer);
}

interface Wanted {
  readonly ids: readonly string[];
  /** Requests of others are left out. */
  readonly clientIds: ClientScope;
}

/**
 * In the order of the ids. A host and a client are read as they are now and as they were at the
 * request: which of them is shown depends on the viewer.
 */
async function readRenewals(em: SqlEntityManager, viewer: Viewer, { ids, clientIds }: Wanted) {
  if (ids.length === 0) return [];

  return await columnsOf(em)
    .selectFrom("renewals as r")
    .innerJoin("assignments as requested", "requested.id", "r.assignment_id")
    .innerJoin("hosts as h", "h.id", "r.host_id")
    .leftJoin("users as u", "u.id", "r.user_id")
    .leftJoin("assignments as a", (join) =>
      join
        .onRef("a.host_id", "=", "r.host_id")
        .onRef("a.user_id", "=", "r.user_id")
        .on((eb) => isCurrentAssignment(eb, viewer)),
    )
    .select([
      "r.id",
      "r.user_id as userId",
      "r.requested_duration as requestedDuration",
      "r.status",
      "r.remark",
      "r.admin_remark as adminRemark",
      "r.created_at as createdAt",
      "r.processed_at as processedAt",
      "r.processed_by as processedBy",
      "r.processed_by_name as processedByName",
      "requested.assigned_expire_time as assignedExpireTime",
      "h.id as hostId",
      "h.ucloud_id as ucloudId",
    ])
    .select((eb) => [
      eb("a.id", "is not", null).as("isHolding"),
      eb("u.id", "is", null).as("isUserDeleted"),
      jsonBuildObject({
        name: eb.ref("h.name"),
        cpu: eb.ref("h.cpu"),
        memory: eb.ref("h.memory"),
        chargeType: eb.ref("h.charge_type"),
        expireTime: eb.ref("h.expire_time"),
      }).as("presentHost"),
      jsonBuildObject({
        name: eb.ref("r.host_name"),
        cpu: eb.ref("r.host_cpu"),
        memory: eb.ref("r.host_memory"),
        expireTime: eb.ref("r.host_expire_time"),
      }).as("formerHost"),
      jsonBuildObject({
        name: eb.ref("u.name").$notNull(),
        username: eb.ref("u.username").$notNull(),
        email: eb.ref("u.email"),
        phone: eb.ref("u.phone"),
      }).as("presentUser"),
      jsonBuildObject({
        name: eb.ref("r.user_name"),
        username: eb.ref("r.user_username"),
        email: eb.ref("r.user_email"),
        phone: eb.ref("r.user_phone"),
      }).as("formerUser"),
    ])
    .where("r.id", "=", anyOf(ids))
    .where((eb) => isOfClients(eb, clientIds))
    .orderBy((eb) => positionIn(ids, eb.ref("r.id")))
    .execute();
}

export async function alreadyDecided(
  deps: ReadDeps,
  caller: Caller,
  input: IdInput,
): Promise<AppError> {
  const { status, processedBy } = await getRenewal(deps, caller, input);
  const by = processedBy === null ? "已" : `已由“${processedBy.name}”`;
  return new AppError("STATE_CONFLICT", `该申请${by}${OUTCOMES[status]}，本次操作未生效`);
}

const OUTCOMES = {
  pending: "处理",
  approved: "批准",
  rejected: "拒绝",
  completed: "完成",
  cancelled: "取消",
} as const;
