import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { InferResult, Kysely } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import type { IdInput } from "../../../shared/ids.ts";
import { paginate } from "../../../shared/page.ts";
import type { RenewalStatus } from "../../../shared/renewal-status.ts";
import type {
  ExportRenewalsInput,
  ListRenewalsInput,
  Renewal,
  RenewalList,
} from "../../../shared/renewals.ts";
import { isClient, isSuperAdmin } from "../../../shared/roles.ts";
import { positionIn } from "../../platform/database/expressions.ts";
import type { Tables } from "../../platform/database/kysely.ts";
import { byRole, prepared } from "../../platform/database/prepared.ts";
import { anyOf } from "../../platform/database/sql.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { isCurrentAssignment, type Viewer, viewerOf } from "../hosts/access.ts";
import { type ClientScope, findScope, isOfClients } from "./access.ts";
import type { RenewalsDeps } from "./deps.ts";
import { RenewalEntity, type RenewalRow } from "./entity.ts";
import { resolveFilter } from "./filters.ts";
import { countByStatus, findPage } from "./page.ts";
import { presentRenewal } from "./present.ts";

/** A renewal before fields are withheld. */
export type FoundRenewal = InferResult<ReturnType<typeof selectRenewals>>[number];

export function renewalNotFound(): AppError {
  return new AppError("NOT_FOUND", "续费申请不存在");
}

/** First the counts, then the ids of the page, then its rows: each reads as little as it can. */
export async function listRenewals(
  { em, clock }: RenewalsDeps,
  caller: Caller,
  input: ListRenewalsInput,
): Promise<RenewalList> {
  assertOwnFilters(caller, input);

  const { status } = input;
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

/** Clients have no requests of others to filter by. */
export function assertOwnFilters({ role }: Caller, { userId }: ExportRenewalsInput): void {
  if (userId === undefined || !isClient(role)) return;
  throw invalidField("userId", "不支持的参数 userId");
}

/** The row of a request that is to be changed, with its host. */
export async function findRenewal(em: SqlEntityManager, id: string) {
  return await em.findOneOrFail(
    RenewalEntity,
    { id },
    { populate: ["host"], failHandler: renewalNotFound },
  );
}

export async function getRenewal(
  { em, clock }: RenewalsDeps,
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
  /** Renewals of others are left out. */
  readonly clientIds: ClientScope;
}

/** In the order of the ids. */
export async function readRenewals(
  em: SqlEntityManager,
  { role, now }: Viewer,
  { ids, clientIds }: Wanted,
): Promise<readonly FoundRenewal[]> {
  if (ids.length === 0) return [];
  return await readRowsByRole[role](em, {
    ids,
    now,
    clientIds: clientIds === "all" ? [] : clientIds,
  });
}

interface RowValues extends Pick<Viewer, "now"> {
  readonly ids: readonly string[];
  readonly clientIds: readonly string[];
}

const readRowsByRole = byRole((role) =>
  prepared((db, { ids, clientIds, now }: RowValues) =>
    selectRenewals(db, { role, now })
      .where("r.id", "=", anyOf(ids))
      .where((eb) => isOfClients(eb, isSuperAdmin(role) ? "all" : clientIds))
      .orderBy((eb) => positionIn(ids, eb.ref("r.id"))),
  ),
);

/**
 * A host and a client are read as they are now and as they were at the request: which of them is
 * shown depends on the viewer.
 */
function selectRenewals(db: Kysely<Tables>, viewer: Pick<Viewer, "role" | "now">) {
  return db
    .selectFrom("renewals as r")
    .innerJoin("assignments as requested", "requested.id", "r.assignment")
    .innerJoin("hosts as h", "h.id", "r.host")
    .leftJoin("users as u", "u.id", "r.userId")
    .leftJoin("assignments as a", (join) =>
      join
        .onRef("a.host", "=", "r.host")
        .onRef("a.userId", "=", "r.userId")
        .on((eb) => isCurrentAssignment(eb, viewer)),
    )
    .select([
      "r.id",
      "r.userId",
      "r.requestedDuration",
      "r.status",
      "r.remark",
      "r.adminRemark",
      "r.createdAt",
      "r.processedAt",
      "r.processedBy",
      "r.processedByName",
      "requested.assignedExpireTime",
      "h.id as hostId",
      "h.ucloudId",
    ])
    .select((eb) => [
      eb("a.id", "is not", null).as("isHolding"),
      eb("u.id", "is", null).as("isUserDeleted"),
      jsonBuildObject({
        name: eb.ref("h.name"),
        cpu: eb.ref("h.cpu"),
        memory: eb.ref("h.memory"),
        chargeType: eb.ref("h.chargeType"),
        expireTime: eb.ref("h.expireTime"),
      }).as("presentHost"),
      jsonBuildObject({
        name: eb.ref("r.hostName"),
        cpu: eb.ref("r.hostCpu"),
        memory: eb.ref("r.hostMemory"),
        expireTime: eb.ref("r.hostExpireTime"),
      }).as("formerHost"),
      jsonBuildObject({
        name: eb.ref("u.name").$notNull(),
        username: eb.ref("u.username").$notNull(),
        email: eb.ref("u.email"),
        phone: eb.ref("u.phone"),
      }).as("presentUser"),
      jsonBuildObject({
        name: eb.ref("r.userName"),
        username: eb.ref("r.userUsername"),
        email: eb.ref("r.userEmail"),
        phone: eb.ref("r.userPhone"),
      }).as("formerUser"),
    ]);
}

export async function alreadyDecided(
  deps: RenewalsDeps,
  caller: Caller,
  input: IdInput,
): Promise<AppError> {
  const renewal = await getRenewal(deps, caller, input);
  return new AppError("STATE_CONFLICT", `${outcomeText(renewal)}，本次操作未生效`);
}

/** The caller decided by a status that it has seen; somebody may have acted since. */
export async function assertAsExpected(
  deps: RenewalsDeps,
  caller: Caller,
  { id, status }: Pick<RenewalRow, "id" | "status">,
  expectedStatus: RenewalStatus | undefined,
): Promise<void> {
  if (expectedStatus === undefined || expectedStatus === status) return;

  const renewal = await getRenewal(deps, caller, { id });
  const message = `${outcomeText(renewal)}，本次操作未生效；请查看现在的状态后再决定`;
  throw new AppError("STATE_CONFLICT", message);
}

/** `该申请已由“李经理”批准` */
function outcomeText({ status, processedBy }: Renewal): string {
  const by = processedBy === null ? "已" : `已由“${processedBy.name}”`;
  return `该申请${by}${OUTCOMES[status]}`;
}

const OUTCOMES = {
  // What a request is again whose decisions were undone.
  pending: "恢复为待处理",
  approved: "批准",
  rejected: "拒绝",
  completed: "完成",
  cancelled: "取消",
} as const;
