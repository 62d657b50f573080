import { ChangePasswordInput, LoginInput, SignIn } from "../../shared/auth.ts";
import { NoInput, Nothing } from "../../shared/ids.ts";
import { User } from "../../shared/users.ts";
import { publicProcedure, router, sessionProcedure } from "../core/trpc.ts";
import { changePassword } from "./change-password.ts";
import { refresh } from "./refresh.ts";
import { currentUser, signOut } from "./service.ts";
import { signIn } from "./sign-in.ts";

export const authRouter = router({
  login: publicProcedure
    .meta({
      rest: { method: "POST", path: "/api/auth/login" },
      summary: "登录",
      description: "连续失败过多时暂时锁定该账号的登录。",
      errors: ["LOGIN_FAILED", "TOO_MANY_REQUESTS"],
    })
    .input(LoginInput)
    .output(SignIn)
    .mutation(({ ctx, input }) => signIn(ctx.deps, input, ctx)),

  me: sessionProcedure
    .meta({
      rest: { method: "GET", path: "/api/auth/me" },
      summary: "查询当前登录的用户",
      description: "内容实时读取。",
    })
    .input(NoInput)
    .output(User)
    .query(({ ctx }) => currentUser(ctx.deps, ctx.caller)),

  changePassword: sessionProcedure
    .meta({
      rest: { method: "PUT", path: "/api/auth/password" },
      summary: "修改自己的密码",
      description: "成功后，自己的其他登录立即失效；连续输错当前密码会被暂时限制。",
      errors: ["WRONG_PASSWORD", "STATE_CONFLICT", "TOO_MANY_REQUESTS"],
    })
    .input(ChangePasswordInput)
    .output(Nothing)
    .mutation(({ ctx, input }) => changePassword(ctx.deps, ctx.caller, input)),

  refresh: sessionProcedure
    .meta({ rest: { method: "POST", path: "/api/auth/refresh" }, summary: "更换登录令牌，旧令牌立即失效" })
    .input(NoInput)
    .output(SignIn)
    .mutation(({ ctx }) => refresh(ctx.deps, ctx.caller)),

  logout: sessionProcedure
    .meta({
      rest: { method: "POST", path: "/api/auth/logout" },
      summary: "退出登录",
      description: "只结束当前这次登录。",
    })
    .input(NoInput)
    .output(Nothing)
    .mutation(({ ctx }) => signOut(ctx.deps, ctx.caller)),
});
