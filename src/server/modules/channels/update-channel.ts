import type { NoticeChannel, UpdateChannelInput } from "../../../shared/notice-channels.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { assertCallable } from "./assert-callable.ts";
import { auditedFields } from "./audited-fields.ts";
import type { ChannelsDeps } from "./deps.ts";
import { ChannelEntity } from "./entity.ts";
import { publishChannelChanged } from "./events.ts";
import { lockChannel } from "./locks.ts";
import { mergeConfig } from "./merge-config.ts";
import { findChannel, getChannel } from "./queries.ts";
import { retryDeliveries, sendDeliverJob } from "./queue-deliveries.ts";
import { type ChannelSetup, openSetup, sealConfig } from "./sealed-config.ts";

/**
 * Absent fields, empty secrets and masked addresses stay. After a change of the configuration what
 * waits for another try is sent at once: it may have been the mend. What waits for a channel that is
 * switched off is skipped by its worker.
 */
export async function updateChannel(
  deps: ChannelsDeps,
  input: UpdateChannelInput,
): Promise<NoticeChannel> {
  const { id, name, isActive, types, config } = input;
  if (config !== undefined) await assertMergeable(deps, id, config);

  return await inTransaction(deps, async (em) => {
    const at = deps.clock.now();
    const channel = await lockChannel(em, id);
    noteSubject(deps, { type: "channel", id, label: channel.name });

    const formerSetup = openSetup(deps, channel);
    const setup = config === undefined ? formerSetup : mergeConfig(formerSetup, config);
    const fields = {
      name: name ?? channel.name,
      isActive: isActive ?? channel.isActive,
      types: types ?? channel.types,
    };
    await em.nativeUpdate(ChannelEntity, { id }, fields);
    if (config !== undefined) await replaceSetup({ ...deps, em }, id, setup);

    const record = {
      action: "noticeChannels.update",
      subject: { type: "channel", id, label: fields.name },
      changes: fieldChanges(auditedFields(channel, formerSetup), auditedFields(fields, setup)),
    } as const;
    await recordAudit({ ...deps, em }, record, at);
    await sendDeliverJob({ ...deps, em }, id);
    await publishChannelChanged(em, id, at);
    return await getChannel({ ...deps, em }, { id });
  });
}

/** What waits for another try is due at once. */
async function replaceSetup(deps: ChannelsDeps, id: string, setup: ChannelSetup): Promise<void> {
  const configSealed = sealConfig(deps, id, setup);
  await deps.em.nativeUpdate(ChannelEntity, { id }, { configSealed, pausedUntil: null });
  await retryDeliveries(deps.em, id, deps.clock.now());
}

/** Outside of the transaction, which must not wait for a lookup of a name. */
async function assertMergeable(
  deps: ChannelsDeps,
  id: string,
  config: NonNullable<UpdateChannelInput["config"]>,
): Promise<void> {
  const channel = await findChannel(deps.em, id);
  noteSubject(deps, { type: "channel", id, label: channel.name });
  await assertCallable(deps, mergeConfig(openSetup(deps, channel), config));
}
