import { type HostTag, MAX_LISTED_TAGS } from "../../../shared/annotations.ts";
import { firstOf } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { viewerOf } from "./access.ts";
import type { HostsDeps } from "./deps.ts";
import { filterHosts } from "./filters.ts";

/**
 * The tags of the hosts that a list without a filter has, the most used ones first. Spellings that
 * differ in case are one tag, shown in the one that most hosts have.
 *
 * Each spelling is counted first, because there are few of them and many hosts: what is written in
 * lower case, sorted and compared by its letters is then a spelling, not a tag of a host.
 */
export async function listTags({ em, clock }: HostsDeps, caller: Caller): Promise<HostTag[]> {
  const viewer = viewerOf({ clock }, caller);

  return await kyselyOf(em)
    .with("given", () =>
      filterHosts(kyselyOf(em), viewer, {}).select((eb) =>
        eb.fn<string>("jsonb_array_elements_text", ["h.tags"]).as("tag"),
      ),
    )
    .with("spellings", (db) =>
      db
        .selectFrom("given")
        .select((eb) => ["tag", eb.fn.countAll<number>().as("hosts")])
        .groupBy("tag"),
    )
    .selectFrom("spellings as s")
    .select((eb) => {
      const mostUsedFirst = eb.fn
        .agg<string[]>("array_agg", ["s.tag"])
        .orderBy("s.hosts", "desc")
        .orderBy("s.tag");
      return [
        firstOf(mostUsedFirst).as("tag"),
        eb.cast<number>(eb.fn.sum("s.hosts"), "integer").as("count"),
      ];
    })
    .groupBy((eb) => eb.fn("lower", ["s.tag"]))
    .orderBy("count", "desc")
    .orderBy(
      (eb) => eb.fn("lower", ["s.tag"]),
      (item) => item.collate("name_order").asc(),
    )
    .limit(MAX_LISTED_TAGS)
    .execute();
}
