import { defineEntity } from "@mikro-orm/core";

/** The durable event log; ids rise in the order of commits. */
export const EventEntity = defineEntity({
  name: "Event",
  tableName: "events",
  properties: (p) => ({
    id: p.bigint("number").primary().autoincrement(),
    type: p.text(),
    payload: p.json<unknown>(),
    createdAt: p.bigint("number"),
  }),
});
