import type { User } from "../../shared/users.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import { findVisibleUser } from "./queries.ts";
import { userNotFound } from "./rules.ts";

/** Throws NOT_FOUND for a user outside of the caller's scope, as for one that does not exist. */
export async function getUser(deps: Pick<Deps, "em">, caller: Caller, id: string): Promise<User> {
  const user = await findVisibleUser(deps.em, caller, id);
  if (user === null) throw userNotFound();
  return user;
}
