import type { UpdatePreferencesInput } from "../../../shared/auth.ts";
import type { Preferences } from "../../../shared/users.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { publishUserChanged } from "../users/events.ts";
import type { AuthDeps } from "./deps.ts";
import { recordOwnAct } from "./record-own-act.ts";
import { lockOwnUser } from "./sessions.ts";

/** What was chosen already publishes nothing. */
export async function updatePreferences(
  deps: AuthDeps,
  caller: Caller,
  { email }: UpdatePreferencesInput,
): Promise<Preferences> {
  return await inTransaction(deps, async (em) => {
    const user = await lockOwnUser(em, caller);
    const changes = fieldChanges({ emailNotices: user.emailNotices }, { emailNotices: email });
    user.emailNotices = email;
    await em.flush();

    await recordOwnAct({ ...deps, em }, caller, { action: "auth.updatePreferences", changes });
    if (changes.length > 0) {
      await publishUserChanged(em, { userId: caller.id }, deps.clock.now());
    }
    return { email };
  });
}
