import { defineEntity } from "@mikro-orm/core";

export const EventEntity = defineEntity({
  name: "Event",
  tableName: "events",
  properties: (p) => ({
    id: p.bigint("number").primary().autoincrement().generated("identity"),
    type: p.text(),
    payload: p.json<unknown>(),
    createdAt: p.bigint("number"),
    /** Drawn by the database: see position.ts. */
    mark: p.integer().nullable().defaultRaw("floor((random() * (10000000)::double precision))"),
  }),
  indexes: [{ name: "events_created_at", properties: "createdAt" }],
});
