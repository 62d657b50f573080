import { AppError } from "../errors.ts";
import type { Caller } from "./caller.ts";

interface CalledProcedure {
  readonly type: "query" | "mutation" | "subscription";
  readonly meta: { readonly isSessionOnly?: boolean } | undefined;
}

/**
 * Throws TOKEN_SCOPE when the call is made with an API token that may not make it: whatever its
 * scope one that is for sessions alone, and with the scope `read` one that changes something.
 */
export function assertTokenScope({ token }: Caller, { type, meta }: CalledProcedure): void {
  if (token === null) return;

  if (meta?.isSessionOnly === true) {
    throw new AppError("TOKEN_SCOPE", "此操作不能使用 API 令牌，请登录后操作");
  }
  if (token.scope === "read" && type === "mutation") {
    throw new AppError("TOKEN_SCOPE", "该 API 令牌是只读的，不能执行此操作");
  }
}
