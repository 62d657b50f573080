import { LockMode, type SqlEntityManager } from "@mikro-orm/postgresql";
import { OPEN_RENEWAL_STATUSES } from "../../../shared/renewal-status.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { RenewalEntity, type RenewalRow } from "./entity.ts";
import { renewalNotFound } from "./queries.ts";

/** The renewals of a host, of a client, or of both. */
export interface RenewalsOf {
  readonly host?: string;
  readonly userId?: string;
}

/** Also one that is decided. Until the commit nobody else decides it. */
export async function lockRenewal(em: SqlEntityManager, id: string): Promise<RenewalRow> {
  return await em.findOneOrFail(
    RenewalEntity,
    { id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true, failHandler: renewalNotFound },
  );
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
