import { v7 } from "uuid";

/** UUIDv7: ids sort by the time they were made, so "newest first" is an order by primary key. */
export function newId(): string {
  return v7();
}
