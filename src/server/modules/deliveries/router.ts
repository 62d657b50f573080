import { IdInput } from "../../../shared/ids.ts";
import { ChannelTest } from "../../../shared/notice-channels.ts";
import { router, superAdminSessionProcedure } from "../../platform/trpc/trpc.ts";
import { testChannel } from "./test-channel.ts";

export const deliveriesRouter = router({
  test: superAdminSessionProcedure
    .meta({
      rest: { method: "POST", path: "/api/notice-channels/{id}/test" },
      summary: "测试通知渠道",
      description:
        "立即发送一条测试消息，邮件发送到自己的邮箱；停用的渠道也可以测试。最长约 15 秒。",
    })
    .input(IdInput)
    .output(ChannelTest)
    .mutation(({ ctx, input }) => testChannel(ctx.deps, ctx.caller, input)),
});
