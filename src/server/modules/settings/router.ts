import { NoInput } from "../../../shared/ids.ts";
import { Settings, UpdateSettingsInput } from "../../../shared/settings.ts";
import { router, signedInProcedure, superAdminProcedure } from "../../platform/trpc/trpc.ts";
import { getSettings } from "./queries.ts";
import { updateSettings } from "./update-settings.ts";

export const settingsRouter = router({
  get: signedInProcedure
    .meta({
      rest: { method: "GET", path: "/api/system-config", raw: true },
      summary: "读取系统配置（不带 `data`）",
    })
    .input(NoInput)
    .output(Settings)
    .query(({ ctx }) => getSettings(ctx.deps)),

  update: superAdminProcedure
    .meta({
      rest: { method: "PUT", path: "/api/system-config", raw: true },
      summary: "修改给出的设置（不带 `data`）",
    })
    .input(UpdateSettingsInput)
    .output(Settings)
    .mutation(({ ctx, input }) => updateSettings(ctx.deps, input)),
});
