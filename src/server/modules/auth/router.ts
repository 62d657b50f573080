import { z } from "zod";
import {
  ChangePasswordInput,
  EndedSessions,
  LoginInput,
  OwnSession,
  SignIn,
} from "../../../shared/auth.ts";
import { IdInput, NoInput, Nothing } from "../../../shared/ids.ts";
import { CurrentUser } from "../../../shared/users.ts";
import {
  anySessionProcedure,
  publicProcedure,
  router,
  signedInProcedure,
} from "../../platform/trpc/trpc.ts";
import { currentUser } from "../users/queries.ts";
import { changePassword } from "./change-password.ts";
import {
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  refreshSession,
  signOut,
} from "./own-sessions.ts";
import { signIn } from "./sign-in.ts";

export const authRouter = router({
  login: publicProcedure
    .meta({
      rest: { method: "POST", path: "/api/auth/login" },
      summary: "登录",
      description:
        "同一账号或同一地址连续失败过多时，暂时限制登录。每个用户最多保留 20 个登录，超出时最早的一个结束。",
      errors: ["LOGIN_FAILED", "TOO_MANY_REQUESTS"],
    })
    .input(LoginInput)
    .output(SignIn)
    .mutation(({ ctx, input }) => signIn(ctx.deps, input)),

  me: anySessionProcedure
    .meta({
      rest: { method: "GET", path: "/api/auth/me" },
      summary: "查询当前登录的用户",
      description: "C端用户还会得到负责管理员的手机号和邮箱，以便联系。",
    })
    .input(NoInput)
    .output(CurrentUser)
    .query(({ ctx }) => currentUser(ctx.deps, ctx.caller)),

  changePassword: anySessionProcedure
    .meta({
      rest: { method: "PUT", path: "/api/auth/password" },
      summary: "修改自己的密码",
      description: "成功后，自己的其他登录立即失效；连续输错当前密码会被暂时限制。",
      errors: ["WRONG_PASSWORD", "STATE_CONFLICT", "TOO_MANY_REQUESTS"],
    })
    .input(ChangePasswordInput)
    .output(Nothing)
    .mutation(({ ctx, input }) => changePassword(ctx.deps, ctx.caller, input)),

  refresh: anySessionProcedure
    .meta({
      rest: { method: "POST", path: "/api/auth/refresh" },
      summary: "更换登录令牌，旧令牌立即失效",
    })
    .input(NoInput)
    .output(SignIn)
    .mutation(({ ctx }) => refreshSession(ctx.deps, ctx.caller)),

  logout: anySessionProcedure
    .meta({
      rest: { method: "POST", path: "/api/auth/logout" },
      summary: "退出登录，只结束当前会话",
    })
    .input(NoInput)
    .output(Nothing)
    .mutation(({ ctx }) => signOut(ctx.deps, ctx.caller)),

  sessions: signedInProcedure
    .meta({
      rest: { method: "GET", path: "/api/auth/sessions" },
      summary: "自己的有效登录会话，当前会话在最前",
    })
    .input(NoInput)
    .output(z.array(OwnSession))
    .query(({ ctx }) => listOwnSessions(ctx.deps, ctx.caller)),

  endSession: signedInProcedure
    .meta({
      rest: { method: "DELETE", path: "/api/auth/sessions/{id}" },
      summary: "结束自己的一个其他登录会话",
      errors: ["STATE_CONFLICT"],
    })
    .input(IdInput)
    .output(Nothing)
    .mutation(({ ctx, input }) => endOwnSession(ctx.deps, ctx.caller, input)),

  endOtherSessions: signedInProcedure
    .meta({
      rest: { method: "DELETE", path: "/api/auth/sessions" },
      summary: "结束自己的全部其他登录会话",
    })
    .input(NoInput)
    .output(EndedSessions)
    .mutation(({ ctx }) => endOtherSessions(ctx.deps, ctx.caller)),
});
