import type { Nothing } from "../../shared/ids.ts";
import type { User } from "../../shared/users.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import type { AuthTables } from "./entity.ts";
import { signedInUser } from "./sign-in.ts";

/** The caller as it is now. */
export function currentUser(deps: Pick<Deps, "em">, caller: Caller): Promise<User> {
  return signedInUser(deps, caller.id);
}

/** Ends this session and no other. */
export async function signOut(deps: Pick<Deps, "em" | "bus">, { sessionId }: Caller): Promise<Nothing> {
  await deps.em.getKysely<AuthTables>().deleteFrom("sessions").where("id", "=", sessionId).execute();
  deps.bus.emit("sessions.ended", { sessionId });
  return {};
}
