import { NoInput } from "../../../shared/ids.ts";
import {
  ListRemindersInput,
  ReminderList,
  ReminderSettings,
  SendReminders,
  SendRemindersInput,
} from "../../../shared/reminders.ts";
import { router, superAdminProcedure } from "../../platform/trpc/trpc.ts";
import { getReminderSettings, listReminders } from "./queries.ts";
import { sendReminders } from "./send-reminders.ts";
import { updateReminderSettings } from "./update-settings.ts";

export const remindersRouter = router({
  settings: superAdminProcedure
    .meta({
      rest: { method: "GET", path: "/api/reminder-settings" },
      summary: "读取提醒规则",
    })
    .input(NoInput)
    .output(ReminderSettings)
    .query(({ ctx }) => getReminderSettings(ctx.deps)),

  updateSettings: superAdminProcedure
    .meta({
      rest: { method: "PUT", path: "/api/reminder-settings" },
      summary: "修改提醒规则",
      description:
        "需要给出全部字段。修改后，当天的提醒按新规则再检查一次，已发出的不会重复；开启之前错过的提醒不补发。提醒天数为空列表表示不提醒这一类到期。",
    })
    .input(ReminderSettings)
    .output(ReminderSettings)
    .mutation(({ ctx, input }) => updateReminderSettings(ctx.deps, input)),

  list: superAdminProcedure
    .meta({
      rest: { method: "GET", path: "/api/reminders" },
      summary: "已发出的提醒",
      description: "新的在前，保留 400 天。",
    })
    .input(ListRemindersInput)
    .output(ReminderList)
    .query(({ ctx, input }) => listReminders(ctx.deps, input)),

  send: superAdminProcedure
    .meta({
      rest: { method: "POST", path: "/api/reminders/send" },
      summary: "提醒使用这些主机的用户",
      description:
        "每台主机的结果单独返回。同一主机的同一用户每天（北京时间）最多由人提醒一次，与自动提醒无关。没有分配、已消失、今天已提醒过，以及用户已停用的主机为 `STATE_CONFLICT`。",
    })
    .input(SendRemindersInput)
    .output(SendReminders)
    .mutation(({ ctx, input }) => sendReminders(ctx.deps, ctx.caller, input)),
});
