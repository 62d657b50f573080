import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { channelNotFound } from "./queries.ts";

/** Until the commit nobody else changes or deletes the channel. Throws NOT_FOUND. */
export async function lockChannel(em: SqlEntityManager, id: string) {
  const channel = await kyselyOf(em)
    .selectFrom("notice_channels")
    .select(["id", "name", "type", "isActive", "types", "configSealed"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (channel === undefined) throw channelNotFound();
  return channel;
}
