import { v7 } from "uuid";

export const BEFORE_ALL_IDS = "00000000-0000-0000-0000-000000000000";

/** UUIDv7: ids sort by the time they were made, so "newest first" is an order by primary key. */
export function newId(): string {
  return v7();
}
