import { expressionBuilder, type InferResult } from "kysely";
import type { IdInput } from "../../shared/ids.ts";
import { paginate } from "../../shared/page.ts";
import { type ListRenewalsInput, outcomeText, type Renewal, type RenewalList } from "../../shared/renewals.ts";
import { isSuperAdmin, type Role } from "../../shared/roles.ts";
import { MAX_UNIX_SECONDS } from "../../shared/time.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import type { Caller } from "../core/ports.ts";
import { kyselyOf } from "../database/kysely.ts";
import { containsPattern } from "../database/sql.ts";
import { presentRenewal } from "./present.ts";

export function renewalNotFound(): AppError {
  return new AppError("NOT_FOUND", "续费申请不存在");
}

type ReadDeps = Pick<Deps, "em" | "clock">;

export async function listRenewals(deps: ReadDeps, caller: Caller, input: ListRenewalsInput): Promise<RenewalList> {
  const { status, sort, order, page, limit } = input;
  const found = search(visibleRenewals(deps, caller), caller.role, input.search);
  const counted = await found
    .select((eb) => ["r.status", eb.fn.countAll<number>().as("count")])
    .groupBy("r.status")
    .execute();
  const counts = { pending: 0, approved: 0, rejected: 0, completed: 0, cancelled: 0 };
  for (const { status, count } of counted) counts[status] = count;
  const all = counted.reduce((sum, { count }) => sum + count, 0);
  const rows = await withColumns(found, caller.role)
    .$if(status !== undefined, (query) => query.where("r.status", "=", status ?? "pending"))
    .$if(sort === "expireTime", (query) => query.orderBy("a.assignedExpireTime", order))
    // Ids rise with the time of creation.
    .orderBy("r.id", sort === "createdAt" ? order : "desc")
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return {
    requests: rows.map((row) => presentRenewal(caller.role, row)),
    pagination: paginate(input, status === undefined ? all : counts[status]),
    counts,
  };
}

/** Throws NOT_FOUND for requests of others as for those that do not exist. */
export async function getRenewal(deps: ReadDeps, caller: Caller, { id }: IdInput): Promise<Renewal> {
  const query = withColumns(visibleRenewals(deps, caller), caller.role);
  const row = await query.where("r.id", "=", id).executeTakeFirst();
  if (row === undefined) throw renewalNotFound();
  return presentRenewal(caller.role, row);
}

/** The failure of a change that came too late, with what has become of the request. */
export async function alreadyDecided(deps: ReadDeps, caller: Caller, input: IdInput): Promise<AppError> {
  const outcome = outcomeText(await getRenewal(deps, caller, input)) ?? "该申请已被处理";
  return new AppError("STATE_CONFLICT", `${outcome}，本次操作未生效`);
}

type RenewalQuery = ReturnType<typeof visibleRenewals>;

/** The row scope of every read. `u` is the client unless deleted, `live` the assignment of the host that the client has now. */
function visibleRenewals({ em, clock }: ReadDeps, { id, role }: Caller) {
  // A client does not know of an assignment that has not begun.
  const begunBy = role === "client" ? clock.now() : MAX_UNIX_SECONDS;
  const query = kyselyOf(em)
    .selectFrom("renewals as r")
    .innerJoin("hosts as h", "h.id", "r.host")
    .innerJoin("assignments as a", "a.id", "r.assignment")
    .leftJoin("users as u", "u.id", "r.userId")
    .leftJoin("assignments as live", (join) =>
      join
        .onRef("live.host", "=", "r.host")
        .onRef("live.userId", "=", "r.userId")
        .on("live.endedAt", "is", null)
        .on("live.assignedAt", "<=", begunBy),
    );
  switch (role) {
    case "super_admin":
      return query;
    case "admin":
      return query.where("u.admin", "=", id);
    case "client":
      return query.where("r.userId", "=", id);
  }
}

function search(query: RenewalQuery, role: Role, text = ""): RenewalQuery {
  if (text.trim() === "") return query;
  const pattern = containsPattern(text.trim());
  const { name } = hostColumns(query, role);
  return query.where((eb) => eb.or([eb("r.userUsername", "ilike", pattern), eb(name, "ilike", pattern)]));
}

/** The host as it is now. Once it was taken back, clients and admins read what it was when the request was made. */
function hostColumns(query: RenewalQuery, role: Role) {
  const eb = expressionBuilder(query);
  const isKept = eb.and([eb("live.id", "is", null), eb("r.hostName", "is not", null)]);
  const isTakenBack = isSuperAdmin(role) ? eb.lit(false) : isKept;
  return {
    name: eb.case().when(isTakenBack).then(eb.ref("r.hostName")).else(eb.ref("h.name")).end().$notNull(),
    cpu: eb.case().when(isTakenBack).then(eb.ref("r.hostCpu")).else(eb.ref("h.cpu")).end().$notNull(),
    memory: eb.case().when(isTakenBack).then(eb.ref("r.hostMemory")).else(eb.ref("h.memory")).end().$notNull(),
    expireTime: eb.case().when(isTakenBack).then(eb.ref("r.hostExpireTime")).else(eb.ref("h.expireTime")).end(),
  };
}

export type RenewalRow = InferResult<ReturnType<typeof withColumns>>[number];

/** The client as it is now, or once it is deleted as it was when the request was made. */
function withColumns(query: RenewalQuery, role: Role) {
  const { name, cpu, memory, expireTime } = hostColumns(query, role);
  return query
    .select(["r.id", "r.host as hostId", "r.userId", "r.requestedDuration", "r.status", "r.remark", "r.adminRemark"])
    .select(["r.createdAt", "r.processedAt", "r.processedBy", "r.processedByName"])
    .select(["a.assignedExpireTime", "h.ucloudId"])
    .select([name.as("hostName"), cpu.as("cpu"), memory.as("memory"), expireTime.as("hostExpireTime")])
    .select((eb) => [
      eb.fn.coalesce("u.name", "r.userName").as("userName"),
      eb.fn.coalesce("u.username", "r.userUsername").as("username"),
      eb.case().when("u.id", "is", null).then(eb.ref("r.userEmail")).else(eb.ref("u.email")).end().as("userEmail"),
      eb.case().when("u.id", "is", null).then(eb.ref("r.userPhone")).else(eb.ref("u.phone")).end().as("userPhone"),
    ]);
}
