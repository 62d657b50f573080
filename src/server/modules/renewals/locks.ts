import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { OPEN_RENEWAL_STATUSES } from "../../../shared/renewal-status.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";

/** The renewals of a host, of a client, or of both. */
export interface RenewalsOf {
  readonly host?: string;
  readonly userId?: string;
}

/** For those who lock something else before they cancel: hosts and events come after renewals. */
export async function lockOpenRenewals(em: SqlEntityManager, which: RenewalsOf): Promise<void> {
  await kyselyOf(em)
    .selectFrom("renewals")
    .select("id")
    .where((eb) => eb.and(which))
    .where("status", "in", OPEN_RENEWAL_STATUSES)
    .orderBy("id")
    .forUpdate()
    .execute();
}
