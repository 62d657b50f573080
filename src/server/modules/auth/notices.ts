import type { NotifyDeps } from "../notice-records/deps.ts";
import { type ActNotice, notifyUsers } from "../notice-records/notify-users.ts";

// What a user is told of its own account. It may have been somebody else, so it is told of its own
// acts, too.

/** `at` in Unix seconds, as below. */
export async function notifyOfNewAddress(
  deps: NotifyDeps,
  { userId, ip }: { readonly userId: string; readonly ip: string },
  at: number,
): Promise<void> {
  const text = {
    title: "账号从新的地址登录",
    message: `您的账号刚刚从 ${ip} 登录，此前没有从这个地址登录过。如果不是您本人，请立即修改密码。`,
  };
  await notifyOfAccount(deps, { userId, type: "security.new_address", text }, at);
}

export async function notifyOfChangedPassword(
  deps: NotifyDeps,
  userId: string,
  at: number,
): Promise<void> {
  const text = {
    title: "密码已修改",
    message: "您的密码刚刚被修改，其他登录已经结束。如果不是您本人操作，请立即联系管理员。",
  };
  await notifyOfAccount(deps, { userId, type: "security.password_changed", text }, at);
}

/** By somebody else. */
export async function notifyOfResetPassword(
  deps: NotifyDeps,
  userId: string,
  at: number,
): Promise<void> {
  const text = {
    title: "密码已重置",
    message: "您的密码已由管理员重置，原来的登录已经结束。如果您没有要求重置，请联系管理员。",
  };
  await notifyOfAccount(deps, { userId, type: "security.password_reset", text }, at);
}

interface AccountNotice extends Pick<ActNotice, "type"> {
  readonly userId: string;
  readonly text: { readonly title: string; readonly message: string };
}

async function notifyOfAccount(
  deps: NotifyDeps,
  { userId, type, text }: AccountNotice,
  at: number,
): Promise<void> {
  const describe = () => ({ ...text, link: "/account" });
  const notice = { userIds: [userId], type, severity: "warning", subjects: [], describe } as const;
  await notifyUsers(deps, [notice], at);
}
