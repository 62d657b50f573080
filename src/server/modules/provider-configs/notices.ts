import { yuanOf } from "../../../shared/money.ts";
import type { NotifyDeps } from "../notice-records/deps.ts";
import { notifyUsers } from "../notice-records/notify-users.ts";
import { findActiveSuperAdminIds } from "../users/queries.ts";
import type { ConfigRow } from "./entity.ts";

type LowBalance = Pick<ConfigRow, "id" | "name" | "balanceAvailableFen" | "balanceAlertFen">;

/** The balance was not low before. `at` in Unix seconds. */
export async function notifyOfLowBalance(
  deps: NotifyDeps,
  { id, name, balanceAvailableFen, balanceAlertFen }: LowBalance,
  at: number,
): Promise<void> {
  const available = yuanOf(balanceAvailableFen ?? 0);
  const alert = yuanOf(balanceAlertFen ?? 0);
  const notice = {
    userIds: await findActiveSuperAdminIds(deps.em),
    type: "balance.low",
    severity: "warning",
    subjects: [],
    describe: () => ({
      title: `配置“${name}”的余额不足`,
      message: `可用余额 ${available} 元，低于预警的 ${alert} 元，请及时充值。`,
      link: `/configs?config=${id}`,
    }),
  } as const;
  await notifyUsers(deps, [notice], at);
}
