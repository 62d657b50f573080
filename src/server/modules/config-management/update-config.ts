import type { Config, UpdateConfigInput } from "../../../shared/configs.ts";
import { fenOf } from "../../../shared/money.ts";
import { takeAdvisoryLock } from "../../platform/database/sql.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { countChanges, fieldChanges } from "../audit-records/field-changes.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { releaseHosts } from "../hosts/release-hosts.ts";
import { isBalanceLow } from "../provider-configs/balance.ts";
import { assertCallable } from "../provider-configs/connect-provider.ts";
import { openPrivateKey, sealPrivateKey } from "../provider-configs/credentials.ts";
import type { ConfigRow } from "../provider-configs/entity.ts";
import { publishConfigsChanged } from "../provider-configs/events.ts";
import { notifyOfLowBalance } from "../provider-configs/notices.ts";
import { findConfig } from "../provider-configs/queries.ts";
import { cancelRunOfConfig, countEndedRuns } from "../sync/end-run.ts";
import { auditedFields } from "./audited-fields.ts";
import { unsetDefault } from "./default-config.ts";
import type { ConfigsDeps } from "./deps.ts";
import { getConfig } from "./queries.ts";

/**
 * Absent fields and blank keys stay. Projects that are left out release their hosts. That, or
 * switching off, cancels the live run: it would bring the hosts of the former projects back. A new
 * interval starts the schedule anew; a new key or address is tried by one scheduled run.
 */
export async function updateConfig(deps: ConfigsDeps, input: UpdateConfigInput): Promise<Config> {
  const { id, apiUrl, isDefault, isActive, projectIds = [] } = input;
  const { name } = await findConfig(deps.em, id);
  noteSubject(deps, { type: "config", id, label: name });
  if (apiUrl !== undefined) await assertCallable(deps, apiUrl);
  const at = deps.clock.now();

  const { updated, cancelled } = await inTransaction(deps, async (em) => {
    await takeAdvisoryLock(em, "defaultConfig");
    const config = await findConfig(em, id);
    if (isDefault === false && config.isDefault) {
      throw new AppError("STATE_CONFLICT", "不能直接取消默认配置，请把另一个配置设为默认");
    }
    const isNewDefault = isDefault === true && !config.isDefault;
    const formerDefaultIds = isNewDefault ? await unsetDefault({ ...deps, em }, at) : [];

    const isSwitchedOff = config.isActive && isActive === false;
    const isNarrowed = leavesOutProjects(config.projectIds, projectIds);
    const wasLow = isBalanceLow(config);
    const isOtherAccess = changesAccess(deps, config, input);
    const before = auditedFields(config);
    assignFields(deps, config, input);
    const now = await deps.databaseClock.now(em);
    changeSchedule(config, input, { isOtherAccess, now });
    await em.flush();

    // A sync locks its run, then hosts. The same order here.
    const cancelled = isSwitchedOff || isNarrowed ? await cancelRunOfConfig(em, id, at) : [];
    const released = { configId: id, exceptProjectIds: projectIds };
    const releasedHosts = isNarrowed
      ? await releaseHosts(em, released, { actor: deps.actor, at })
      : 0;

    const changes = fieldChanges(before, auditedFields(config));
    const record = {
      action: "configs.update",
      subject: { type: "config", id, label: config.name },
      changes: [...changes, ...countChanges({ releasedHosts })],
    } as const;
    await recordAudit({ ...deps, em }, record, at);
    if (isBalanceLow(config) && !wasLow) await notifyOfLowBalance({ ...deps, em }, config, at);
    await publishConfigsChanged(em, [...formerDefaultIds, id], at);
    return { updated: await getConfig({ ...deps, em }, { id }), cancelled };
  });

  countEndedRuns(deps, cancelled);
  return updated;
}

/** No projects at all means all projects of the account. */
function leavesOutProjects(former: readonly string[], projectIds: readonly string[]): boolean {
  if (projectIds.length === 0) return false;
  return former.length === 0 || former.some((projectId) => !projectIds.includes(projectId));
}

function assignFields(deps: ConfigsDeps, config: ConfigRow, input: UpdateConfigInput): void {
  const { publicKey, privateKey, remark } = input;
  if (publicKey) config.publicKey = publicKey;
  if (isOtherPrivateKey(deps, config, privateKey)) {
    config.privateKeySealed = sealPrivateKey(deps, config.id, privateKey);
  }
  if (remark !== undefined) config.remark = remark || null;

  const { balanceAlert } = input;
  if (balanceAlert !== undefined) {
    config.balanceAlertFen = balanceAlert === null ? null : fenOf(balanceAlert);
  }

  config.name = input.name ?? config.name;
  config.apiUrl = input.apiUrl ?? config.apiUrl;
  config.defaultRegion = input.defaultRegion ?? config.defaultRegion;
  config.projectIds = input.projectIds ?? config.projectIds;
  config.isDefault = input.isDefault ?? config.isDefault;
  config.isActive = input.isActive ?? config.isActive;
}

/**
 * Whether the input has another key or address. Programs send back what they have read, changed or
 * not, and what is the same need not be tried.
 */
function changesAccess(
  deps: ConfigsDeps,
  config: ConfigRow,
  { publicKey, privateKey, apiUrl }: UpdateConfigInput,
): boolean {
  if (apiUrl !== undefined && apiUrl !== config.apiUrl) return true;
  if (publicKey && publicKey !== config.publicKey) return true;
  return isOtherPrivateKey(deps, config, privateKey);
}

/** A key that is sent back as it is stays sealed as it is: sealed anew it would look changed. */
function isOtherPrivateKey(
  deps: ConfigsDeps,
  config: ConfigRow,
  privateKey: string | null | undefined,
): privateKey is string {
  return Boolean(privateKey) && privateKey !== readPrivateKey(deps, config);
}

/** Null when the stored key cannot be opened: every other one is a change then, and mends that. */
function readPrivateKey(deps: ConfigsDeps, { id, privateKeySealed }: ConfigRow): string | null {
  try {
    return openPrivateKey(deps, id, privateKeySealed);
  } catch {
    return null;
  }
}

/** `now` by the database's clock, which decides what is due. */
function changeSchedule(
  config: ConfigRow,
  { syncIntervalMinutes }: UpdateConfigInput,
  { isOtherAccess, now }: { readonly isOtherAccess: boolean; readonly now: number },
): void {
  const former = config.syncIntervalMinutes ?? null;
  const isNewInterval = syncIntervalMinutes !== undefined && syncIntervalMinutes !== former;
  if (isNewInterval) {
    config.syncIntervalMinutes = syncIntervalMinutes;
    config.scheduleChosenAt = syncIntervalMinutes === null ? null : now;
    config.scheduleResumedAt = now;
  }

  const isScheduled = config.syncIntervalMinutes !== null;
  if (isOtherAccess && isScheduled) config.isAccessUntried = true;
}
