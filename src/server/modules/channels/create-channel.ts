import { v7 as newId } from "uuid";
import {
  type CreateChannelInput,
  MAX_CHANNELS,
  type NoticeChannel,
} from "../../../shared/notice-channels.ts";
import { takeAdvisoryLock } from "../../platform/database/sql.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { assertCallable } from "./assert-callable.ts";
import { auditedFields } from "./audited-fields.ts";
import type { ChannelsDeps } from "./deps.ts";
import { ChannelEntity } from "./entity.ts";
import { publishChannelChanged } from "./events.ts";
import { getChannel } from "./queries.ts";
import { sealConfig } from "./sealed-config.ts";

export async function createChannel(
  deps: ChannelsDeps,
  input: CreateChannelInput,
): Promise<NoticeChannel> {
  await assertCallable(deps, input);
  const id = newId();
  const configSealed = sealConfig(deps, id, input);

  return await inTransaction(deps, async (em) => {
    await takeAdvisoryLock(em, "channelLimit");
    if ((await em.count(ChannelEntity)) >= MAX_CHANNELS) {
      throw new AppError("CONFLICT", `最多可以有 ${MAX_CHANNELS} 个通知渠道，请先删除不用的`);
    }

    const createdAt = deps.clock.now();
    const { name, type, types, isActive = true } = input;
    const channel = { id, name, type, isActive, configSealed, types, createdAt };
    await em.insert(ChannelEntity, channel);

    const record = {
      action: "noticeChannels.create",
      subject: { type: "channel", id, label: name },
      changes: fieldChanges(null, auditedFields(channel, input)),
    } as const;
    await recordAudit({ ...deps, em }, record, createdAt);
    await publishChannelChanged(em, id, createdAt);
    return await getChannel({ ...deps, em }, { id });
  });
}
