import type { IdInput, Nothing } from "../../../shared/ids.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { NoticeEntity } from "../notice-records/entity.ts";
import { publishNoticesRead } from "../notice-records/events.ts";
import type { NoticesDeps } from "./deps.ts";

/** Throws NOT_FOUND also for a notice of somebody else. */
export async function deleteNotice(
  deps: NoticesDeps,
  caller: Caller,
  { id }: IdInput,
): Promise<Nothing> {
  return await inTransaction(deps, async (em) => {
    const deleted = await em.nativeDelete(NoticeEntity, { id, userId: caller.id });
    if (deleted === 0) throw new AppError("NOT_FOUND", "通知不存在");

    const at = deps.clock.now();
    const subject = { type: "user", id: caller.id, label: caller.name } as const;
    await recordAudit({ ...deps, em }, { action: "notices.delete", subject }, at);
    await publishNoticesRead(em, { userId: caller.id }, at);
    return {};
  });
}
