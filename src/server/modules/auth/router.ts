import { z } from "zod";
import {
  ApiToken,
  CreateApiTokenInput,
  CreatedApiToken,
  RevokeUserTokenInput,
} from "../../../shared/api-tokens.ts";
import {
  ChangePasswordInput,
  EndedSessions,
  LoginAnswer,
  LoginInput,
  OwnSession,
  SignIn,
  UpdatePreferencesInput,
} from "../../../shared/auth.ts";
import { IdInput, NoInput, Nothing } from "../../../shared/ids.ts";
import {
  ConfirmTotpInput,
  OwnSecondFactorInput,
  RecoveryCodes,
  SecondFactorInput,
  SetUpTotpInput,
  TotpSetUp,
} from "../../../shared/second-factor.ts";
import {
  SecuritySettings,
  UpdateSecuritySettingsInput,
} from "../../../shared/security-settings.ts";
import { CurrentUser, Preferences } from "../../../shared/users.ts";
import {
  anyCallerProcedure,
  anySessionProcedure,
  ownPasswordProcedure,
  permittedSessionProcedure,
  publicProcedure,
  router,
  signedInSessionProcedure,
  superAdminSessionProcedure,
} from "../../platform/trpc/trpc.ts";
import { currentUser } from "../users/queries.ts";
import {
  createToken,
  listOwnTokens,
  listTokensOfUser,
  revokeOwnToken,
  revokeTokenOfUser,
} from "./api-tokens.ts";
import { changePassword } from "./change-password.ts";
import { completeSignIn } from "./complete-sign-in.ts";
import { confirmTotp, disableTotp, renewRecoveryCodes, setUpTotp } from "./own-second-factor.ts";
import {
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  refreshSession,
  signOut,
} from "./own-sessions.ts";
import { getSecuritySettings, updateSecuritySettings } from "./security-settings.ts";
import { signIn } from "./sign-in.ts";
import { updatePreferences } from "./update-preferences.ts";

