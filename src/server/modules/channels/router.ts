import { z } from "zod";
import { IdInput, NoInput, Nothing } from "../../../shared/ids.ts";
import {
  CreateChannelInput,
  MAX_CHANNELS,
  NoticeChannel,
  UpdateChannelInput,
} from "../../../shared/notice-channels.ts";
import {
  router,
  superAdminProcedure,
  superAdminSessionProcedure,
} from "../../platform/trpc/trpc.ts";
import { createChannel } from "./create-channel.ts";
import { deleteChannel } from "./delete-channel.ts";
import { listChannels } from "./queries.ts";
import { updateChannel } from "./update-channel.ts";

export const channelsRouter = router({
  list: superAdminProcedure
    .meta({ rest: { method: "GET", path: "/api/notice-channels" }, summary: "通知渠道列表" })
    .input(NoInput)
    .output(z.array(NoticeChannel))
    .query(({ ctx }) => listChannels(ctx.deps)),

  create: superAdminSessionProcedure
    .meta({
      rest: { method: "POST", path: "/api/notice-channels", status: 201 },
      summary: "新增通知渠道",
      description: `最多 ${MAX_CHANNELS} 个。地址与密钥加密保存，之后只显示一部分。`,
      errors: ["CONFLICT"],
    })
    .input(CreateChannelInput)
    .output(NoticeChannel)
    .mutation(({ ctx, input }) => createChannel(ctx.deps, input)),

  update: superAdminSessionProcedure
    .meta({
      rest: { method: "PUT", path: "/api/notice-channels/{id}" },
      summary: "修改通知渠道",
      description:
        "只修改给出的字段；密钥留空保持不变，地址留空或原样传回时保持不变。类型不能修改。修改设置后，等待重试的消息会立即重新发送；停用后，等待发送的消息不再发送。",
    })
    .input(UpdateChannelInput)
    .output(NoticeChannel)
    .mutation(({ ctx, input }) => updateChannel(ctx.deps, input)),

  delete: superAdminSessionProcedure
    .meta({
      rest: { method: "DELETE", path: "/api/notice-channels/{id}" },
      summary: "删除通知渠道",
      description: "等待发送的消息不再发送，发送记录保留。",
    })
    .input(IdInput)
    .output(Nothing)
    .mutation(({ ctx, input }) => deleteChannel(ctx.deps, input)),
});
