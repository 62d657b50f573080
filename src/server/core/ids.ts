import { v7 } from "uuid";

/** UUIDv7: sorts by time of making, so that "newest first" is an order by primary key. */
export function newId(): string {
  return v7();
}
