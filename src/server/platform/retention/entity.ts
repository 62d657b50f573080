import { defineEntity } from "@mikro-orm/core";

/** One row: how far the clean-up has come, so that it does not follow a clock that jumps ahead. */
export const CleanUpEntity = defineEntity({
  name: "CleanUp",
  tableName: "clean_up",
  properties: (p) => ({
    id: p.integer().primary().autoincrement(false),
    /** The latest time by which it has removed rows, in Unix seconds. Never goes back. */
    cleanedUpTo: p.bigint("number"),
  }),
  checks: [{ name: "clean_up_id_check", expression: "id = 1" }],
});
