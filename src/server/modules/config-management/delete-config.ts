import type { IdInput, Nothing } from "../../../shared/ids.ts";
import { takeAdvisoryLock } from "../../platform/database/sql.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { countChanges, fieldChanges } from "../audit-records/field-changes.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { releaseHosts } from "../hosts/release-hosts.ts";
import { ConfigEntity } from "../provider-configs/entity.ts";
import { publishConfigsChanged } from "../provider-configs/events.ts";
import { lockConfig } from "../provider-configs/locks.ts";
import { cancelRunOfConfig, countEndedRuns } from "../sync/end-run.ts";
import type { ConfigsDeps } from "./deps.ts";

export async function deleteConfig(deps: ConfigsDeps, { id: configId }: IdInput): Promise<Nothing> {
  const at = deps.clock.now();

  const cancelled = await inTransaction(deps, async (em) => {
    await takeAdvisoryLock(em, "defaultConfig");
    const { isDefault, name } = await lockConfig(em, configId);
    const subject = { type: "config", id: configId, label: name } as const;
    noteSubject(deps, subject);
    if (isDefault) throw new AppError("CONFLICT", "不能删除默认配置，请先把另一个配置设为默认");

    // A sync locks its run, then hosts. The same order here.
    const cancelled = await cancelRunOfConfig(em, configId, at);
    const releasedHosts = await releaseHosts(em, { configId }, { actor: deps.actor, at });
    await em.nativeDelete(ConfigEntity, { id: configId });

    const record = {
      action: "configs.delete",
      subject,
      changes: [...fieldChanges({ name }, null), ...countChanges({ releasedHosts })],
    } as const;
    await recordAudit({ ...deps, em }, record, at);
    await publishConfigsChanged(em, [configId], at);
    return cancelled;
  });

  countEndedRuns(deps, cancelled);
  return {};
}