export const authRouter = router({
  login: publicProcedure
    .meta({
      rest: { method: "POST", path: "/api/auth/login" },
      summary: "登录",
      description:
        "开启了两步验证的账号得到 `secondFactor`，再用验证码完成登录。同一账号或同一地址连续失败过多时，暂时限制登录。每个用户最多保留 20 个登录，超出时最早的一个结束。",
      errors: ["LOGIN_FAILED", "TOO_MANY_REQUESTS"],
    })
    .input(LoginInput)
    .output(LoginAnswer)
    .mutation(({ ctx, input }) => signIn(ctx.deps, input)),

  secondFactor: publicProcedure
    .meta({
      rest: { method: "POST", path: "/api/auth/second-factor" },
      summary: "用验证码或恢复码完成登录",
      description:
        "每个验证码只能使用一次。错误的验证码与错误的密码一起计数；输错五次后必须重新登录。",
      errors: ["LOGIN_FAILED", "TOO_MANY_REQUESTS"],
    })
    .input(SecondFactorInput)
    .output(SignIn)
    .mutation(({ ctx, input }) => completeSignIn(ctx.deps, input)),

  me: anyCallerProcedure
    .meta({
      rest: { method: "GET", path: "/api/auth/me" },
      summary: "查询当前登录的用户",
      description: "C端用户还会得到负责管理员的手机号和邮箱，以便联系。",
      // With an API token. A session is let in, so that it learns what it lacks.
      errors: ["SECOND_FACTOR_REQUIRED"],
    })
    .input(NoInput)
    .output(CurrentUser)
    .query(({ ctx }) => currentUser(ctx.deps, ctx.caller)),

  changePassword: anySessionProcedure
    .meta({
      rest: { method: "PUT", path: "/api/auth/password" },
      summary: "修改自己的密码",
      description: "成功后，自己的其他登录立即失效，API 令牌保留；连续输错当前密码会被暂时限制。",
      errors: ["WRONG_PASSWORD", "STATE_CONFLICT", "TOO_MANY_REQUESTS"],
    })
    .input(ChangePasswordInput)
    .output(Nothing)
    .mutation(({ ctx, input }) => changePassword(ctx.deps, ctx.caller, input)),

  updatePreferences: signedInSessionProcedure
    .meta({
      rest: { method: "PUT", path: "/api/auth/preferences" },
      summary: "修改自己的偏好",
      description: "关闭后不再向自己的邮箱发送通知，收件箱不受影响。",
    })
    .input(UpdatePreferencesInput)
    .output(Preferences)
    .mutation(({ ctx, input }) => updatePreferences(ctx.deps, ctx.caller, input)),

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

  sessions: signedInSessionProcedure
    .meta({
      rest: { method: "GET", path: "/api/auth/sessions" },
      summary: "自己的有效登录会话，当前会话在最前",
    })
    .input(NoInput)
    .output(z.array(OwnSession))
    .query(({ ctx }) => listOwnSessions(ctx.deps, ctx.caller)),

  endSession: signedInSessionProcedure
    .meta({
      rest: { method: "DELETE", path: "/api/auth/sessions/{id}" },
      summary: "结束自己的一个其他登录会话",
      errors: ["STATE_CONFLICT"],
    })
    .input(IdInput)
    .output(Nothing)
    .mutation(({ ctx, input }) => endOwnSession(ctx.deps, ctx.caller, input)),

  endOtherSessions: signedInSessionProcedure
    .meta({
      rest: { method: "DELETE", path: "/api/auth/sessions" },
      summary: "结束自己的全部其他登录会话",
    })
    .input(NoInput)
    .output(EndedSessions)
    .mutation(({ ctx }) => endOtherSessions(ctx.deps, ctx.caller)),

  setUpTotp: ownPasswordProcedure
    .meta({
      rest: { method: "POST", path: "/api/auth/totp/setup" },
      summary: "获取验证器的密钥，准备开启两步验证",
      description: "确认之前没有开启；再次获取时，以最新的密钥为准。",
      errors: ["WRONG_PASSWORD", "STATE_CONFLICT", "TOO_MANY_REQUESTS"],
    })
    .input(SetUpTotpInput)
    .output(TotpSetUp)
    .mutation(({ ctx, input }) => setUpTotp(ctx.deps, ctx.caller, input)),

  confirmTotp: ownPasswordProcedure
    .meta({
      rest: { method: "POST", path: "/api/auth/totp/confirm" },
      summary: "用验证器的第一个验证码开启两步验证",
      description: "返回十个恢复码，只显示这一次。自己的其他登录立即失效。",
      errors: ["STATE_CONFLICT", "TOO_MANY_REQUESTS"],
    })
    .input(ConfirmTotpInput)
    .output(RecoveryCodes)
    .mutation(({ ctx, input }) => confirmTotp(ctx.deps, ctx.caller, input)),

  renewRecoveryCodes: signedInSessionProcedure
    .meta({
      rest: { method: "POST", path: "/api/auth/totp/recovery-codes" },
      summary: "重新生成十个恢复码，原来的全部失效",
      errors: ["WRONG_PASSWORD", "STATE_CONFLICT", "TOO_MANY_REQUESTS"],
    })
    .input(OwnSecondFactorInput)
    .output(RecoveryCodes)
    .mutation(({ ctx, input }) => renewRecoveryCodes(ctx.deps, ctx.caller, input)),

  disableTotp: signedInSessionProcedure
    .meta({
      rest: { method: "POST", path: "/api/auth/totp/disable" },
      summary: "关闭两步验证",
      description: "自己的其他登录立即失效。",
      errors: ["WRONG_PASSWORD", "STATE_CONFLICT", "TOO_MANY_REQUESTS"],
    })
    .input(OwnSecondFactorInput)
    .output(Nothing)
    .mutation(({ ctx, input }) => disableTotp(ctx.deps, ctx.caller, input)),

  tokens: signedInSessionProcedure
    .meta({
      rest: { method: "GET", path: "/api/auth/tokens" },
      summary: "自己的 API 令牌，从新到旧",
      description: "包括到期不久的；已撤销的不在其中。",
    })
    .input(NoInput)
    .output(z.array(ApiToken))
    .query(({ ctx }) => listOwnTokens(ctx.deps, ctx.caller)),

  createToken: signedInSessionProcedure
    .meta({
      rest: { method: "POST", path: "/api/auth/tokens", status: 201 },
      summary: "新建 API 令牌",
      description:
        "程序用它代表自己调用接口。令牌本身只在这个回答里出现一次；每个用户最多同时有 20 个有效的令牌。",
      errors: ["STATE_CONFLICT"],
    })
    .input(CreateApiTokenInput)
    .output(CreatedApiToken)
    .mutation(({ ctx, input }) => createToken(ctx.deps, ctx.caller, input)),

  revokeToken: signedInSessionProcedure
    .meta({
      rest: { method: "DELETE", path: "/api/auth/tokens/{id}" },
      summary: "撤销自己的一个 API 令牌，立即失效",
    })
    .input(IdInput)
    .output(Nothing)
    .mutation(({ ctx, input }) => revokeOwnToken(ctx.deps, ctx.caller, input)),
});

export const securitySettingsRouter = router({
  get: superAdminSessionProcedure
    .meta({
      rest: { method: "GET", path: "/api/security-settings" },
      summary: "读取安全设置",
    })
    .input(NoInput)
    .output(SecuritySettings)
    .query(({ ctx }) => getSecuritySettings(ctx.deps)),

  update: superAdminSessionProcedure
    .meta({
      rest: { method: "PUT", path: "/api/security-settings" },
      summary: "修改安全设置",
      description:
        "对已经登录的用户同样立即生效。要求超级管理员使用两步验证之前，必须先为自己开启。",
      errors: ["STATE_CONFLICT"],
    })
    .input(UpdateSecuritySettingsInput)
    .output(SecuritySettings)
    .mutation(({ ctx, input }) => updateSecuritySettings(ctx.deps, ctx.caller, input)),
});

/** Among the calls of users. */
export const userTokensRouter = router({
  tokens: permittedSessionProcedure("users:update")
    .meta({
      rest: { method: "GET", path: "/api/users/{id}/tokens" },
      summary: "用户的 API 令牌，从新到旧",
    })
    .input(IdInput)
    .output(z.array(ApiToken))
    .query(({ ctx, input }) => listTokensOfUser(ctx.deps, ctx.caller, input)),

  revokeToken: permittedSessionProcedure("users:update")
    .meta({
      rest: { method: "DELETE", path: "/api/users/{id}/tokens/{tokenId}" },
      summary: "撤销用户的一个 API 令牌，立即失效",
    })
    .input(RevokeUserTokenInput)
    .output(Nothing)
    .mutation(({ ctx, input }) => revokeTokenOfUser(ctx.deps, ctx.caller, input)),
});
