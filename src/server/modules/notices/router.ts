import { IdInput, Nothing } from "../../../shared/ids.ts";
import {
  ListNoticesInput,
  NoticeList,
  ReadNotices,
  ReadNoticesInput,
} from "../../../shared/notices.ts";
import { router, signedInProcedure } from "../../platform/trpc/trpc.ts";
import { deleteNotice } from "./delete-notice.ts";
import { listNotices } from "./queries.ts";
import { readNotices } from "./read-notices.ts";

export const noticesRouter = router({
  list: signedInProcedure
    .meta({
      rest: { method: "GET", path: "/api/notices" },
      summary: "自己的通知，新的在前",
      description:
        "`items` 按读取时的可见范围给出：已收回的主机不再列出。通知保留 180 天，每个用户最多 500 条。",
    })
    .input(ListNoticesInput)
    .output(NoticeList)
    .query(({ ctx, input }) => listNotices(ctx.deps, ctx.caller, input)),

  read: signedInProcedure
    .meta({
      rest: { method: "POST", path: "/api/notices/read" },
      summary: "把自己的通知标为已读",
      description: "给出 `ids`，或者 `all: true`。不存在的和他人的通知会被忽略。",
    })
    .input(ReadNoticesInput)
    .output(ReadNotices)
    .mutation(({ ctx, input }) => readNotices(ctx.deps, ctx.caller, input)),

  delete: signedInProcedure
    .meta({
      rest: { method: "DELETE", path: "/api/notices/{id}" },
      summary: "删除自己的一条通知",
      errors: ["NOT_FOUND"],
    })
    .input(IdInput)
    .output(Nothing)
    .mutation(({ ctx, input }) => deleteNotice(ctx.deps, ctx.caller, input)),
});
