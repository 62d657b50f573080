import type { Deps } from "../core/deps.ts";
import { networkOf } from "../core/network-of.ts";
import { kyselyOf } from "../database/kysely.ts";
import { KnownAddressEntity } from "./entity.ts";

/** Seconds for which an address is known after a sign-in. */
export const KNOWN_FOR = 90 * 24 * 3600;

type AddressDeps = Pick<Deps, "em" | "clock">;

/** `address` as `networkOf` gives it. One statement for every name, so that the time does not show which names exist. */
export async function isKnownAddress(
  { em, clock }: AddressDeps,
  { username, address }: { readonly username: string; readonly address: string },
): Promise<boolean> {
  const known = await kyselyOf(em)
    .selectFrom("known_addresses as k")
    .innerJoin("users as u", "u.id", "k.user")
    .select("k.address")
    .where((eb) => eb(eb.fn<string>("lower", ["u.username"]), "=", username.toLowerCase()))
    .where("k.address", "=", address)
    .where("k.lastSignedInAt", ">", clock.now() - KNOWN_FOR)
    .executeTakeFirst();
  return known !== undefined;
}

export async function noteAddress({ em, clock }: AddressDeps, userId: string, ip: string): Promise<void> {
  await em.upsert(KnownAddressEntity, { user: userId, address: networkOf(ip), lastSignedInAt: clock.now() });
}
