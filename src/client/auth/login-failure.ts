import { TRPCClientError } from "@trpc/client";
import { failureCode, failureText } from "@/failure";

/** The server's own sentence where it has one; else the spec's sentence for the kind of failure. */
export function loginFailureText(error: unknown): string {
  if (!(error instanceof TRPCClientError)) return "登录失败，请稍后重试";
  if (failureCode(error) !== null || error.meta?.response === undefined) return failureText(error);
  return textForStatus(error.meta.response);
}

function textForStatus(response: unknown): string {
  const status = response instanceof Response ? response.status : 0;
  if (status === 400) return "请求参数错误";
  if (status === 401) return "用户名或密码错误";
  return status >= 500 ? "服务器内部错误" : "登录失败，请稍后重试";
}
