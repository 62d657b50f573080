import type { AuditDeps } from "../audit-records/deps.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { publishUserChanged } from "../users/events.ts";
import { clearFailuresOfUser } from "./login-limit.ts";
import { removeSecondFactor } from "./second-factor.ts";
import { endSessions } from "./sessions.ts";

interface FactorOwner {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

interface Reset {
  readonly action: "users.resetSecondFactor" | "command.reset-second-factor";
  /** In Unix seconds. */
  readonly at: number;
}

/**
 * For somebody who lost phone and recovery codes: the password alone opens the account again, and
 * all its sessions end. Inside a transaction that has locked the user. After the commit the caller
 * emits `sessions.ended`. False when the user had none.
 */
export async function clearSecondFactor(
  deps: AuditDeps,
  { id: userId, username, name }: FactorOwner,
  { action, at }: Reset,
): Promise<boolean> {
  const { em } = deps;
  const wasThere = await removeSecondFactor(em, userId);
  await endSessions(em, userId);
  await clearFailuresOfUser(em, username);

  const subject = { type: "user", id: userId, label: name } as const;
  const changes = fieldChanges({ secondFactorEnabled: wasThere }, { secondFactorEnabled: false });
  await recordAudit(deps, { action, subject, changes }, at);
  if (wasThere) await publishUserChanged(em, { userId }, at);
  return wasThere;
}
