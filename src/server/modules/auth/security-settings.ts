import { LockMode } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { ROLES } from "../../../shared/roles.ts";
import type {
  SecuritySettings,
  UpdateSecuritySettingsInput,
} from "../../../shared/security-settings.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { SettingsEntity } from "../settings/entity.ts";
import type { AuthDeps } from "./deps.ts";
import { publishSecuritySettingsChanged } from "./events.ts";
import { findSecondFactor } from "./second-factor.ts";
import { lockOwnUser } from "./sessions.ts";

export async function getSecuritySettings({ em }: Pick<AuthDeps, "em">): Promise<SecuritySettings> {
  const { secondFactorRequiredRoles } = await em.findOneOrFail(
    SettingsEntity,
    { id: 1 },
    { refresh: true },
  );
  return { secondFactorRequiredRoles };
}

/**
 * What is required from now on is required of open sessions, too: see `lacksSecondFactor`. Throws
 * STATE_CONFLICT when callers would require of themselves what they do not have.
 */
export async function updateSecuritySettings(
  deps: AuthDeps,
  caller: Caller,
  input: UpdateSecuritySettingsInput,
): Promise<SecuritySettings> {
  const secondFactorRequiredRoles = ROLES.filter((role) =>
    input.secondFactorRequiredRoles.includes(role),
  );
  const settings: SecuritySettings = { secondFactorRequiredRoles };

  await inTransaction(deps, async (em) => {
    // Until the commit the caller cannot switch its own second factor off.
    await lockOwnUser(em, caller);
    if (secondFactorRequiredRoles.includes(caller.role)) await assertOwnFactor(em, caller);

    const row = await em.findOneOrFail(
      SettingsEntity,
      { id: 1 },
      { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    );
    const before = { secondFactorRequiredRoles: row.secondFactorRequiredRoles };
    row.secondFactorRequiredRoles = secondFactorRequiredRoles;
    await em.flush();

    const at = deps.clock.now();
    const changes = fieldChanges(before, settings);
    await recordAudit({ ...deps, em }, { action: "securitySettings.update", changes }, at);
    if (changes.length > 0) await publishSecuritySettingsChanged(em, settings, at);
  });
  return settings;
}

async function assertOwnFactor(em: SqlEntityManager, { id }: Caller): Promise<void> {
  if ((await findSecondFactor(em, id)) !== null) return;
  throw new AppError("STATE_CONFLICT", "请先为自己开启两步验证，再要求超级管理员使用");
}
