import { IdInput, NoInput, Nothing } from "../../../shared/ids.ts";
import { USER_IMPORT } from "../../../shared/imports.ts";
import {
  CreateUserInput,
  ResetPasswordResult,
  UpdateUserInput,
  User,
} from "../../../shared/users.ts";
import { templateFile } from "../../platform/imports/template-file.ts";
import {
  exportProcedure,
  importProcedure,
  permittedProcedure,
  permittedSessionProcedure,
  router,
} from "../../platform/trpc/trpc.ts";
import { createUser } from "./create-user.ts";
import { deleteUser } from "./delete-user.ts";
import { importUsers } from "./import-users.ts";
import { resetPassword } from "./reset-password.ts";
import { resetSecondFactor } from "./reset-second-factor.ts";
import { updateUser } from "./update-user.ts";

export const userManagementRouter = router({
  create: permittedProcedure("users:create")
    .meta({
      rest: { method: "POST", path: "/api/users", status: 201 },
      summary: "创建管理员或C端用户",
      description: "用户名不区分大小写地唯一。负责管理员只用于C端用户，且必须是启用中的管理员。",
      errors: ["CONFLICT", "TOO_MANY_REQUESTS"],
    })
    .input(CreateUserInput)
    .output(User)
    .mutation(({ ctx, input }) => createUser(ctx.deps, ctx.caller, input)),

  update: permittedProcedure("users:update")
    .meta({
      rest: { method: "PUT", path: "/api/users/{id}" },
      summary: "修改用户资料、状态或负责管理员",
      description:
        "只修改给出的字段。停用会立即结束该用户的全部登录，并撤销其全部 API 令牌；不能停用自己或最后一个超级管理员。",
      errors: ["CONFLICT"],
    })
    .input(UpdateUserInput)
    .output(User)
    .mutation(({ ctx, input }) => updateUser(ctx.deps, ctx.caller, input)),

  import: importProcedure(USER_IMPORT, "users:create", "users:update")
    .meta({
      rest: { method: "POST", path: "/api/users/import", query: ["dryRun"] },
      summary: "从 CSV 文件新增和修改用户",
      description:
        "用户名不存在的行新增用户，已存在的修改不同的资料；空的单元格保持不变，角色不能修改，初始密码只用于新用户。列的标题与模板相同，顺序不限；导出的文件可以直接导入。不填 `dryRun` 时只预检。",
      errors: ["STATE_CONFLICT"],
    })
    .mutation(({ ctx }) => importUsers(ctx.deps, ctx.caller, ctx.upload)),

  importTemplate: exportProcedure("users:create", "users:update")
    .meta({
      rest: { method: "GET", path: "/api/users/import-template" },
      summary: "导入用户的模板",
      description: "只有标题行的 CSV 文件。",
    })
    .input(NoInput)
    .query(() => templateFile({ name: "user-import", title: "用户导入模板" }, USER_IMPORT)),

  delete: permittedProcedure("users:delete")
    .meta({
      rest: { method: "DELETE", path: "/api/users/{id}" },
      summary: "删除用户",
      description:
        "登录、API 令牌与分配随之结束，待处理的续费申请随之取消，历史保留姓名。不能删除自己或最后一个超级管理员。",
      errors: ["CONFLICT"],
    })
    .input(IdInput)
    .output(Nothing)
    .mutation(({ ctx, input }) => deleteUser(ctx.deps, ctx.caller, input)),

  resetPassword: permittedSessionProcedure("users:update")
    .meta({
      rest: { method: "POST", path: "/api/users/{id}/reset-password" },
      summary: "重置用户密码",
      description:
        "新密码随机生成，只显示这一次；该用户的全部登录立即失效，下次登录必须修改密码；API 令牌保留，但在修改密码之前不能使用。不能重置自己的密码。",
      errors: ["CONFLICT", "TOO_MANY_REQUESTS"],
    })
    .input(IdInput)
    .output(ResetPasswordResult)
    .mutation(({ ctx, input }) => resetPassword(ctx.deps, ctx.caller, input)),

  resetSecondFactor: permittedSessionProcedure("users:update")
    .meta({
      rest: { method: "POST", path: "/api/users/{id}/reset-second-factor" },
      summary: "关闭用户的两步验证，用于手机与恢复码都丢失时",
      description: "该用户的全部登录立即失效，之后只用密码登录。不能重置自己的两步验证。",
      errors: ["CONFLICT"],
    })
    .input(IdInput)
    .output(Nothing)
    .mutation(({ ctx, input }) => resetSecondFactor(ctx.deps, ctx.caller, input)),
});
