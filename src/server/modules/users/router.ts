import { IdInput } from "../../../shared/ids.ts";
import { ListUsersInput, User, UserList } from "../../../shared/users.ts";
import { permittedProcedure, router } from "../../platform/trpc/trpc.ts";
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

  get: permittedProcedure("users:read")
    .meta({ rest: { method: "GET", path: "/api/users/{id}" }, summary: "查询单个用户" })
    .input(IdInput)
    .output(User)
    .query(({ ctx, input }) => getUser(ctx.deps, ctx.caller, input)),
});
