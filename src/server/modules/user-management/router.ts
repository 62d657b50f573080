import { IdInput, Nothing } from "../../../shared/ids.ts";
import {
  CreateUserInput,
  ResetPasswordResult,
  UpdateUserInput,
  User,
} from "../../../shared/users.ts";
import { permittedProcedure, router } from "../../platform/trpc/trpc.ts";
import { createUser } from "./create-user.ts";
import { deleteUser } from "./delete-user.ts";
import { resetPassword } from "./reset-password.ts";
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
        "只修改给出的字段。停用会立即结束该用户的全部登录；不能停用自己或最后一个超级管理员。",
      errors: ["CONFLICT"],
    })
    .input(UpdateUserInput)
    .output(User)
    .mutation(({ ctx, input }) => updateUser(ctx.deps, ctx.caller, input)),

  delete: permittedProcedure("users:delete")
    .meta({
      rest: { method: "DELETE", path: "/api/users/{id}" },
      summary: "删除用户",
      description:
        "登录与分配随之结束，待处理的续费申请随之取消，历史保留姓名。不能删除自己或最后一个超级管理员。",
      errors: ["CONFLICT"],
    })
    .input(IdInput)
    .output(Nothing)
    .mutation(({ ctx, input }) => deleteUser(ctx.deps, ctx.caller, input)),

  resetPassword: permittedProcedure("users:update")
    .meta({
      rest: { method: "POST", path: "/api/users/{id}/reset-password" },
      summary: "重置用户密码",
      description:
        "新密码随机生成，只显示这一次；该用户的全部登录立即失效，下次登录必须修改密码。不能重置自己的密码。",
      errors: ["CONFLICT", "TOO_MANY_REQUESTS"],
    })
    .input(IdInput)
    .output(ResetPasswordResult)
    .mutation(({ ctx, input }) => resetPassword(ctx.deps, ctx.caller, input)),
});
