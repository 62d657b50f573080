import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { AuthDeps } from "./deps.ts";
import { KnownAddressEntity } from "./entity.ts";

// The addresses from which a user has signed in, and when, by the database's clock. Beyond the limit
// of an account, guesses come from addresses that are not among these, so the owner of the account
// can still sign in.

export const KNOWN_ADDRESS_SECONDS = 90 * 24 * 3600;
/** Of one user, the newest. A phone changes its address several times a day. */
const MAX_KNOWN_ADDRESSES = 100;

interface Sighting {
  readonly userId: string;
  /** As `networkOf` says. */
  readonly address: string;
  /** By the database's clock. */
  readonly at: number;
}

/**
 * Inside a transaction that has locked the user. Returns whether the address is new beside others:
 * the first one of an account surprises nobody.
 */
export async function rememberAddress(
  em: SqlEntityManager,
  { userId, address, at }: Sighting,
): Promise<boolean> {
  const known = await em.find(KnownAddressEntity, { user: userId });
  await em.upsert(KnownAddressEntity, { user: userId, address, lastSignedInAt: at });

  const db = kyselyOf(em);
  const surplus = db
    .selectFrom("known_addresses")
    .select("address")
    .where("user", "=", userId)
    .where("address", "!=", address)
    .orderBy("lastSignedInAt", "desc")
    .orderBy("address")
    .offset(MAX_KNOWN_ADDRESSES - 1);
  await db
    .deleteFrom("known_addresses")
    .where("user", "=", userId)
    .where("address", "in", surplus)
    .execute();
  return known.length > 0 && !known.some((each) => each.address === address);
}

/** One statement for every name, so that the time does not show which names exist. */
export async function isKnownAddress(
  { em, databaseClock }: Pick<AuthDeps, "em" | "databaseClock">,
  { username, address }: { readonly username: string; readonly address: string },
): Promise<boolean> {
  const now = await databaseClock.now(em);
  const known = await kyselyOf(em)
    .selectFrom("known_addresses as k")
    .innerJoin("users as u", "u.id", "k.user")
    .select("k.address")
    .where((eb) => eb(eb.fn<string>("lower", ["u.username"]), "=", username.toLowerCase()))
    .where("k.address", "=", address)
    .where("k.lastSignedInAt", ">", now - KNOWN_ADDRESS_SECONDS)
    .where("k.lastSignedInAt", "<=", now + MAX_CLOCK_SKEW_SECONDS)
    .executeTakeFirst();
  return known !== undefined;
}
