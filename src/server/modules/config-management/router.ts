import { z } from "zod";
import {
  Config,
  ConfigTest,
  CreateConfigInput,
  UpdateConfigInput,
} from "../../../shared/configs.ts";
import { IdInput, NoInput, Nothing } from "../../../shared/ids.ts";
import { permittedProcedure, router } from "../../platform/trpc/trpc.ts";
import { createConfig } from "./create-config.ts";
import { deleteConfig } from "./delete-config.ts";
import { listConfigs } from "./queries.ts";
import { testConnection } from "./test-connection.ts";
import { updateConfig } from "./update-config.ts";

export const configsRouter = router({
  list: permittedProcedure("configs:read")
    .meta({ rest: { method: "GET", path: "/api/hosts/configs/list" }, summary: "云服务商配置列表" })
    .input(NoInput)
    .output(z.array(Config))
    .query(({ ctx }) => listConfigs(ctx.deps)),

  create: permittedProcedure("configs:create")
    .meta({
      rest: { method: "POST", path: "/api/hosts/configs", status: 201 },
      summary: "新增云服务商配置",
      description: "第一个配置自动成为默认配置。",
    })
    .input(CreateConfigInput)
    .output(Config)
    .mutation(({ ctx, input }) => createConfig(ctx.deps, input)),

  update: permittedProcedure("configs:update")
    .meta({
      rest: { method: "PUT", path: "/api/hosts/configs/{id}" },
      summary: "修改云服务商配置",
      description:
        "只修改给出的字段，密钥留空保持不变。设为默认时，原默认配置同时取消；停用时，正在进行的同步随之停止。",
      errors: ["STATE_CONFLICT"],
    })
    .input(UpdateConfigInput)
    .output(Config)
    .mutation(({ ctx, input }) => updateConfig(ctx.deps, input)),

  delete: permittedProcedure("configs:delete")
    .meta({
      rest: { method: "DELETE", path: "/api/hosts/configs/{id}" },
      summary: "删除云服务商配置",
      description:
        "不能删除默认配置。其主机标记为已不存在，分配与历史保留；正在进行的同步随之停止。",
      errors: ["CONFLICT"],
    })
    .input(IdInput)
    .output(Nothing)
    .mutation(({ ctx, input }) => deleteConfig(ctx.deps, input)),

  test: permittedProcedure("configs:test")
    .meta({
      rest: { method: "POST", path: "/api/hosts/configs/{id}/test" },
      summary: "测试云服务商连接",
      description: "只读地逐步检查密钥、项目与主机权限，最长约 25 秒。",
    })
    .input(IdInput)
    .output(ConfigTest)
    .mutation(({ ctx, input }) => testConnection(ctx.deps, input)),
});
