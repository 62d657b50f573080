import { defineEntity } from "@mikro-orm/core";

export const EventEntity = defineEntity({
  name: "Event",
  tableName: "events",
  properties: (p) => ({
    id: p.bigint("number").primary().autoincrement().generated("identity"),
    type: p.text(),
    payload: p.json<unknown>(),
    createdAt: p.bigint("number"),
  }),
  indexes: [{ name: "events_created_at", properties: "createdAt" }],
});
