import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf, anyOfTexts } from "../../platform/database/sql.ts";

export interface NamedHost {
  readonly id: string;
  readonly ucloudId: string;
  readonly name: string;
  readonly goneAt: number | null;
}

/** Hosts with one of these provider's ids, and present ones with one of these names. */
export async function findHostsByNames(
  em: SqlEntityManager,
  names: readonly string[],
): Promise<NamedHost[]> {
  const distinct = [...new Set(names)];
  return await kyselyOf(em)
    .selectFrom("hosts as h")
    .select(["h.id", "h.ucloudId", "h.name", "h.goneAt"])
    .where((eb) =>
      eb.or([
        eb("h.ucloudId", "=", anyOfTexts(distinct)),
        eb.and([eb("h.name", "=", anyOfTexts(distinct)), eb("h.goneAt", "is", null)]),
      ]),
    )
    .execute();
}

export interface CurrentAssignment {
  readonly hostId: string;
  readonly userId: string;
  readonly assignedAt: number;
  readonly assignedExpireTime: number;
  readonly remark: string | null;
}

/** Of these hosts to these users. */
export async function findCurrentAssignments(
  em: SqlEntityManager,
  {
    hostIds,
    userIds,
  }: { readonly hostIds: readonly string[]; readonly userIds: readonly string[] },
): Promise<CurrentAssignment[]> {
  return await kyselyOf(em)
    .selectFrom("assignments as a")
    .select(["a.host as hostId", "a.userId", "a.assignedAt", "a.assignedExpireTime", "a.remark"])
    .where("a.host", "=", anyOf(hostIds))
    .where("a.userId", "=", anyOf(userIds))
    .where("a.endedAt", "is", null)
    .execute();
}
