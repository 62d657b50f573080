import { IdInput } from "../../../shared/ids.ts";
import { ExportUsersInput, ListUsersInput, User, UserList } from "../../../shared/users.ts";
import { exportProcedure, permittedProcedure, router } from "../../platform/trpc/trpc.ts";
import { exportUsers } from "./export-users.ts";
import { getUser, listUsers } from "./queries.ts";

export const usersRouter = router({
  list: permittedProcedure("users:read")
    .meta({
      rest: { method: "GET", path: "/api/users" },
      summary: "查询用户列表，管理员只看到自己负责的C端用户",
    })
    .input(ListUsersInput)
    .output(UserList)
    .query(({ ctx, input }) => listUsers(ctx.deps, ctx.caller, input)),

  export: exportProcedure("users:read")
    .meta({
      rest: { method: "GET", path: "/api/users/export" },
      summary: "导出用户",
      description:
        "与用户列表相同的筛选与排序，CSV 文件（UTF-8，带 BOM）含看得到的全部用户；两步验证与内部备注只有超级管理员的文件里有。前 6 列与导入模板相同，导出的文件可以直接导入。",
    })
    .input(ExportUsersInput)
    .query(({ ctx, input }) => exportUsers(ctx.deps, ctx.caller, input)),

  get: permittedProcedure("users:read")
    .meta({ rest: { method: "GET", path: "/api/users/{id}" }, summary: "查询单个用户" })
    .input(IdInput)
    .output(User)
    .query(({ ctx, input }) => getUser(ctx.deps, ctx.caller, input)),
});
