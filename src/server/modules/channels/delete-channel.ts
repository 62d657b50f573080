import type { IdInput, Nothing } from "../../../shared/ids.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import type { ChannelsDeps } from "./deps.ts";
import { ChannelEntity } from "./entity.ts";
import { publishChannelChanged } from "./events.ts";
import { lockChannel } from "./locks.ts";
import { sendDeliverJob } from "./queue-deliveries.ts";

/** Its deliveries stay as history. Those that wait are skipped by the worker. */
export async function deleteChannel(deps: ChannelsDeps, { id }: IdInput): Promise<Nothing> {
  await inTransaction(deps, async (em) => {
    const at = deps.clock.now();
    const channel = await lockChannel(em, id);
    const { name, type } = channel;
    const subject = { type: "channel", id, label: name } as const;
    noteSubject(deps, subject);
    await em.nativeDelete(ChannelEntity, { id });

    const record = {
      action: "noticeChannels.delete",
      subject,
      changes: fieldChanges({ name, type }, null),
    } as const;
    await recordAudit({ ...deps, em }, record, at);
    await sendDeliverJob({ ...deps, em }, id);
    await publishChannelChanged(em, id, at);
  });

  return {};
}
