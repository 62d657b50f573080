import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type Expression, sql } from "kysely";
import { DAY_SECONDS, EXPIRING_SOON_DAYS } from "../../shared/time.ts";
import { kyselyOf } from "../database/kysely.ts";
import { providerEnd } from "./order.ts";
import { isVisibleHost, type Viewer, visibleAssignments } from "./scope.ts";

const MONTH_DAYS = 30;

export type HostGroup = Awaited<ReturnType<typeof groupHosts>>[number];

/** Few groups, whatever the number of hosts. `month` counts from 1 for the first of `monthStarts` (Unix seconds); 0 = has ended, null = no end. */
export async function groupHosts(em: SqlEntityManager, viewer: Viewer, monthStarts: readonly number[]) {
  const { now } = viewer;
  const [in7Days, in30Days] = [now + EXPIRING_SOON_DAYS * DAY_SECONDS, now + MONTH_DAYS * DAY_SECONDS];
  const ends = visibleAssignments(viewer)
    .groupBy("a.host")
    .select((eb) => {
      const endsBy = (until: number) => eb.between("a.assignedExpireTime", now, until);
      return [
        "a.host as hostId",
        eb.fn.min("a.assignedExpireTime").as("firstEnd"),
        eb.fn<boolean>("bool_or", [eb("a.assignedExpireTime", "<", now)]).as("isExpired"),
        eb.fn<boolean>("bool_or", [endsBy(in7Days)]).as("endsIn7"),
        eb.fn<boolean>("bool_or", [endsBy(in30Days)]).as("endsIn30"),
      ];
    });
  const seen = kyselyOf(em)
    .selectFrom("hosts as h")
    .leftJoin(ends.as("own"), "own.hostId", "h.id")
    .where(isVisibleHost(viewer))
    .select(["h.status", "h.region", "own.hostId", "own.isExpired", "own.endsIn7", "own.endsIn30"])
    .select((eb) => {
      const end: Expression<number | null> = viewer.role === "super_admin" ? providerEnd() : eb.ref("own.firstEnd");
      return [
        eb("h.goneAt", "is not", null).as("isGone"),
        providerEnd().as("providerEnd"),
        sql<number | null>`width_bucket(${end}, ${sql.val([...monthStarts])}::bigint[])`.as("month"),
      ];
    });
  return await kyselyOf(em)
    .selectFrom(seen.as("s"))
    .groupBy(["s.region", "s.status", "s.isGone", "s.month"])
    .select(["s.region", "s.status", "s.isGone", "s.month"])
    .select((eb) => {
      const hosts = eb.fn.countAll<number>();
      const endsBy = (until: number) => eb.between("s.providerEnd", now, until);
      return [
        hosts.as("hosts"),
        hosts.filterWhere("s.hostId", "is", null).as("unassigned"),
        hosts.filterWhere("s.providerEnd", "<", now).as("providerExpired"),
        hosts.filterWhere(endsBy(in7Days)).as("provider7"),
        hosts.filterWhere(endsBy(in30Days)).as("provider30"),
        hosts.filterWhere("s.isExpired", "=", true).as("assignedExpired"),
        hosts.filterWhere("s.endsIn7", "=", true).as("assigned7"),
        hosts.filterWhere("s.endsIn30", "=", true).as("assigned30"),
      ];
    })
    .execute();
}
